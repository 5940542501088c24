// SPDX-License-Identifier: Apache-2.0
// What a crash of host code leaves, and the way back.
#include "op/crash_guard.h"

#include <execinfo.h>
#include <setjmp.h>
#include <signal.h>

#include <algorithm>
#include <memory>

#include "runtime/code/signal_scope.h"
#include "system/registers.h"

namespace sfumato::op {
namespace {

struct Guard {
    sigjmp_buf back;
    Crash* crash;
};
thread_local Guard* current_guard = nullptr;

// The stack from the instruction on: what lies before it are the frames of the handler.
void Trace(Crash& crash, const void* instruction) {
    std::array<void*, 32> all{};
    const int count = backtrace(all.data(), static_cast<int>(all.size()));
    void** const end = all.data() + count;
    void** const start = std::find(all.data(), end, instruction);
    crash.callers[0] = const_cast<void*>(instruction);
    crash.depth = 1;
    if (start == end) return;
    crash.depth = static_cast<int>(end - start);
    std::copy(start, end, crash.callers.begin());
}

void Look(int signal, const siginfo_t* info, const void* context) {
    Guard* guard = current_guard;
    if (!guard) return;
    current_guard = nullptr;
    Crash& crash = *guard->crash;
    crash.signal = signal;
    crash.address = info->si_addr;
    crash.stack = system::StackPointerOf(context);
    Trace(crash, system::InstructionOf(context));
    siglongjmp(guard->back, 1);
}

// The first call of backtrace() loads a library, which a handler may not.
void LoadBacktrace() {
    void* none[1];
    [[maybe_unused]] static const int loaded = backtrace(none, 1);
}

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
    LoadBacktrace();
    const SignalScope handlers(Look);
    Guard guard;
    guard.crash = &crash;
    const Enter enter(guard);
    if (sigsetjmp(guard.back, 1) != 0) return false;
    function();
    return true;
}

}  // namespace sfumato::op
