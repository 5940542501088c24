// SPDX-License-Identifier: Apache-2.0
// Turns a crash of kernel code (a raw pointer, a division by zero, abort) into a report.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "runtime/code/signal_scope.h"
#include "sfumato/launch.h"

namespace sfumato {

// What the handlers need.
struct CrashContext {
    std::string chip, kernel, source;
    uint32_t kernel_line = 0;
    const GlobalMemory* memory = nullptr;  // outlives the kernel; null before it starts
    const void* host = nullptr;            // any code of the program around the kernel
    std::function<void(const Report&)> tell;
    int exit_code = 1;
};

// Installs handlers of SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT that tell the report and end the process. For
// processes that run one kernel and end with it: the child of the command, a runner of the fork server.
SFUMATO_API void InstallCrashHandlers(const CrashContext& context);

// While one lives, an instruction of a kernel that crashes (SIGSEGV, SIGBUS, SIGFPE, SIGILL) is a finding of its core,
// which ends there. Other crashes go where they went before; so do all where InstallCrashHandlers was called.
class CrashScope {
public:
    CrashScope();

private:
    std::optional<SignalScope> scope_;
};

// An alternate signal stack for the calling thread, so that an overflow of its stack can be reported.
class SFUMATO_API AlternateStack {
public:
    AlternateStack();
    ~AlternateStack();
    AlternateStack& operator=(AlternateStack&&) = delete;

private:
    void* memory_ = nullptr;
};

}  // namespace sfumato
