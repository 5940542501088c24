// SPDX-License-Identifier: Apache-2.0
// The crash handlers. They format and print, which a handler may not do in general: the process ends here, and an alarm
// ends it when a lock the crashed code held blocks them; the parent then says what it can.
#include "crash.h"

#include <fmt/format.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>

#include "report/rules.h"

namespace sfumato::command {
namespace {

constexpr size_t kStackBytes = 128 << 10;
constexpr unsigned kHandlerSeconds = 5;
constexpr int kSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

CrashContext g_context;

// Static initialisers run on a stack of the system, cores on their own.
bool IsThreadStackOverflow(const void* address) {
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return false;
    void* base = nullptr;
    size_t size = 0, guard = 0;
    pthread_attr_getstack(&attributes, &base, &size);
    pthread_attr_getguardsize(&attributes, &guard);
    pthread_attr_destroy(&attributes);
    const auto a = reinterpret_cast<uintptr_t>(address), b = reinterpret_cast<uintptr_t>(base);
    constexpr uintptr_t kSlack = 64 << 10;  // a frame may step over the guard
    return a < b + 4096 && a + guard + kSlack >= b;
}

void Describe(Report& report, int signal, const siginfo_t* info) {
    switch (signal) {
        case SIGFPE:
            report.rule = Info(Rule::kArithmeticTrap).id;
            report.message = "the kernel's scalar code divided an integer by zero";
            report.legal = "a divisor other than 0";
            return;
        case SIGILL:
            report.rule = Info(Rule::kTrap).id;
            report.message = "the kernel executed a trap";
            report.legal = "no path to __builtin_trap or past the end of a function that returns a value";
            return;
        case SIGABRT:
            report.rule = Info(Rule::kAbort).id;
            report.message = "the kernel called abort (a failed assert or an uncaught exception)";
            report.legal = "kernels end by returning";
            return;
        default: break;
    }
    const void* address = info->si_addr;
    if (IsStackOverflow(address) || IsThreadStackOverflow(address)) {
        report.rule = Info(Rule::kStackOverflow).id;
        report.message = "the kernel's scalar code overflowed the stack of its core";
        report.hint = "look for endless recursion and for large local arrays";
        return;
    }
    const bool is_kernel = info->si_code <= 0 || address != nullptr;
    report.rule = Info(Rule::kRawPointer).id;
    report.message = fmt::format("raw pointer access to {:#x}", reinterpret_cast<uintptr_t>(address));
    report.found = g_context.memory && is_kernel ? DescribeAddress(address, g_context.memory) : "";
    if (address == nullptr) report.found = "a null pointer, or an address no memory can have";
    if (report.found.empty()) report.found = "outside every allocation";
    report.legal = "addresses inside GM allocations and the memories of the core";
    report.hint = "run the command under gdb to see the line, or access memory through tensors, which are checked";
}

void Handle(int signal, siginfo_t* info, void*) {
    static std::atomic<bool> entered{false};
    if (entered.exchange(true)) {
        // Another core crashed first and is reporting: the process ends when it is done.
        for (;;) pause();
    }
    struct sigaction plain {};
    plain.sa_handler = SIG_DFL;
    for (const int s : kSignals) sigaction(s, &plain, nullptr);
    ::signal(SIGALRM, SIG_DFL);
    alarm(kHandlerSeconds);
    Report report;
    if (g_context.memory) report.core = RunningCore();
    report.kernel = g_context.options->launch.kernel;
    report.chip = g_context.options->launch.chip;
    report.file = g_context.options->compile.source;
    report.line = g_context.options->kernel_line;
    Describe(report, signal, info);
    if (!g_context.memory)
        report.hint = "it happened while the source was compiled or loaded (static initialisers run then)";
    g_context.findings->Add(report);
    g_context.findings->Show({});
    std::fflush(stdout);
    _exit(kFault);
}

}  // namespace

AlternateStack::AlternateStack() {
    memory_ = mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory_ == MAP_FAILED) {
        memory_ = nullptr;
        return;
    }
    stack_t stack{};
    stack.ss_sp = memory_;
    stack.ss_size = kStackBytes;
    sigaltstack(&stack, nullptr);
}

AlternateStack::~AlternateStack() {
    if (!memory_) return;
    stack_t stack{};
    stack.ss_flags = SS_DISABLE;
    sigaltstack(&stack, nullptr);
    munmap(memory_, kStackBytes);
}

void InstallCrashHandlers(const CrashContext& context) {
    g_context = context;
    struct sigaction action {};
    action.sa_sigaction = Handle;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    for (const int s : kSignals) sigaction(s, &action, nullptr);
}

}  // namespace sfumato::command
