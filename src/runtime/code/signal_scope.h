// SPDX-License-Identifier: Apache-2.0
// Handlers of crashes for as long as somebody needs them. There is one set for all: scopes of several threads end in
// any order, and what was there before the first comes back with the last.
#pragma once

#include <csignal>

#include "sfumato/api.h"

namespace sfumato {

// Looks at a crash of its own thread, and leaves by a jump where that is its own. context: as a handler of signals gets
// it.
using CrashHook = void (*)(int signal, const siginfo_t* info, const void* context);

// While one lives, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP and SIGABRT go to the hooks first, of which a program has
// two at most, and then where they went before.
class SFUMATO_API SignalScope {
public:
    explicit SignalScope(CrashHook hook);
    ~SignalScope();
    SignalScope& operator=(SignalScope&&) = delete;
};

}  // namespace sfumato
