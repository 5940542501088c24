// SPDX-License-Identifier: Apache-2.0
// ConfusionTranspose: copies of rows of 16 elements and, where columns move inside a fractal, TransDataTo5HD to rows
// and back (adv.md 9).
#include "sfumato/ascendc/adv/transpose.h"

#include <fmt/format.h>

#include <algorithm>

#include "frontends/ascendc/adv/rows.h"

namespace sfumato::ascendc {
namespace {

using namespace adv;
using AscendC::TransposeType;

constexpr uint64_t kSide = 16;  // rows and columns of a fractal

// Shape of a call: h = H / N columns a head, padded to whole fractals where it stands alone.
struct HeadShape {
    uint64_t b, n, s, h;
    uint64_t head() const { return RoundUpTo(h, kSide); }
    uint64_t all() const { return RoundUpTo(n * h, kSide); }
    uint64_t heads() const { return b * n * s * head(); }
    uint64_t whole() const { return b * s * all(); }
};

// What a type does: layouts of source and destination, and which of them has the heads side by side.
struct Kind {
    bool to_nd, from_whole, to_whole;  // whole: [B, S, H], else [B, N, S, h]
    bool swap;                         // heads behind S: 0213
};
Kind KindOf(TransposeType type) {
    using enum TransposeType;
    switch (type) {
        case TRANSPOSE_NZ2ND_0213: return {true, false, false, true};
        case TRANSPOSE_NZ2NZ_0213: return {false, false, false, true};
        case TRANSPOSE_NZ2NZ_012_WITH_N: return {false, true, false, false};
        case TRANSPOSE_NZ2ND_012_WITH_N: return {true, true, false, false};
        case TRANSPOSE_NZ2ND_012_WITHOUT_N: return {true, false, true, false};
        default: return {false, false, true, false};
    }
}

class Rearranger {
public:
    Rearranger(RowSteps& t, const RearrangeCall& call, const HeadShape& shape)
        : t_(t), shape_(shape), kind_(KindOf(call.type)), dst_(VecOf(call.dst)), src_(VecOf(call.src)) {}

    // Every block of 16 columns of every head moves as a whole.
    void Blocks() {
        const HeadShape& s = shape_;
        for (uint64_t b = 0; b < s.b; ++b) {
            for (uint64_t n = 0; n < s.n; ++n) {
                for (uint64_t j = 0; j < s.h / kSide; ++j) Block(b, n, j);
            }
        }
    }

    // A block of 16 columns of dst at a time: its columns as rows, of the blocks of src they lie in, and back. Columns
    // of padding become 0.
    void Columns(Space& space) {
        const HeadShape& s = shape_;
        const uint64_t fractal = BytesOf(src_.type, kSide * kSide);
        const uint64_t length = std::min(s.s, space.bytes() / (2 * fractal) * kSide);
        const Vec turned = space.Take(src_.type, length * kSide), rows = space.Take(src_.type, length * kSide);
        const uint64_t from_width = kind_.from_whole ? s.all() : s.n * s.head();
        const uint64_t to_width = kind_.to_whole ? s.all() : s.n * s.head();
        for (uint64_t b = 0; b < s.b; ++b) {
            for (uint64_t first = 0; first < s.s; first += length) {
                const uint64_t l = std::min(length, s.s - first);
                for (uint64_t j = 0; j < to_width / kSide; ++j) {
                    Fill(b, first, j, l, from_width, turned, rows);
                    const uint64_t pitch = !kind_.to_nd ? kSide : kind_.to_whole ? s.all() : s.head();
                    t_.Transpose({Place(b, first, j, to_width), pitch, kSide * pitch}, {rows, l, kSide}, l / kSide);
                }
            }
        }
    }

    // [h, w] to [w, h].
    void Plane(uint64_t h, uint64_t w) {
        for (uint64_t r = 0; r < h; r += kSide) {
            t_.Transpose({Part(dst_, r, w * h - r), h, kSide * h}, {Part(src_, r * w, kSide * w), w, kSide}, w / kSide);
        }
    }

private:
    void Block(uint64_t b, uint64_t n, uint64_t j) {
        const HeadShape& s = shape_;
        const uint64_t blocks = s.h / kSide;
        // In NZ a block of columns is S rows of 16, one behind the other, heads of [B, S, H] as those of [B, N, S, h].
        const Rows from{Part(src_, ((b * s.n + n) * blocks + j) * s.s * kSide, s.s * kSide), s.s, kSide, kSide};
        uint64_t at, pitch;
        if (kind_.swap) {
            pitch = s.n * s.h;
            at = kind_.to_nd ? b * s.s * pitch + n * s.h + j * kSide : b * s.s * pitch + (j * s.n + n) * kSide;
        } else if (!kind_.to_nd) {
            pitch = kSide;
            at = ((b * s.n + n) * blocks + j) * s.s * kSide;
        } else {
            pitch = kind_.to_whole ? s.n * s.h : s.h;
            at = kind_.to_whole ? b * s.s * pitch + n * s.h + j * kSide : (b * s.n + n) * s.s * s.h + j * kSide;
        }
        t_.Copy({From(dst_, at), s.s, kSide, pitch}, from);
    }

