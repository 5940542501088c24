// SPDX-License-Identifier: Apache-2.0
// Waits for an end, and looks for the others: a process that stopped itself, or became another program, would be
// waited for without end.
#include "runtime/code/child.h"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "sfumato/report.h"
#include "system/files.h"
#include "system/processes.h"

namespace sfumato {
namespace {

constexpr int kLookMilliseconds = 250;
constexpr int kStoppedLooks = 4;  // Ctrl-Z stops both processes; when they go on, one may see the other's stop
constexpr int kEndMilliseconds = 2000;

ChildNotes g_own{};
volatile ChildNotes* g_notes = &g_own;  // in a child shared with its parent

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

// What is said within the time, behind the text: how many bytes; 0 once nobody can say more; -1: nothing.
ssize_t Hear(int told, int milliseconds, std::string* text) {
    pollfd wanted{told, POLLIN, 0};
    if (poll(&wanted, 1, milliseconds) <= 0) return -1;
    char part[4096];
    const ssize_t n = read(told, part, sizeof part);
    if (n > 0) text->append(part, static_cast<size_t>(n));
    return n;
}

// `told`: a descriptor whose other end the child has, and no program that it becomes.
ChildEnd Await(pid_t child, int told, int silence) {
    ChildEnd end;
    const auto killed = [&](ChildEnd::How how, int number) {
        kill(child, SIGKILL);
        while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
        }
        end.how = how;
        end.number = number;
        return end;
    };
    for (int stopped = 0, stop_signal = 0, silent = 0;;) {
        const ssize_t heard = Hear(told, kLookMilliseconds, &end.told);
        const bool is_gone = heard == 0;
        silent = heard > 0 ? 0 : silent + kLookMilliseconds;
        int status = 0;
        if (waitpid(child, &status, WNOHANG | WUNTRACED) == 0) {
            if (is_gone) status = StatusWithin(child, kEndMilliseconds);
            if (is_gone && status == -1) return killed(ChildEnd::How::kReplaced, 0);
            if (!is_gone) {
                stopped = stop_signal != 0 && system::IsStopped(child) ? stopped + 1 : 0;
                if (stopped >= kStoppedLooks) return killed(ChildEnd::How::kStopped, stop_signal);
                if (silence > 0 && silent >= silence) return killed(ChildEnd::How::kSilent, 0);
                continue;
            }
        }
        if (WIFSTOPPED(status)) {
            stop_signal = WSTOPSIG(status);
            continue;
        }
        while (Hear(told, 0, &end.told) > 0) {
        }
        end.how = WIFSIGNALED(status) ? ChildEnd::How::kSignalled : ChildEnd::How::kExited;
        end.number = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
        return end;
    }
}

}  // namespace

volatile ChildNotes& Notes() { return *g_notes; }

ChildEnd RunInProcess(const std::function<int(int)>& body, int silence) {
    void* const shared = mmap(nullptr, sizeof(ChildNotes), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) throw Error(fmt::format("cannot share memory: {}", std::strerror(errno)));
    auto* const notes = static_cast<volatile ChildNotes*>(shared);
    int ends[2];
    if (!system::Pipe(ends)) throw Error(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
    const pid_t child = fork();
    if (child < 0) throw Error(fmt::format("cannot start a process: {}", std::strerror(errno)));
    if (child == 0) {
        system::DieWithParent();
        g_notes = notes;
        close(ends[0]);
        const int code = body(ends[1]);
        notes->returned = 1;
        _exit(code);
    }
    close(ends[1]);
    ChildEnd end = Await(child, ends[0], silence);
    close(ends[0]);
    end.process = child;
    end.complete = notes->complete != 0;
    if (end.how == ChildEnd::How::kExited && notes->returned) end.how = ChildEnd::How::kReturned;
    munmap(shared, sizeof(ChildNotes));
    return end;
}

}  // namespace sfumato
