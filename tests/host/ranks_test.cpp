// SPDX-License-Identifier: Apache-2.0
// Programs of several devices: what waits for others, what comes behind it, and what goes wrong.
#include <chrono>
#include <filesystem>
#include <fstream>

#include "host/ranks_of_tests.h"
#include "runtime/world/group.h"

namespace sfumato {
namespace {

using Clock = std::chrono::steady_clock;

std::vector<int32_t> AllOf(const Ring& ring) {
    std::vector<int32_t> all;
    for (const auto& result : ring.results) all.push_back(result->Read());
    return all;
}
const std::vector<int32_t> kGoneAround = {8, 1, 2, 3, 4, 5, 6, 7};

TEST(HostRanks, OneThreadServesAll) {
    Ring ring;
    for (const uint32_t last : {kDevices - 1, 0u}) {
        for (uint32_t i = 0; i < kDevices; ++i) {
            const uint32_t r = last ? i : kDevices - 1 - i;
            aclrtSetDevice(static_cast<int32_t>(r));
            EXPECT_TRUE(ring.Launch(r));
        }
        EXPECT_EQ(aclrtSynchronizeDevice(), 0);
        for (uint32_t r = 0; r < kDevices; ++r) {
            aclrtSetDevice(static_cast<int32_t>(r));
            EXPECT_EQ(aclrtSynchronizeStream(nullptr), 0) << Message();
        }
        EXPECT_EQ(AllOf(ring), kGoneAround);
        for (const auto& flag : ring.flags) EXPECT_EQ(aclrtMemset(*flag, kLineBytes, 0, kLineBytes), 0);
    }
}

// `sleeper` sleeps before its launch, shorter than what counts as blocked.
void OnThreads(Ring& ring, uint32_t sleeper) {
    std::vector<std::thread> threads;
    for (uint32_t r = 0; r < kDevices; ++r) {
        threads.emplace_back([&, r] {
            EXPECT_EQ(aclrtSetDevice(static_cast<int32_t>(r)), 0);
            aclrtStream stream = nullptr;
            EXPECT_EQ(aclrtCreateStream(&stream), 0);
            if (r == sleeper) std::this_thread::sleep_for(std::chrono::milliseconds(300));
            EXPECT_TRUE(ring.Launch(r, stream));
            EXPECT_EQ(aclrtSynchronizeStream(stream), 0) << Message();
            EXPECT_EQ(aclrtDestroyStream(stream), 0);
            EXPECT_EQ(aclrtResetDevice(static_cast<int32_t>(r)), 0);
        });
    }
    for (std::thread& thread : threads) thread.join();
}

TEST(HostRanks, AThreadForEach) {
    Ring ring;
    for (const uint32_t sleeper : {kDevices, 0u, 3u}) {
        OnThreads(ring, sleeper);
        EXPECT_EQ(AllOf(ring), kGoneAround);
        for (const auto& flag : ring.flags) EXPECT_EQ(aclrtMemset(*flag, kLineBytes, 0, kLineBytes), 0);
    }
}

void Fail(int32_t* own);

// The codes that all devices return, and what was said.
std::vector<int> CodesOfAll(std::string& said) {
    std::vector<int> codes;
    for (uint32_t r = 0; r < kDevices; ++r) {
        aclrtSetDevice(static_cast<int32_t>(r));
        codes.push_back(aclrtSynchronizeDevice());
        if (codes.back()) said += Message() + "\n";
    }
    return codes;
}

TEST(HostRanks, ARankThatNeverLaunches) {
    Ring ring;
    for (const uint32_t absent : {7u, 0u}) {
        for (uint32_t r = 0; r < kDevices; ++r) {
            aclrtSetDevice(static_cast<int32_t>(r));
            if (r != absent) {
                EXPECT_TRUE(ring.Launch(r));
            }
        }
        const auto begun = Clock::now();
        std::string said;
        const std::vector<int> codes = CodesOfAll(said);
        EXPECT_LT(Clock::now() - begun, std::chrono::seconds(10));  // of looks, on a busy machine
        EXPECT_EQ(std::ranges::count(codes, 0), absent == 7 ? 7 : 1);
        ExpectText(__FILE__, NameOfTest(), said);
        for (const auto& flag : ring.flags) aclrtMemset(*flag, kLineBytes, 0, kLineBytes);
    }
}

TEST(HostRanks, ARankThatFaults) {
    Ring ring;
    const Lines own(5);
    for (uint32_t r = 0; r < kDevices; ++r) {
        aclrtSetDevice(static_cast<int32_t>(r));
        if (r == 5) {
            Fail(own);
        } else {
            EXPECT_TRUE(ring.Launch(r));
        }
    }
    aclrtSetDevice(1);
    EXPECT_EQ(aclrtSynchronizeDevice(), 0);  // it is in front of the one that fails
    std::string said;
    EXPECT_EQ(CodesOfAll(said), (std::vector<int>{507035, 0, 0, 0, 0, 507035, 507035, 507035}));
    ExpectText(__FILE__, NameOfTest(), said);
    std::string more;
    EXPECT_EQ(CodesOfAll(more), std::vector<int>(kDevices));  // they are collected
    EXPECT_EQ(more, "");
}

TEST(HostRanks, WhatComesBehindAParkedLaunch) {
    Ring ring;
    aclrtStream stream = nullptr, second = nullptr;
    aclrtEvent event = nullptr, later = nullptr;
    const Lines own(0), sum(0, 40);
    void* given = nullptr;
    aclrtMalloc(&given, kLineBytes, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMemset(given, kLineBytes, 0, kLineBytes);
    for (aclrtStream* s : {&stream, &second}) aclrtCreateStream(s);
    for (aclrtEvent* e : {&event, &later}) aclrtCreateEvent(e);
    int32_t got = -1, also = -1;
    ring.Launch(0, stream);
    aclrtMemcpyAsync(own, 4, *ring.results[0], 4, ACL_MEMCPY_DEVICE_TO_DEVICE, stream);
    SFUMATO_LAUNCH(More).On(1, nullptr, stream)(static_cast<int32_t*>(own), 100);
    SFUMATO_LAUNCH(More).On(1, nullptr, stream)(static_cast<int32_t*>(given), 7);
    EXPECT_EQ(aclrtMemcpyAsync(&also, 4, given, 4, ACL_MEMCPY_DEVICE_TO_HOST, stream), 0);
    EXPECT_EQ(aclrtFree(given), 0);  // what was submitted may use it
    EXPECT_EQ(aclrtFree(given), ACL_ERROR_INVALID_PARAM);
    EXPECT_NE(Message().find("which was freed"), std::string::npos);
    EXPECT_EQ(aclrtRecordEvent(event, stream), 0);
    EXPECT_EQ(aclrtStreamWaitEvent(second, event), 0);
    EXPECT_EQ(aclrtMemcpyAsync(&got, 4, own, 4, ACL_MEMCPY_DEVICE_TO_HOST, second), 0);
    EXPECT_EQ(aclrtRecordEvent(later, second), 0);
    aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_COMPLETE;
    EXPECT_EQ(aclrtQueryEventStatus(later, &status), 0);
    EXPECT_EQ(status, ACL_EVENT_RECORDED_STATUS_NOT_READY);
    // Of blocks that nothing uses a copy waits for nobody, also of this device.
    SFUMATO_LAUNCH(More).On(1, nullptr, nullptr)(static_cast<int32_t*>(sum), 2);
    EXPECT_EQ(sum.Read(), 42);
    EXPECT_EQ(got, -1);
    for (uint32_t r = 1; r < kDevices; ++r) {
        aclrtSetDevice(static_cast<int32_t>(r));
        ring.Launch(r);
    }
    EXPECT_EQ(aclrtSynchronizeEvent(later), 0);  // of another device than the current one
    EXPECT_EQ(got, 108);
    EXPECT_EQ(also, 7);
    EXPECT_EQ(aclrtQueryEventStatus(later, &status), 0);
    EXPECT_EQ(status, ACL_EVENT_RECORDED_STATUS_COMPLETE);
    EXPECT_EQ(aclrtSynchronizeStream(second), 0) << Message();
    EXPECT_EQ(AllOf(ring), kGoneAround);
    for (aclrtStream s : {stream, second}) aclrtDestroyStream(s);
    for (aclrtEvent e : {event, later}) aclrtDestroyEvent(e);
}

TEST(HostRanks, ACopyWaitsForWhatUsesItsBlock) {
    Ring ring;
    for (uint32_t r = kDevices; r-- > 0;) {
        aclrtSetDevice(static_cast<int32_t>(r));
        ring.Launch(r);
    }
    EXPECT_EQ(AllOf(ring), kGoneAround);
}

bool PassIn(int32_t* mine, int32_t* next, int32_t* out, int32_t first);

// Flags in the windows of a group, which launches name by their pointers.
TEST(HostRanks, WindowsOfAGroup) {
    std::vector<uint32_t> ranks;
    std::vector<GlobalMemory*> memories;
    std::vector<std::unique_ptr<Lines>> results;
    for (uint32_t r = 0; r < kDevices; ++r) {
        ranks.push_back(r);
        memories.push_back(&host::Ranks::The().device(r).memory());
        results.push_back(std::make_unique<Lines>(static_cast<int32_t>(r)));
    }
    runtime::GroupOptions options;
    options.window_bytes = uint64_t{2} << 20;
    options.chip = "Ascend910B1";
    const runtime::Group group(*host::Ranks::The().world(), "ring", ranks, memories, options);
    const auto flag = [&](uint32_t r) { return reinterpret_cast<int32_t*>(group.In(r % kDevices)); };
    for (int32_t round = 0; round < 3; ++round) {
        for (uint32_t i = 0; i < kDevices; ++i) {
            const uint32_t r = (i + 3) % kDevices;
            aclrtSetDevice(static_cast<int32_t>(r));
            EXPECT_TRUE(PassIn(flag(r), flag(r + 1), *results[r], r == 0));
        }
        std::string said;
        EXPECT_EQ(CodesOfAll(said), std::vector<int>(kDevices)) << said;
        for (uint32_t r = 0; r < kDevices; ++r) {
            int32_t value = -1;
            EXPECT_EQ(results[r]->Read(), r ? static_cast<int32_t>(r) : 8);
            EXPECT_EQ(aclrtMemcpy(&value, 4, flag(r), 4, ACL_MEMCPY_DEVICE_TO_HOST), 0) << Message();
            EXPECT_EQ(value, results[r]->Read());
            EXPECT_EQ(aclrtMemset(flag(r), 4, 0, 4), 0);
        }
    }
    const host::Place place = host::Device::Find(flag(3) + 1);
    EXPECT_TRUE(place.OnDevice());
    EXPECT_EQ(place.rank, 3u);
    EXPECT_EQ(place.offset, 4u);
    // A rank's workspace is its own.
    aclrtSetDevice(2);
    EXPECT_FALSE(PassIn(flag(2), reinterpret_cast<int32_t*>(group.Workspace(5)), *results[2], 0));
    EXPECT_EQ(aclrtSynchronizeDevice(), ACL_ERROR_INVALID_PARAM);
    ExpectText(__FILE__, NameOfTest(), Message());
}

size_t CountOf(const char* folder) {
    size_t count = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder)) ++count;
    return count;
}
size_t Maps() {
    std::ifstream file("/proc/self/maps");
    size_t count = 0;
    for (std::string line; std::getline(file, line);) ++count;
    return count;
}

TEST(HostRanks, AThousandTimesOpenedAndClosed) {
    size_t threads = 0, maps = 0;
    for (int i = 0; i < 1000; ++i) {
        const int32_t device = i % static_cast<int32_t>(kDevices);
        std::thread thread([&] {
            const Lines own(device, i);
            aclrtStream stream = nullptr;
            aclrtEvent event = nullptr;
            aclrtCreateStream(&stream);
            aclrtCreateEvent(&event);
            SFUMATO_LAUNCH(More).On(1, nullptr, stream)(static_cast<int32_t*>(own), 1);
            aclrtRecordEvent(event, stream);
            EXPECT_EQ(aclrtSynchronizeEvent(event), 0);
            EXPECT_EQ(own.Read(), i + 1);
            aclrtDestroyEvent(event);
            aclrtDestroyStream(stream);
            EXPECT_EQ(aclrtResetDevice(device), 0);
        });
        thread.join();
        if (i == 100) threads = CountOf("/proc/self/task"), maps = Maps();
    }
    EXPECT_LE(CountOf("/proc/self/task"), threads + 1);
    EXPECT_LE(Maps(), maps + 40);
}

bool PassIn(int32_t* mine, int32_t* next, int32_t* out, int32_t first) {
#line 90 "windows.asc"
    return SFUMATO_LAUNCH(Pass).On(1, nullptr, nullptr)(mine, next, out, first);
}

void Fail(int32_t* own) {
#line 100 "faults.asc"
    SFUMATO_LAUNCH(Misaligned).On(1, nullptr, nullptr)(own);
}

}  // namespace
}  // namespace sfumato