    // The column of src that column c of dst is; none: a column of padding.
    static constexpr uint64_t kNone = ~uint64_t{0};
    uint64_t Source(uint64_t c) const {
        const HeadShape& s = shape_;
        if (kind_.to_whole) return c < s.n * s.h ? c / s.h * s.head() + c % s.h : kNone;
        return c % s.head() < s.h ? c / s.head() * s.h + c % s.head() : kNone;
    }

    // The 16 columns of block j of dst as rows of l elements, from row `first` of the batch on.
    void Fill(uint64_t b, uint64_t first, uint64_t j, uint64_t l, uint64_t from_width, const Vec& turned,
              const Vec& rows) {
        const uint64_t begin = j * kSide;
        for (uint64_t c = 0, run = 1; c < kSide; c += run, run = 1) {
            const uint64_t column = Source(begin + c);
            while (c + run < kSide &&
                   (column == kNone ? Source(begin + c + run) == kNone
                                    : Source(begin + c + run) == column + run && (column + run) % kSide != 0)) {
                ++run;
            }
            if (column == kNone) {
                t_.Duplicate(
                    As(Part(rows, c * l, run * l), BitsOf(rows.type) == 16 ? DataType::kUint16 : DataType::kUint32), 0);
                continue;
            }
            const uint64_t at = (b * from_width + column / kSide * kSide) * shape_.s + first * kSide;
            t_.Transpose({turned, l, kSide}, {Part(src_, at, l * kSide), kSide, kSide * kSide}, l / kSide);
            t_.CopyBlocks(Part(rows, c * l, run * l), Part(turned, column % kSide * l, run * l));
        }
    }

    // Row `first` of block j of 16 columns of batch b in dst.
    Vec Place(uint64_t b, uint64_t first, uint64_t j, uint64_t width) const {
        const HeadShape& s = shape_;
        uint64_t at = (b * width + j * kSide) * s.s + first * kSide;  // NZ
        if (kind_.to_nd && kind_.to_whole) at = (b * s.s + first) * width + j * kSide;
        if (kind_.to_nd && !kind_.to_whole) {
            const uint64_t each = s.head() / kSide;
            at = ((b * s.n + j / each) * s.s + first) * s.head() + j % each * kSide;
        }
        return Part(dst_, at, dst_.size() - at);
    }

    RowSteps& t_;
    const HeadShape shape_;
    const Kind kind_;
    const Vec dst_, src_;
};

bool CheckShape(const Caller& at, const RearrangeCall& c) {
    using enum TransposeType;
    const auto refuse = [&](const char* operand, const char* message, const std::string& found, const char* legal,
                            const char* hint) { return at.Refuse(operand, message, found, legal, hint); };
    const bool plane = c.type == TRANSPOSE_ND2ND_ONLY,
               heads = c.type == TRANSPOSE_NZ2ND_0213 || c.type == TRANSPOSE_NZ2NZ_0213;
    if (c.type == TRANSPOSE_TYPE_NONE || c.type > TRANSPOSE_ND2ND_ONLY) {
        return refuse("transposeType", "the type is not one of this call", fmt::format("{}", static_cast<int>(c.type)),
                      "TRANSPOSE_NZ2ND_0213 (1) to TRANSPOSE_ND2ND_ONLY (7)", "types from 8 on are not supported");
    }
    const uint32_t* s = c.shape;
    const bool some = s[0] != 0 && s[1] != 0 && (plane || (s[2] != 0 && s[3] != 0));
    const bool sides =
        plane ? s[0] % kSide == 0 && s[1] % kSide == 0 : s[2] % kSide == 0 && (heads ? s[3] : s[1] * s[3]) % kSide == 0;
    if (some && sides) return true;
    return refuse("tiling", "the shape does not fit the type",
                  plane ? fmt::format("H {}, W {}", s[0], s[1])
                        : fmt::format("B {}, N {}, S {}, H / N {}", s[0], s[1], s[2], s[3]),
                  plane   ? "H and W multiples of 16"
                  : heads ? "S and H / N multiples of 16"
                          : "S and H multiples of 16",
                  "GetTransposeTilingInfo makes the tiling from the shape");
}

}  // namespace

void Rearrange(const RearrangeCall& call) {
    const Caller at(call.name, call.tmp, call.where);
    at.core.Called("ConfusionTranspose", call.where);  // the name of its page
    if (!CheckShape(at, call)) return;
    const bool plane = call.type == TransposeType::TRANSPOSE_ND2ND_ONLY;
    const HeadShape shape{call.shape[0], call.shape[1], call.shape[2], call.shape[3]};
    const Kind kind = KindOf(call.type);
    const uint64_t all = uint64_t{call.shape[0]} * call.shape[1];
    const uint64_t from = plane ? all : kind.from_whole ? shape.whole() : shape.heads();
    const uint64_t to = plane ? all : kind.to_whole ? shape.whole() : shape.heads();
    if (!at.CheckNeeds({{"dst", &call.dst, to}, {"src", &call.src, from}})) return;
    RowSteps t(at.core, call.where, Walk::kCounts);
    Rearranger work(t, call, shape);
    if (plane) return work.Plane(call.shape[0], call.shape[1]);
    if (shape.h % kSide == 0) return work.Blocks();
    Space space(at);
    const uint64_t needed = 2 * BytesOf(call.src.type, kSide * kSide);
    if (!at.CheckSpace(space.bytes(), needed)) return;
    work.Columns(space);
}

}  // namespace sfumato::ascendc
