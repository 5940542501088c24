// SPDX-License-Identifier: Apache-2.0
// Waits for an end, and looks for the others: a process that stopped itself, or became another program, would be
// waited for without end.
#include "child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>

#include "runtime/code/left_behind.h"
#include "sfumato/report.h"

namespace sfumato::command {
namespace {

constexpr int kLookMilliseconds = 250;
constexpr int kStoppedLooks = 4;  // Ctrl-Z stops both processes; when they go on, one may see the other's stop
constexpr int kEndMilliseconds = 2000;

volatile sig_atomic_t g_parent_interrupted = 0;
volatile uint8_t* g_returned = nullptr;  // shared with the child

bool IsStopped(pid_t child) {
    std::ifstream file(fmt::format("/proc/{}/stat", child));
    std::string text;
    std::getline(file, text);
    const size_t name = text.rfind(')');
    return name != std::string::npos && name + 2 < text.size() && text[name + 2] == 'T';
}

// Its status, when it is found within the time; -1 before.
int StatusWithin(pid_t child, int milliseconds) {
    for (int i = 0; i <= milliseconds; ++i) {
        int status = 0;
        const pid_t found = waitpid(child, &status, WNOHANG);
        if (found == child || (found < 0 && errno != EINTR)) return status;
        usleep(1000);
    }
    return -1;
}

ChildEnd Kill(pid_t child, ChildEnd::How how, int number) {
    kill(child, SIGKILL);
    while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
    return {how, number, false, child};
}

// `ended`: a descriptor whose other end the child has, and no program that it becomes.
ChildEnd Await(pid_t child, int ended) {
    int stopped = 0, stop_signal = 0;
    for (;;) {
        pollfd wanted{ended, POLLIN, 0};
        const bool is_gone = poll(&wanted, 1, kLookMilliseconds) > 0;
        int status = 0;
        if (waitpid(child, &status, WNOHANG | WUNTRACED) == 0) {
            if (is_gone) status = StatusWithin(child, kEndMilliseconds);
            if (is_gone && status == -1) return Kill(child, ChildEnd::How::kReplaced, 0);
            if (!is_gone) {
                stopped = stop_signal != 0 && IsStopped(child) ? stopped + 1 : 0;
                if (stopped >= kStoppedLooks) return Kill(child, ChildEnd::How::kStopped, stop_signal);
                continue;
            }
        }
        if (WIFSTOPPED(status)) {
            stop_signal = WSTOPSIG(status);
        } else if (WIFSIGNALED(status)) {
            return {ChildEnd::How::kSignalled, WTERMSIG(status), g_parent_interrupted != 0, child};
        } else {
            return {*g_returned ? ChildEnd::How::kReturned : ChildEnd::How::kExited, WEXITSTATUS(status), false, child};
        }
    }
}

}  // namespace

ChildEnd RunInProcess(const std::function<int()>& body) {
    void* const shared = mmap(nullptr, 1, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) throw Error(fmt::format("cannot share memory: {}", std::strerror(errno)));
    g_returned = static_cast<volatile uint8_t*>(shared);
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw Error(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
    AdoptOrphans();
    const pid_t child = fork();
    if (child < 0) throw Error(fmt::format("cannot start a process: {}", std::strerror(errno)));
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        AdoptOrphans();
        close(ends[0]);
        const int code = body();
        NoteReturn();
        _exit(code);
    }
    close(ends[1]);
    // Ctrl-C reaches the child as well; the parent stays to clean up.
    struct sigaction note {};
    note.sa_handler = [](int) { g_parent_interrupted = 1; };
    sigaction(SIGINT, &note, nullptr);
    const ChildEnd end = Await(child, ends[0]);
    close(ends[0]);
    EndChildren();
    g_returned = nullptr;
    munmap(shared, 1);
    return end;
}

void NoteReturn() {
    if (g_returned) *g_returned = 1;
}

}  // namespace sfumato::command
