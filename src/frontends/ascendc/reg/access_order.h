// SPDX-License-Identifier: Apache-2.0
// The accesses of UB inside a vector function: which bytes of loads anything comes of, and the order of two that
// overlap (arch950.md 2.12, amendment 3): if one of them stores, they need a LocalMemBar between them, or a chain of
// registers from the first to the second.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "isa/record.h"
#include "sfumato/vector_register.h"

namespace sfumato::ascendc {

struct RegisterAccess {
    isa::Span bytes;
    bool store;
    const char* call;
    Where where;
    uint64_t number = 0;  // of the call
};

class AccessOrder {
public:
    using Access = RegisterAccess;
    // The latest access before this one that overlaps it, where one of the two stores and nothing orders them. behind:
    // the loads that what a store stores comes from. load: the number of this one, which loads; 0: it stores.
    // counts(load, bytes): whether anything has come of these bytes of an earlier load.
    using Counts = std::function<bool(uint32_t load, isa::Span bytes)>;
    std::optional<Access> Note(const Access& access, const LoadsBehind& behind, uint32_t load, const Counts& counts);
    // LocalMemBar: accesses before it, of these kinds, are done before those behind it, of those kinds.
    void Fence(bool stores_before, bool loads_before, bool stores_behind, bool loads_behind);
    void Clear();

private:
    struct Noted {
        Access access;
        uint32_t load;
    };
    static constexpr size_t kMost = 256;  // accesses that are remembered
    uint64_t Fenced(bool earlier_store, bool store) const { return fences_[earlier_store][store]; }
    // Whether a block of the bytes has an access that nothing has fenced; marks this one.
    bool Meets(const Access& access);

    std::vector<Noted> notes_;                         // a ring
    uint64_t next_ = 0;                                // accesses so far, of all functions
    std::array<std::vector<uint64_t>, 2> latest_;      // by kind and block of UB: the latest access, from 1
    std::array<std::array<uint64_t, 2>, 2> fences_{};  // by kind of the earlier, of the later: accesses before it
};

// The loads of a function: a byte counts as read once something comes of it, which masks decide.
class Loads {
public:
    using Bits = std::array<uint64_t, 4>;  // a bit a byte of a register
    struct Load {
        RegisterAccess access;
        uint32_t element, pitch, spread;          // bytes: an element, from one to the next in UB, and in the register
        std::optional<RegisterAccess> unordered;  // an earlier store, that nothing orders before it
        Bits used{};
        bool told = false;
    };
    // used(load, its bytes that are used now): for each load behind `lanes`, and its bytes that were not used before.
    using Used = std::function<void(Load& load, isa::Span bytes)>;

    uint32_t count() const { return count_; }
    Load& Add(const RegisterAccess& access, uint32_t element, uint32_t pitch, uint32_t spread);
    // Whether any of the bytes has been used; one too far back says yes.
    bool Uses(uint32_t load, isa::Span bytes) const;
    void Use(const LoadsBehind& lanes, const Bits& bits, const Used& used);
    void Clear() { loads_.clear(), count_ = 0; }

private:
    std::deque<Load> loads_;  // the latest 64
    uint32_t count_ = 0;
};

}  // namespace sfumato::ascendc
