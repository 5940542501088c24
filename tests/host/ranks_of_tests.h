// SPDX-License-Identifier: Apache-2.0
// Kernels and memory of eight devices, for tests of them.
#pragma once
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "acl/acl.h"
#include "host/message.h"
#include "host/ranks.h"
#include "host/ranks_kernels.h"
#include "sfumato/host/launch.h"
#include "support/golden.h"
#include "support/raised.h"

namespace sfumato {

constexpr uint32_t kDevices = 8;
constexpr uint64_t kLineBytes = 64;

// Before the first call of ours; a test that starts its program anew says another number.
[[maybe_unused]] static const int kEnvironmentSet = setenv("SFUMATO_DEVICES", "8", 0);

// Words on a device, in lines of their own.
class Lines {
public:
    explicit Lines(int32_t device, int32_t value = 0) {
        aclrtSetDevice(device);
        EXPECT_EQ(aclrtMalloc(&p_, kLineBytes, ACL_MEM_MALLOC_HUGE_FIRST), 0);
        EXPECT_EQ(aclrtMemset(p_, kLineBytes, 0, kLineBytes), 0);
        if (value) EXPECT_EQ(aclrtMemcpy(p_, 4, &value, 4, ACL_MEMCPY_HOST_TO_DEVICE), 0);
    }
    ~Lines() { aclrtFree(p_); }
    Lines& operator=(Lines&&) = delete;
    operator int32_t*() const { return static_cast<int32_t*>(p_); }
    int32_t Read() const {
        int32_t value = -1;
        aclrtMemcpy(&value, 4, p_, 4, ACL_MEMCPY_DEVICE_TO_HOST);
        return value;
    }

private:
    void* p_ = nullptr;
};

// Every device may touch the next one's memory, and has a flag and a result.
struct Ring {
    Ring() {
        for (int32_t r = 0; r < static_cast<int32_t>(kDevices); ++r) {
            flags.push_back(std::make_unique<Lines>(r));
            results.push_back(std::make_unique<Lines>(r));
        }
        for (int32_t r = 0; r < static_cast<int32_t>(kDevices); ++r) {
            aclrtSetDevice(r);
            EXPECT_EQ(aclrtDeviceEnablePeerAccess((r + 1) % static_cast<int32_t>(kDevices), 0), 0);
        }
    }
    ~Ring() {
        for (int32_t r = 0; r < static_cast<int32_t>(kDevices); ++r) {
            aclrtSetDevice(r);
            aclrtSynchronizeDevice();
            aclGetRecentErrMsg();
            aclrtDeviceDisablePeerAccess((r + 1) % static_cast<int32_t>(kDevices));
        }
        aclrtSetDevice(0);
    }
    Ring& operator=(Ring&&) = delete;
    bool Launch(uint32_t r, aclrtStream stream = nullptr) {
#line 100 "ring.asc"
        return SFUMATO_LAUNCH(Pass).On(1, nullptr, stream)(static_cast<int32_t*>(*flags[r]),
                                                           static_cast<int32_t*>(*flags[(r + 1) % kDevices]),
                                                           static_cast<int32_t*>(*results[r]), int32_t{r == 0});
    }

    std::vector<std::unique_ptr<Lines>> flags, results;
};

}  // namespace sfumato
