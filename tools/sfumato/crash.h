// SPDX-License-Identifier: Apache-2.0
// Turns a crash of kernel code (a raw pointer, a division by zero, abort) into a report. For the command's child
// process only.
#pragma once

#include "findings.h"

namespace sfumato::command {

// What the handlers need; the objects outlive the kernel.
struct CrashContext {
    Findings* findings = nullptr;
    const RunOptions* options = nullptr;
    const GlobalMemory* memory = nullptr;  // null before the kernel starts
};

// Installs handlers of SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT that print a report and end the process with kFault.
void InstallCrashHandlers(const CrashContext& context);

// An alternate signal stack for the calling thread, so that an overflow of its stack can be reported.
class AlternateStack {
public:
    AlternateStack();
    ~AlternateStack();
    AlternateStack(const AlternateStack&) = delete;
    AlternateStack& operator=(const AlternateStack&) = delete;

private:
    void* memory_ = nullptr;
};

}  // namespace sfumato::command
