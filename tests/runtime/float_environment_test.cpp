// SPDX-License-Identifier: Apache-2.0
// Results do not depend on the floating-point state the host program left: rounding direction, flush to zero.
#include <gtest/gtest.h>

#include <bit>
#include <cfenv>

#include "kernel_operator.h"
#include "sfumato/launch.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace sfumato {
namespace {

using namespace AscendC;

// A thread as a library built with fast-math leaves it.
class HostileThread {
public:
    HostileThread() {
        std::fegetenv(&saved_);
        std::fesetround(FE_UPWARD);
#if defined(__x86_64__)
        _mm_setcsr(_mm_getcsr() | 0x8040);  // flush to zero, denormals are zero
#endif
    }
    ~HostileThread() { std::fesetenv(&saved_); }

private:
    std::fenv_t saved_;
};

constexpr float kTiny = std::bit_cast<float>(0x00000001u);  // the smallest subnormal

void AddTiny(float* gm) {
    GlobalTensor<float> y;
    y.SetGlobalBuffer(gm, 8);
    TPipe pipe;
    TBuf<> buffer;
    pipe.InitBuffer(buffer, 32);
    LocalTensor<float> t = buffer.Get<float>();
    Duplicate(t, kTiny, 8);
    PipeBarrier<PIPE_V>();
    Add(t, t, t, 8);
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    DataCopy(y, t, 8);
}

TEST(FloatEnvironment, KernelsKeepSubnormals) {
    GlobalMemory memory;
    auto* gm = reinterpret_cast<float*>(memory.Allocate(32, "gm"));
    LaunchOptions options;
    options.chip = "Ascend910B1";
    {
        const HostileThread hostile;
        ASSERT_TRUE(Launch(options, 1, memory, AddTiny, gm).ok());
        EXPECT_EQ(std::fegetround(), FE_UPWARD) << "the caller's own state was changed";
    }
    for (int i = 0; i < 8; ++i) EXPECT_EQ(std::bit_cast<uint32_t>(gm[i]), 2u) << i;
}

TEST(FloatEnvironment, CastArrayRoundsToNearest) {
    CastOptions options;
    options.chip = "Ascend910B1";
    options.round_mode = "CAST_RINT";
    const int32_t integer = 16777217;  // a tie: down to the even 16777216
    float result = 0;
    {
        const HostileThread hostile;
        CastArray(options, DataType::kInt32, &integer, DataType::kFloat, &result, 1);
        EXPECT_EQ(std::fegetround(), FE_UPWARD) << "the caller's own state was changed";
    }
    EXPECT_EQ(std::bit_cast<uint32_t>(result), 0x4B800000u);

    options.round_mode = "CAST_CEIL";
    int32_t rounded = 0;
    {
        const HostileThread hostile;
        CastArray(options, DataType::kFloat, &kTiny, DataType::kInt32, &rounded, 1);
    }
    EXPECT_EQ(rounded, 1);
}

}  // namespace
}  // namespace sfumato
