// SPDX-License-Identifier: Apache-2.0
// What the latest vector records of a core cost: loops issue the same ones again and again, and bank conflicts take
// longer to find than all else the model does.
#pragma once

#include <array>

#include "isa/record.h"

namespace sfumato::timing {

struct VectorPrice {
    float head = 0, work = 0, conflict = 0;
    bool assumed = false;
    uint64_t repeats = 0;
};

// Of forms that have no parameters that matter: those in lanes.
class PriceMemo {
public:
    static bool Knows(const isa::Record& r) { return IsInLanes(Info(r.form()).made_of); }
    // The price of a record that differs in nothing that decides it, or where to put it: `found` says which.
    VectorPrice& At(const isa::Record& r, bool* found) {
        Entry& entry = entries_[SlotOf(r)];
        *found = entry.op == r.op && entry.operand_count == r.operand_count && entry.repeat == r.repeat &&
                 entry.mask.mode == r.mask.mode && entry.mask.count == r.mask.count && entry.mask.bits == r.mask.bits;
        for (size_t i = 0; *found && i < r.operand_count; ++i) *found = Same(entry.operand[i], r.operand[i]);
        if (!*found) entry = {r.op, r.operand_count, r.repeat, r.mask, r.operand, {}};
        return entry.price;
    }

private:
    static constexpr size_t kEntries = 16;
    static size_t SlotOf(const isa::Record& r) {
        constexpr uint64_t kSpread = 0x9E3779B97F4A7C15;
        return ((r.dst().offset >> 5) + r.where.line) * kSpread >> 60;
    }
    static bool Same(const isa::Operand& a, const isa::Operand& b) {
        return a.memory == b.memory && a.type == b.type && a.offset == b.offset && a.block_stride == b.block_stride &&
               a.repeat_stride == b.repeat_stride;
    }
    struct Entry {
        isa::Opcode op{};
        uint8_t operand_count = 0;  // of no record
        uint32_t repeat = 0;
        isa::Mask mask;
        std::array<isa::Operand, 5> operand;
        VectorPrice price;
    };
    std::array<Entry, kEntries> entries_;
};

}  // namespace sfumato::timing
