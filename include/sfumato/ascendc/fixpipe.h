// SPDX-License-Identifier: Apache-2.0
// Out of the cube unit on chips with Fixpipe (cube.md 5.1 to 5.3).
#pragma once

#include "sfumato/ascendc/ends.h"
#include "sfumato/ascendc/issue_copy.h"
#include "sfumato/ascendc/vector_call.h"

namespace AscendC {

// The older struct of Fixpipe, which no page of this release has (cube.md 5.1). T: the element type in L0C.
template <class T>
struct FixpipeParams {
    struct Quant {
        QuantMode_t quantPre = NoQuant;
        uint64_t deqScalar = 0;
    };
    constexpr FixpipeParams() = default;
    constexpr FixpipeParams(uint16_t count, uint16_t len, uint16_t src, uint32_t dst)
        : cburstNum(count), burstLen(len), srcStride(src), dstStride(dst) {}
    uint16_t cburstNum = 1;  // blocks of 16 columns
    uint16_t burstLen = 1;   // 32 bytes of T: m x 16 elements
    uint16_t srcStride = 0;  // fractals between two blocks; 0: m rounded up to 16 rows lie together (assumed)
    uint32_t dstStride = 0;  // row major: elements of a row; NZ: 32 bytes between two blocks
    Quant quantParams;
    bool reluEn = false;
    Nz2NdParams nz2ndParams;
    uint8_t unitFlag = 0;
};

}  // namespace AscendC

namespace sfumato::ascendc {

// The older struct in the terms of the newer one (cube.md 5.1). The blocks lie in dst with dstStride between them,
// which is counted from the end of one to the start of the next (assumed, as public kernels compute it).
template <class T, class U>
constexpr AscendC::FixpipeParamsV220 NewerParams(const AscendC::FixpipeParams<U>& p) {
    const auto m = static_cast<uint32_t>(p.burstLen * 2 / sizeof(U)), dense = (m + 15) / 16 * 16;
    const AscendC::Nz2NdParams& rows = p.nz2ndParams;
    AscendC::FixpipeParamsV220 q(static_cast<uint16_t>(rows.nz2ndEn ? rows.originalNSize : p.cburstNum * 16),
                                 static_cast<uint16_t>(m), static_cast<uint16_t>(dense + p.srcStride * 16), p.dstStride,
                                 p.reluEn, p.quantParams.quantPre, p.quantParams.deqScalar, rows.ndNum,
                                 rows.srcNdStride, rows.dstNdStride, p.unitFlag);
    if (!rows.nz2ndEn) q.dstStride += static_cast<uint32_t>(sizeof(T) == 1 ? m : m * sizeof(T) / 2);
    return q;
}

}  // namespace sfumato::ascendc

#include "sfumato/ascendc/calls/fixpipe.h"
