// SPDX-License-Identifier: Apache-2.0
// Out of the cube unit on chips with Fixpipe (cube.md 5.1 to 5.3).
#pragma once

#include "sfumato/ascendc/ends.h"
#include "sfumato/ascendc/issue_copy.h"
#include "sfumato/ascendc/vector_call.h"

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
