// SPDX-License-Identifier: Apache-2.0
// Launches by SFUMATO_LAUNCH, what <<<>>> becomes: arguments, blocks, faults and who collects them.
#include "sfumato/host/launch.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <utility>

#include "acl/acl.h"
#include "host/device.h"
#include "host/message.h"
#include "support/golden.h"
#include "cpu_debug_launch.h"
#include "kernel_operator.h"

namespace sfumato {
namespace {

struct Pair {
    int32_t a, b;
};
enum class Blocks : uint16_t { kTwo = 2 };

__global__ void Store(__gm__ int32_t* x, Pair pair, int64_t extra) {
    x[AscendC::GetBlockIdx()] = static_cast<int32_t>(pair.a * 100 + pair.b + extra);
}
template <class T, int kAdd>
__global__ void StoreAs(GM_ADDR x) {
    reinterpret_cast<T*>(x)[AscendC::GetBlockIdx()] = static_cast<T>(AscendC::GetBlockIdx() + kAdd);
}
template <class T>
__global__ void Deduced(T* x) {
    x[0] = static_cast<T>(sizeof(T));
}
__global__ void Misaligned(GM_ADDR) {
    AscendC::TPipe pipe;
    AscendC::TBuf<> buffer;
    pipe.InitBuffer(buffer, 96);
    AscendC::LocalTensor<int32_t> t = buffer.Get<int32_t>();
    AscendC::Adds(t[1], t, 1, 8);
}

// 8 elements of x[0] to x[1], moved by `behind` elements at the end of a block of 44 bytes: elements 8 to 15, of which
// the last five lie in the rest of its last block of 32 bytes.
__global__ void MoveAtTheEnd(GM_ADDR x, GM_ADDR y, bool read, int32_t behind) {
    AscendC::GlobalTensor<int32_t> end, other;
    end.SetGlobalBuffer(reinterpret_cast<__gm__ int32_t*>(x) + 8 + behind);
    other.SetGlobalBuffer(reinterpret_cast<__gm__ int32_t*>(y));
    AscendC::TPipe pipe;
    AscendC::TBuf<> buffer;
    pipe.InitBuffer(buffer, 32);
    AscendC::LocalTensor<int32_t> t = buffer.Get<int32_t>();
    AscendC::DataCopy(t, read ? end : other, 8);
    AscendC::PipeBarrier<PIPE_ALL>();
    AscendC::DataCopy(read ? other : end, t, 8);
}

class HostLaunch : public testing::Test {
protected:
    HostLaunch() { EXPECT_EQ(aclrtMalloc(&device_, 64, ACL_MEM_MALLOC_HUGE_FIRST), 0); }
    ~HostLaunch() override {
        EXPECT_EQ(aclrtSynchronizeDevice(), 0);
        aclrtFree(device_);
    }
    int32_t Word(int i) const { return static_cast<int32_t*>(device_)[i]; }
    void* device_ = nullptr;
};

TEST_F(HostLaunch, PointersConvertAndStructsAreCopied) {
    Pair pair{3, 7};
    SFUMATO_LAUNCH(Store).On(2ull, nullptr, nullptr)(device_, pair, 1000);
    EXPECT_EQ(Word(0), 1307);
    EXPECT_EQ(Word(1), 1307);
    const uint8_t* bytes = static_cast<uint8_t*>(device_) + 8;  // inside a block
    SFUMATO_LAUNCH(Store).On(int8_t{1}, 0, nullptr)(bytes, pair, 2000);
    EXPECT_EQ(Word(2), 2307);
}

TEST_F(HostLaunch, TemplatesAndBlocksOfAnyIntegerType) {
    SFUMATO_LAUNCH(StoreAs<int32_t, 40>).On(Blocks::kTwo, nullptr, nullptr)(device_);
    EXPECT_EQ(Word(1), 41);
    SFUMATO_LAUNCH(Deduced).On(true, nullptr, nullptr)(static_cast<int64_t*>(device_));
    EXPECT_EQ(Word(0), 8);
    auto* kernel = &StoreAs<uint8_t, 1>;
    SFUMATO_LAUNCH(kernel).On(4, nullptr, nullptr)(device_);
    EXPECT_EQ(Word(0), 0x04030201);
}

__global__ void Overflow(__gm__ uint16_t* x) {
    AscendC::TPipe pipe;
    AscendC::TBuf<> buffer;
    pipe.InitBuffer(buffer, 32);
    AscendC::LocalTensor<half> t = buffer.Get<half>();
    AscendC::Duplicate(t, half(60000.0f), 16);
    AscendC::PipeBarrier<PIPE_ALL>();
    AscendC::Muls(t, t, half(2.0f), 16);
    AscendC::PipeBarrier<PIPE_ALL>();
    x[0] = t.ReinterpretCast<uint16_t>().GetValue(0);
}

// Nobody sets it: as the runtime of the chip has it.
TEST_F(HostLaunch, TheSaturationModeDecides) {
    const auto before = std::exchange(host::Device::Current().overflow, std::nullopt);
    SFUMATO_LAUNCH(Overflow).On(1, nullptr, nullptr)(device_);
    EXPECT_EQ(Word(0) & 0xffff, 0x7c00);
    for (const auto& [mode, bits] : {std::pair{ACL_RT_OVERFLOW_MODE_INFNAN, 0x7c00},
                                     {ACL_RT_OVERFLOW_MODE_UNDEF, 0x7c00},
                                     {ACL_RT_OVERFLOW_MODE_SATURATION, 0x7bff}}) {
        ASSERT_EQ(aclrtSetDeviceSatMode(mode), 0);
        SFUMATO_LAUNCH(Overflow).On(1, nullptr, nullptr)(device_);
        EXPECT_EQ(Word(0) & 0xffff, bits) << mode;
    }
    host::Device::Current().overflow = before;
}

TEST_F(HostLaunch, AFaultIsReturnedOnceByTheNextSynchronisingCall) {
    SFUMATO_LAUNCH(Misaligned).On(1, nullptr, nullptr)(device_);
    EXPECT_EQ(aclGetRecentErrMsg(), nullptr);
    uint8_t host[4] = {};
    EXPECT_EQ(aclrtMemcpy(host, 4, device_, 4, ACL_MEMCPY_DEVICE_TO_HOST), ACL_ERROR_RT_VECTOR_CORE_EXCEPTION);
    const std::string message = Message();
    EXPECT_TRUE(message.starts_with("fault [ub-alignment] Adds: the destination is not aligned\n")) << message;
    EXPECT_NE(message.find("kernel Misaligned, core aiv0"), std::string::npos) << message;
    EXPECT_EQ(aclrtMemcpy(host, 4, device_, 4, ACL_MEMCPY_DEVICE_TO_HOST), 0);
    EXPECT_EQ(aclrtSynchronizeStream(nullptr), 0);
    EXPECT_EQ(Message(), "");
}

// What the next synchronisation returns, and its text without the line "where".
std::string Collected(int want) {
    EXPECT_EQ(aclrtSynchronizeStream(nullptr), want);
    const std::string text = Message();
    const size_t where = text.find("\n  where:");
    return where == std::string::npos ? text : text.substr(0, where) + text.substr(text.find('\n', where + 1));
}

TEST_F(HostLaunch, APointerOfTheHostIsRefused) {
    int32_t host[8] = {};
    EXPECT_FALSE(SFUMATO_LAUNCH(Misaligned).On(1, nullptr, nullptr)(host));
    ExpectText(__FILE__, NameOfTest(), Collected(ACL_ERROR_INVALID_PARAM));
    void* pinned = nullptr;
    ASSERT_EQ(aclrtMallocHost(&pinned, 64), 0);
    EXPECT_FALSE(SFUMATO_LAUNCH(Store).On(1, nullptr, nullptr)(pinned, Pair{}, 0));
    EXPECT_NE(Collected(ACL_ERROR_INVALID_PARAM).find("argument 1: 'aclrtMallocHost #N'"), std::string::npos);
    EXPECT_EQ(aclrtFreeHost(pinned), 0);
}

TEST_F(HostLaunch, FreedMemoryIsRefused) {
    void* p = nullptr;
    ASSERT_EQ(aclrtMalloc(&p, 64, ACL_MEM_MALLOC_HUGE_FIRST), 0);
    ASSERT_EQ(aclrtFree(p), 0);
    EXPECT_FALSE(SFUMATO_LAUNCH(Misaligned).On(1, nullptr, nullptr)(p));
    ExpectText(__FILE__, NameOfTest(), Collected(ACL_ERROR_INVALID_PARAM));
}

TEST_F(HostLaunch, BlocksAreOneTo65535) {
    for (const int64_t blocks : {0, -1, 65536}) {
        EXPECT_FALSE(SFUMATO_LAUNCH(Misaligned).On(blocks, nullptr, nullptr)(device_));
        ExpectText(__FILE__, NameOfTest(), Collected(ACL_ERROR_INVALID_PARAM));
    }
    EXPECT_FALSE(SFUMATO_LAUNCH(Misaligned).On(~uint64_t{0}, nullptr, nullptr)(device_));
    EXPECT_NE(Collected(ACL_ERROR_INVALID_PARAM).find("blocks: 9223372036854775807"), std::string::npos);
}

TEST_F(HostLaunch, AStreamThatIsGoneIsRefused) {
    aclrtStream stream = nullptr;
    ASSERT_EQ(aclrtCreateStream(&stream), 0);
    ASSERT_EQ(aclrtDestroyStream(stream), 0);
    EXPECT_FALSE(SFUMATO_LAUNCH(Misaligned).On(1, nullptr, stream)(device_));
    ExpectText(__FILE__, NameOfTest(), Collected(ACL_ERROR_INVALID_PARAM));
}

TEST_F(HostLaunch, TheEnvironmentIsRead) {
    setenv("SFUMATO_CHIP", "Ascend310P3", 1);
    SFUMATO_LAUNCH(Deduced).On(1, nullptr, nullptr)(static_cast<int32_t*>(device_));
    ExpectText(__FILE__, NameOfTest(), Collected(ACL_ERROR_INVALID_PARAM));
    setenv("SFUMATO_CHIP", "Ascend910B3", 1);
    EXPECT_STREQ(aclrtGetSocName(), "Ascend910B3");
    unsetenv("SFUMATO_CHIP");
    for (const auto& [options, text] :
         {std::pair{"strict=maybe", "strict is 'maybe'; legal are on, off, 1, 0"},
          {"colour=red",
           "'colour=red' is none of auto_sync=..., cast_round=..., check=..., collect=..., collective_order=..., "
           "core=..., div=..., "
           "estimate=..., estimates=..., fill=..., flags=..., "
           "json=..., junit=..., mmad_order=..., numbers=..., numerics=..., overflow=..., rests_on=..., sarif=..., "
           "schedule=..., "
           "state=..., streams=..., strict=..., timeout=..., "
           "workers=..."},
          {"streams=on", "streams is 'on'; legal are check, off"},
          {"fill=256", "fill is '256'; legal are 0 to 255"},
          {"schedule=sideways", "sideways"},
          {"schedule=all:x", "unknown schedule 'all:x': all:N takes a number of seeds, 0 to 65535"}}) {
        setenv("SFUMATO_OPTIONS", options, 1);
        SFUMATO_LAUNCH(Deduced).On(1, nullptr, nullptr)(static_cast<int32_t*>(device_));
        EXPECT_NE(Collected(ACL_ERROR_INVALID_PARAM).find(text), std::string::npos) << options;
    }
    setenv("SFUMATO_OPTIONS", "schedule=late,strict=1,fill=0x11", 1);
    SFUMATO_LAUNCH(Deduced).On(1, nullptr, nullptr)(static_cast<int32_t*>(device_));
    EXPECT_EQ(Collected(0), "");
    unsetenv("SFUMATO_OPTIONS");
}

// Newer CPU debugging: acl memory, and ICPU_RUN_KF.
TEST_F(HostLaunch, CpuModeTakesMemoryOfAcl) {
    AscendC::SetKernelMode(KernelMode::AIV_MODE);
    const Pair pair{1, 2};
    auto* words = static_cast<int32_t*>(device_);
    ICPU_RUN_KF(Store, 3, words + 4, pair, 0);
    EXPECT_EQ(Word(4), 102);
    EXPECT_EQ(Word(6), 102);
}

TEST(HostCode, PrintsAndAssertsAsTheLibraryOfC) {
    using namespace AscendC;  // NOLINT: what programs write
    testing::internal::CaptureStdout();
    printf("%-4s|%3zu|%c|%5.2f\n", "ab", sizeof(int), 'x', 1.5);
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "ab  |  4|x| 1.50\n");
    testing::GTEST_FLAG(death_test_style) = "threadsafe";
    EXPECT_DEATH(assert(sizeof(int) == 3), "launch_test.cpp:[0-9]+: assertion 'sizeof\\(int\\) == 3' failed");
}

// What a kernel writes into the rest of a block's last 32 bytes is there for the next one, and is no byte of the block.
TEST_F(HostLaunch, TheRestOfTheLastBlockIsKept) {
    void* odd = nullptr;
    ASSERT_EQ(aclrtMalloc(&odd, 44, ACL_MEM_MALLOC_HUGE_FIRST), 0);
    for (int i = 0; i < 8; ++i) static_cast<int32_t*>(device_)[i] = 100 + i;
    const auto move = [&](bool read, int32_t behind) {
        SFUMATO_LAUNCH(MoveAtTheEnd).On(1, nullptr, nullptr)(odd, device_, read, behind);
        return aclrtSynchronizeDevice();
    };
    EXPECT_EQ(move(false, 0), 0);
    for (int i = 0; i < 8; ++i) static_cast<int32_t*>(device_)[i] = 0;
    EXPECT_EQ(move(true, 0), 0);
    for (int i = 0; i < 8; ++i) EXPECT_EQ(Word(i), 100 + i);
    // An element further a read still meets the block's last bytes, and a write no memory of its own; behind the last
    // element neither does.
    EXPECT_EQ(move(true, 1), 0);
    for (const auto& [read, behind] : {std::pair{false, 1}, {false, 3}, {true, 3}}) {
        EXPECT_NE(move(read, behind), 0);
        EXPECT_NE(Message().find("gm-out-of-range"), std::string::npos);
    }
    EXPECT_EQ(aclrtFree(odd), 0);
}

}  // namespace
}  // namespace sfumato
