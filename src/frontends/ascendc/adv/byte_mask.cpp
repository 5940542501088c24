// SPDX-License-Identifier: Apache-2.0
// Select with a byte mask and DropOut: the mask as bits, by a comparison with 0, then Select (adv.md 9).
#include "sfumato/ascendc/adv/byte_mask.h"

#include <fmt/format.h>

#include <algorithm>

#include "frontends/ascendc/adv/rows.h"

namespace sfumato::ascendc {
namespace {

using namespace adv;

// The type an unsigned mask is converted from: an element is 0 or not in either.
DataType Signed(DataType type) {
    switch (BitsOf(type)) {
        case 8: return DataType::kUint8;
        case 16: return DataType::kInt16;
        default: return DataType::kInt32;
    }
}

// Rows of elements of a type for the comparison, and their bits: temporaries of a piece.
class MaskBits {
public:
    MaskBits(RowSteps& t, DataType data, const Rows& mask) : t_(t), data_(data), mask_(mask) {
        middle_ = BitsOf(mask.vec.type) == 32 ? DataType::kFloat : DataType::kHalf;
    }
    // Bytes of temporaries an element takes: what the mask converts to, what is compared, an eighth for the bits.
    uint64_t Bytes() const { return BytesOf(middle_, 1) + (middle_ == data_ ? 0 : BytesOf(data_, 1)) + 1; }
    void Take(Space& space, uint64_t elements) {
        first_ = space.Take(middle_, elements);
        second_ = middle_ == data_ ? first_ : space.Take(data_, elements);
        bits_ = space.Take(DataType::kUint8, elements / 8);
    }
    // Of rows and columns from (row, column) on: bit i is 1 where the mask
    // compares with 0 as `mode` says. Dense.
    const Vec& Of(uint64_t row, uint64_t column, uint64_t rows, uint64_t columns, AscendC::CMPMODE mode) {
        const Rows from = From(mask_, row, column), wide{first_, rows, columns, RoundUpTo(columns, 16)},
                   dense{second_, rows, columns, columns};
        const bool same = middle_ == data_;
        t_.Cast(same ? dense : wide, from, Rounding::kNone);
        if (!same) t_.Cast(dense, wide, Rounding::kNone);
        // Whole 256 bytes are compared.
        const uint64_t lanes = 2048 / BitsOf(data_);
        t_.Compare(bits_, Part(second_, 0, RoundUpTo(rows * columns, lanes)), 0, mode);
        return bits_;
    }

private:
    RowSteps& t_;
    DataType data_, middle_;
    Rows mask_;
    Vec first_, second_, bits_;
};

bool CheckShape(const Caller& at, const VectorOperand& src, const MaskShape& s) {
    const uint64_t bytes = BytesOf(src.type, s.width), all = uint64_t{s.rows} * s.width;
    if (bytes % isa::kBlockBytes == 0 && src.tensor->size == all) return true;
    return at.Refuse("info", "the shape does not fit the source",
                     fmt::format("firstAxis {}, srcLastAxis {}, {} elements", s.rows, s.width, src.tensor->size),
                     "firstAxis x srcLastAxis elements, rows of whole blocks of 32 bytes",
                     "pad the rows, or set the size of the tensor");
}
bool CheckMaskAxis(const Caller& at, const VectorOperand& mask, const MaskShape& s, bool padded) {
    const uint64_t bytes = BytesOf(mask.type, s.mask_width);
    const bool whole = bytes % isa::kBlockBytes == 0 && s.mask_width % 16 == 0;
    if (padded ? whole && s.mask_width >= s.width : s.mask_width == s.width) return true;
    return at.Refuse("info", "the rows of the mask do not fit",
                     fmt::format("srcLastAxis {}, maskLastAxis {}", s.width, s.mask_width),
                     padded ? "maskLastAxis a multiple of 32 bytes and of 16 elements, srcLastAxis or more"
                            : "maskLastAxis equal to srcLastAxis",
                     "pad the rows of the mask");
}

// dst = bit of the mask ? src : scalar for all rows, as many at a time as there is room for.
bool Choose(const Caller& at, RowSteps& t, const Vec& dst, const Vec& src, MaskBits& mask, MaskShape s,
            AscendC::CMPMODE mode, uint64_t scalar) {
    constexpr uint64_t kUnit = 256;  // bits of a mask that are whole blocks
    Space space(at);
    const uint64_t all = uint64_t{s.rows} * s.width, needed = kUnit * mask.Bytes();
    // Without a gap between rows there is one.
    if (s.mask_width == s.width) s.rows = 1, s.width = s.mask_width = static_cast<uint32_t>(all);
    if (!at.CheckSpace(space.bytes(), needed)) return false;
    const uint64_t at_once = std::min(space.bytes() / mask.Bytes() / kUnit * kUnit, RoundUpTo(all, kUnit));
    mask.Take(space, at_once);
    // The conversion of a row may need it padded to 16 elements.
    const uint64_t pitch = RoundUpTo(s.width, 16), columns = std::min<uint64_t>(at_once, s.width);
    const uint64_t rows = std::max<uint64_t>(at_once / pitch, 1);
    for (uint64_t r = 0; r < s.rows; r += rows) {
        for (uint64_t c = 0; c < s.width; c += columns) {
            const uint64_t count = columns == s.width ? std::min(rows, s.rows - r) : 1;
            const uint64_t width = std::min(columns, s.width - c);
            const Vec& bits = mask.Of(r, c, count, width, mode);
            const uint64_t first = r * s.width + c, n = count * width;
            t.Select(Part(dst, first, n), bits, Part(src, first, n), scalar);
        }
    }
    return true;
}

}  // namespace

void SelectByBytes(const ByteSelectCall& call) {
    const Caller at(call.name, call.tmp, call.where);
    at.core.Called("SelectWithBytesMask", call.where);  // the name of its page
    const MaskShape& s = call.shape;
    const uint64_t all = uint64_t{s.rows} * s.width;
    if (!at.CheckNeeds({{"dst", &call.dst, all},
                        {"src", &call.src, all, &call.dst},
                        {"mask", &call.mask, uint64_t{s.rows} * s.mask_width}}) ||
        !CheckShape(at, call.src, s) || !CheckMaskAxis(at, call.mask, s, true) || all == 0) {
        return;
    }
    RowSteps t(at.core, call.where, Walk::kCounts);
    Vec elements = VecOf(call.mask);
    elements.type = Signed(elements.type);
    MaskBits mask(t, call.dst.type, {elements, s.rows, s.mask_width, s.mask_width});
    // Bit 1 takes the tensor: src0 where the mask is 0, src1 where it is not.
    const auto mode = call.scalar_where_0 ? AscendC::CMPMODE::NE : AscendC::CMPMODE::EQ;
    Choose(at, t, VecOf(call.dst), VecOf(call.src), mask, s, mode, call.scalar);
    if (call.reuses && s.mask_width != s.width) at.TellReused(call.dst, call.mask, uint64_t{s.rows} * s.mask_width);
}

namespace {

enum : uint32_t { kByShape, kBytesPadded, kBytes, kBits, kBitsPadded };

uint32_t ModeOf(const DropOutCall& call) {
    const MaskShape& s = call.shape;
    if (call.mode != kByShape) return call.mode;
    if (s.mask_width == s.width) return kBytes;
    if (s.mask_width > s.width) return kBytesPadded;
    return s.mask_width * 8 == s.width ? kBits : kBitsPadded;
}

}  // namespace

void DropElements(const DropOutCall& call) {
    const Caller at("DropOut", call.tmp, call.where);
    const MaskShape& s = call.shape;
    const uint32_t mode = ModeOf(call);
    const uint64_t all = uint64_t{s.rows} * s.width;
    const bool bits = mode == kBits || mode == kBitsPadded;
    if (!(call.keep_prob > 0 && call.keep_prob < 1)) {
        at.Refuse("keepProb", "the probability is out of range", fmt::format("{}", call.keep_prob),
                  "greater than 0, less than 1", "copy the source where nothing is dropped");
        return;
    }
    const uint64_t mask_elements = mode == kBits ? (all + 7) / 8 : uint64_t{s.rows} * s.mask_width;
    if (!at.CheckNeeds(
            {{"dst", &call.dst, all}, {"src", &call.src, all, &call.dst}, {"mask", &call.mask, mask_elements}}) ||
        !CheckShape(at, call.src, s) || (!bits && !CheckMaskAxis(at, call.mask, s, mode == kBytesPadded)) || all == 0) {
        return;
    }
    RowSteps t(at.core, call.where, Walk::kCounts);
    const Vec dst = Part(VecOf(call.dst), 0, all), src = Part(VecOf(call.src), 0, all), mask = VecOf(call.mask);
    if (mode == kBits) {
        t.Select(dst, mask, src, 0);
    } else if (mode == kBitsPadded) {
        if (s.mask_width % isa::kBlockBytes != 0 || uint64_t{s.mask_width} * 8 < s.width) {
            at.Refuse("info", "the rows of the mask do not fit",
                      fmt::format("srcLastAxis {}, maskLastAxis {}", s.width, s.mask_width),
                      "maskLastAxis a multiple of 32, with a bit for each of srcLastAxis", "pad the rows of the mask");
            return;
        }
        for (uint64_t r = 0; r < s.rows; ++r) {
            const Vec row = Part(mask, r * s.mask_width, s.mask_width);
            t.Select(Part(dst, r * s.width, s.width), row, Part(src, r * s.width, s.width), 0);
        }
    } else {
        MaskBits kept(t, call.dst.type, {mask, s.rows, s.mask_width, s.mask_width});
        if (!Choose(at, t, dst, src, kept, s, AscendC::CMPMODE::NE, 0)) return;
    }
    t.Muls(dst, dst, 1.0 / static_cast<double>(call.keep_prob));
}

}  // namespace sfumato::ascendc
