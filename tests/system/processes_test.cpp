// SPDX-License-Identifier: Apache-2.0
// Children, children of children, and what is told of them.
#include "system/processes.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <thread>

#include "sfumato/report.h"
#include "system/mounts.h"

namespace sfumato::system {
namespace {

pid_t Pausing() {
    const pid_t child = fork();
    if (child != 0) return child;
    for (;;) pause();
}

int StatusOf(pid_t child, int options = 0) {
    int status = 0;
    EXPECT_EQ(waitpid(child, &status, options), child);
    return status;
}

TEST(Processes, OwnProgramIsThisTest) { EXPECT_EQ(OwnProgram().filename(), "system_test"); }

TEST(Processes, ChildrenAreListedUntilTheyAreTaken) {
    EXPECT_EQ(TakeEndedChild(), -1);
    const pid_t child = Pausing();
    EXPECT_EQ(ChildrenOfThis(), std::vector<pid_t>{child});
    EXPECT_EQ(TakeEndedChild(), 0);
    kill(child, SIGKILL);
    siginfo_t info{};
    ASSERT_EQ(waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT), 0);
    EXPECT_EQ(TakeEndedChild(), child);
    EXPECT_TRUE(ChildrenOfThis().empty());
    EXPECT_EQ(TakeEndedChild(), -1);
}

TEST(Processes, OneThatASignalHoldsIsStopped) {
    const pid_t child = Pausing();
    EXPECT_FALSE(IsStopped(child));
    kill(child, SIGSTOP);
    EXPECT_TRUE(WIFSTOPPED(StatusOf(child, WUNTRACED)));
    EXPECT_TRUE(IsStopped(child));
    kill(child, SIGKILL);
    StatusOf(child);
    EXPECT_FALSE(IsStopped(child));
}

TEST(Processes, AnOrphanIsAdoptedAndDiesWithItsParent) {
    AdoptOrphans();
    int ready[2], known[2];
    ASSERT_EQ(pipe(ready), 0);
    ASSERT_EQ(pipe(known), 0);
    const pid_t child = fork();
    if (child == 0) {
        const pid_t orphan = fork();
        char byte = 0;
        if (orphan == 0) {
            DieWithParent();
            if (write(ready[1], &byte, 1) != 1) _exit(1);
            for (;;) pause();
        }
        if (read(ready[0], &byte, 1) != 1 || write(known[1], &orphan, sizeof orphan) != sizeof orphan) _exit(1);
        _exit(0);
    }
    EXPECT_EQ(StatusOf(child), 0);
    pid_t orphan = 0;
    ASSERT_EQ(read(known[0], &orphan, sizeof orphan), static_cast<ssize_t>(sizeof orphan));
    const int status = StatusOf(orphan);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << status;
    for (const int end : {ready[0], ready[1], known[0], known[1]}) close(end);
}

TEST(Processes, TheLastWordIsTheLastArgument) {
    int said[2], held[2];
    ASSERT_EQ(pipe(said), 0);
    ASSERT_EQ(pipe(held), 0);
    const pid_t child = fork();
    if (child == 0) {
        dup2(said[1], STDOUT_FILENO);
        dup2(held[0], STDIN_FILENO);
        execl("/bin/sh", "sh", "-c", "echo; read line", "a word", nullptr);
        _exit(1);
    }
    char byte = 0;
    ASSERT_EQ(read(said[0], &byte, 1), 1);  // the shell runs
    EXPECT_EQ(LastArgumentOf(child), "a word");
    kill(child, SIGKILL);
    StatusOf(child);
    EXPECT_EQ(LastArgumentOf(child), "");
    for (const int end : {said[0], said[1], held[0], held[1]}) close(end);
}

TEST(Processes, OpenDescriptorsAreThoseThatAreOpen) {
    const auto is_listed = [](int number) {
        const std::vector<int> open = OpenDescriptors();
        return std::ranges::count(open, number) == 1;
    };
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    for (const int end : ends) {
        EXPECT_TRUE(is_listed(end));
        close(end);
        EXPECT_FALSE(is_listed(end));
    }
}

TEST(Processes, WhoIsTracedKnows) {
    const pid_t child = fork();
    if (child == 0) {
        const bool before = IsTraced();
        if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) _exit(9);
        _exit(before ? 8 : IsTraced() ? 1 : 0);
    }
    const int status = StatusOf(child);
    if (WEXITSTATUS(status) == 9) GTEST_SKIP() << "no process may be traced here";
    EXPECT_EQ(WEXITSTATUS(status), 1);
}

TEST(Processes, AThreadIsCounted) {
    const pid_t child = fork();  // no thread of another test has just ended there
    if (child == 0) {
        const size_t before = Threads();
        size_t during = 0;
        std::thread([&] { during = Threads(); }).join();
        _exit(before >= 1 && during == before + 1 ? 1 : 0);
    }
    EXPECT_EQ(WEXITSTATUS(StatusOf(child)), 1);
}

TEST(Processes, WhatAChildThrowsIsThrownHere) {
    EXPECT_NO_THROW(RunInChild([] {}));
    try {
        RunInChild([] { throw std::runtime_error("no room"); });
        FAIL();
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "no room");
    }
    errno = ENOENT;
    EXPECT_THROW(Must(false, "/a"), Error);
    EXPECT_NO_THROW(Must(true, "/a"));
}

}  // namespace
}  // namespace sfumato::system
