// SPDX-License-Identifier: Apache-2.0
// What acl calls say of several devices.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "host/ranks_of_tests.h"

namespace sfumato {
namespace {

bool Five(int32_t* x, aclrtStream stream);

TEST(HostDevices, AreNumbered) {
    uint32_t count = 0;
    int32_t device = -1;
    int64_t cores = 0;
    EXPECT_EQ(aclrtGetDeviceCount(&count), 0);
    EXPECT_EQ(count, kDevices);
    EXPECT_EQ(aclrtSetDevice(7), 0);
    std::thread([] {
        int32_t current = -1;
        EXPECT_EQ(aclrtGetDevice(&current), 0);
        EXPECT_EQ(current, 0);
        EXPECT_EQ(aclrtSetDevice(3), 0);
    }).join();
    EXPECT_EQ(aclrtGetDevice(&device), 0);
    EXPECT_EQ(device, 7);
    EXPECT_EQ(aclrtSetDevice(8), ACL_ERROR_INVALID_PARAM);
    EXPECT_EQ(aclrtSetDevice(-1), ACL_ERROR_INVALID_PARAM);
    EXPECT_EQ(aclrtResetDevice(8), ACL_ERROR_INVALID_PARAM);
    EXPECT_EQ(aclGetDeviceCapability(8, ACL_DEVICE_INFO_AI_CORE_NUM, &cores), ACL_ERROR_INVALID_PARAM);
    ExpectText(__FILE__, NameOfTest(), Message());
    EXPECT_EQ(aclrtGetDevice(&device), 0);
    EXPECT_EQ(device, 7);
    aclrtSetDevice(0);
}

TEST(HostDevices, AContextIsOfADevice) {
    aclrtContext two = nullptr, one = nullptr, now = nullptr;
    int32_t device = -1;
    aclrtSetDevice(1);
    EXPECT_EQ(aclrtGetCurrentContext(&one), 0);
    EXPECT_EQ(aclrtCreateContext(&two, 2), 0);
    EXPECT_EQ(aclrtGetDevice(&device), 0);
    EXPECT_EQ(device, 2);
    EXPECT_EQ(aclrtSetCurrentContext(one), 0);
    EXPECT_EQ(aclrtGetDevice(&device), 0);
    EXPECT_EQ(device, 1);
    EXPECT_EQ(aclrtSetCurrentContext(two), 0);
    EXPECT_EQ(aclrtGetCurrentContext(&now), 0);
    EXPECT_EQ(now, two);
    EXPECT_EQ(aclrtSetDevice(0), 0);
    EXPECT_EQ(aclrtGetCurrentContext(&now), 0);
    EXPECT_NE(now, two);
    EXPECT_EQ(aclrtCreateContext(&now, 8), ACL_ERROR_INVALID_PARAM);
    EXPECT_EQ(aclrtDestroyContext(one), 0);
    EXPECT_EQ(aclrtDestroyContext(two), 0);
    aclGetRecentErrMsg();
}

TEST(HostDevices, HaveTheirOwnMemory) {
    const Lines zero(0, 1), three(3, 2);
    EXPECT_EQ(host::Device::Find(zero).rank, 0u);
    EXPECT_EQ(host::Device::Find(three + 1).rank, 3u);
    EXPECT_NE(host::Device::Describe(three + 1).find("'+0x4 of device 3"), std::string::npos);
    aclrtSetDevice(0);
    void* p = nullptr;
    EXPECT_EQ(aclrtMalloc(&p, 64, ACL_MEM_MALLOC_HUGE_FIRST), 0);
    aclrtSetDevice(1);
    EXPECT_EQ(aclrtFree(p), 0);  // whatever device is current
    EXPECT_EQ(aclrtFree(p), ACL_ERROR_INVALID_PARAM);
    ExpectText(__FILE__, NameOfTest(), Message());
    aclrtSetDevice(0);
}

TEST(HostDevices, AKernelGetsMemoryOfAnother) {
    const Lines own(0, 1), other(3, 2);
    aclrtSetDevice(0);
    const auto launch = [&] { return Five(other, nullptr); };
    EXPECT_FALSE(launch());
    EXPECT_EQ(aclrtSynchronizeDevice(), ACL_ERROR_INVALID_PARAM);
    ExpectText(__FILE__, NameOfTest(), Message());
    EXPECT_EQ(aclrtDeviceEnablePeerAccess(3, 0), 0);
    EXPECT_TRUE(launch());
    EXPECT_EQ(aclrtSynchronizeDevice(), 0) << Message();
    EXPECT_EQ(other.Read(), 7);
    EXPECT_EQ(aclrtDeviceDisablePeerAccess(3), 0);
    EXPECT_FALSE(launch());
    EXPECT_EQ(aclrtSynchronizeDevice(), ACL_ERROR_INVALID_PARAM);
    aclGetRecentErrMsg();
    EXPECT_EQ(other.Read(), 7);
}

TEST(HostDevices, AnotherDeviceIsCurrent) {
    const Lines own(0, 1), other(1);
    aclrtStream stream = nullptr, here = nullptr;
    aclrtEvent event = nullptr, event_here = nullptr;
    aclrtCreateStream(&stream);
    aclrtCreateEvent(&event);
    aclrtSetDevice(0);
    aclrtCreateStream(&here);
    aclrtCreateEvent(&event_here);
    const auto expect_told = [] { ExpectText(__FILE__, NameOfTest(), Message()); };
    EXPECT_FALSE(Five(own, stream));
    EXPECT_EQ(aclrtSynchronizeDevice(), ACL_ERROR_INVALID_PARAM);
    expect_told();
    EXPECT_EQ(aclrtMemcpyAsync(own, 4, own, 4, ACL_MEMCPY_DEVICE_TO_DEVICE, stream), ACL_ERROR_INVALID_PARAM);
    expect_told();
    EXPECT_EQ(aclrtMemsetAsync(own, 4, 0, 4, stream), ACL_ERROR_INVALID_PARAM);
    expect_told();
    EXPECT_EQ(aclrtRecordEvent(event, here), ACL_ERROR_INVALID_PARAM);
    EXPECT_EQ(aclrtRecordEvent(event_here, stream), ACL_ERROR_INVALID_PARAM);
    expect_told();
    EXPECT_EQ(aclrtStreamWaitEvent(here, event), ACL_ERROR_INVALID_PARAM);
    EXPECT_EQ(aclrtStreamWaitEvent(stream, event_here), ACL_ERROR_INVALID_PARAM);
    expect_told();
    EXPECT_EQ(aclrtResetEvent(event, here), ACL_ERROR_INVALID_PARAM);
    expect_told();
    EXPECT_EQ(own.Read(), 1);
    // Waiting and asking is for every thread.
    aclrtEventRecordedStatus status{};
    EXPECT_EQ(aclrtSynchronizeStream(stream), 0);
    EXPECT_EQ(aclrtSynchronizeEvent(event), 0);
    EXPECT_EQ(aclrtQueryEventStatus(event, &status), 0);
    EXPECT_EQ(aclrtDestroyStream(stream), 0);
    EXPECT_EQ(aclrtDestroyEvent(event), 0);
    aclrtDestroyStream(here);
    aclrtDestroyEvent(event_here);
}

TEST(HostDevices, PeersAreAskedFor) {
    int32_t can = 0;
    aclrtSetDevice(2);
    EXPECT_EQ(aclrtDeviceCanAccessPeer(&can, 2, 5), 0);
    EXPECT_EQ(can, 1);
    EXPECT_EQ(aclrtDeviceCanAccessPeer(nullptr, 2, 5), ACL_ERROR_INVALID_PARAM);
    EXPECT_EQ(aclrtDeviceCanAccessPeer(&can, 2, 2), ACL_ERROR_INVALID_PARAM);
    EXPECT_EQ(aclrtDeviceCanAccessPeer(&can, 8, 2), ACL_ERROR_INVALID_PARAM);
    EXPECT_EQ(aclrtDeviceEnablePeerAccess(2, 0), ACL_ERROR_INVALID_PARAM);
    EXPECT_EQ(aclrtDeviceEnablePeerAccess(8, 0), ACL_ERROR_INVALID_PARAM);
    EXPECT_EQ(aclrtDeviceEnablePeerAccess(3, 1), ACL_ERROR_INVALID_PARAM);
    EXPECT_EQ(aclrtDeviceDisablePeerAccess(3), ACL_ERROR_INVALID_PARAM);
    ExpectText(__FILE__, NameOfTest(), Message());
    aclrtSetDevice(0);
}

TEST(HostDevices, CopiesBetweenDevices) {
    const Lines zero(0, 1), one(1, 2);
    testing::internal::CaptureStderr();
    EXPECT_EQ(aclrtMemcpy(zero, 4, one, 4, ACL_MEMCPY_DEVICE_TO_DEVICE), 0);
    EXPECT_EQ(zero.Read(), 2);
    std::string said = testing::internal::GetCapturedStderr();
    EXPECT_NE(said.find("warning [peer-access] aclrtMemcpy: bytes are copied between devices"), std::string::npos)
        << said;
    Raised("peer-access");
    for (const auto& [rank, peer] : {std::pair{0, 1}, std::pair{1, 0}}) {
        aclrtSetDevice(rank);
        EXPECT_EQ(aclrtDeviceEnablePeerAccess(peer, 0), 0);
        testing::internal::CaptureStderr();
        EXPECT_EQ(aclrtMemcpyAsync(one, 4, zero, 4, ACL_MEMCPY_DEVICE_TO_DEVICE, nullptr), 0);
        EXPECT_EQ(aclrtSynchronizeStream(nullptr), 0);
        EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
        EXPECT_EQ(aclrtDeviceDisablePeerAccess(peer), 0);
    }
    aclrtSetDevice(0);
}

TEST(HostDevices, MemoryByItsKey) {
    const Lines zero(0, 11);
    char key[65] = {};
    void* p = nullptr;
    int32_t pid = 0;
    aclrtSetDevice(0);
    EXPECT_EQ(aclrtIpcMemGetExportKey(zero + 1, 4, key, sizeof key, 0), ACL_ERROR_INVALID_PARAM);
    EXPECT_EQ(aclrtIpcMemGetExportKey(zero, 64, key, 64, 0), ACL_ERROR_INVALID_PARAM);
    EXPECT_EQ(aclrtIpcMemGetExportKey(zero, 64, key, sizeof key, 0), 0);
    EXPECT_EQ(std::string(key).size(), 64u);
    aclrtSetDevice(1);
    EXPECT_EQ(aclrtIpcMemImportByKey(&p, key, 0), ACL_ERROR_INVALID_PARAM);  // not for this process
    EXPECT_EQ(aclrtDeviceGetBareTgid(&pid), 0);
    EXPECT_EQ(aclrtIpcMemSetImportPid(key, &pid, 1), 0);
    EXPECT_EQ(aclrtIpcMemImportByKey(&p, key, 0), ACL_ERROR_INVALID_PARAM);  // nor this device
    EXPECT_EQ(aclrtDeviceEnablePeerAccess(0, 0), 0);
    EXPECT_EQ(aclrtIpcMemImportByKey(&p, key, 0), 0);
    EXPECT_EQ(p, static_cast<int32_t*>(zero));
    aclrtSetDevice(0);
    EXPECT_EQ(aclrtIpcMemClose(key), ACL_ERROR_INVALID_PARAM);  // the importer comes first
    aclrtSetDevice(1);
    EXPECT_EQ(aclrtIpcMemClose(key), 0);
    aclrtSetDevice(0);
    EXPECT_EQ(aclrtIpcMemClose(key), 0);
    EXPECT_EQ(aclrtIpcMemImportByKey(&p, key, 0), ACL_ERROR_INVALID_PARAM);
    std::string said = Message();
    for (size_t at = 0; (at = said.find(std::to_string(pid))) != said.npos;)
        said.replace(at, std::to_string(pid).size(), "PID");
    ExpectText(__FILE__, NameOfTest(), said);
    aclrtSetDevice(1);
    aclrtDeviceDisablePeerAccess(0);
    aclrtSetDevice(0);
}

// This program anew, with another number of devices or another schedule.
std::string Again(const std::string& environment, const std::string& filter) {
    const std::string self = std::filesystem::read_symlink("/proc/self/exe");
    std::FILE* pipe = popen(
        fmt::format("{} {} --gtest_brief=1 --gtest_filter={} 2>&1; echo exit $?", environment, self, filter).c_str(),
        "r");
    std::string text;
    for (int c = 0; (c = std::fgetc(pipe)) != EOF;) text += static_cast<char>(c);
    pclose(pipe);
    return text.substr(text.starts_with("Running main()") ? text.find('\n') + 1 : 0);
}

TEST(HostDevices, AreOneToSixtyFour) {
    for (const char* number : {"0", "65", "x", "-1", "1.5"}) {
        EXPECT_EQ(Again(std::string("SFUMATO_DEVICES=") + number, "HostDevices.AreNumbered"),
                  fmt::format("SFUMATO_DEVICES is '{}'; legal are 1 to 64\nexit 2\n", number));
    }
}

TEST(HostDevices, SchedulesOfRanks) {
    for (const char* schedule : {"late", "skew", "skew:3", "seed:1", "seed:2", "seed:3"}) {
        const std::string said = Again(std::string("SFUMATO_OPTIONS=schedule=") + schedule, "HostRanks.OneThread*");
        EXPECT_NE(said.find("exit 0\n"), std::string::npos) << said;
    }
    const std::string said = Again("SFUMATO_OPTIONS=schedule=skew:8", "HostRanks.OneThread*");
    EXPECT_NE(said.find("SFUMATO_OPTIONS: schedule is 'skew:8'; legal are skew, skew:0 to skew:7"), std::string::npos)
        << said;
}

// Leaves launches that wait for a rank which never comes.
TEST(HostDevices, DISABLED_Ends) {
    auto* ring = new Ring;
    for (uint32_t r = 0; r + 1 < kDevices; ++r) {
        aclrtSetDevice(static_cast<int32_t>(r));
        ring->Launch(r);
    }
}
// Leaves launches that all come to their end.
TEST(HostDevices, DISABLED_EndsWell) {
    auto* ring = new Ring;
    for (uint32_t r = 0; r < kDevices; ++r) {
        aclrtSetDevice(static_cast<int32_t>(r));
        ring->Launch(r);
    }
}

TEST(HostDevices, TheEndOfTheProcessWaits) {
    // Nothing is told behind the test's own last line.
    const std::string well = Again("", "HostDevices.*EndsWell --gtest_also_run_disabled_tests");
    EXPECT_TRUE(well.ends_with("[  PASSED  ] 1 test.\nexit 0\n")) << well;
    const std::string said = Again("", "HostDevices.*Ends --gtest_also_run_disabled_tests");
    EXPECT_NE(said.find("fault [deadlock]"), std::string::npos) << said;
    EXPECT_NE(said.find("a kernel failed and no synchronising call has returned it\nexit 4\n"), std::string::npos)
        << said;
}

bool Five(int32_t* x, aclrtStream stream) {
#line 100 "more.asc"
    return SFUMATO_LAUNCH(More).On(1, nullptr, stream)(x, 5);
}

}  // namespace
}  // namespace sfumato
