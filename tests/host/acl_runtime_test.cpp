// SPDX-License-Identifier: Apache-2.0
// Process, device, streams, events, conversions.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <utility>

#include "acl/acl.h"
#include "host/device.h"
#include "host/message.h"
#include "sfumato/half.h"
#include "support/golden.h"

namespace sfumato {
namespace {

TEST(AclRuntime, InitAndFinalizeAreCounted) {
    EXPECT_EQ(aclInit(nullptr), 0);
    EXPECT_EQ(aclInit(nullptr), 0);
    EXPECT_EQ(aclFinalize(), 0);
    EXPECT_EQ(aclFinalize(), 0);
    EXPECT_EQ(aclFinalize(), ACL_ERROR_UNINITIALIZE);
    ExpectText(__FILE__, NameOfTest(), Message());
}

TEST(AclRuntime, OneDevice) {
    int32_t device = 7;
    uint32_t count = 0;
    aclrtRunMode mode = ACL_DEVICE;
    EXPECT_EQ(aclrtSetDevice(0), 0);
    EXPECT_EQ(aclrtGetDevice(&device), 0);
    EXPECT_EQ(aclrtGetDeviceCount(&count), 0);
    EXPECT_EQ(aclrtGetRunMode(&mode), 0);
    EXPECT_EQ(device, 0);
    EXPECT_EQ(count, 1u);
    EXPECT_EQ(mode, ACL_HOST);
    EXPECT_STREQ(aclrtGetSocName(), "Ascend910B1");
    EXPECT_EQ(aclrtSetDevice(7), 0);
    EXPECT_EQ(aclrtGetDevice(&device), 0);
    EXPECT_EQ(device, 7);
    EXPECT_EQ(aclrtSetDevice(8), ACL_ERROR_INVALID_PARAM);
    ExpectText(__FILE__, NameOfTest(), Message());
    EXPECT_EQ(aclrtResetDevice(0), 0);
}

TEST(AclRuntime, WhatTheDeviceHas) {
    int64_t value = 0;
    EXPECT_EQ(aclGetDeviceCapability(0, ACL_DEVICE_INFO_AI_CORE_NUM, &value), 0);
    EXPECT_EQ(value, 24);
    EXPECT_EQ(aclGetDeviceCapability(0, ACL_DEVICE_INFO_VECTOR_CORE_NUM, &value), 0);
    EXPECT_EQ(value, 48);
    EXPECT_EQ(aclGetDeviceCapability(0, ACL_DEVICE_INFO_L2_SIZE, &value), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    ExpectText(__FILE__, NameOfTest(), Message());
    EXPECT_EQ(aclrtGetDeviceInfo(0, ACL_DEV_ATTR_AICORE_CORE_NUM, &value), 0);
    EXPECT_EQ(value, 24);
    EXPECT_EQ(aclrtGetDeviceInfo(0, ACL_DEV_ATTR_CUBE_CORE_NUM, &value), 0);
    EXPECT_EQ(value, 24);
    EXPECT_EQ(aclrtGetDeviceInfo(0, ACL_DEV_ATTR_VECTOR_CORE_NUM, &value), 0);
    EXPECT_EQ(value, 48);
    EXPECT_EQ(aclrtGetDeviceInfo(0, ACL_DEV_ATTR_L2_CACHE_SIZE, &value), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    ExpectText(__FILE__, NameOfTest(), Message());
    size_t free = 0, total = 0;
    EXPECT_EQ(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total), 0);
    EXPECT_EQ(aclrtGetDeviceInfo(0, ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE, &value), 0);
    EXPECT_EQ(static_cast<size_t>(value), total);
    void* sync = &value;
    EXPECT_EQ(aclrtGetHardwareSyncAddr(&sync), 0);
    EXPECT_EQ(sync, nullptr);
    EXPECT_GT(free, 0u);
    EXPECT_GE(total, free);
}

TEST(AclRuntime, ContextsAreTokens) {
    aclrtContext a = nullptr, b = nullptr, current = nullptr;
    EXPECT_EQ(aclrtCreateContext(&a, 0), 0);
    EXPECT_EQ(aclrtCreateContext(&b, 0), 0);
    EXPECT_NE(a, b);
    EXPECT_EQ(aclrtSetCurrentContext(a), 0);
    EXPECT_EQ(aclrtGetCurrentContext(&current), 0);
    EXPECT_EQ(current, a);
    EXPECT_EQ(aclrtDestroyContext(a), 0);
    EXPECT_EQ(aclrtSetCurrentContext(a), ACL_ERROR_INVALID_PARAM);
    ExpectText(__FILE__, NameOfTest(), Message());
    EXPECT_EQ(aclrtDestroyContext(b), 0);
}

TEST(AclRuntime, StreamsAndEvents) {
    aclrtStream stream = nullptr;
    aclrtEvent start = nullptr, end = nullptr;
    aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_COMPLETE;
    float milliseconds = 0;
    EXPECT_EQ(aclrtCreateStreamWithConfig(&stream, 0, ACL_STREAM_FAST_LAUNCH), 0);
    EXPECT_EQ(aclrtCreateEvent(&start), 0);
    EXPECT_EQ(aclrtCreateEventWithFlag(&end, ACL_EVENT_TIME_LINE), 0);
    EXPECT_EQ(aclrtQueryEventStatus(start, &status), 0);
    EXPECT_EQ(status, ACL_EVENT_RECORDED_STATUS_NOT_READY);
    EXPECT_EQ(aclrtRecordEvent(start, stream), 0);
    EXPECT_EQ(aclrtEventElapsedTime(&milliseconds, start, end), ACL_ERROR_INVALID_PARAM);
    ExpectText(__FILE__, NameOfTest(), Message());
    EXPECT_EQ(aclrtRecordEvent(end, stream), 0);
    EXPECT_EQ(aclrtStreamWaitEvent(stream, end), 0);
    EXPECT_EQ(aclrtSynchronizeEvent(end), 0);
    EXPECT_EQ(aclrtQueryEventStatus(start, &status), 0);
    EXPECT_EQ(status, ACL_EVENT_RECORDED_STATUS_COMPLETE);
    EXPECT_EQ(aclrtEventElapsedTime(&milliseconds, start, end), 0);
    EXPECT_GT(milliseconds, 0);
    EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream, -1), 0);
    EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream, -2), ACL_ERROR_INVALID_PARAM);
    ExpectText(__FILE__, NameOfTest(), Message());
    EXPECT_EQ(aclrtDestroyEvent(start), 0);
    EXPECT_EQ(aclrtDestroyEvent(end), 0);
    EXPECT_EQ(aclrtDestroyStream(stream), 0);
    EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_ERROR_INVALID_PARAM);
    ExpectText(__FILE__, NameOfTest(), Message());
    EXPECT_EQ(aclrtDestroyStream(nullptr), ACL_ERROR_INVALID_PARAM);
    EXPECT_NE(Message(), "");
}

