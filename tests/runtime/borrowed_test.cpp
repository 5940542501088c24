// SPDX-License-Identifier: Apache-2.0
// Borrowed arrays against the same launches on copies: bytes, findings, and what is never touched.
#include "runtime/memory/borrowed.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "kernel_operator.h"
#include "runtime/memory/global_memory.h"
#include "sfumato/launch.h"

namespace sfumato {
namespace {

using namespace AscendC;
using runtime::Borrowed;

constexpr uint32_t kWords = (Borrowed::kLeastBytes + 8 * Borrowed::kPage) / sizeof(int32_t) + 24;  // a part of a page
constexpr uint64_t kBytes = kWords * sizeof(int32_t);

std::vector<int32_t> Counted(uint32_t words = kWords) {
    std::vector<int32_t> array(words);
    for (uint32_t i = 0; i < words; ++i) array[i] = static_cast<int32_t>(i * 3 + 1);
    return array;
}

LaunchOptions Options(const std::string& schedule = "eager") {
    LaunchOptions options;
    options.chip = "Ascend910B1";
    options.kernel = "borrower";
    options.schedule = schedule;
    return options;
}

// The host's array as a caller would have it after the launch.
std::vector<int32_t> After(const GlobalMemory& memory, const uint8_t* p, std::vector<int32_t> array) {
    for (const auto& [at, bytes] : memory.ChangesOf(p))
        std::memcpy(reinterpret_cast<uint8_t*>(array.data()) + at, bytes.data(), bytes.size());
    return array;
}

const Borrowed* Find(const GlobalMemory& memory, const uint8_t* p) {
    for (const auto& a : memory.impl()->allocations) {
        if (a.base == p) return a.borrowed.get();
    }
    return nullptr;
}

// Adds 5 to words [begin, begin + count) of x and stores them to y, or adds them to what is there.
void AddFive(uint8_t* x, uint8_t* y, uint32_t begin, uint32_t count, bool atomic = false) {
    TPipe pipe;
    if (atomic) SetAtomicAdd<int32_t>();
    TQue<QuePosition::VECIN, 1> in;
    TQue<QuePosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 1, 8192 * 4);
    pipe.InitBuffer(out, 1, 8192 * 4);
    GlobalTensor<int32_t> from, to;
    from.SetGlobalBuffer(reinterpret_cast<int32_t*>(x), kWords);
    to.SetGlobalBuffer(reinterpret_cast<int32_t*>(y), kWords);
    LocalTensor<int32_t> a = in.AllocTensor<int32_t>();
    DataCopy(a, from[begin], count);
    in.EnQue(a);
    a = in.DeQue<int32_t>();
    LocalTensor<int32_t> b = out.AllocTensor<int32_t>();
    Adds(b, a, 5, static_cast<int32_t>(count));
    out.EnQue(b);
    b = out.DeQue<int32_t>();
    DataCopy(to[begin], b, count);
    in.FreeTensor(a);
    out.FreeTensor(b);
}

TEST(Borrowed, InstructionsReadTheHostsBytesAndStoreToPagesOfTheirOwn) {
    const std::vector<int32_t> x = Counted();
    const std::vector<int32_t> y(kWords, -7), y_before = y;
    GlobalMemory memory;
    uint8_t* gx = memory.Borrow(x.data(), kBytes, "x");
    uint8_t* gy = memory.Borrow(y.data(), kBytes, "y");
    const auto kernel = [&] { AddFive(gx, gy, static_cast<uint32_t>(GetBlockIdx()) * 4096, 4096); };
    ASSERT_TRUE(Launch(Options(), 3, memory, kernel).findings.empty());
    EXPECT_EQ(Find(memory, gx)->own(), nullptr);
    EXPECT_FALSE(Find(memory, gy)->opened());
    EXPECT_EQ(y, y_before);
    EXPECT_TRUE(memory.ChangesOf(gx).empty());
    std::vector<int32_t> want = y_before;
    for (uint32_t i = 0; i < 3 * 4096; ++i) want[i] = x[i] + 5;
    EXPECT_EQ(After(memory, gy, y), want);
    uint64_t changed = 0;
    for (const auto& change : memory.ChangesOf(gy)) changed += change.bytes.size();
    EXPECT_EQ(changed, 3u * 4096 * 4);
}

// Random pieces, in place or not, by several cores and schedules: the bytes of a launch on copies.
TEST(Borrowed, EveryLaunchGivesTheBytesOfOneOnCopies) {
    std::mt19937 random(1);
    for (int round = 0; round < 24; ++round) {
        struct Piece {
            uint32_t begin, count;
        };
        constexpr uint32_t kBlocks = 4, kShare = kWords / kBlocks / 8 * 8;
        std::vector<Piece> pieces;
        for (uint32_t block = 0; block < kBlocks; ++block) {
            for (int i = 0; i < 3; ++i) {
                const uint32_t count = 8 * (1 + static_cast<uint32_t>(random() % 1023));
                pieces.push_back({block * kShare + static_cast<uint32_t>(random() % (kShare - count)) / 8 * 8, count});
            }
        }
        if (round % 3 == 0) pieces.back() = {kWords - 24, 24};
        const bool in_place = round % 2 == 0, atomic = round % 5 == 0;
        const std::vector<int32_t> x = Counted(), y(kWords, round);
        std::vector<std::vector<int32_t>> results;
        for (const bool borrowed : {false, true}) {
            GlobalMemory memory;
            const auto take = [&](const std::vector<int32_t>& a, const char* name) {
                return borrowed ? memory.Borrow(a.data(), kBytes, name) : memory.Allocate(kBytes, name, a.data());
            };
            uint8_t* gx = take(x, "x");
            uint8_t* gy = in_place ? gx : take(y, "y");
            const auto kernel = [&] {
                for (size_t i = 0; i < 3; ++i) {
                    const Piece& piece = pieces[static_cast<size_t>(GetBlockIdx()) * 3 + i];
                    AddFive(gx, gy, piece.begin, piece.count, atomic);
                    PipeBarrier<PIPE_ALL>();
                    if (atomic) SetAtomicNone();
                }
            };
            const auto result = Launch(Options(round % 4 < 2 ? "eager" : "late"), kBlocks, memory, kernel);
            ASSERT_TRUE(result.findings.empty()) << result.findings[0].Text();
            if (borrowed) {
                EXPECT_FALSE(Find(memory, gy)->opened());
                results.push_back(After(memory, gy, in_place ? x : y));
            } else {
                results.emplace_back(kWords);
                std::memcpy(results[0].data(), gy, kBytes);
            }
        }
        ASSERT_EQ(results[0], results[1]) << "round " << round;
    }
}

TEST(Borrowed, RawPointersOpenItAndNeverReachTheHost) {
    const std::vector<int32_t> x = Counted(), before = x;
    GlobalMemory memory;
    uint8_t* gx = memory.Borrow(x.data(), kBytes, "x");
    int32_t seen = 0;
    const auto kernel = [&] {
        if (GetBlockIdx() == 0) AddFive(gx, gx, 0, 16);
        auto* raw = reinterpret_cast<volatile int32_t*>(gx);
        if (GetBlockIdx() == 1) {
            seen = raw[kWords - 1];
            raw[100000] = 42;
        }
    };
    ASSERT_TRUE(Launch(Options(), 2, memory, kernel).ok());
    EXPECT_EQ(x, before);
    EXPECT_EQ(seen, before[kWords - 1]);
    EXPECT_TRUE(Find(memory, gx)->opened());
    std::vector<int32_t> want = before;
    for (size_t i = 0; i < 16; ++i) want[i] += 5;
    want[100000] = 42;
    EXPECT_EQ(After(memory, gx, x), want);
}

TEST(Borrowed, AStoreBesideItIsFoundAsBesideACopy) {
    std::vector<std::string> said;
    for (const bool borrowed : {false, true}) {
        const std::vector<int32_t> x = Counted();
        GlobalMemory memory;
        uint8_t* gx = borrowed ? memory.Borrow(x.data(), kBytes, "x") : memory.Allocate(kBytes, "x", x.data());
        const auto kernel = [&] { reinterpret_cast<volatile int32_t*>(gx)[kWords + 1] = 1; };
        const auto result = Launch(Options(), 1, memory, kernel);
        ASSERT_EQ(result.findings.size(), 1u);
        EXPECT_EQ(result.findings[0].rule, "gm-guard");
        said.push_back(result.findings[0].Text());
    }
    EXPECT_EQ(said[0], said[1]);
}

TEST(Borrowed, SmallArraysAndThoseOfWideAlignmentAreCopied) {
    const std::vector<int32_t> x = Counted();
    GlobalMemory memory, wide({.alignment = 65536});
    EXPECT_EQ(Find(memory, memory.Borrow(x.data(), 4096, "x")), nullptr);
    EXPECT_EQ(Find(wide, wide.Borrow(x.data(), kBytes, "x")), nullptr);
    EXPECT_EQ(memory.Borrow(nullptr, 0, "none") == nullptr, false);
}

TEST(Borrowed, TheScheduleAllRestoresIt) {
    const std::vector<int32_t> x = Counted();
    GlobalMemory memory;
    uint8_t* gx = memory.Borrow(x.data(), kBytes, "x");
    const auto kernel = [&] { AddFive(gx, gx, 64, 64); };
    ASSERT_TRUE(Launch(Options("all:2"), 1, memory, kernel).findings.empty());
    std::vector<int32_t> want = x;
    for (size_t i = 64; i < 128; ++i) want[i] += 5;
    EXPECT_EQ(After(memory, gx, x), want);
}

TEST(Borrowed, HandlersOfOthersComeBackAndGetWhatIsTheirs) {
    struct sigaction mine {
    }, before{}, now{};
    mine.sa_handler = [](int) { _exit(7); };
    sigaction(SIGSEGV, &mine, &before);
    const std::vector<int32_t> x = Counted();
    {
        GlobalMemory memory;
        memory.Borrow(x.data(), kBytes, "x");
        const pid_t child = fork();
        if (child == 0) {
            *reinterpret_cast<volatile int*>(uintptr_t{64}) = 1;
            _exit(1);
        }
        int status = 0;
        waitpid(child, &status, 0);
        EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 7) << status;
    }
    sigaction(SIGSEGV, &before, &now);
    EXPECT_EQ(now.sa_handler, mine.sa_handler);
}

TEST(Borrowed, AForkedProcessBorrowsItsOwn) {
#if defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "ThreadSanitizer lets no forked process start threads";
#endif
    const std::vector<int32_t> x = Counted();
    const auto launch = [&](int32_t at) {
        GlobalMemory memory;
        uint8_t* gx = memory.Borrow(x.data(), kBytes, "x");
        const auto kernel = [&] { reinterpret_cast<volatile int32_t*>(gx)[at] = -1; };
        if (!Launch(Options(), 1, memory, kernel).ok()) return false;
        std::vector<int32_t> want = x;
        want[static_cast<size_t>(at)] = -1;
        return After(memory, gx, x) == want;
    };
    ASSERT_TRUE(launch(1));
    const pid_t child = fork();
    if (child == 0) _exit(launch(2) && launch(3) ? 0 : 1);
    EXPECT_TRUE(launch(4));
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace sfumato
