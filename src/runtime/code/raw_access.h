// SPDX-License-Identifier: Apache-2.0
// --check raw: what a core's own code does through pointers, C arrays and integers, as the compiler tells it
// (sfumato/code_calls.h).
#pragma once

#include <array>
#include <csetjmp>
#include <cstdint>
#include <string>

#include "runtime/cores/core.h"
#include "runtime/memory/host_map.h"
#include "sfumato/code_calls.h"

namespace sfumato::runtime {

// Of one core. Between callback and caller no exception may pass, as compilers take these calls for such that throw
// nothing: what must not go on leaves the kernel by a jump.
class RawAccess {
public:
    explicit RawAccess(Core& core);
    ~RawAccess();
    RawAccess& operator=(RawAccess&&) = delete;

    // at: behind the instruction; own: the folders of Sfumato's headers. False: Leave().
    bool Access(const void* address, uint64_t bytes, bool write, const void* at, const char* own);
    bool Doubt(raw::Doubt doubt, const void* data, uintptr_t left, uintptr_t right, const char* own);

    // The kernel is about to write an exception there.
    void Throws(const void* exception, uint64_t bytes) { exception_ = exception, exception_bytes_ = bytes; }

    // From a frame that has nothing to destroy.
    [[noreturn]] void Leave();

private:
    // What is known of an instruction; one a place of code.
    struct Site {
        const void* at = nullptr;
        bool own = false;  // of Sfumato's headers, or of the system's
        Where where;
    };
    Site& SlotOf(const void* at);  // where it is kept, or another in its place
    const Site& SiteOf(const void* at, const char* own);
    // Whether an access of this kind holds the bytes; the checks hear of it, and *goes_on is what they say.
    bool InGm(uintptr_t address, uint64_t bytes, bool write, const void* at, const char* own, bool* goes_on);
    bool InUb(uintptr_t address, uint64_t bytes, bool write, const void* at, const char* own, bool* goes_on);
    bool Outside(uintptr_t address, uint64_t bytes, bool write, const void* at, const char* own);
    bool Tell(isa::Memory memory, uint32_t allocation, isa::Span bytes, bool write, const Site& site);
    // harmless: the kernel may go on. False: it must not.
    bool Find(Report report, bool harmless);

    Core& core_;
    uintptr_t stack_, stack_bytes_;
    uintptr_t gm_begin_ = 0, gm_bytes_ = 0;  // of the allocation found last
    uint32_t gm_ = 0;
    const void* exception_ = nullptr;
    uint64_t exception_bytes_ = 0;
    bool heard_ = false;
    ModuleMap modules_;
    std::array<Site, 512> sites_;
};

}  // namespace sfumato::runtime
