// SPDX-License-Identifier: Apache-2.0
// Moves that Ascend950 alone has: padding modes, loop mode, NDDMA, columns to fractals (arch950.md 1.3).
#pragma once

#include <array>

#include "sfumato/ascendc/data_copy.h"

namespace AscendC {

struct LoopModeParams;
struct Dn2NzParams;

// Of DataCopyPad: blocks of UB that begin at 32 bytes each, or follow each other byte for byte.
enum class PaddingMode : uint8_t { Normal = 0, Compact };

// The direction that a loop mode is of.
enum class DataCopyMVType : uint8_t { UB_TO_OUT = 0, OUT_TO_UB };

// The dimensions of a box of NDDMA, the innermost first: strides in elements, pads before and behind in elements.
template <uint8_t dim>
struct NdDmaLoopInfo {
    static constexpr uint32_t kCount = dim == 0 ? 1 : dim;  // overload resolution looks at 0 dimensions, too
    uint64_t loopSrcStride[kCount] = {};
    uint32_t loopDstStride[kCount] = {};
    uint32_t loopSize[kCount] = {};
    uint8_t loopLpSize[kCount] = {};
    uint8_t loopRpSize[kCount] = {};
};

template <class T, uint8_t dim>
struct NdDmaParams {
    NdDmaLoopInfo<dim> loopInfo;
    T constantValue = T();  // what pads hold, unless the nearest element
};

struct NdDmaConfig {
    static constexpr uint16_t unsetPad = 0xffff;
    bool isNearestValueMode = false;
    // Other values replace the pads of every dimension.
    uint16_t loopLpSize = unsetPad, loopRpSize = unsetPad;
    bool ascOptimize = false;  // speed alone
};
inline constexpr NdDmaConfig kDefaultNdDmaConfig = {};

// The older names.
template <uint8_t dim>
using MultiCopyLoopInfo = NdDmaLoopInfo<dim>;
template <class T, uint8_t dim>
using MultiCopyParams = NdDmaParams<T, dim>;
using MultiCopyConfig = NdDmaConfig;
inline constexpr MultiCopyConfig kDefaultMultiCopyConfig = {};

}  // namespace AscendC

namespace sfumato::ascendc {

template <AscendC::PaddingMode mode>
inline constexpr bool kIsCompact = mode == AscendC::PaddingMode::Compact;

// NDDMA, the innermost dimension first; strides and pads in elements.
struct NdDmaCall : Ends {
    struct Loop {
        uint64_t src_stride = 0;
        uint32_t dst_stride = 0, size = 0;
        uint16_t before = 0, behind = 0;
    };
    static constexpr uint32_t kMostLoops = 5;
    std::array<Loop, kMostLoops> loops{};
    uint32_t count = 0;
    bool nearest = false;
    uint64_t pad_value = 0;  // bit pattern of one element
};
SFUMATO_API void nddma(const NdDmaCall& call);
// What NDDMA keeps of global memory is dropped. Nothing is kept here, but what would be stale is told (decided).
SFUMATO_API void RefreshNdDma(Where where);

SFUMATO_API void dn2nz(const Ends& ends, const AscendC::Dn2NzParams& params);

// Moves of the direction run once for each step of two loops, until it is reset.
SFUMATO_API void SetLoopMode(const AscendC::LoopModeParams& params, AscendC::DataCopyMVType type, Where where);
SFUMATO_API void ResetLoopMode(AscendC::DataCopyMVType type, Where where);

template <const AscendC::NdDmaConfig& config, class T, uint8_t dim>
NdDmaCall NdDmaOf(const AscendC::LocalTensor<T>& dst, const AscendC::GlobalTensor<T>& src,
                  const AscendC::NdDmaParams<T, dim>& params, Where where) {
    static_assert(dim >= 1 && dim <= NdDmaCall::kMostLoops,
                  "DataCopy with NdDmaParams: dim is 1 to 5 [parameter-range]");
    const auto of = [](uint16_t all, uint8_t own) -> uint16_t {
        return all == AscendC::NdDmaConfig::unsetPad ? own : all;
    };
    auto call = Join<NdDmaCall>(dst, src, where);
    call.count = dim;
    for (uint32_t i = 0; i < dim; ++i) {
        const auto& info = params.loopInfo;
        call.loops[i] = {info.loopSrcStride[i], info.loopDstStride[i], info.loopSize[i],
                         of(config.loopLpSize, info.loopLpSize[i]), of(config.loopRpSize, info.loopRpSize[i])};
    }
    call.nearest = config.isNearestValueMode;
    call.pad_value = ToBits(params.constantValue);
    return call;
}

}  // namespace sfumato::ascendc

#include "sfumato/ascendc/calls/dma.h"
