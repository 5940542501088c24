// SPDX-License-Identifier: Apache-2.0
// How undefined bits go through a record: from the shadow of its sources to the shadow of its destination.
#pragma once

#include <cstdint>

#include "isa/memory_map.h"
#include "isa/record.h"

namespace sfumato::sanitize {

// A record that is about to execute (a merge that may suspend: that has). `shadow` has the shadow's bytes where `data`
// has the memory's, open wherever the record reads or writes; a bit is 1 where it is undefined.
struct Flow {
    const isa::Record& record;
    const isa::MemoryMap& data;
    const isa::MemoryMap& shadow;
    bool defined = false;  // all that it reads

    const uint8_t* Data(int operand) const { return data.Address(record.operand[static_cast<size_t>(operand)]); }
    uint8_t* Bits(int operand) const { return shadow.Address(record.operand[static_cast<size_t>(operand)]); }
    // First byte of the shadow of the operand's memory: for what counts from there, as walks and runs do.
    uint8_t* Memory(int operand) const { return Bits(operand) - record.operand[static_cast<size_t>(operand)].offset; }
    uint8_t* Register(uint64_t at) const { return shadow.base[static_cast<int>(isa::Memory::kRegister)] + at; }
};

// The shadow of what the record writes, registers included. Offsets, and bits that say which elements are taken, count
// as defined: whoever calls has reported them.
void Propagate(const Flow& flow);

// `bits` bits from bit `at`; whole bytes, or half of one.
bool AnyUndefined(const uint8_t* shadow, uint64_t at, uint32_t bits);
void SetUndefined(uint8_t* shadow, uint64_t at, uint32_t bits, bool undefined);

// By form: lane by lane (init_lanes.cpp), as moves (init_moves.cpp), for the cube unit (init_cube.cpp), by whole groups
// of records (init_sorts.cpp).
#define SFUMATO_FORM(form, family, ...) void Flows(const Flow& flow, const isa::family& parameters);
#include "isa/forms.inc"
#undef SFUMATO_FORM
void Flows(const Flow& flow, const isa::MovePad& parameters);  // pads are written, too

}  // namespace sfumato::sanitize