TEST(AclRuntime, TheSaturationModeIsKept) {
    aclrtFloatOverflowMode mode = ACL_RT_OVERFLOW_MODE_UNDEF;
    // Before anyone sets it, as the runtime of A2 and A3 has it.
    const auto before = std::exchange(host::Device::Current().overflow, std::nullopt);
    for (const char* chip : {"Ascend910B1", "Ascend910_9392"}) {
        setenv("SFUMATO_CHIP", chip, 1);
        EXPECT_EQ(aclrtGetDeviceSatMode(&mode), 0);
        EXPECT_EQ(mode, ACL_RT_OVERFLOW_MODE_INFNAN) << chip;
    }
    unsetenv("SFUMATO_CHIP");
    for (const auto set : {ACL_RT_OVERFLOW_MODE_SATURATION, ACL_RT_OVERFLOW_MODE_INFNAN}) {
        EXPECT_EQ(aclrtSetDeviceSatMode(set), 0);
        EXPECT_EQ(aclrtGetDeviceSatMode(&mode), 0);
        EXPECT_EQ(mode, set);
    }
    host::Device::Current().overflow = before;
    EXPECT_EQ(aclrtSetDeviceSatMode(static_cast<aclrtFloatOverflowMode>(5)), ACL_ERROR_INVALID_PARAM);
    ExpectText(__FILE__, NameOfTest(), Message());
}

// Every half there is, and the float between each two.
TEST(AclRuntime, HalvesAreRoundedToNearestEven) {
    for (uint32_t bits = 0; bits < 0x10000; ++bits) {
        const auto half_bits = static_cast<aclFloat16>(bits);
        const int exponent = (bits >> 10) & 31, fraction = bits & 1023;
        const float sign = bits & 0x8000 ? -1.0f : 1.0f;
        const float value = aclFloat16ToFloat(half_bits);
        if (exponent == 31 && fraction) {
            EXPECT_TRUE(std::isnan(value)) << bits;
            continue;
        }
        const float want = exponent == 31  ? INFINITY
                           : exponent == 0 ? std::ldexp(static_cast<float>(fraction), -24)
                                           : std::ldexp(static_cast<float>(fraction + 1024), exponent - 25);
        EXPECT_EQ(value, sign * want) << bits;
        EXPECT_EQ(aclFloatToFloat16(value), half_bits) << bits;
        if (exponent == 31 || (bits & 0x7fff) == 0x7bff) continue;
        const float next = aclFloat16ToFloat(static_cast<aclFloat16>(bits + 1));
        const auto even = static_cast<aclFloat16>(bits & 1 ? bits + 1 : bits);
        EXPECT_EQ(aclFloatToFloat16((value + next) / 2), even) << bits;
    }
    EXPECT_EQ(aclFloatToFloat16(65520.0f), 0x7c00);
    EXPECT_EQ(aclFloatToFloat16(65519.0f), 0x7bff);
}

TEST(AclRuntime, SizesOfTypes) {
    EXPECT_EQ(aclDataTypeSize(ACL_FLOAT), 4u);
    EXPECT_EQ(aclDataTypeSize(ACL_BF16), 2u);
    EXPECT_EQ(aclDataTypeSize(ACL_BOOL), 1u);
    EXPECT_EQ(aclDataTypeSize(ACL_COMPLEX128), 16u);
    EXPECT_EQ(aclDataTypeSize(ACL_INT64), 8u);
    EXPECT_EQ(aclDataTypeSize(ACL_INT4), 0u);
    EXPECT_EQ(aclDataTypeSize(ACL_DT_UNDEFINED), 0u);
}

}  // namespace
}  // namespace sfumato
