// SPDX-License-Identifier: Apache-2.0
// Operands and masks of vector calls, for the files that build their records.
#pragma once

#include "frontends/ascendc/context.h"

namespace sfumato::ascendc {

// A tensor with its strides; false when it was reported.
bool SetOperand(runtime::Core& core, const char* call, const char* name, const VectorOperand& operand, Where where,
                isa::Operand* out);

// The mask of the record, whose operands are set, and what the call leaves in the mask register (vector.md).
void SetMask(runtime::Core& core, const VectorCall& call, isa::Record* record);

// The bits of a mask of n elements.
inline std::array<uint64_t, 2> FirstBits(uint64_t n) {
    const auto word = [](uint64_t k) { return k >= 64 ? ~uint64_t{0} : (uint64_t{1} << k) - 1; };
    return {word(n), n > 64 ? word(n - 64) : 0};
}

}  // namespace sfumato::ascendc
