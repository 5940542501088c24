// SPDX-License-Identifier: Apache-2.0
// The kernels per target under reductions (vector_instructions.md 7).
#pragma once

#include "exec/meaning.h"

namespace sfumato::exec {

// dst[i] = src[2i] + src[2i+1] for n results, rounded in the type, then the policy. dst does not overlap src.
using PairSumFn = bool (*)(const void* src, void* dst, size_t n, Overflow overflow);
// dst[i] = max(src[2i], src[2i+1]) of signed keys.
using PairMaxFn = void (*)(const void* src, void* dst, size_t n);
// Signed keys that a maximum of keys orders like Max (Min) of the elements: a NaN is above everything, -0 below +0.
// They are the elements' bits, so n keys are as wide as n elements.
using ToKeysFn = void (*)(const void* src, void* dst, size_t n);

// dst[i] = the result of row i of src: 2^levels neighbours, at least a block and at most a repeat. Bits as from
// `levels` times pair_sum; or the largest of their keys. dst does not overlap src.
using RowsFn = void (*)(const void* src, void* dst, size_t rows, uint32_t levels);

// n keys back to elements.
using FromKeysFn = void (*)(const void* keys, void* elements, size_t n);
// The first of the largest keys, n > 0.
using FirstMostFn = size_t (*)(const void* keys, size_t n);

struct ReduceKernels {
    PairSumFn pair_sum = nullptr;  // half and float
    PairMaxFn pair_max = nullptr;
    ToKeysFn to_max_keys = nullptr, to_min_keys = nullptr;
    RowsFn row_sums = nullptr;  // nullptr for half, whose policy looks at each level
    RowsFn row_max_keys = nullptr, row_min_keys = nullptr;
    FromKeysFn from_max_keys = nullptr, from_min_keys = nullptr;
    FirstMostFn first_most = nullptr;
};
// Of half, float or int16; empty for other types.
const ReduceKernels& KernelsOf(DataType type);

}  // namespace sfumato::exec
