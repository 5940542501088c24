// SPDX-License-Identifier: Apache-2.0
// Out of the cube unit on chips with Fixpipe (cube.md 5.1 to 5.3).
#pragma once

#include "sfumato/ascendc/ends.h"
#include "sfumato/ascendc/issue_copy.h"

namespace AscendC {

// dst: GlobalTensor, or LocalTensor in L1.
template <class T, class U, const FixpipeConfig& config = CFG_ROW_MAJOR>
void Fixpipe(const GlobalTensor<T>& dst, const LocalTensor<U>& src, const FixpipeParamsV220& params, SFUMATO_AT) {
    sfumato_::fixpipe(sfumato_::Join<sfumato_::Ends>(dst, src, where), nullptr, params, config.format);
}
template <class T, class U, const FixpipeConfig& config = CFG_ROW_MAJOR>
void Fixpipe(const LocalTensor<T>& dst, const LocalTensor<U>& src, const FixpipeParamsV220& params, SFUMATO_AT) {
    sfumato_::fixpipe(sfumato_::Join<sfumato_::Ends>(dst, src, where), nullptr, params, config.format);
}
// cbufWorkspace: one word a column, in L1.
template <class T, class U, const FixpipeConfig& config = CFG_ROW_MAJOR>
void Fixpipe(const GlobalTensor<T>& dst, const LocalTensor<U>& src, const LocalTensor<uint64_t>& cbufWorkspace,
             const FixpipeParamsV220& params, SFUMATO_AT) {
    sfumato_::fixpipe(sfumato_::Join<sfumato_::Ends>(dst, src, where), &cbufWorkspace.view(), params, config.format);
}
template <class T, class U, const FixpipeConfig& config = CFG_ROW_MAJOR>
void Fixpipe(const LocalTensor<T>& dst, const LocalTensor<U>& src, const LocalTensor<uint64_t>& cbufWorkspace,
             const FixpipeParamsV220& params, SFUMATO_AT) {
    sfumato_::fixpipe(sfumato_::Join<sfumato_::Ends>(dst, src, where), &cbufWorkspace.view(), params, config.format);
}

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
