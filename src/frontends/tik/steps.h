// SPDX-License-Identifier: Apache-2.0
// The records of a call that becomes several: where they go, and the memory between them.
#pragma once

#include <initializer_list>
#include <vector>

#include "frontends/tik/calls.h"
#include "isa/geometry.h"
#include "isa/spans.h"
#include "isa/units.h"

namespace sfumato::tik {

constexpr uint32_t kSide = 16;  // rows and columns of a fractal of results

using isa::CeilDiv;

class Steps {
public:
    // `first` has what all records of the call share.
    Steps(const CallValues& v, const isa::Record& first, std::vector<isa::Record>* out)
        : v_(v), first_(first), out_(out) {}

    isa::Record& Add(isa::Opcode op, isa::Pipe pipe, std::initializer_list<isa::Operand> operands);
    // count blocks of `bytes`; pitches from head to head.
    void Move(const isa::Operand& dst, const isa::Operand& src, uint32_t count, uint64_t bytes, uint64_t dst_pitch,
              uint64_t src_pitch);
    void Move(const isa::Operand& dst, const isa::Operand& src, uint64_t bytes) {
        Move(dst, src, 1, bytes, bytes, bytes);
    }

    // Bytes of a memory that no tensor has taken where the call stands, and a place among them.
    uint64_t Room(isa::Memory memory) const;
    void RequireRoom(isa::Memory memory, uint64_t least) const;
    isa::Operand Scratch(isa::Memory memory, DataType type, uint64_t offset = 0) const;

private:
    uint64_t Begin(isa::Memory memory) const;

    const CallValues& v_;
    const isa::Record& first_;
    std::vector<isa::Record>* out_;
};

// The operand some bytes further on.
inline isa::Operand Later(isa::Operand o, uint64_t bytes) {
    o.offset += bytes;
    return o;
}

// Refuses an operand outside `memory`, or one with fewer elements behind its start than `layout` has.
void RequireTensor(const isa::Operand& o, const char* name, isa::Memory memory, uint64_t elements,
                   const std::string& layout);

// The items of a list of `count` integers, each within its limits.
struct Limits {
    const char* name;
    int64_t least, most;
};
int64_t RequireRange(int64_t value, const char* param, const Limits& limits);
std::vector<uint32_t> RequireList(const CallValues& v, Param param, std::initializer_list<Limits> items);

}  // namespace sfumato::tik
