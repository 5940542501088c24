// SPDX-License-Identifier: Apache-2.0
// MatmulApiStaticTiling: tiling as constants (adv.md 2.3.4). Where a constant is 0 the tiling of run time decides.
#pragma once

#include "sfumato/ascendc/matmul/types.h"
#include "sfumato/tiling/cube_tiling.h"

namespace AscendC {

struct MatmulApiStaticTiling : tiling::TCubeTiling {
    MatmulConfig cfg;
};

constexpr MatmulConfig ToMatmulConfig(const MatmulConfig& config) { return config; }
constexpr MatmulConfig ToMatmulConfig(const MatmulApiStaticTiling& tiling) { return tiling.cfg; }

}  // namespace AscendC

namespace sfumato::ascendc::mm {

constexpr const AscendC::MatmulConfig& ConfigOf(const AscendC::MatmulConfig& config) { return config; }
constexpr const AscendC::MatmulConfig& ConfigOf(const AscendC::MatmulApiStaticTiling& tiling) { return tiling.cfg; }
constexpr const AscendC::tiling::TCubeTiling* ConstantsOf(const AscendC::MatmulConfig&) { return nullptr; }
constexpr const AscendC::tiling::TCubeTiling* ConstantsOf(const AscendC::MatmulApiStaticTiling& tiling) {
    return &tiling;
}

constexpr int32_t Divided(int64_t a, int64_t b) { return static_cast<int32_t>((a + b - 1) / b); }
constexpr int32_t RoundedUp(int64_t a, int64_t unit) { return static_cast<int32_t>(Divided(a, unit) * unit); }

}  // namespace sfumato::ascendc::mm

namespace AscendC {

// Base sizes alone: partial, a tiling is still passed. Single and base sizes: full. l1Size: bytes of L1 it may use.
template <class A_TYPE, class B_TYPE, class C_TYPE, class BIAS_TYPE = C_TYPE>
constexpr MatmulApiStaticTiling GetMatmulApiTiling(const MatmulConfig& mmCFG, int32_t l1Size = 512 * 1024) {
    using sfumato::ascendc::mm::Divided;
    using sfumato::ascendc::mm::RoundedUp;
    MatmulApiStaticTiling t;
    t.cfg = mmCFG;
    t.baseM = static_cast<int32_t>(mmCFG.basicM);
    t.baseN = static_cast<int32_t>(mmCFG.basicN);
    t.baseK = static_cast<int32_t>(mmCFG.basicK);
    t.singleCoreM = static_cast<int32_t>(mmCFG.singleCoreM);
    t.singleCoreN = static_cast<int32_t>(mmCFG.singleCoreN);
    t.singleCoreK = static_cast<int32_t>(mmCFG.singleCoreK);
    const bool whole = t.baseM && t.baseN && t.baseK && t.singleCoreM && t.singleCoreN && t.singleCoreK;
    if (!whole) return t;
    t.M = t.singleCoreM, t.N = t.singleCoreN, t.Ka = t.Kb = t.singleCoreK;
    t.usedCoreNum = 1;
    const int64_t bits_a = BitsOf(sfumato::ascendc::kTypeOf<typename A_TYPE::T>);
    const int64_t bits_b = BitsOf(sfumato::ascendc::kTypeOf<typename B_TYPE::T>);
    const int64_t tile_a = int64_t{t.baseM} * t.baseK * bits_a / 8, tile_b = int64_t{t.baseN} * t.baseK * bits_b / 8;
    constexpr int64_t kL0 = 64 * 1024, kL0C = 128 * 1024;
    t.dbL0A = tile_a * 2 <= kL0 ? 2 : 1;
    t.dbL0B = tile_b * 2 <= kL0 ? 2 : 1;
    t.dbL0C = int64_t{t.baseM} * t.baseN * 8 <= kL0C ? 2 : 1;
    // The host's algorithm (adv.md 3.4 step 3): all of K in L1, or the largest power of two of base blocks.
    const int32_t steps = Divided(t.singleCoreK, t.baseK);
    const int64_t bias = int64_t{t.baseN} * 4;
    const auto fits = [&](int64_t s, int64_t db) { return (tile_a + tile_b) * s * db + bias <= l1Size; };
    int32_t step = 1;
    while (step * 2 <= steps && fits(int64_t{step} * 2, 2)) step *= 2;
    if (fits(steps, 2)) step = steps;
    const int32_t twice = fits(step, 2) ? 2 : 1;
    t.stepM = t.stepN = 1;
    t.stepKa = t.stepKb = step;
    t.depthA1 = t.depthB1 = step * twice;
    t.iterateOrder = mmCFG.iterateOrder == IterateOrder::ORDER_N ? 1 : 0;
    return t;
}

}  // namespace AscendC
