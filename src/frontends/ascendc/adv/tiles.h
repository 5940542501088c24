// SPDX-License-Identifier: Apache-2.0
// What calls that go row by row, or move elements, are written in beside the steps: tiles, copies, gathers, selections.
#pragma once

#include "frontends/ascendc/adv/steps.h"

namespace sfumato::ascendc::adv {

// Rows of a tensor: element c of row r is element r * pitch + c. pitch: whole blocks; 0: one row for all.
struct Rows {
    Vec vec;
    uint64_t pitch = 0;
    bool columns = false;  // a row is one block, whose elements stand for all columns
};
Rows From(const Rows& rows, uint64_t row, uint64_t column);

class Tiles : public Steps {
public:
    Tiles(runtime::Core& core, Where where) : Steps(where), core_(core) {}

    // dst(r, c) = f(a(r, c), b(r, c)), for r < rows and c < width. As few instructions as there can be: of all, of a
    // repeat for each row, or of a row each.
    struct Extent {
        uint64_t rows, width;
    };
    void Add(Extent e, const Rows& dst, const Rows& a, const Rows& b) { Tile(vadd, e, dst, a, &b, 0, {}); }
    void Mul(Extent e, const Rows& dst, const Rows& a, const Rows& b) { Tile(vmul, e, dst, a, &b, 0, {}); }
    void And(Extent e, const Rows& dst, const Rows& a, const Rows& b) { Tile(vand, e, dst, a, &b, 0, {}); }
    void Adds(Extent e, const Rows& dst, const Rows& a, double b) {
        Tile(vadds, e, dst, a, nullptr, Element(a.vec.type, b), {});
    }
    void Muls(Extent e, const Rows& dst, const Rows& a, double b) {
        Tile(vmuls, e, dst, a, nullptr, Element(a.vec.type, b), {});
    }
    void Cast(Extent e, const Rows& dst, const Rows& a, Rounding rounding) {
        Tile(vconv, e, dst, a, nullptr, 0, rounding);
    }
    using Steps::Add, Steps::Adds, Steps::And, Steps::Cast, Steps::Mul, Steps::Muls;

    // The bytes of rows, which begin and end at whole blocks.
    void Copy(Extent e, const Rows& dst, const Rows& src);
    // The first `have` elements again, until there are `whole`: each copy doubles what there is. Whole blocks.
    void Repeat(const Vec& dst, uint64_t have, uint64_t whole);
    // Elements first to last - 1 of the block that each row begins with.
    void FillInBlock(uint64_t rows, const Rows& dst, uint64_t first, uint64_t last, uint64_t bits);
    // dst[i] = the element at byte offsets[i] of src.
    void Gather(const Vec& dst, const Vec& src, const Vec& offsets);
    // 32-bit integers first, first + 1...
    void Index(const Vec& dst, int64_t first);
    // 8 elements of src a repeat, each a block of dst.
    void Brcb(const Vec& dst, const Vec& src, uint64_t repeats);
    // One bit an element of a: whether it compares with b.
    void Compare(const Vec& bits, const Vec& a, double b, AscendC::CMPMODE mode);
    // dst[i] = bit i ? a[i] : b.
    void Select(const Vec& dst, const Vec& bits, const Vec& a, uint64_t b);
    // The elements that a fixed pattern keeps of the first `count` of src, packed.
    void Squeeze(const Vec& dst, const Vec& src, uint8_t pattern, uint64_t count);
    // Those whose bit is 1.
    void SqueezeBy(const Vec& dst, const Vec& src, const Vec& bits);
    // 16 rows and 16 columns become columns and rows, count times, `step` elements further on each side.
    struct Grid {
        Vec vec;
        uint64_t pitch, step;
    };
    void Transpose(const Grid& dst, const Grid& src, uint64_t count);

private:
    void Tile(Issue issue, Extent e, const Rows& dst, const Rows& a, const Rows* b, uint64_t scalar, Rounding rounding);
    runtime::Core& core_;
};

}  // namespace sfumato::ascendc::adv
