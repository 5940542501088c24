// SPDX-License-Identifier: Apache-2.0
// Reductions and transposes (vector_instructions.md 6 and 7): what the instruction table calls, and the kernels per
// target under it.
#pragma once

#include "exec/exec.h"

namespace sfumato::exec {

// Each returns true when the policy `saturate` changed a result.
bool ReduceRepeats(const isa::Record& record, const MemoryMap& memory);
bool ReduceWhole(const isa::Record& record, const MemoryMap& memory);

void TransposeSixteen(const isa::Record& record, const MemoryMap& memory);
void TransposeLists(const isa::Record& record, const MemoryMap& memory);
void TransposeImages(const isa::Record& record, const MemoryMap& memory);

// dst[i] = src[2i] + src[2i+1] for n results, rounded in the type, then the policy. dst does not overlap src.
using PairSumFn = bool (*)(const void* src, void* dst, size_t n, Overflow overflow);
// dst[i] = max(src[2i], src[2i+1]) of signed keys.
using PairMaxFn = void (*)(const void* src, void* dst, size_t n);
// Signed keys that a maximum of keys orders like Max (Min) of the elements: a NaN is above everything, -0 below +0.
// They are the elements' bits, so n keys are as wide as n elements.
using ToKeysFn = void (*)(const void* src, void* dst, size_t n);

struct ReduceKernels {
    PairSumFn pair_sum = nullptr;  // half and float
    PairMaxFn pair_max = nullptr;
    ToKeysFn to_max_keys = nullptr, to_min_keys = nullptr;
};
// Of half, float or int16; empty for other types.
const ReduceKernels& KernelsOf(DataType type);

}  // namespace sfumato::exec
