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

// A high-level call from its first check to its end: the instructions that it issues count as its own.
struct Caller {
    Caller(const char* call, const Lent& lent, Where at)
        : core(ThisCore(call)),
          name(call),
          tmp(lent),
          where(at),
          scope(HighLevelCall(LibraryCall(core, call, at), call, at), call, at) {}

    // V1 to V4: in UB, aligned, large enough; what is written has no byte in common with anything else, and a buffer
    // that was lent none with any. The first need is the destination. False when the call must not go on.
    bool CheckNeeds(std::initializer_list<Need> needs) const;
    // V1 alone, of a tensor whose elements the call finds out later.
    bool InUb(const char* operand_name, const VectorOperand& operand) const;
    // V4: the bytes a call found for its temporaries. Fewer than it needs are a fault, and false; fewer than
    // GetXxxMaxMinTmpSize says are a warning when the caller lent them.
    bool CheckSpace(uint64_t found, uint64_t needed, uint64_t minimum = 0) const;
    // V7: rows of `elements` are whole blocks of 32 bytes. parameter: the one that gives the length of a row.
    bool CheckRow(const char* parameter, DataType type, uint64_t elements) const;
    // isBasicBlock: whether the shape is what it promises; if not, a warning. False when the call must not go on.
    bool CheckBasicBlock(const char* parameter, uint64_t rows, uint64_t columns, bool kept, const char* legal) const;
    bool RequireFact(bool soc::Chip::*has, const char* hint) const {
        return ascendc::RequireFact(core, name, has, hint, where);
    }
    // isReuseSource, once the call is done: what it read so many elements of, and did not write, is nobody's; for the
    // checks.
    void TellReused(const VectorOperand& dst, const VectorOperand& src, uint64_t elements) const;
    // A finding of the call; false when it must not go on, of Refuse always.
    bool Find(Finding finding) const { return ascendc::Find(core, name, where, std::move(finding)); }
    bool Refuse(Finding finding) const { return ascendc::Refuse(core, name, where, std::move(finding)); }
    // Of a parameter of the call.
    bool Refuse(const char* parameter, const std::string& message, const std::string& found, const std::string& legal,
                const char* hint) const {
        return Refuse({Rule::kParameterRange, parameter, message, found, legal, hint});
    }

    runtime::Core& core;
    const char* const name;
    const Lent tmp;
    const Where where;

private:
    const runtime::CallScope scope;
};

}  // namespace sfumato::ascendc::adv
