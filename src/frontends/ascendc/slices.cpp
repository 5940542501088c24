// SPDX-License-Identifier: Apache-2.0
// DataCopy of slices: the lists of both sides to plain moves (framework.md 3.5).
#include <fmt/format.h>

#include <array>

#include "frontends/ascendc/context.h"
#include "sfumato/ascendc/issue_copy.h"

namespace sfumato::ascendc {
namespace {

using AscendC::SliceInfo;

constexpr uint32_t kMostDims = 8;

// One side of the copy, in elements.
struct Side {
    const char* name;
    const SliceInfo* info;
    uint64_t block = 0;  // elements of 32 bytes

    uint64_t Length(uint32_t dim) const { return dim == 0 ? info[0].burstLen * block : 1; }
    uint64_t Pitch(uint32_t dim) const { return Length(dim) + info[dim].stride; }
    uint64_t Extent(uint32_t dim) const { return uint64_t{info[dim].endIndex} + 1 - info[dim].startIndex; }
    // The slices of a dimension; 0 when what lies between the two indices is no number of slices.
    uint64_t Slices(uint32_t dim) const {
        const uint64_t whole = Extent(dim) + info[dim].stride;
        return Pitch(dim) == 0 || whole % Pitch(dim) != 0 ? 0 : whole / Pitch(dim);
    }
    std::string Text(uint32_t dim) const {
        const SliceInfo& s = info[dim];
        return fmt::format("[{}] = {{{}, {}, {}, {}, {}}}", dim, s.startIndex, s.endIndex, s.stride, s.burstLen,
                           s.shapeValue);
    }
};

class Slices {
public:
    Slices(runtime::Core& core, const Ends& ends, const SliceInfo* dst, const SliceInfo* src, uint32_t dims)
        : core_(core), ends_(ends), dims_(dims) {
        const uint64_t block = isa::kBlockBytes * 8 / BitsOf(ends.dst_type);
        dst_ = {"dstSliceInfo", dst, block};
        src_ = {"srcSliceInfo", src, block};
    }

    bool Check() const {
        if (dims_ < 1 || dims_ > kMostDims)
            return Broken("dimValue", "a tensor of slices has 1 to 8 dimensions", fmt::format("{}", dims_), "1 to 8",
                          "");
        for (uint32_t dim = 0; dim < dims_; ++dim) {
            if (!CheckSide(dst_, dim) || !CheckSide(src_, dim)) return false;
            if (dim == 0 && dst_.info[0].burstLen != src_.info[0].burstLen)
                return Differ(dim, "burstLen is not the same on both sides");
            if (dst_.Slices(dim) != src_.Slices(dim))
                return Differ(dim, fmt::format("dimension {} has {} slices in dst and {} in src", dim, dst_.Slices(dim),
                                               src_.Slices(dim)));
        }
        return true;
    }

    void Move() const {
        std::array<uint64_t, kMostDims> at{};
        for (;;) {
            Issue(Offset(dst_, at), Offset(src_, at));
            uint32_t dim = 0;
            while (dim < dims_ && ++at[dim] == dst_.Slices(dim)) at[dim++] = 0;
            if (dim == dims_) return;
        }
    }

private:
    bool Broken(const char* operand, std::string message, std::string found, std::string legal,
                const char* hint) const {
        return Refuse(core_, "DataCopy", ends_.where,
                      {Rule::kSliceShape, operand, std::move(message), std::move(found), std::move(legal), hint});
    }
    bool Differ(uint32_t dim, std::string message) const {
        return Broken("SliceInfo", std::move(message),
                      fmt::format("{}{}, {}{}", dst_.name, dst_.Text(dim), src_.name, src_.Text(dim)),
                      "slices of one size and number on both sides", "");
    }
    bool CheckSide(const Side& side, uint32_t dim) const {
        const SliceInfo& s = side.info[dim];
        if (s.startIndex > s.endIndex || s.endIndex > s.shapeValue)
            return Broken(side.name, "the slices do not lie in the tensor", side.Text(dim),
                          "startIndex <= endIndex <= shapeValue", "endIndex is the last element that is copied");
        if (dim == 0 ? s.burstLen == 0 : s.burstLen != 1)
            return Broken(side.name, "burstLen counts blocks of 32 bytes of dimension 0 alone", side.Text(dim),
                          dim == 0 ? "at least 1" : "1 in the dimensions above 0", "");
        if (side.Slices(dim) != 0) return true;
        return Broken(side.name, "startIndex to endIndex is no number of slices", side.Text(dim),
                      fmt::format("endIndex - startIndex + 1 = N x {} + (N - 1) x {}: N slices and the stride between",
                                  side.Length(dim), s.stride),
                      "endIndex is the last element that is copied");
    }
    uint64_t Offset(const Side& side, const std::array<uint64_t, kMostDims>& at) const {
        uint64_t offset = 0, size = 1;
        for (uint32_t dim = 0; dim < dims_; ++dim) {
            offset += (side.info[dim].startIndex + at[dim] * side.Pitch(dim)) * size;
            size *= side.info[dim].shapeValue;
        }
        return offset;
    }
    void Issue(uint64_t dst, uint64_t src) const {
        MoveCall call;
        static_cast<Ends&>(call) = ends_;
        const DataType type = ends_.dst_type;
        const LocalView view = Advance(ends_.dst ? *ends_.dst : *ends_.src, type, ends_.dst ? dst : src, ends_.where);
        call.gm = Advance(ends_.gm, type, ends_.dst ? src : dst, ends_.where);
        (ends_.dst ? call.dst : call.src) = &view;
        call.block_len = dst_.info[0].burstLen;
        data_move(call);
    }

    runtime::Core& core_;
    const Ends& ends_;
    uint32_t dims_;
    Side dst_{}, src_{};
};

}  // namespace

void copy_slices(const Ends& ends, const SliceInfo* dst, const SliceInfo* src, uint32_t dims) {
    runtime::Core& core = ThisCore("DataCopy");
    if (!RequireFact(core, "DataCopy", &soc::Chip::slice_copies, "move each slice with DataCopy", ends.where)) return;
    const Slices slices(core, ends, dst, src, dims);
    if (slices.Check()) slices.Move();
}

}  // namespace sfumato::ascendc
