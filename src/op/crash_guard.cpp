// SPDX-License-Identifier: Apache-2.0
// Handlers of signals while host code runs.
#include "op/crash_guard.h"

#include <execinfo.h>
#include <setjmp.h>
#include <signal.h>
#include <ucontext.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <mutex>

namespace sfumato::op {
namespace {

constexpr int kSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGILL, SIGTRAP};

struct Guard {
    sigjmp_buf back;
    Crash* crash;
};
thread_local Guard* current_guard = nullptr;

std::mutex guard_mutex;
int guards = 0;  // that need the handlers
struct sigaction before[std::size(kSignals)];

void* InstructionOf(void* context) {
    const auto* machine = &static_cast<ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
    return reinterpret_cast<void*>(machine->gregs[REG_RIP]);
#elif defined(__aarch64__)
    return reinterpret_cast<void*>(machine->pc);
#else
    return machine ? nullptr : nullptr;
#endif
}

// The stack from the instruction on: what lies before it are the frames of the handler.
void Trace(Crash& crash, void* instruction) {
    std::array<void*, 32> all{};
    const int count = backtrace(all.data(), static_cast<int>(all.size()));
    void** const end = all.data() + count;
    void** const start = std::find(all.data(), end, instruction);
    crash.callers[0] = instruction;
    crash.depth = 1;
    if (start == end) return;
    crash.depth = static_cast<int>(end - start);
    std::copy(start, end, crash.callers.begin());
}

const void* StackOf(void* context) {
    const auto* machine = &static_cast<ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
    return reinterpret_cast<const void*>(machine->gregs[REG_RSP]);
#elif defined(__aarch64__)
    return reinterpret_cast<const void*>(machine->sp);
#else
    return machine ? nullptr : nullptr;
#endif
}

void Handle(int signal, siginfo_t* info, void* context) {
    if (Guard* guard = current_guard) {
        current_guard = nullptr;
        Crash& crash = *guard->crash;
        crash.signal = signal;
        crash.address = info->si_addr;
        crash.stack = StackOf(context);
        Trace(crash, InstructionOf(context));
        siglongjmp(guard->back, 1);
    }
    for (size_t i = 0; i < std::size(kSignals); ++i) {
        if (kSignals[i] != signal) continue;
        if (before[i].sa_flags & SA_SIGINFO) return before[i].sa_sigaction(signal, info, context);
        if (before[i].sa_handler != SIG_DFL && before[i].sa_handler != SIG_IGN) return before[i].sa_handler(signal);
        sigaction(signal, &before[i], nullptr);  // the instruction runs again, and the process ends
    }
}

class Handlers {
public:
    Handlers() {
        std::lock_guard lock(guard_mutex);
        if (guards++ != 0) return;
        void* none[1];
        backtrace(none, 1);  // the first call loads a library, which a handler may not
        struct sigaction action {};
        action.sa_sigaction = Handle;
        action.sa_flags = SA_SIGINFO | SA_ONSTACK;
        sigemptyset(&action.sa_mask);
        for (size_t i = 0; i < std::size(kSignals); ++i) sigaction(kSignals[i], &action, &before[i]);
    }
    ~Handlers() {
        std::lock_guard lock(guard_mutex);
        if (--guards != 0) return;
        for (size_t i = 0; i < std::size(kSignals); ++i) sigaction(kSignals[i], &before[i], nullptr);
    }
    Handlers& operator=(Handlers&&) = delete;
};

// Handlers need a stack of their own where the thread's is used up.
class OwnStack {
public:
    OwnStack() {
        if (sigaltstack(nullptr, &before_) != 0 || !(before_.ss_flags & SS_DISABLE)) return;
        memory_ = std::make_unique<char[]>(kBytes);
        const stack_t own{memory_.get(), 0, kBytes};
        sigaltstack(&own, nullptr);
    }
    ~OwnStack() {
        if (memory_) sigaltstack(&before_, nullptr);
    }
    OwnStack& operator=(OwnStack&&) = delete;

private:
    static constexpr size_t kBytes = 65536;
    std::unique_ptr<char[]> memory_;
    stack_t before_{};
};

// Of the thread, while the function runs.
class Enter {
public:
    explicit Enter(Guard& guard) : outer_(current_guard) { current_guard = &guard; }
    ~Enter() { current_guard = outer_; }
    Enter& operator=(Enter&&) = delete;

private:
    Guard* outer_;
};

}  // namespace

void Leave() {
    Guard* guard = current_guard;
    if (guard == nullptr) return;
    current_guard = nullptr;
    *guard->crash = {};
    siglongjmp(guard->back, 1);
}

bool Guarded(const std::function<void()>& function, Crash& crash) {
    const OwnStack stack;
    const Handlers handlers;
    Guard guard;
    guard.crash = &crash;
    const Enter enter(guard);
    if (sigsetjmp(guard.back, 1) != 0) return false;
    function();
    return true;
}

}  // namespace sfumato::op
