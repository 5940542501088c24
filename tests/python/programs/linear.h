// SPDX-License-Identifier: Apache-2.0
// What the programs share in which vector cores have the cube multiply, by the high-level Matmul.
#pragma once

#include "programs.h"
#include "lib/matmul_intf.h"

namespace programs {

template <class T, bool transposed = false, LayoutMode layout = LayoutMode::NONE>
using InGm = MatmulType<TPosition::GM, CubeFormat::ND, T, transposed, layout>;

// Rows of `count` elements, `pitch` apart in global memory, dense in UB: count * sizeof(T) a multiple of 32.
template <class T>
__aicore__ inline void LoadRows(const LocalTensor<T>& dst, const GlobalTensor<T>& src, uint32_t rows, uint32_t count,
                                uint32_t pitch) {
    DataCopyPad(dst, src, DataCopyExtParams(rows, count * sizeof(T), (pitch - count) * sizeof(T), 0, 0),
                DataCopyPadExtParams<T>());
}
template <class T>
__aicore__ inline void StoreRows(const GlobalTensor<T>& dst, const LocalTensor<T>& src, uint32_t rows, uint32_t count,
                                 uint32_t pitch) {
    DataCopyPad(dst, src, DataCopyExtParams(rows, count * sizeof(T), 0, (pitch - count) * sizeof(T), 0));
}

}  // namespace programs
