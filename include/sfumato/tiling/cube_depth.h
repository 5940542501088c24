// SPDX-License-Identifier: Apache-2.0
// What follows from the base blocks of a TCubeTiling: buffers and depths (adv.md 3.4, step 3). Constant expressions:
// host code plans with them, and the static tilings of kernels.
#pragma once

#include <algorithm>

#include "sfumato/ascendc/types.h"
#include "sfumato/round_up.h"
#include "sfumato/tiling/cube_format.h"
#include "sfumato/tiling/cube_tiling.h"

namespace sfumato::tiling {

struct CubeMatrix {
    bool given = false;
    AscendC::TPosition position = AscendC::TPosition::GM;
    AscendC::CubeFormat format = AscendC::CubeFormat::ND;
    DataType type = DataType::kHalf;
    bool transposed = false;
};
struct CubeTypes {
    CubeMatrix a, b, c, bias;
};

constexpr int64_t Divided(int64_t a, int64_t b) { return (a + b - 1) / b; }
// Elements of 32 bytes.
constexpr int64_t C0(DataType type) { return 256 / BitsOf(type); }
constexpr int64_t BitBytes(DataType type, int64_t elements) {
    return static_cast<int64_t>(BytesOf(type, static_cast<uint64_t>(elements)));
}
// What the base sizes are multiples of.
constexpr int64_t kFractal = 16;

// UB that turns a matrix of 8 bits, which no load does where C passes UB: a square of 32 x 32 before and behind.
constexpr int64_t kTurnBytes = 2 * 32 * 32;

// Bytes of L1 that the blocks of A, B and the bias take.
struct CubeL1 {
    int64_t a, b, bias;
    constexpr int64_t Sum() const { return a + b + bias; }
};
// The side whose stored rows run along its outer size has that size rounded up to C0.
constexpr CubeL1 L1Of(const TCubeTiling& t, const CubeTypes& types) {
    const CubeMatrix &a = types.a, &b = types.b;
    const int64_t rows = a.transposed ? RoundUpTo(t.baseM, C0(a.type)) : t.baseM;
    const int64_t columns = b.transposed ? t.baseN : RoundUpTo(t.baseN, C0(b.type));
    return {BitBytes(a.type, rows * t.baseK) * t.depthA1, BitBytes(b.type, columns * t.baseK) * t.depthB1,
            t.isBias ? BitBytes(types.bias.type, t.baseN) : 0};
}

// Two buffers wherever they fit. Rooms in bytes.
constexpr void ChooseBuffers(TCubeTiling& t, const CubeTypes& types, uint64_t l0a, uint64_t l0b, uint64_t l0c) {
    const auto twice = [](int64_t bytes, uint64_t room) { return bytes * 2 <= static_cast<int64_t>(room) ? 2 : 1; };
    t.dbL0A = twice(BitBytes(types.a.type, int64_t{t.baseM} * t.baseK), l0a);
    t.dbL0B = twice(BitBytes(types.b.type, int64_t{t.baseN} * t.baseK), l0b);
    t.dbL0C = twice(int64_t{t.baseM} * t.baseN * 4, l0c);
}

// All of K in L1, else the largest power of two of base blocks, twice if that fits; three: all of K, at most 3 blocks.
constexpr void ChooseDepth(TCubeTiling& t, const CubeTypes& types, uint64_t l1, bool three = false) {
    const int64_t whole = Divided(t.singleCoreK, t.baseK);
    t.stepM = t.stepN = 1;
    const auto fits = [&](int64_t steps, int32_t db) {
        if (steps > 0xFFFF) return false;
        t.stepKa = t.stepKb = static_cast<int32_t>(steps);
        t.depthA1 = t.depthB1 = t.stepKa * db;
        return L1Of(t, types).Sum() <= static_cast<int64_t>(l1);
    };
    if (fits(whole, 2)) return;
    int64_t steps = three ? whole : 1;
    while (!three && steps * 2 < whole && fits(steps * 2, 2)) steps *= 2;
    if (!fits(steps, 2)) fits(steps, 1);
}

}  // namespace sfumato::tiling
