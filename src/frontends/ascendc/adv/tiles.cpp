// SPDX-License-Identifier: Apache-2.0
#include "frontends/ascendc/adv/tiles.h"

#include <algorithm>

#include "sfumato/ascendc/reduce_types.h"

namespace sfumato::ascendc::adv {
namespace {

constexpr uint64_t kRepeatBlocks = 8, kMaxRepeats = 255, kMaxStride = 255, kMaxCopies = 4095;

VectorOperand At(const Vec& vec) { return {&vec.view, 1, vec.type, kRepeatBlocks}; }

}  // namespace

Rows From(const Rows& rows, uint64_t row, uint64_t column) {
    Rows from = rows;
    const uint64_t first = row * rows.pitch + (rows.columns ? 0 : column);
    from.vec = Part(rows.vec, first, rows.vec.size() - std::min<uint64_t>(first, rows.vec.size()));
    return from;
}

void Tiles::Tile(Issue issue, Extent e, const Rows& dst, const Rows& a, const Rows* b, uint64_t scalar,
                 Rounding rounding) {
    const Rows* all[] = {&dst, &a, b};
    uint64_t lanes = ~uint64_t{0};
    bool dense = true, strided = true;
    for (const Rows* rows : all) {
        if (!rows) continue;
        lanes = std::min<uint64_t>(lanes, 2048 / BitsOf(rows->vec.type));
        dense &= rows->pitch == e.width && !rows->columns;
        strided &= BytesOf(rows->vec.type, rows->pitch) / isa::kBlockBytes <= kMaxStride;
    }
    const bool columns = b && b->columns;
    const auto one = [&](uint64_t row, uint64_t column, uint64_t rows, uint64_t width, bool repeats) {
        Vec part[3];
        for (int i = 0; i < 3; ++i) {
            if (all[i]) part[i] = From(*all[i], row, column).vec;
        }
        VectorCall call = Begin(part[0]);
        VectorOperand* operands[] = {&call.dst, &call.src0, &call.src1};
        for (int i = 0; i < 3; ++i) {
            if (!all[i]) continue;
            *operands[i] = At(part[i]);
            if (!repeats) continue;
            operands[i]->repeat_stride = static_cast<uint32_t>(BytesOf(part[i].type, all[i]->pitch) / isa::kBlockBytes);
            operands[i]->block_stride = all[i]->columns ? 0 : 1;
        }
        call.mask[0] = width;
        if (repeats) {
            SetMaskMode(false, where_);
            call.form = MaskForm::kContinuous;
            call.repeat = static_cast<uint32_t>(rows);
        }
        call.scalar = scalar;
        call.rounding = rounding;
        issue(call);
        if (repeats) ResetMask();
    };
    if (dense || (e.rows == 1 && !columns)) return one(0, 0, 1, e.rows * e.width, false);
    if (!columns && (!strided || e.rows * lanes <= e.width)) {
        for (uint64_t r = 0; r < e.rows; ++r) one(r, 0, 1, e.width, false);
        return;
    }
    const uint64_t most = strided ? kMaxRepeats : 1;
    for (uint64_t c = 0; c < e.width; c += lanes) {
        for (uint64_t r = 0; r < e.rows; r += most) {
            one(r, c, std::min(most, e.rows - r), std::min(lanes, e.width - c), true);
        }
    }
}

void Tiles::Copy(Extent e, const Rows& dst, const Rows& src) {
    const auto blocks = [&](const Rows& rows, uint64_t elements) {
        return BytesOf(rows.vec.type, elements) / isa::kBlockBytes;
    };
    for (uint64_t r = 0; r < e.rows; r += kMaxCopies) {
        const Vec to = From(dst, r, 0).vec, from = From(src, r, 0).vec;
        Barrier();
        MoveCall move;
        move.dst = &to.view;
        move.src = &from.view;
        move.dst_type = move.src_type = to.type;
        move.where = where_;
        move.block_count = static_cast<uint32_t>(std::min(kMaxCopies, e.rows - r));
        move.block_len = blocks(dst, e.width);
        const bool single = move.block_count == 1;
        move.src_gap = single ? 0 : static_cast<uint32_t>(blocks(src, src.pitch) - move.block_len);
        move.dst_gap = single ? 0 : static_cast<uint32_t>(blocks(dst, dst.pitch) - move.block_len);
        data_move(move);
    }
}

void Tiles::Repeat(const Vec& dst, uint64_t have, uint64_t whole) {
    while (have < whole) {
        const uint64_t more = std::min(have, whole - have);
        Copy({1, more}, {Part(dst, have, more), more}, {Part(dst, 0, more), more});
        have += more;
    }
}

void Tiles::FillInBlock(uint64_t rows, const Rows& dst, uint64_t first, uint64_t last, uint64_t bits) {
    const uint64_t pitch = BytesOf(dst.vec.type, dst.pitch) / isa::kBlockBytes,
                   most = pitch <= kMaxStride ? kMaxRepeats : 1;
    for (uint64_t r = 0; r < rows; r += most) {
        const Vec to = From(dst, r, 0).vec;
        VectorCall call = Begin(to);
        SetMaskMode(false, where_);
        call.dst.repeat_stride = static_cast<uint32_t>(most == 1 ? kRepeatBlocks : pitch);
        call.form = MaskForm::kBits;
        call.mask[0] = (uint64_t{1} << last) - (uint64_t{1} << first);
        call.repeat = static_cast<uint32_t>(std::min(most, rows - r));
        call.scalar = bits;
        vector_dup(call);
        ResetMask();
    }
}

void Tiles::Gather(const Vec& dst, const Vec& src, const Vec& offsets) {
    GatherCall call;
    static_cast<VectorCall&>(call) = Begin(dst);
    call.src0 = At(src);
    call.offsets = At(offsets);
    vgather(call);
}

void Tiles::Index(const Vec& dst, int64_t first) {
    if (!core_.chip().Has(isa::Api::kAscendC, isa::Opcode::vci, DataType::kInt32)) {
        Barrier();
        return FillProgression(dst.view, DataType::kInt32, Element(DataType::kInt32, static_cast<double>(first)), 1,
                               static_cast<int64_t>(dst.size()), where_);
    }
    VectorCall call = Begin(dst);
    call.scalar = Element(DataType::kInt32, static_cast<double>(first));
    vci(call);
}

void Tiles::Brcb(const Vec& dst, const Vec& src, uint64_t repeats) {
    // A repeat reads 8 elements, of 16 bits half a block: instructions start at an even one.
    constexpr uint64_t kMost = kMaxRepeats - 1;
    const uint64_t block = BlockElements(src.type);
    for (uint64_t r = 0; r < repeats; r += kMost) {
        const uint64_t n = std::min(kMost, repeats - r);
        const Vec to = Part(dst, r * 8 * block, n * 8 * block), from = Part(src, r * 8, n * 8);
        VectorCall call = Begin(to);
        call.src0 = At(from);
        call.repeat = static_cast<uint32_t>(n);
        vbcb(call);
    }
}

void Tiles::Compare(const Vec& bits, const Vec& a, double b, AscendC::CMPMODE mode) {
    CompareCall call;
    static_cast<VectorCall&>(call) = Begin(bits);
    call.src0 = At(a);
    call.mask[0] = a.size();
    call.scalar = Element(a.type, b);
    call.mode = mode;
    call.name = "Compares";
    vcmpvs(call);
}

void Tiles::Select(const Vec& dst, const Vec& bits, const Vec& a, uint64_t b) {
    SelectCall call;
    static_cast<VectorCall&>(call) = Begin(dst);
    call.src0 = At(a);
    call.sel = At(bits);
    call.scalar = b;
    call.mode = AscendC::SELMODE::VSEL_TENSOR_SCALAR_MODE;
    vsel(call);
}

void Tiles::Squeeze(const Vec& dst, const Vec& src, uint8_t pattern, uint64_t count) {
    Barrier();
    const AscendC::GatherMaskParams params(1, 1, kRepeatBlocks, 0);
    vreduce({At(dst), At(src), {}, pattern, true, static_cast<uint32_t>(count), params, where_});
}

void Tiles::SqueezeBy(const Vec& dst, const Vec& src, const Vec& bits) {
    Barrier();
    const AscendC::GatherMaskParams params(1, 1, kRepeatBlocks, 0);
    vreduce({At(dst), At(src), At(bits), 0, true, static_cast<uint32_t>(src.size()), params, where_});
}

void Tiles::Transpose(const Grid& dst, const Grid& src, uint64_t count) {
    const uint32_t bits = BitsOf(src.vec.type);
    const DataType type = bits == 16 ? DataType::kUint16 : DataType::kUint32;
    const uint64_t columns = BlockElements(type);  // of a block: 16 or, in two instructions, 8
    const auto set = [&](BlockList* list, int i, const Vec& vec, uint64_t element) {
        list->address[i] = reinterpret_cast<uint64_t>(vec.view.address) + element * bits / 8;
        list->room[i] = vec.view.room - element * bits / 8;
    };
    const auto blocks = [&](uint64_t elements) { return static_cast<uint16_t>(elements / columns); };
    for (uint64_t first = 0; first < count; first += kMaxRepeats) {
        const uint64_t n = std::min(kMaxRepeats, count - first), from = first * src.step, to = first * dst.step;
        for (uint64_t c = 0; c < 16; c += columns) {
            BlockList d, s;
            for (int i = 0; i < 16; ++i) {
                const auto k = static_cast<uint64_t>(i);
                set(&s, i, src.vec, from + k * src.pitch + c);
                set(&d, i, dst.vec, bits == 16 ? to + k * dst.pitch : to + (c + k / 2) * dst.pitch + k % 2 * columns);
            }
            Barrier();
            vnchwconv(d, s, type,
                      {false, false, static_cast<uint8_t>(n), n == 1 ? uint16_t{0} : blocks(dst.step),
                       n == 1 ? uint16_t{0} : blocks(src.step)},
                      where_);
        }
    }
}

}  // namespace sfumato::ascendc::adv
