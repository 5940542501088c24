// SPDX-License-Identifier: Apache-2.0
// Rotary position embedding: y = x cos + turned(x) sin.
#include "reference/functions.h"

namespace sfumato::reference {
namespace {

// Modes of aclnnRotaryPositionEmbedding.
enum Mode : int64_t { kHalves, kPairs, kQuarters, kPairsToHalves };

// For an element of a row: where it comes from, and what it is turned with, with its sign.
struct Turn {
    int64_t own, other;
    double sign;
};
Turn TurnOf(int64_t i, int64_t length, int64_t mode) {
    if (mode == kPairs) return i % 2 ? Turn{i, i - 1, 1} : Turn{i, i + 1, -1};
    const int64_t part = mode == kQuarters ? length / 4 : length / 2, at = i % (2 * part);
    const bool first = at < part;
    const int64_t partner = first ? i + part : i - part;
    if (mode != kPairsToHalves) return {i, partner, first ? -1.0 : 1.0};
    // Pairs become halves: element i of the row that is turned is element 2 i, or 2 (i - part) + 1, of x.
    const auto place = [part](int64_t n) { return n < part ? 2 * n : 2 * (n - part) + 1; };
    return {place(i), place(partner), first ? -1.0 : 1.0};
}

void NeedTables(const Call& c, size_t x, size_t cos, size_t sin, int64_t divisor) {
    const View& v = c.Tensor(x);
    if (v.shape.back() % divisor)
        c.Refuse(x, Rule::kOpInput, "the last dimension has no parts of one length", Words(v.shape),
                 "a multiple of " + std::to_string(divisor));
    for (const size_t i : {cos, sin}) {
        c.NeedSameType(i, x);
        const Shape& shape = c.Tensor(i).shape;
        Shape both;
        if (shape.size() != v.Rank() || shape.back() != v.shape.back() || !Broadcast(v.shape, shape, both) ||
            both != v.shape)
            c.Refuse(i, Rule::kOpInput, "the shape does not stretch to that of " + std::string(c.op.parameters[x].name),
                     Words(shape) + " to " + Words(v.shape), "the same lengths, or 1 but in the last dimension");
    }
    c.NeedShape(sin, c.Tensor(cos).shape);
}

std::vector<double> Rotated(const View& x, const View& cos_of, const View& sin_of, int64_t mode) {
    const std::vector<double> v = Read<double>(x), cos = Read<double>(Stretched(cos_of, x.shape)),
                              sin = Read<double>(Stretched(sin_of, x.shape));
    const int64_t length = x.shape.back();
    std::vector<double> y;
    y.reserve(v.size());
    for (size_t i = 0; i < v.size(); ++i) {
        const auto at = static_cast<int64_t>(i) % length, row = static_cast<int64_t>(i) - at;
        const Turn turn = TurnOf(at, length, mode);
        y.push_back(v[static_cast<size_t>(row + turn.own)] * cos[i] +
                    turn.sign * v[static_cast<size_t>(row + turn.other)] * sin[i]);
    }
    return y;
}

}  // namespace

void RotaryPositionEmbedding(Call& c) {
    c.NeedRank(0, 3, 4);
    c.NeedNumber(3, kHalves, kPairsToHalves);
    NeedTables(c, 0, 1, 2, c[3].number == kQuarters ? 4 : 2);
    c.NeedSameType(4, 0);
    c.NeedShape(4, c.Tensor(0).shape);
    if (c.computes()) Write(c.Out(), Rotated(c.Tensor(0), c.Tensor(1), c.Tensor(2), c[3].number));
}

void ApplyRotaryPosEmb(Call& c) {
    const bool flat = c[4].number == 4;
    if (!flat && c[4].number != 1)
        c.Refuse(4, Rule::kOpAttr, "there is no such layout", std::to_string(c[4].number), "1 (BSND) or 4 (TND)");
    c.NeedSameType(1, 0);
    for (const size_t i : {0, 1}) {
        c.NeedRank(i, flat ? 3 : 4, flat ? 3 : 4);
        NeedTables(c, i, 2, 3, 2);
        Shape table = c.Tensor(i).shape;  // the same for all heads
        table[table.size() - 2] = 1;
        c.NeedShape(2, table);
    }
    if (!c.computes()) return;
    const std::vector<double> query = Rotated(c.Tensor(0), c.Tensor(2), c.Tensor(3), kHalves),
                              key = Rotated(c.Tensor(1), c.Tensor(2), c.Tensor(3), kHalves);
    Write(c.Tensor(0), query);
    Write(c.Tensor(1), key);
}

}  // namespace sfumato::reference
