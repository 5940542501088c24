// SPDX-License-Identifier: Apache-2.0
// Host memory of a core's on-chip memories and of the stack of its scalar code, between guard pages so that a stray raw
// pointer faults at once.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "isa/memory_map.h"
#include "runtime/cores/fibre.h"
#include "soc/chip.h"

namespace sfumato::runtime {

class CoreMemory {
public:
    explicit CoreMemory(const soc::Chip& chip);
    ~CoreMemory();
    CoreMemory& operator=(CoreMemory&&) = delete;

    uint8_t* Base(isa::Memory memory) const { return base_[static_cast<int>(memory)]; }
    uint64_t Bytes(isa::Memory memory) const { return bytes_[static_cast<int>(memory)]; }
    const auto& bases() const { return base_; }
    const auto& bytes() const { return bytes_; }
    Fibre::Stack stack() const { return stack_; }
    isa::Scratch& scratch() { return scratch_; }
    // True when the scalar code overflows its stack by touching p.
    bool IsBelowStack(const void* p) const;
    // Whether p lies in its mapping, guard pages included.
    bool Holds(const void* p) const {
        const auto* address = static_cast<const uint8_t*>(p);
        return address >= mapping_ && address < mapping_ + mapping_bytes_;
    }
    bool Fits(const soc::Chip& chip) const { return chip.memory_bytes == bytes_; }
    const std::string& owner() const { return owner_; }
    void set_owner(std::string name) { owner_ = std::move(name); }

    // From a process-wide pool, so that launches in a row do not map memory again. It grows as needed, keeps a number
    // of idle ones, and holds nothing of the parent's launches in a process that was forked.
    static std::unique_ptr<CoreMemory> Acquire(const soc::Chip& chip);
    static void Release(std::unique_ptr<CoreMemory> memory);
    // "UB+0x40 of core aiv0" when p lies in or within a page of an on-chip memory in use; "" otherwise.
    static std::string Describe(const void* p);
    // Whether any core in use holds p.
    static bool IsIn(const void* p);

private:
    std::array<uint8_t*, isa::kMemoryCount> base_{};
    std::array<uint64_t, isa::kMemoryCount> bytes_{};
    Fibre::Stack stack_{};
    isa::Scratch scratch_;
    uint8_t* mapping_ = nullptr;
    uint64_t mapping_bytes_ = 0;
    std::string owner_;
};

}  // namespace sfumato::runtime
