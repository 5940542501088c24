// SPDX-License-Identifier: Apache-2.0
// The crash handlers. They format and print, which a handler may not do in general: where the process ends here, an
// alarm ends it when a lock the crashed code held blocks them, and the parent then says what it can; where it goes on,
// the code that crashed is the kernel's own and holds no lock.
#include "runtime/code/crash.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>
#include <unwind.h>

#include <algorithm>
#include <atomic>
#include <csetjmp>
#include <cstdio>
#include <string_view>
#include <vector>

#include "report/rules.h"
#include "runtime/code/signal_scope.h"
#include "runtime/cores/core.h"
#include "runtime/cores/of_thread.h"
#include "runtime/launch/launch_state.h"
#include "runtime/world/group.h"
#include "system/registers.h"
#include "system/threads.h"

namespace sfumato {
namespace {

constexpr size_t kStackBytes = 128 << 10;
constexpr unsigned kHandlerSeconds = 5;
constexpr int kSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

CrashContext g_context;
bool g_ends = false;  // InstallCrashHandlers was called

// Static initialisers run on a stack of the system, cores on their own.
bool IsThreadStackOverflow(const void* address) {
    const system::ThreadStack stack = system::StackOfThread();
    const auto at = reinterpret_cast<uintptr_t>(address);
    constexpr uintptr_t kSlack = 64 << 10;  // a frame may step over the guard
    return stack.begin != 0 && at < stack.begin + 4096 && at + stack.guard + kSlack >= stack.begin;
}

// A frame of the stack: the instruction it is at, and its stack pointer.
struct Frame {
    uintptr_t instruction, stack_pointer;
};

// Where a thread's walk of its stack ends that reads what nobody may.
struct WalkOfStack {
    sigjmp_buf* end = nullptr;
};

// Of another thread: its access fails once more, until its own handler is back.
void LeaveWalk(int) {
    if (sigjmp_buf* end = runtime::OfThread<WalkOfStack>().end) siglongjmp(*end, 1);
}

// As far as the tables lead: before version 16 clang's know no frame while it is touched page by page.
void WalkStack(_Unwind_Trace_Fn visit, void* data) {
    struct sigaction leave {
    }, before{};
    leave.sa_handler = LeaveWalk;
    leave.sa_flags = SA_ONSTACK | SA_NODEFER;
    sigaction(SIGSEGV, &leave, &before);
    sigset_t fault, blocked;
    sigemptyset(&fault);
    sigaddset(&fault, SIGSEGV);
    pthread_sigmask(SIG_UNBLOCK, &fault, &blocked);
    sigjmp_buf back;
    if (sigsetjmp(back, 0) == 0) {
        runtime::OfThread<WalkOfStack>().end = &back;
        _Unwind_Backtrace(visit, data);
    }
    runtime::OfThread<WalkOfStack>().end = nullptr;
    pthread_sigmask(SIG_SETMASK, &blocked, nullptr);
    sigaction(SIGSEGV, &before, nullptr);
}

// From the crash on; the handler's own frames are left out.
std::vector<Frame> Frames(const void* crash) {
    constexpr size_t kMost = 64;
    struct Walk {
        uintptr_t crashed_at;
        std::vector<Frame> frames;
    } walk{reinterpret_cast<uintptr_t>(system::InstructionOf(crash)), {}};
    const auto visit = [](_Unwind_Context* context, void* data) {
        auto& all = *static_cast<Walk*>(data);
        int before = 0;
        const uintptr_t at = _Unwind_GetIPInfo(context, &before);
        if (all.frames.empty() && at != all.crashed_at) return _URC_NO_REASON;
        all.frames.push_back({before ? at : at - 1, _Unwind_GetCFA(context)});
        return all.frames.size() < kMost ? _URC_NO_REASON : _URC_END_OF_STACK;
    };
    WalkStack(visit, &walk);
    if (walk.frames.empty()) walk.frames.push_back({walk.crashed_at, 0});
    return walk.frames;
}

// Whether the address may be in a kernel's object: in neither the program around it nor a library.
bool MayBeKernel(const void* address, const void* host) {
    const auto module = [](const void* p) {
        Dl_info info{};
        return dladdr(p, &info) != 0 && info.dli_fname ? std::string_view(info.dli_fname) : std::string_view();
    };
    const std::string_view file = module(address);
    return !file.empty() && file != module(host) && file != module(reinterpret_cast<const void*>(&FindCode)) &&
           !file.starts_with("/lib") && !file.starts_with("/usr/lib");
}

// What of the source runs: the innermost frame of the kernel's object. Its number, or -1.
int KernelFrame(const std::vector<Frame>& frames, const CrashContext& around, CodePlace* place) {
    for (size_t i = 0; i < frames.size(); ++i) {
        const auto* at = reinterpret_cast<const void*>(frames[i].instruction);
        if (!MayBeKernel(at, around.host)) continue;
        *place = FindCode(at, around.source);
        if (place->line != 0) return static_cast<int>(i);
    }
    return -1;
}

void DescribeOverflow(Report& report, const std::vector<Frame>& frames, int frame, const CodePlace& place,
                      const void* address) {
    report.rule = Rule::kStackOverflow;
    report.message = "the kernel's scalar code overflowed the stack of its core";
    report.legal =
        fmt::format("{} bytes of stack for a core here; a board has far less: plan with 16 KiB", kCoreStackBytes);
    report.hint = "look for endless recursion and for large local arrays";
    if (frame < 0 || static_cast<size_t>(frame) + 1 >= frames.size() || place.function.empty()) return;
    const uintptr_t pointer = frames[static_cast<size_t>(frame)].stack_pointer;
    const auto touched = reinterpret_cast<uintptr_t>(address);
    // What the call that did not fit pushes is no part of the frame.
    const uintptr_t from = touched + sizeof(void*) < pointer ? touched : pointer;
    const uintptr_t bytes = frames[static_cast<size_t>(frame) + 1].stack_pointer - from;
    // A frame is touched page by page: of the last one it is known what fitted.
    constexpr uintptr_t kLarge = 64 << 10;
    report.found = bytes >= kLarge
                       ? fmt::format("'{}' has more than {} bytes of local variables", place.function, bytes)
                       : fmt::format("'{}' takes {} bytes of it a call", place.function, bytes);
}

// Of an address behind or before the start of a group's context: true, the report says so.
bool DescribeContext(Report& report, const void* address) {
    const auto at = reinterpret_cast<uintptr_t>(address);
    runtime::Core* core = runtime::CurrentCore();
    constexpr uintptr_t kMostContext = 4 << 20;
    if (core && core->launch().lacks_context && at < kMostContext) {
        report.rule = Rule::kHcclContext;
        report.message = "the kernel reads a context that there is not: the launch names no group for it";
        report.found = fmt::format("byte {} behind address 0", at);
        report.legal = "the context of a group of this launch, which GetHcclContext gives";
        report.hint =
            "name the group: MC2().HcclGroup(\"group\") in the operator's definition, or groups of the launch";
        return true;
    }
    const runtime::Group* group = runtime::GroupOf(address);
    if (!group || group->Find(address).part != runtime::Group::Part::kContext) return false;
    const auto place = group->Find(address);
    report.rule = Rule::kHcclContext;
    report.message = "the kernel stores to the context of a group, or reads behind it";
    report.found = fmt::format("byte {} of the context of rank {}, group '{}'", place.offset,
                               group->ranks()[place.place], group->name());
    report.legal = fmt::format("reads of bytes 0 to {}", runtime::ContextBytes(group->layout()) - 1);
    report.hint = "keep what the kernel counts in the window Exp, or in a workspace of its own";
    return true;
}

void Describe(Report& report, int signal, const siginfo_t* info, const void* crash, const CrashContext& around) {
    CodePlace place;
    const std::vector<Frame> frames = Frames(crash);
    const int frame = KernelFrame(frames, around, &place);
    if (place.line != 0) {
        report.file = place.file;
        report.line = place.line;
    }
    switch (signal) {
        case SIGFPE:
            report.rule = Rule::kArithmeticTrap;
            report.message = "the kernel's scalar code divided an integer by zero";
            report.legal = "a divisor other than 0";
            return;
        case SIGILL:
            report.rule = Rule::kTrap;
            report.message = "the kernel executed a trap";
            report.legal = "no path to __builtin_trap or past the end of a function that returns a value";
            return;
        case SIGABRT:
            report.rule = Rule::kAbort;
            report.message = "the kernel called abort (a failed assert or an uncaught exception)";
            report.legal = "kernels end by returning";
            return;
        default: break;
    }
    const void* address = info->si_addr;
    if (IsStackOverflow(address) || IsThreadStackOverflow(address))
        return DescribeOverflow(report, frames, frame, place, address);
    if (DescribeContext(report, address)) return;
    const bool is_kernel = info->si_code <= 0 || address != nullptr;
    report.rule = Rule::kRawPointer;
    report.message = fmt::format("raw pointer access to {:#x}", reinterpret_cast<uintptr_t>(address));
    report.found = around.memory && is_kernel ? DescribeAddress(address, around.memory) : "";
    if (address == nullptr) report.found = "a null pointer, or an address no memory can have";
    if (report.found.empty()) report.found = "outside every allocation";
    report.legal = "addresses inside GM allocations and the memories of the core";
    report.hint = "access memory through tensors, which are checked, or run with --check raw, which looks at pointers";
}

void Handle(int signal, siginfo_t* info, void* crash) {
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
    Report report = Stamped({}, g_context.chip, g_context.kernel);
    if (g_context.memory) report.core = RunningCore();
    report.file = g_context.source;
    report.line = g_context.kernel_line;
    Describe(report, signal, info, crash, g_context);
    if (!g_context.memory)
        report.hint = "it happened while the source was compiled or loaded (static initialisers run then)";
    g_context.tell(report);
    std::fflush(stdout);
    _exit(g_context.exit_code);
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
    g_ends = true;
    struct sigaction action {};
    action.sa_sigaction = Handle;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    for (const int s : kSignals) sigaction(s, &action, nullptr);
}

namespace {

// The core that the thread runs, where its kernel's own code crashed; what that has open then is never closed.
runtime::Core* Told(int signal, const siginfo_t* info, const void* context) {
    runtime::Core* core = runtime::CurrentCore();
    const bool of_instruction = signal != SIGABRT && signal != SIGTRAP;
    if (!of_instruction || !core || !core->stopping().landing || !MayBeKernel(system::InstructionOf(context), nullptr))
        return nullptr;
    CrashContext around;
    around.source = core->launch().source;
    around.memory = &core->launch().memory;
    Report report;
    report.index = core->next_index();
    Describe(report, signal, info, context, around);
    try {
        core->findings().Add(std::move(report));
    } catch (const runtime::StopCore&) {
    }
    return core;
}

void Land(int signal, const siginfo_t* info, const void* context) {
    if (runtime::Core* core = Told(signal, info, context)) std::longjmp(*core->stopping().landing, 1);
}

}  // namespace

CrashScope::CrashScope() {
    if (!g_ends) scope_.emplace(Land);
}

}  // namespace sfumato
