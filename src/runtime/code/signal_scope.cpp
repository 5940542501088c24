// SPDX-License-Identifier: Apache-2.0
// The handlers, and what was there before them.
#include "runtime/code/signal_scope.h"

#include <atomic>
#include <cstddef>
#include <iterator>
#include <mutex>

namespace sfumato {
namespace {

constexpr int kScopeSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};

// Hooks stay: each knows by its thread whether anything is its own.
std::atomic<CrashHook> hooks[2];
std::mutex scope_mutex;
int scopes = 0;  // that live
struct sigaction before[std::size(kScopeSignals)];

void AskHooks(int signal, siginfo_t* info, void* context) {
    for (const auto& hook : hooks) {
        if (const CrashHook look = hook) look(signal, info, context);
    }
    for (size_t i = 0; i < std::size(kScopeSignals); ++i) {
        if (kScopeSignals[i] != signal) continue;
        if (before[i].sa_flags & SA_SIGINFO) return before[i].sa_sigaction(signal, info, context);
        if (before[i].sa_handler != SIG_DFL && before[i].sa_handler != SIG_IGN) return before[i].sa_handler(signal);
        sigaction(signal, &before[i], nullptr);  // the instruction runs again, and the process ends
    }
}

}  // namespace

SignalScope::SignalScope(CrashHook hook) {
    const std::lock_guard lock(scope_mutex);
    std::atomic<CrashHook>& place = hooks[hooks[0] && hooks[0] != hook];
    place = hook;
    if (scopes++ != 0) return;
    struct sigaction action {};
    action.sa_sigaction = AskHooks;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;  // a hook that jumps leaves no signal blocked
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < std::size(kScopeSignals); ++i) sigaction(kScopeSignals[i], &action, &before[i]);
}

SignalScope::~SignalScope() {
    const std::lock_guard lock(scope_mutex);
    if (--scopes != 0) return;
    for (size_t i = 0; i < std::size(kScopeSignals); ++i) sigaction(kScopeSignals[i], &before[i], nullptr);
}

}  // namespace sfumato
