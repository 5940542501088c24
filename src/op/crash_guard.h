// SPDX-License-Identifier: Apache-2.0
// A crash of host code becomes a report: null pointers and divisions by zero are what tiling functions die of.
#pragma once

#include <array>
#include <functional>

namespace sfumato::op {

struct Crash {
    int signal = 0;                   // SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGILL, SIGTRAP; 0: Leave()
    const void* address = nullptr;    // what it reached for
    std::array<void*, 32> callers{};  // of the instruction, and the instruction itself, innermost first
    int depth = 0;
    const void* stack = nullptr;  // its end at that moment
};

// Runs the function; false when it crashed: what it had open then is never closed. Exceptions pass. Other threads'
// signals go where they went before.
bool Guarded(const std::function<void()>& function, Crash& crash);

// Ends the innermost Guarded of this thread, which returns false: for functions that can neither return nor throw.
// Without one it returns.
void Leave();

}  // namespace sfumato::op
