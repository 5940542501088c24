// SPDX-License-Identifier: Apache-2.0
// What the latest vector records of a core cost: loops issue the same ones again and again, and bank conflicts take
// longer to find than all else the model does.
#pragma once

#include <array>
#include <cstring>

#include "isa/record.h"

namespace sfumato::timing {

struct VectorPrice {
    float head = 0, work = 0, conflict = 0;
    bool assumed = false;
    uint64_t repeats = 0;
};

class PriceMemo {
public:
    // The price of a record that differs in nothing that decides it, or where to put it: `found` says which.
    VectorPrice& At(const isa::Record& record, bool* found) {
        Entry& entry = entries_[(record.where.line ^ record.dst().offset >> 5 ^ record.dst().offset >> 13) % kEntries];
        const isa::Parameters& parameters = record.parameters();
        *found = entry.op == record.op && entry.repeat == record.repeat && Same(entry.mask, record.mask) &&
                 Same(entry.operand, record.operand) && Same(entry.parameters, parameters);
        if (!*found) entry = {record.op, record.repeat, record.mask, record.operand, parameters, {}};
        return entry.price;
    }

private:
    static constexpr size_t kEntries = 16;
    // Padding that differs makes it another record, which costs time and no more.
    template <class T>
    static bool Same(const T& a, const T& b) {
        return std::memcmp(&a, &b, sizeof(T)) == 0;
    }
    struct Entry {
        isa::Opcode op = isa::Opcode::wait_flag_dev;  // no vector instruction
        uint32_t repeat = 0;
        isa::Mask mask;
        std::array<isa::Operand, 5> operand;
        isa::Parameters parameters;
        VectorPrice price;
    };
    std::array<Entry, kEntries> entries_;
};

}  // namespace sfumato::timing
