// SPDX-License-Identifier: Apache-2.0
// What records touch, and whether the order of two accesses decides bytes.
#pragma once

#include <array>

#include "isa/record.h"

namespace sfumato::events {

// Bytes of one memory that are read or written.
struct Access {
    isa::Memory memory;
    uint32_t allocation;  // GM only
    isa::Span bytes;
    bool write;
    int operand = -1;  // of the record; -1: none names these bytes
};

// Whether both touch some byte. Each core has its own memories on chip.
inline bool Meet(const Access& a, const Access& b) {
    return a.memory == b.memory && (a.memory != isa::Memory::kGm || a.allocation == b.allocation) &&
           a.bytes.Overlaps(b.bytes);
}
inline bool Meet(uint64_t core_of_a, const Access& a, uint64_t core_of_b, const Access& b) {
    return (core_of_a == core_of_b || a.memory == isa::Memory::kGm) && Meet(a, b);
}
// Their order decides bytes.
inline bool Conflict(const Access& a, const Access& b) { return (a.write || b.write) && Meet(a, b); }

// Hulls of the bytes that a record touches; what it writes comes first: its destination, its work tensor, and the
// register it leaves a result in. The words of a vector scale are read from UB when the record executes, too, though no
// operand names them. None for what the pipes execute themselves.
class Accesses {
public:
    explicit Accesses(const isa::Record& record);
    const Access* begin() const { return access_.data(); }
    const Access* end() const { return access_.data() + count_; }
    size_t size() const { return count_; }
    const Access& operator[](size_t i) const { return access_[i]; }
    // Whether the order of the two records decides bytes.
    bool Conflicts(const Accesses& other) const;

private:
    void Add(const Access& access) {
        if (access.bytes.begin != access.bytes.end) access_[count_++] = access;
    }
    std::array<Access, 7> access_;
    size_t count_ = 0;
};

}  // namespace sfumato::events
