// SPDX-License-Identifier: Apache-2.0
// What the operands of a record held before it executed, though it may have overwritten some.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/memory_map.h"
#include "isa/record.h"

namespace sfumato::sanitize {

// Bytes that stand for those of a memory from `origin` on.
struct Bytes {
    uint8_t* first = nullptr;
    uint64_t origin = 0;
    uint8_t* At(uint64_t offset) const { return first + (offset - origin); }
};

// First byte of the memory or allocation an operand lies in.
inline Bytes MemoryOf(const isa::Operand& o, const isa::MemoryMap& map) { return {map.Address(o) - o.offset, 0}; }

class Before {
public:
    // Before the record executes: copies the hull of dst where dst is read, or lies on a source. Of global memory only
    // the bytes of the record, as others may write beside them. The map stays until the record has executed.
    void Save(const isa::Record& record, const isa::MemoryMap& map);

    bool saved() const { return hull_.begin < hull_.end; }
    isa::Span hull() const { return hull_; }
    const std::vector<uint8_t>& bytes() const { return bytes_; }
    // The bits of an element of operand i, at a byte offset in its memory, as it was. Below 8 bits: its byte.
    uint64_t Bits(const isa::Record& record, int operand, uint64_t offset) const;

    // The bytes of operand i as they were, or nullptr where only a part of them was copied.
    const uint8_t* Whole(const isa::Record& record, int operand, isa::Span bytes) const;

private:
    const isa::MemoryMap* map_ = nullptr;
    isa::Span hull_;  // empty: nothing was copied
    std::vector<uint8_t> bytes_;
};

}  // namespace sfumato::sanitize
