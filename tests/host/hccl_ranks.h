// SPDX-License-Identifier: Apache-2.0
// Ranks of a test of HCCL: devices of this process with a communicator, driven by a thread each or by one for all.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <thread>
#include <vector>

#include "acl/acl.h"
#include "hccl/hccl.h"

namespace sfumato {

// Before the first call: 64 devices, and a short time for ranks that nobody serves.
inline const int kManyDevices = setenv("SFUMATO_DEVICES", "64", 1) + setenv("SFUMATO_RANK_TIMEOUT", "1", 1);

// A buffer of a device; read back, it waits for the device.
template <class T>
class OnDevice {
public:
    explicit OnDevice(const std::vector<T>& values) : count_(values.size()) {
        EXPECT_EQ(aclrtMalloc(&p_, std::max<size_t>(1, bytes()), ACL_MEM_MALLOC_HUGE_FIRST), 0);
        if (count_) EXPECT_EQ(aclrtMemcpy(p_, bytes(), values.data(), bytes(), ACL_MEMCPY_HOST_TO_DEVICE), 0);
    }
    OnDevice(const OnDevice&) = delete;
    ~OnDevice() { aclrtFree(p_); }
    operator void*() const { return p_; }
    std::vector<T> Read() const {
        std::vector<T> values(count_);
        if (count_) EXPECT_EQ(aclrtMemcpy(values.data(), bytes(), p_, bytes(), ACL_MEMCPY_DEVICE_TO_HOST), 0);
        return values;
    }

private:
    size_t bytes() const { return count_ * sizeof(T); }
    size_t count_;
    void* p_ = nullptr;
};

struct HcclRankOfTest {
    uint32_t rank, ranks;
    HcclComm comm;
    aclrtStream stream;
};

// What a rank does: submits its calls; what it returns checks the results when the rank's stream has ended.
using HcclProgram = std::function<std::function<void()>(const HcclRankOfTest&)>;

inline void RunThreads(uint32_t ranks, const HcclProgram& program) {
    HcclRootInfo info;
    ASSERT_EQ(HcclGetRootInfo(&info), HCCL_SUCCESS);
    std::vector<std::thread> threads;
    for (uint32_t rank = 0; rank < ranks; ++rank) {
        threads.emplace_back([&, rank] {
            ASSERT_EQ(aclrtSetDevice(static_cast<int32_t>(rank)), 0);
            HcclRankOfTest mine{rank, ranks, nullptr, nullptr};
            ASSERT_EQ(HcclCommInitRootInfo(ranks, &info, rank, &mine.comm), HCCL_SUCCESS);
            ASSERT_EQ(aclrtCreateStream(&mine.stream), 0);
            const std::function<void()> check = program(mine);
            EXPECT_EQ(aclrtSynchronizeStream(mine.stream), 0);
            check();
            EXPECT_EQ(HcclCommDestroy(mine.comm), HCCL_SUCCESS);
            EXPECT_EQ(aclrtDestroyStream(mine.stream), 0);
        });
    }
    for (auto& thread : threads) thread.join();
}

inline std::vector<HcclComm> InitAll(uint32_t ranks) {
    std::vector<int32_t> devices(ranks);
    for (uint32_t rank = 0; rank < ranks; ++rank) devices[rank] = static_cast<int32_t>(rank);
    std::vector<HcclComm> comms(ranks);
    EXPECT_EQ(HcclCommInitAll(ranks, devices.data(), comms.data()), HCCL_SUCCESS);
    return comms;
}

inline void RunAlone(uint32_t ranks, const HcclProgram& program) {
    const std::vector<HcclComm> comms = InitAll(ranks);
    std::vector<std::function<void()>> checks;
    std::vector<aclrtStream> streams(ranks);
    for (uint32_t rank = 0; rank < ranks; ++rank) {
        ASSERT_EQ(aclrtSetDevice(static_cast<int32_t>(rank)), 0);
        ASSERT_EQ(aclrtCreateStream(&streams[rank]), 0);
        checks.push_back(program({rank, ranks, comms[rank], streams[rank]}));
    }
    for (uint32_t rank = 0; rank < ranks; ++rank) {
        ASSERT_EQ(aclrtSetDevice(static_cast<int32_t>(rank)), 0);
        EXPECT_EQ(aclrtSynchronizeStream(streams[rank]), 0);
        checks[rank]();
        EXPECT_EQ(HcclCommDestroy(comms[rank]), HCCL_SUCCESS);
        EXPECT_EQ(aclrtDestroyStream(streams[rank]), 0);
    }
    aclrtSetDevice(0);
}

}  // namespace sfumato
