// SPDX-License-Identifier: Apache-2.0
// This thread's processors, name, stack and registers.
#include "system/threads.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>

#include <atomic>
#include <string>
#include <thread>

#include "system/modules.h"
#include "system/registers.h"

namespace sfumato::system {
namespace {

TEST(Threads, ProcessorsAreThoseItMayRunOn) {
    std::thread([] {
        const uint32_t all = Processors();
        ASSERT_GE(all, 1u);
        cpu_set_t set;
        ASSERT_EQ(sched_getaffinity(0, sizeof set, &set), 0);
        for (int i = 0, kept = 0; i < CPU_SETSIZE; ++i) {
            if (CPU_ISSET(i, &set) && ++kept > 1) CPU_CLR(i, &set);
        }
        ASSERT_EQ(sched_setaffinity(0, sizeof set, &set), 0);
        EXPECT_EQ(Processors(), 1u);
    }).join();
}

TEST(Threads, ANameIsCutOff) {
    std::thread([] {
        for (const std::string name : {"sfumato", "a name longer than fifteen"}) {
            NameThread(name);
            char found[16];
            ASSERT_EQ(pthread_getname_np(pthread_self(), found, sizeof found), 0);
            EXPECT_EQ(found, name.substr(0, 15));
        }
    }).join();
}

TEST(Threads, OneIsTheMainOne) {
    EXPECT_TRUE(IsMainThread());
    bool other = true;
    std::thread([&] { other = IsMainThread(); }).join();
    EXPECT_FALSE(other);
}

TEST(Threads, LocalsLieAboveTheBeginningOfTheStack) {
    std::thread([] {
        const ThreadStack stack = StackOfThread();
        const auto at = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
        EXPECT_GT(stack.guard, 0u);
        EXPECT_GT(at, stack.begin);
        EXPECT_LT(at - stack.begin, uintptr_t{1} << 30);
    }).join();
}

std::atomic<uintptr_t> instruction, stack_pointer;

TEST(Threads, RegistersOfASignal) {
    struct sigaction action {
    }, before{};
    action.sa_sigaction = [](int, siginfo_t*, void* context) {
        instruction = reinterpret_cast<uintptr_t>(InstructionOf(context));
        stack_pointer = reinterpret_cast<uintptr_t>(StackPointerOf(context));
    };
    action.sa_flags = SA_SIGINFO;
    ASSERT_EQ(sigaction(SIGUSR1, &action, &before), 0);
    raise(SIGUSR1);
    sigaction(SIGUSR1, &before, nullptr);
    const auto at = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
    EXPECT_NE(ModuleAt(reinterpret_cast<const void*>(instruction.load())).path, nullptr);
    EXPECT_LT(stack_pointer.load(), at);
    EXPECT_LT(at - stack_pointer.load(), 1u << 16);
}

}  // namespace
}  // namespace sfumato::system
