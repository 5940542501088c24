// SPDX-License-Identifier: Apache-2.0
// What every high-level call asks of its operands: the limits V1 to V4 and V7 of adv.md 1.2, in one place and in the
// same words.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>

#include "frontends/ascendc/context.h"
#include "sfumato/ascendc/adv/call.h"

namespace sfumato::ascendc::adv {

inline constexpr const char* kElementsNotBytes = "counts and shapes are of elements, not bytes";

// A tensor of a call, the elements of it that the call uses, and whether it writes them.
struct Need {
    const char* name;
    const VectorOperand* operand;           // null, or of no tensor: not there
    uint64_t elements;                      // a negative count is more than any tensor has
    const VectorOperand* may_be = nullptr;  // the operand that it may share its start with
    bool written = false;                   // the first of a call always is
    const char* hint = kElementsNotBytes;   // where there are too few elements
};

// V1 to V4: in UB, aligned, large enough; what is written has no byte in common with anything else, and a buffer that
// was lent none with any. The first need is the destination. False when the call must not go on.
bool CheckNeeds(runtime::Core& core, const char* call, std::initializer_list<Need> needs, const Lent& lent,
                Where where);

// V1 alone, of a tensor whose elements the call finds out later.
bool InUb(runtime::Core& core, const char* call, const char* name, const VectorOperand& operand, Where where);

// V4: the bytes a call found for its temporaries. Fewer than it needs are a fault, and false; fewer than
// GetXxxMaxMinTmpSize says are a warning when the caller lent them.
bool CheckSpace(runtime::Core& core, const char* call, const Lent& lent, uint64_t found, uint64_t minimum,
                uint64_t needed, Where where);

// V7: rows of `elements` are whole blocks of 32 bytes. name: the parameter that gives the length of a row.
bool CheckRow(runtime::Core& core, const char* call, const char* name, DataType type, uint64_t elements, Where where);

// isBasicBlock: whether the shape is what it promises; if not, a warning. False when the call must not go on.
bool CheckBasicBlock(runtime::Core& core, const char* call, const char* name, uint64_t rows, uint64_t columns,
                     bool kept, const char* legal, Where where);

// isReuseSource, once the call is done: what it read so many elements of, and did not write, is nobody's; for the
// checks.
void TellReused(runtime::Core& core, const VectorOperand& dst, const VectorOperand& src, uint64_t elements,
                Where where);

// Reports a parameter of the call; always false.
bool BadParameter(runtime::Core& core, const char* call, const char* operand, const std::string& message,
                  const std::string& found, const std::string& legal, const char* hint, Where where);

}  // namespace sfumato::ascendc::adv
