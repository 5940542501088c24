// SPDX-License-Identifier: Apache-2.0
// What most tests of calls begin with: a launch of one block, and tensors at byte offsets of UB.
#pragma once

#include <functional>

#include "kernel_operator.h"
#include "sfumato/launch.h"
#include "support/tensor_at.h"

namespace sfumato {

inline LaunchResult OnChip(const char* chip, const std::function<void()>& kernel, LaunchOptions options = {}) {
    GlobalMemory memory;
    options.chip = chip;
    return Launch(options, 1, memory, kernel);
}

template <class T>
AscendC::LocalTensor<T> Ub(uint32_t byte_offset, uint32_t count) {
    return TensorAt<T>(AscendC::TPosition::VECCALC, byte_offset, count);
}

}  // namespace sfumato
