// SPDX-License-Identifier: Apache-2.0
// Moves of any number of elements where the chip has them; the 200 architecture moves whole data blocks only.
#ifndef PROJECTS_COMMON_COPY_ANY_H
#define PROJECTS_COMMON_COPY_ANY_H
#include "kernel_operator.h"

template <typename T>
__aicore__ inline void CopyInAny(const AscendC::LocalTensor<T>& dst, const AscendC::GlobalTensor<T>& src,
                                 uint32_t count) {
#if defined(__CCE_AICORE__) && __CCE_AICORE__ == 200
    AscendC::DataCopy(dst, src, count);
#else
    AscendC::DataCopyExtParams params{1, static_cast<uint32_t>(count * sizeof(T)), 0, 0, 0};
    AscendC::DataCopyPadExtParams<T> pad{false, 0, 0, 0};
    AscendC::DataCopyPad(dst, src, params, pad);
#endif
}

template <typename T>
__aicore__ inline void CopyOutAny(const AscendC::GlobalTensor<T>& dst, const AscendC::LocalTensor<T>& src,
                                  uint32_t count) {
#if defined(__CCE_AICORE__) && __CCE_AICORE__ == 200
    AscendC::DataCopy(dst, src, count);
#else
    AscendC::DataCopyExtParams params{1, static_cast<uint32_t>(count * sizeof(T)), 0, 0, 0};
    AscendC::DataCopyPad(dst, src, params);
#endif
}
#endif
