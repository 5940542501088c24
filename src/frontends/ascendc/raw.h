// SPDX-License-Identifier: Apache-2.0
// Pointers of raw calls as tensors (language.md 5).
#pragma once

#include "frontends/ascendc/context.h"
#include "sfumato/ascendc/raw_types.h"

namespace sfumato::ascendc {

// The rest of an on-chip memory from a pointer into it. Elsewhere: a report, and the core stops.
LocalView LocalAt(runtime::Core& core, isa::Memory memory, const void* pointer, DataType type, const char* call,
                  Where where);

// A raw call in the program, or a reading of one.
struct Place {
    const char* call;
    Where where;
};
// The call rests on a reading that no page has.
inline void Assumes(const Place& reading) { ThisCore(reading.call).Called(reading.call, reading.where); }

// A pointer to elements of `type`: one of no type, or whatever it is.
constexpr RawPointer Retyped(RawPointer p, DataType type) {
    p.type = type;
    return p;
}
constexpr RawPointer Typed(RawPointer p, DataType type) { return p.type == DataType::kCount ? Retyped(p, type) : p; }

// A field of a word, from bit `at` on.
constexpr uint16_t Field(uint64_t word, int at, int bits) {
    return static_cast<uint16_t>(word >> at & ((uint64_t{1} << bits) - 1));
}

// Where a number that was a pointer, or the low half of one, or an offset points in UB; the size of UB: nowhere, which
// NoAddress reports before it stops the core.
uint64_t UbOffset(runtime::Core& core, uint64_t number);
[[noreturn]] void NoAddress(runtime::Core& core, const char* call, Where where, uint64_t number);

}  // namespace sfumato::ascendc
