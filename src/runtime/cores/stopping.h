// SPDX-License-Identifier: Apache-2.0
// How the run of a core ends before the kernel does: a fault was reported, or the launch or another core asked for it.
#pragma once

#include <atomic>
#include <csetjmp>
#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/cores/cores.h"
#include "sfumato/report.h"

namespace sfumato::runtime {

// Ends a core's run.
struct StopCore {};

// Where a core was when others, or the launch, stopped it.
struct Stood {
    bool stopped = false, waiting = false;
    std::string call;  // empty: between instructions
    Where where;
    uint64_t index = 0;
};

// Of one core. records: issued so far.
class Stopping {
public:
    Stopping(Cores& cores, uint64_t order, const std::atomic<uint64_t>& records)
        : cores_(cores), order_(order), records_(records) {}

    // Whether the core is to stop at its next instruction.
    bool Asked() const { return deferred_ || cores_.Stopped(order_); }
    // For calls, and for loops that issue nothing.
    void IfAsked(std::string_view call = "", Where where = {}) {
        if (Asked()) [[unlikely]]
            At(call, where, false);
    }
    [[noreturn, gnu::cold]] void At(std::string_view call, Where where, bool waiting);
    // By an exception, or where none can leave the kernel (runtime/code/unwinding.h) by a jump that destroys nothing.
    [[noreturn, gnu::cold]] void Now();
    // The same, and the cores above this one stop, too: they would not have run behind it.
    [[noreturn, gnu::cold]] void WithThoseAbove();
    // Now, for a destructor: at the next instruction.
    void Defer() { deferred_ = true; }
    const Stood& stood() const { return stood_; }

    // Of the jump, while the kernel runs.
    std::jmp_buf* landing = nullptr;
    // Where the kernel's code threw an exception last, and the exception.
    const void* thrown_at = nullptr;
    const void* thrown = nullptr;

private:
    Cores& cores_;
    const uint64_t order_;
    const std::atomic<uint64_t>& records_;
    bool deferred_ = false;
    Stood stood_;
};

}  // namespace sfumato::runtime
