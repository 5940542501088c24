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

namespace AscendC {

// dst: GlobalTensor, or LocalTensor in L1.
template <class T, class U, FixpipeConfig config = CFG_ROW_MAJOR>
void Fixpipe(const GlobalTensor<T>& dst, const LocalTensor<U>& src, const FixpipeParamsV220& params, SFUMATO_AT) {
    sfumato_::fixpipe(sfumato_::Join<sfumato_::Ends>(dst, src, where), nullptr, params, config.format);
}
template <class T, class U, FixpipeConfig config = CFG_ROW_MAJOR>
void Fixpipe(const LocalTensor<T>& dst, const LocalTensor<U>& src, const FixpipeParamsV220& params, SFUMATO_AT) {
    sfumato_::fixpipe(sfumato_::Join<sfumato_::Ends>(dst, src, where), nullptr, params, config.format);
}
// cbufWorkspace: one word a column, in L1.
template <class T, class U, FixpipeConfig config = CFG_ROW_MAJOR>
void Fixpipe(const GlobalTensor<T>& dst, const LocalTensor<U>& src, const LocalTensor<uint64_t>& cbufWorkspace,
             const FixpipeParamsV220& params, SFUMATO_AT) {
    sfumato_::fixpipe(sfumato_::Join<sfumato_::Ends>(dst, src, where), &cbufWorkspace.view(), params, config.format);
}
template <class T, class U, FixpipeConfig config = CFG_ROW_MAJOR>
void Fixpipe(const LocalTensor<T>& dst, const LocalTensor<U>& src, const LocalTensor<uint64_t>& cbufWorkspace,
             const FixpipeParamsV220& params, SFUMATO_AT) {
    sfumato_::fixpipe(sfumato_::Join<sfumato_::Ends>(dst, src, where), &cbufWorkspace.view(), params, config.format);
}

// With the older struct, whose nz2ndParams say whether rows are written.
#define SFUMATO_OLDER_FIXPIPE(Dst, Words, words)                                                                       \
    template <class T, class U>                                                                                        \
    void Fixpipe(const Dst<T>& dst, const LocalTensor<U>& src SFUMATO_ONLY Words,                                      \
                 const FixpipeParams<std::type_identity_t<U>>& params, SFUMATO_AT) {                                   \
        sfumato_::fixpipe(sfumato_::Join<sfumato_::Ends>(dst, src, where), words, sfumato_::NewerParams<T, U>(params), \
                          params.nz2ndParams.nz2ndEn ? CO2Layout::ROW_MAJOR : CO2Layout::NZ);                          \
    }
SFUMATO_OLDER_FIXPIPE(GlobalTensor, (), nullptr)
SFUMATO_OLDER_FIXPIPE(LocalTensor, (), nullptr)
SFUMATO_OLDER_FIXPIPE(GlobalTensor, (, const LocalTensor<uint64_t>& cbufWorkspace), &cbufWorkspace.view())
SFUMATO_OLDER_FIXPIPE(LocalTensor, (, const LocalTensor<uint64_t>& cbufWorkspace), &cbufWorkspace.view())
#undef SFUMATO_OLDER_FIXPIPE

// The same engine by the name of DataCopy, with three registers.
template <class T, class U>
void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<U>& src, const DataCopyCO12DstParams& params, SFUMATO_AT) {
    sfumato_::fixpipe(sfumato_::Join<sfumato_::Ends>(dst, src, where), params);
}
template <class T, class U>
void DataCopy(const LocalTensor<T>& dst, const LocalTensor<U>& src, const DataCopyCO12DstParams& params, SFUMATO_AT) {
    sfumato_::fixpipe(sfumato_::Join<sfumato_::Ends>(dst, src, where), params);
}
inline void SetFixpipeNz2ndFlag(uint16_t ndNum, uint16_t srcNdStride, uint16_t dstNdStride, SFUMATO_AT) {
    sfumato_::SetFixpipeMatrices(ndNum, srcNdStride, dstNdStride, where);
}
inline void SetFixpipePreQuantFlag(uint64_t config, SFUMATO_AT) { sfumato_::SetFixpipeScalar(config, where); }
// Bits 0 to 15: the bound of DataCopyCO12DstParams::clipReluPre, a half above 0.
inline void SetFixPipeClipRelu(uint64_t config, SFUMATO_AT) { sfumato_::SetFixpipeClip(config, where); }
// quantPre lies in C2PIPE2GM; reluPre is an empty tensor. isUnitFlag clears the unit flags.
template <class T>
void SetFixPipeConfig(const LocalTensor<T>& reluPre, const LocalTensor<T>& quantPre, bool isUnitFlag = false,
                      SFUMATO_AT) {
    sfumato_::SetFixpipeWords(&reluPre.view(), quantPre.view(), isUnitFlag, where);
}
template <class T, bool setRelu = false>
void SetFixPipeConfig(const LocalTensor<T>& preData, bool isUnitFlag = false, SFUMATO_AT) {
    static_assert(!setRelu, "SetFixPipeConfig: setRelu must be false: no chip has a table for relu");
    sfumato_::SetFixpipeWords(nullptr, preData.view(), isUnitFlag, where);
}

}  // namespace AscendC
