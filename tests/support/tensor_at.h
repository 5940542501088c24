// SPDX-License-Identifier: Apache-2.0
// A tensor that a test places by hand: not by the constructor, which makes the kernel one without a TPipe
// (static.md 2.1).
#pragma once

#include "kernel_operator.h"

namespace sfumato {

template <class T>
AscendC::LocalTensor<T> TensorAt(AscendC::TPosition position, uint32_t byte_offset, uint32_t count) {
    return AscendC::LocalTensor<T>(
        ascendc::StaticTensor(position, byte_offset, ascendc::kTypeOf<T>, count, Where::Here()));
}

}  // namespace sfumato
