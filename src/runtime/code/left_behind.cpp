// SPDX-License-Identifier: Apache-2.0
// Looks at /proc only where there is something.
#include "runtime/code/left_behind.h"

#include <dirent.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cctype>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "report/finding.h"
#include "runtime/code/source_lines.h"
#include "runtime/cores/workers.h"

namespace sfumato {
namespace {

std::vector<int> NumbersIn(const char* folder) {
    std::vector<int> numbers;
    DIR* const open = opendir(folder);
    if (open == nullptr) return numbers;
    while (const dirent* entry = readdir(open)) {
        if (std::isdigit(static_cast<unsigned char>(entry->d_name[0]))) numbers.push_back(std::atoi(entry->d_name));
    }
    closedir(open);
    return numbers;
}

// Behind the name in parentheses: the state, the parent.
int ParentOf(int process) {
    std::ifstream file(fmt::format("/proc/{}/stat", process));
    std::string text;
    std::getline(file, text);
    const size_t name = text.rfind(')');
    return name == std::string::npos || name + 4 > text.size() ? 0 : std::atoi(text.c_str() + name + 4);
}

size_t Threads() { return NumbersIn("/proc/self/task").size(); }

// This one, and those that an emulator of the processor has beside it.
size_t g_threads_before = 1;

// Its last argument is kBackground, which no fork of a kernel has.
bool IsOurs(int process) {
    std::ifstream file(fmt::format("/proc/{}/cmdline", process));
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    return text.ends_with(std::string(1, '\0') + kBackground + '\0');
}

// A thread that has just ended is listed a moment longer.
bool HasOtherThreads() {
    constexpr int kTries = 20;
    for (int i = 0; i < kTries; ++i) {
        if (Threads() <= g_threads_before + runtime::WorkerThreads()) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(i));
    }
    return true;
}

}  // namespace

void AdoptOrphans() {
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    g_threads_before = Threads() - runtime::WorkerThreads();
}

bool EndChildren() {
    bool ran = false;
    for (;;) {
        const pid_t ended = waitpid(-1, nullptr, WNOHANG | __WALL);
        if (ended < 0) return ran;
        if (ended > 0) continue;
        bool runs = false;
        for (const int process : NumbersIn("/proc")) {
            if (ParentOf(process) != getpid() || IsOurs(process)) continue;
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
