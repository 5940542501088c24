// SPDX-License-Identifier: Apache-2.0
// MatmulApiStaticTiling: tiling as constants (adv.md 2.3.4). Where a constant is 0 the tiling of run time decides.
#pragma once

#include "sfumato/ascendc/matmul/types.h"
#include "sfumato/tiling/cube_depth.h"

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

template <class T>
constexpr tiling::CubeMatrix MatrixOf() {
    return {true, T::pos, T::format, kTypeOf<typename T::T>, T::isTrans};
}

}  // namespace sfumato::ascendc::mm

namespace AscendC {

// Base sizes alone: partial, a tiling is still passed. Single and base sizes: full. l1Size: bytes of L1 it may use.
template <class A_TYPE, class B_TYPE, class C_TYPE, class BIAS_TYPE = C_TYPE>
constexpr MatmulApiStaticTiling GetMatmulApiTiling(const MatmulConfig& mmCFG, int32_t l1Size = 512 * 1024) {
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
    using sfumato_::mm::MatrixOf;
    const sfumato::tiling::CubeTypes types{MatrixOf<A_TYPE>(), MatrixOf<B_TYPE>(), MatrixOf<C_TYPE>(),
                                           MatrixOf<BIAS_TYPE>()};
    // Of Ascend910B. A bias may come at run time.
    t.isBias = 1;
    sfumato::tiling::ChooseBuffers(t, types, 64 * 1024, 64 * 1024, 128 * 1024);
    sfumato::tiling::ChooseDepth(t, types, static_cast<uint64_t>(l1Size));
    t.isBias = 0;
    t.iterateOrder = mmCFG.iterateOrder == IterateOrder::ORDER_N ? 1 : 0;
    return t;
}

}  // namespace AscendC
