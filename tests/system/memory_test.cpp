// SPDX-License-Identifier: Apache-2.0
// Addresses before there is memory, and pages that are seen twice.
#include "system/memory.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <vector>

namespace sfumato::system {
namespace {

constexpr uint64_t kBytes = 1 << 20;

uintptr_t At(const void* p) { return reinterpret_cast<uintptr_t>(p); }

// What a forked process says of it.
bool InChild(bool (*check)(const void*), const void* p) {
    const pid_t child = fork();
    if (child == 0) _exit(check(p) ? 1 : 0);
    int status = 0;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    return WIFEXITED(status) && WEXITSTATUS(status) == 1;
}

TEST(Memory, AddressesAreNobodysUntilTheyAreOpened) {
    void* const p = ReserveAddresses(kBytes);
    ASSERT_NE(p, nullptr);
    EXPECT_FALSE(CanTouch(At(p), 1, false));
    ASSERT_EQ(mprotect(p, kBytes / 2, PROT_READ), 0);
    EXPECT_TRUE(CanTouch(At(p), kBytes / 2, false));
    EXPECT_FALSE(CanTouch(At(p), 1, true));
    EXPECT_FALSE(CanTouch(At(p), kBytes / 2 + 1, false));
    munmap(p, kBytes);
    EXPECT_FALSE(CanTouch(At(p), 1, false));
}

TEST(Memory, AddressesAreReservedWhereNothingIsMapped) {
    void* const p = ReserveAddresses(kBytes);
    ASSERT_NE(p, nullptr);
    EXPECT_EQ(ReserveAddressesAt(At(p), kBytes), nullptr);
    EXPECT_EQ(ReserveAddressesAt(At(p) - kBytes / 2, kBytes), nullptr);
    munmap(p, kBytes);
    EXPECT_EQ(ReserveAddressesAt(At(p), kBytes), p);
    EXPECT_FALSE(CanTouch(At(p), 1, false));
    munmap(p, kBytes);
}

TEST(Memory, AFilledFileIsSeenOftenAndWrittenOnce) {
    const int file = FileFilledWith(0xFE, kBytes);
    ASSERT_GE(file, 0);
    auto* const p = static_cast<uint8_t*>(ReserveAddresses(2 * kBytes));
    ASSERT_NE(p, nullptr);
    EXPECT_TRUE(ShowFileAt(file, kBytes, p));
    EXPECT_TRUE(ShowFileAt(file, kBytes, p + kBytes));
    close(file);
    EXPECT_TRUE(std::all_of(p, p + 2 * kBytes, [](uint8_t byte) { return byte == 0xFE; }));
    p[7] = 1;
    EXPECT_EQ(p[kBytes + 7], 0xFE);
    munmap(p, 2 * kBytes);
    EXPECT_FALSE(ShowFileAt(file, kBytes, p));
}

TEST(Memory, PagesThatWereTouchedAreInUse) {
    const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
    auto* const p = static_cast<uint8_t*>(ReserveZeros(kBytes));
    ASSERT_NE(p, nullptr);
    WishSmallPages(p, kBytes);
    p[2 * page] = 1;
    std::vector<bool> want(kBytes / page);
    want[2] = true;
    EXPECT_EQ(PagesInUse(At(p), kBytes), want);
    EXPECT_EQ(PagesInUse(At(p) + 2 * page - 1, 2), (std::vector{false, true}));
    munmap(p, kBytes);
}

TEST(Memory, WhatNoMachineHasIsRefused) {
    errno = 0;
    EXPECT_EQ(ReserveAddresses(UINT64_MAX / 4), nullptr);
    EXPECT_EQ(errno, ENOMEM);
}

TEST(Memory, ZerosAreOnesOwn) {
    auto* const p = static_cast<uint8_t*>(ReserveZeros(kBytes));
    ASSERT_NE(p, nullptr);
    EXPECT_TRUE(std::all_of(p, p + kBytes, [](uint8_t byte) { return byte == 0; }));
    p[7] = 1;
    EXPECT_TRUE(InChild([](const void* q) { return static_cast<const uint8_t*>(q)[7] == 1; }, p));
    munmap(p, kBytes);
}

TEST(Memory, PagesAreSeenAtTwoAddresses) {
    auto* const p = static_cast<uint8_t*>(ReserveShowable(kBytes));
    auto* const there = static_cast<uint8_t*>(ReserveAddresses(kBytes));
    ASSERT_NE(p, nullptr);
    p[5] = 1;
    ASSERT_TRUE(ShowAlsoAt(p, kBytes, there));
    EXPECT_EQ(there[5], 1);
    there[kBytes - 1] = 2;
    EXPECT_EQ(p[kBytes - 1], 2);
    EXPECT_TRUE(InChild([](const void* q) { return !CanTouch(At(q), 1, false); }, p));
    munmap(p, kBytes);
    EXPECT_EQ(there[5], 1);
    munmap(there, kBytes);
}

TEST(Memory, WishesChangeNoByte) {
    auto* const p = static_cast<uint8_t*>(ReserveZeros(kBytes));
    p[3] = 3;
    WishHugePages(p, kBytes);
    WishSmallPages(p, kBytes);
    EXPECT_EQ(p[3], 3);
    munmap(p, kBytes);
}

TEST(Memory, OfTheMachine) {
    EXPECT_GT(FreeMemory(), 0u);
    EXPECT_GT(TotalMemory(), FreeMemory());
}

}  // namespace
}  // namespace sfumato::system
