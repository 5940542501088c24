// SPDX-License-Identifier: Apache-2.0
// Memory of the device: what copies do, and the exact report of each misuse.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <vector>

#include "acl/acl.h"
#include "host/device.h"
#include "host/message.h"
#include "support/golden.h"

namespace sfumato {
namespace {

struct DeviceBlock {
    explicit DeviceBlock(size_t bytes) { EXPECT_EQ(aclrtMalloc(&p, bytes, ACL_MEM_MALLOC_HUGE_FIRST), 0); }
    ~DeviceBlock() {
        if (p) aclrtFree(p);
    }
    uint8_t* at(size_t offset) const { return static_cast<uint8_t*>(p) + offset; }
    void* p = nullptr;
};

TEST(AclMemory, ABlockIsAlignedAndFilled) {
    DeviceBlock a(100);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(a.p) % 512, 0u);
    const std::vector<uint8_t> pattern(100, 0xFE);
    EXPECT_EQ(std::memcmp(a.p, pattern.data(), 100), 0);
}

TEST(AclMemory, CopiesGoWhereTheKindSays) {
    DeviceBlock a(64), b(64);
    void* pinned = nullptr;
    ASSERT_EQ(aclrtMallocHost(&pinned, 64), 0);
    std::vector<uint8_t> x(64), y(64);
    for (int i = 0; i < 64; ++i) x[static_cast<size_t>(i)] = static_cast<uint8_t>(i);
    EXPECT_EQ(aclrtMemcpy(a.p, 64, x.data(), 64, ACL_MEMCPY_HOST_TO_DEVICE), 0);
    EXPECT_EQ(aclrtMemcpyAsync(b.at(8), 56, a.at(8), 56, ACL_MEMCPY_DEVICE_TO_DEVICE, nullptr), 0);
    EXPECT_EQ(aclrtMemcpy(pinned, 64, b.p, 64, ACL_MEMCPY_DEVICE_TO_HOST), 0);
    EXPECT_EQ(aclrtMemcpy(y.data(), 64, pinned, 64, ACL_MEMCPY_HOST_TO_HOST), 0);
    EXPECT_EQ(y[7], 0xFE);
    EXPECT_EQ(std::memcmp(y.data() + 8, x.data() + 8, 56), 0);
    EXPECT_EQ(aclrtMemcpy(y.data(), 64, a.p, 64, ACL_MEMCPY_DEFAULT), 0);
    EXPECT_EQ(y, x);
    EXPECT_EQ(aclrtMemset(a.at(4), 60, 7, 2), 0);
    EXPECT_EQ(a.at(0)[3], 3);
    EXPECT_EQ(a.at(0)[4], 7);
    EXPECT_EQ(a.at(0)[5], 7);
    EXPECT_EQ(a.at(0)[6], 6);
    EXPECT_EQ(aclrtFreeHost(pinned), 0);
    EXPECT_EQ(Message(), "");
}

TEST(AclMemory, RowsAreCopiedAPitchApart) {
    DeviceBlock a(64);
    ASSERT_EQ(aclrtMemset(a.p, 64, 0, 64), 0);
    const uint8_t rows[] = {1, 2, 3, 9, 4, 5, 6, 9};
    EXPECT_EQ(aclrtMemcpy2d(a.p, 16, rows, 4, 3, 2, ACL_MEMCPY_HOST_TO_DEVICE), 0);
    std::vector<uint8_t> want(64);
    want[0] = 1, want[1] = 2, want[2] = 3, want[16] = 4, want[17] = 5, want[18] = 6;
    EXPECT_EQ(std::memcmp(a.p, want.data(), 64), 0);
    uint8_t back[6] = {};
    EXPECT_EQ(aclrtMemcpy2dAsync(back, 3, a.p, 16, 3, 2, ACL_MEMCPY_DEVICE_TO_HOST, nullptr), 0);
    const uint8_t dense[] = {1, 2, 3, 4, 5, 6};
    EXPECT_EQ(std::memcmp(back, dense, 6), 0);
}

TEST(AclMemory, AWrongKindIsNamed) {
    DeviceBlock a(64);
    uint8_t host[64] = {};
    EXPECT_EQ(aclrtMemcpy(a.p, 64, host, 64, ACL_MEMCPY_DEVICE_TO_HOST), ACL_ERROR_INVALID_PARAM);
    ExpectText(__FILE__, NameOfTest(), Message());
    EXPECT_EQ(a.at(0)[0], 0xFE);
    EXPECT_EQ(aclrtMemcpy2d(a.p, 8, host, 8, 8, 1, ACL_MEMCPY_DEVICE_TO_DEVICE), ACL_ERROR_INVALID_PARAM);
    ExpectText(__FILE__, NameOfTest(), Message());
    EXPECT_EQ(aclrtMemcpy(a.p, 64, host, 64, static_cast<aclrtMemcpyKind>(9)), ACL_ERROR_INVALID_PARAM);
    ExpectText(__FILE__, NameOfTest(), Message());
}

TEST(AclMemory, ACopyIsNoLongerThanItsEnds) {
    DeviceBlock a(64);
    uint8_t host[128] = {};
    EXPECT_EQ(aclrtMemcpy(a.p, 63, host, 64, ACL_MEMCPY_HOST_TO_DEVICE), ACL_ERROR_INVALID_PARAM);
    ExpectText(__FILE__, NameOfTest(), Message());
    EXPECT_EQ(aclrtMemcpy(a.at(8), 64, host, 64, ACL_MEMCPY_HOST_TO_DEVICE), ACL_ERROR_INVALID_PARAM);
    ExpectText(__FILE__, NameOfTest(), Message());
    EXPECT_EQ(aclrtMemcpy2d(a.p, 2, host, 4, 3, 2, ACL_MEMCPY_HOST_TO_DEVICE), ACL_ERROR_INVALID_PARAM);
    ExpectText(__FILE__, NameOfTest(), Message());
    EXPECT_EQ(aclrtMemset(a.p, 64, 0, 65), ACL_ERROR_INVALID_PARAM);
    ExpectText(__FILE__, NameOfTest(), Message());
    EXPECT_EQ(aclrtMemcpy(nullptr, 64, host, 64, ACL_MEMCPY_HOST_TO_DEVICE), ACL_ERROR_INVALID_PARAM);
    ExpectText(__FILE__, NameOfTest(), Message());
}

TEST(AclMemory, FreedMemoryIsNotUsed) {
    DeviceBlock a(64);
    void* p = a.p;
    EXPECT_EQ(aclrtFree(a.at(8)), ACL_ERROR_INVALID_PARAM);
    ExpectText(__FILE__, NameOfTest(), Message());
    EXPECT_EQ(aclrtFreeHost(p), ACL_ERROR_INVALID_PARAM);
    ExpectText(__FILE__, NameOfTest(), Message());
    EXPECT_EQ(aclrtFree(p), 0);
    a.p = nullptr;
    EXPECT_EQ(aclrtFree(p), ACL_ERROR_INVALID_PARAM);
    ExpectText(__FILE__, NameOfTest(), Message());
    uint8_t host[64] = {};
    EXPECT_EQ(aclrtMemcpy(host, 64, p, 64, ACL_MEMCPY_DEVICE_TO_HOST), ACL_ERROR_INVALID_PARAM);
    ExpectText(__FILE__, NameOfTest(), Message());
    EXPECT_EQ(aclrtFree(host), ACL_ERROR_INVALID_PARAM);
    ExpectText(__FILE__, NameOfTest(), Message());
}

TEST(AclMemory, ABlockHasBytesAndAPlaceForItsAddress) {
    void* p = nullptr;
    EXPECT_EQ(aclrtMalloc(&p, 0, ACL_MEM_MALLOC_HUGE_FIRST), ACL_ERROR_INVALID_PARAM);
    ExpectText(__FILE__, NameOfTest(), Message());
    EXPECT_EQ(aclrtMallocHost(nullptr, 4), ACL_ERROR_INVALID_PARAM);
    ExpectText(__FILE__, NameOfTest(), Message());
    EXPECT_EQ(aclrtMalloc(&p, ~size_t{0} / 2, ACL_MEM_MALLOC_HUGE_FIRST), ACL_ERROR_BAD_ALLOC);
    EXPECT_NE(Message().find("too large: the machine cannot allocate 9223372036854775807 bytes"), std::string::npos);
}

// Host memory that the program takes behind a free must not be taken for the block.
TEST(AclMemory, FreedBlocksAreRememberedAndNothingElseLiesThere) {
    std::vector<std::unique_ptr<char[]>> host;
    for (int i = 0; i < 200; ++i) {
        void* p = nullptr;
        ASSERT_EQ(aclrtMalloc(&p, 4096, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
        ASSERT_EQ(aclrtFree(p), ACL_SUCCESS);
        EXPECT_TRUE(host::Device::Find(p).block->freed);
        host.emplace_back(new char[4096 + 512]);
        EXPECT_FALSE(host::Device::Find(host.back().get()).block);
    }
    void* large = nullptr;
    ASSERT_EQ(aclrtMalloc(&large, uint64_t{80} << 20, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
    ASSERT_EQ(aclrtFree(large), ACL_SUCCESS);
    EXPECT_FALSE(host::Device::Find(large).block) << host::Device::Describe(large);  // its memory is gone
}

TEST(AclMemory, AStreamDoesNotCopyFromHostToHost) {
    uint8_t a[8] = {}, b[8] = {};
    EXPECT_EQ(aclrtMemcpyAsync(a, 8, b, 8, ACL_MEMCPY_HOST_TO_HOST, nullptr), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    ExpectText(__FILE__, NameOfTest(), Message());
}

}  // namespace
}  // namespace sfumato
