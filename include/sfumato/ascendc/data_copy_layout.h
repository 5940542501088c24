// SPDX-License-Identifier: Apache-2.0
// DataCopy with a change of layout or a conversion, BroadCastVecToMM and Fill (framework.md 3.5, 3.9, cube.md 5.4, 6).
#pragma once

#include "sfumato/ascendc/ends.h"
#include "sfumato/ascendc/issue_copy.h"

namespace AscendC {

// Rows to fractals.
template <class T>
void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const Nd2NzParams& params, SFUMATO_AT) {
    sfumato_::nd2nz(sfumato_::Join<sfumato_::Ends>(dst, src, where), params);
}
// Fractals to rows.
template <class T>
void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src, const Nz2NdParamsFull& params, SFUMATO_AT) {
    sfumato_::nz2nd(sfumato_::Join<sfumato_::Ends>(dst, src, where), params);
}

// Slices of a tensor of dimValue dimensions, the innermost first: as many of the same size on both sides.
template <class T>
void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const SliceInfo dstSliceInfo[],
              const SliceInfo srcSliceInfo[], uint32_t dimValue = 1, SFUMATO_AT) {
    sfumato_::copy_slices(sfumato_::Join<sfumato_::Ends>(dst, src, where), dstSliceInfo, srcSliceInfo, dimValue);
}
template <class T>
void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src, const SliceInfo dstSliceInfo[],
              const SliceInfo srcSliceInfo[], uint32_t dimValue = 1, SFUMATO_AT) {
    sfumato_::copy_slices(sfumato_::Join<sfumato_::Ends>(dst, src, where), dstSliceInfo, srcSliceInfo, dimValue);
}

// Between CO1 and UB with a conversion; on other paths a plain move.
template <class T, class U>
void DataCopy(const LocalTensor<T>& dst, const LocalTensor<U>& src, const DataCopyParams& params,
              const DataCopyEnhancedParams& enhanced, SFUMATO_AT) {
    sfumato_::tensor_mov(sfumato_::Join<sfumato_::Ends>(dst, src, where), params, enhanced);
}
template <class T>
void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const DataCopyParams& params,
              const DataCopyEnhancedParams& enhanced, SFUMATO_AT) {
    sfumato_::tensor_mov(sfumato_::Join<sfumato_::Ends>(dst, src, where), params, enhanced);
}
template <class T>
void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src, const DataCopyParams& params,
              const DataCopyEnhancedParams& enhanced, SFUMATO_AT) {
    sfumato_::tensor_mov(sfumato_::Join<sfumato_::Ends>(dst, src, where), params, enhanced);
}

// Rows of 16 elements of UB, each to the 16 rows of a fractal of L0C.
template <class T, class U>
void BroadCastVecToMM(const LocalTensor<T>& dst, const LocalTensor<U>& src, const int32_t blockCount,
                      const uint8_t blockLen, const uint8_t srcGap, const uint8_t dstGap, SFUMATO_AT) {
    sfumato_::broadcast_ub_to_l0c(sfumato_::Join<sfumato_::Ends>(dst, src, where), blockCount, blockLen, srcGap,
                                  dstGap);
}

// One value into L1, L0A or L0B.
template <class T>
void Fill(const LocalTensor<T>& dst, const InitConstValueParams<std::type_identity_t<T>>& params, SFUMATO_AT) {
    sfumato_::fill({&dst.view(), sfumato_::kTypeOf<T>, params.repeatTimes, params.blockNum, params.dstGap,
                    sfumato_::ToBits(params.initValue), where});
}
template <class T>
void InitConstValue(const LocalTensor<T>& dst, const InitConstValueParams<std::type_identity_t<T>>& params,
                    SFUMATO_AT) {
    Fill(dst, params, where);
}

// size elements of global memory become value; under the names of three releases. It uses UB: called before InitBuffer.
template <class T>
void Fill(const GlobalTensor<T>& gm, const uint64_t size, const std::type_identity_t<T> value, SFUMATO_AT) {
    sfumato_::FillGlobal("Fill", gm.view(), sfumato_::kTypeOf<T>, size, sfumato_::ToBits(value), where);
}
template <class T>
void InitGlobalMemory(const GlobalTensor<T>& gmWorkspaceAddr, const uint64_t size, const std::type_identity_t<T> value,
                      SFUMATO_AT) {
    sfumato_::FillGlobal("InitGlobalMemory", gmWorkspaceAddr.view(), sfumato_::kTypeOf<T>, size,
                         sfumato_::ToBits(value), where);
}
template <class T>
void InitOutput(const GlobalTensor<T>& gmWorkspaceAddr, const uint64_t size,
                const std::type_identity_t<T> value = std::type_identity_t<T>(), SFUMATO_AT) {
    sfumato_::FillGlobal("InitOutput", gmWorkspaceAddr.view(), sfumato_::kTypeOf<T>, size, sfumato_::ToBits(value),
                         where);
}

}  // namespace AscendC
