// SPDX-License-Identifier: Apache-2.0
// Looks at other processes only where there are children.
#include "runtime/code/left_behind.h"

#include <fmt/format.h>
#include <signal.h>

#include <chrono>
#include <thread>

#include "report/finding.h"
#include "runtime/code/source_lines.h"
#include "runtime/cores/workers.h"
#include "runtime/world/world.h"
#include "system/processes.h"

namespace sfumato {
namespace {

// This one, and those that an emulator of the processor has beside it.
size_t g_threads_before = 1;

// A thread that has just ended is listed a moment longer.
bool HasOtherThreads() {
    constexpr int kTries = 20;
    for (int i = 0; i < kTries; ++i) {
        if (system::Threads() <= g_threads_before + runtime::WorkerThreads() + runtime::World::OwnThreads())
            return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(i));
    }
    return true;
}

}  // namespace

void AdoptOrphans() {
    system::AdoptOrphans();
    g_threads_before = system::Threads() - runtime::WorkerThreads();
}

bool EndChildren() {
    bool ran = false;
    for (;;) {
        const pid_t ended = system::TakeEndedChild();
        if (ended < 0) return ran;
        if (ended > 0) continue;
        bool runs = false;
        for (const pid_t process : system::ChildrenOfThis()) {
            if (system::LastArgumentOf(process) == kBackground) continue;
            runs = true;
            kill(process, SIGKILL);
        }
        if (!runs) return ran;
        ran = true;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

std::optional<Report> FindLeftBehind() {
    runtime::ForgetModules();  // children of our own
    const bool processes = EndChildren(), threads = HasOtherThreads();
    if (!processes && !threads) return std::nullopt;
    return ToReport({Rule::kLeftBehind, "",
                     fmt::format("the kernel ended, and a {} that it started ran on", processes ? "process" : "thread"),
                     processes ? "a fork, or a program that it started; it was killed" : "a thread that nobody joined",
                     "kernels start neither processes nor threads", "remove it: a core of the chip has none"},
                    "", {});
}

}  // namespace sfumato
