// SPDX-License-Identifier: Apache-2.0
// Steps that move elements: copies, gathers, selections.
#include <algorithm>

#include "frontends/ascendc/adv/rows.h"
#include "sfumato/ascendc/reduce_types.h"

namespace sfumato::ascendc::adv {
namespace {

constexpr uint64_t kRepeatBlocks = 8, kMostCopies = 4095;

}  // namespace

void RowSteps::Copy(const Rows& dst, const Rows& src) {
    const auto blocks = [&](const Rows& rows, uint64_t elements) {
        return BytesOf(rows.vec.type, elements) / isa::kBlockBytes;
    };
    for (uint64_t r = 0; r < dst.rows; r += kMostCopies) {
        const Vec to = From(dst, r, 0).vec, from = From(src, r, 0).vec;
        Barrier();
        MoveCall move{Between(&to.view, &from.view, to.type, where_)};
        move.block_count = static_cast<uint32_t>(std::min(kMostCopies, dst.rows - r));
        move.block_len = blocks(dst, dst.columns);
        const bool single = move.block_count == 1;
        move.src_gap = single ? 0 : static_cast<uint32_t>(blocks(src, src.pitch) - move.block_len);
        move.dst_gap = single ? 0 : static_cast<uint32_t>(blocks(dst, dst.pitch) - move.block_len);
        data_move(move);
    }
}

void RowSteps::Repeat(const Vec& dst, uint64_t have, uint64_t whole) {
    while (have < whole) {
        const uint64_t more = std::min(have, whole - have);
        CopyBlocks(Part(dst, have, more), Part(dst, 0, more));
        have += more;
    }
}

void RowSteps::FillInBlock(const Rows& dst, uint64_t first, uint64_t last, uint64_t bits) {
    const uint64_t pitch = BytesOf(dst.vec.type, dst.pitch) / isa::kBlockBytes,
                   most = pitch <= kMostRepeats ? kMostRepeats : 1;
    for (uint64_t r = 0; r < dst.rows; r += most) {
        const Vec to = From(dst, r, 0).vec;
        VectorCall call = Begin(to);
        SetMaskMode(false, where_);
        call.dst.repeat_stride = static_cast<uint32_t>(most == 1 ? kRepeatBlocks : pitch);
        call.form = MaskForm::kBits;
        call.mask[0] = (uint64_t{1} << last) - (uint64_t{1} << first);
        call.repeat = static_cast<uint32_t>(std::min(most, dst.rows - r));
        call.scalar = bits;
        vector_dup(call);
        ResetMask();
    }
}

void RowSteps::Progression(const Vec& dst, uint64_t first, uint64_t difference) {
    Barrier();
    FillProgression(dst.view, DataType::kInt32, first, difference, static_cast<int64_t>(dst.size()), where_);
}

void RowSteps::Index(const Vec& dst, int64_t first) {
    const uint64_t bits = Element(DataType::kInt32, static_cast<double>(first));
    if (!core_.chip().Has(isa::Api::kAscendC, isa::Opcode::vci, DataType::kInt32)) return Progression(dst, bits, 1);
    VectorCall call = Begin(dst);
    call.scalar = bits;
    vci(call);
}

void RowSteps::Gather(const Vec& dst, const Vec& src, const Vec& offsets, uint64_t base) {
    const Vec bytes = As(offsets, DataType::kUint32);
    GatherCall call;
    static_cast<VectorCall&>(call) = Begin(dst);
    call.src0 = OperandOf(src);
    call.offsets = OperandOf(bytes);
    call.base = base;
    vgather(call);
}

void RowSteps::Compare(const Vec& bits, const Vec& a, double b, AscendC::CMPMODE mode) {
    CompareCall call;
    static_cast<VectorCall&>(call) = Begin(bits);
    call.src0 = OperandOf(a);
    call.mask[0] = a.size();
    call.scalar = Element(a.type, b);
    call.mode = mode;
    call.name = "Compares";
    vcmpvs(call);
}

void RowSteps::Select(const Vec& dst, const Vec& bits, const Vec& a, uint64_t b) {
    SelectCall call;
    static_cast<VectorCall&>(call) = Begin(dst);
    call.src0 = OperandOf(a);
    call.sel = OperandOf(bits);
    call.scalar = b;
    call.mode = AscendC::SELMODE::VSEL_TENSOR_SCALAR_MODE;
    vsel(call);
}

void RowSteps::Squeeze(const Vec& dst, const Vec& src, uint8_t pattern, uint64_t count) {
    Barrier();
    const AscendC::GatherMaskParams params(1, 1, kRepeatBlocks, 0);
    vreduce({OperandOf(dst), OperandOf(src), {}, pattern, true, static_cast<uint32_t>(count), params, where_});
}

void RowSteps::SqueezeBy(const Vec& dst, const Vec& src, const Vec& bits) {
    Barrier();
    const AscendC::GatherMaskParams params(1, 1, kRepeatBlocks, 0);
    vreduce(
        {OperandOf(dst), OperandOf(src), OperandOf(bits), 0, true, static_cast<uint32_t>(src.size()), params, where_});
}

void RowSteps::Transpose(const Squares& dst, const Squares& src, uint64_t count) {
    const uint32_t bits = BitsOf(src.vec.type);
    const DataType type = bits == 16 ? DataType::kUint16 : DataType::kUint32;
    const uint64_t columns = BlockElements(type);  // of a block: 16 or, in two instructions, 8
    const auto set = [&](BlockList* list, int i, const Vec& vec, uint64_t element) {
        list->address[i] = reinterpret_cast<uint64_t>(vec.view.address) + element * bits / 8;
        list->room[i] = vec.view.room - element * bits / 8;
    };
    const auto blocks = [&](uint64_t elements) { return static_cast<uint16_t>(elements / columns); };
    for (uint64_t first = 0; first < count; first += kMostRepeats) {
        const uint64_t n = std::min<uint64_t>(kMostRepeats, count - first), from = first * src.step,
                       to = first * dst.step;
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
