// SPDX-License-Identifier: Apache-2.0
// --check numbers: the exact reports, and the programs that are right.
#include <limits>

#include "sanitize/launches.h"

namespace sfumato::sanitize_test {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();

// A kernel that ran on one core.
struct Ran : Bench {
    Ran(const std::function<void()>& kernel, Overflow overflow, CoreChoice core = CoreChoice::kDefault)
        : Bench("numbers") {
        options.core = core;
        options.overflow = overflow;
        Run(1, kernel);
    }
};
void Pin(const std::function<void()>& kernel, Overflow overflow = Overflow::kSaturate) {
    Ran(kernel, overflow).ExpectPinned(__FILE__);
}

TEST(Numbers, ADivisionByZero) {
    Pin([] {
        auto a = Ub<float>(0, 64), b = Ub<float>(256, 64), c = Ub<float>(512, 64);
        Duplicate(a, 3.0f, 64), Duplicate(b, 2.0f, 64);
        b.SetValue(17, 0.0f), b.SetValue(40, 0.0f), a.SetValue(41, 0.0f), b.SetValue(41, 0.0f);
        for (int i = 0; i < 2; ++i) Div(c, a, b, 64);
    });
}

// One instruction on element 3 of 64, in place or not, with both policies.
template <class T>
void PinOne(float value, Overflow overflow, const std::function<void(LocalTensor<T>, LocalTensor<T>)>& call) {
    const auto kernel = [&] {
        auto a = Ub<T>(0, 64), b = Ub<T>(256, 64);
        Duplicate(a, T(1.0f), 64), Duplicate(b, T(1.0f), 64);
        a.SetValue(3, T(value));
        call(b, a);
    };
    Pin(kernel, overflow);
}
template <class T, class U>
void Rint(LocalTensor<U> to, LocalTensor<U> from) {
    Cast(to.template ReinterpretCast<T>(), from, RoundMode::CAST_RINT, 64);
}

TEST(Numbers, FunctionsSayTheirCause) {
    PinOne<float>(-1, Overflow::kSaturate, [](auto b, auto a) { Ln(b, a, 64); });
    PinOne<float>(0, Overflow::kSaturate, [](auto b, auto a) { Ln(b, a, 64); });
    PinOne<float>(-4, Overflow::kSaturate, [](auto, auto a) { Sqrt(a, a, 64); });
    PinOne<float>(0, Overflow::kSaturate, [](auto, auto a) { Reciprocal(a, a, 64); });
    PinOne<half>(12, Overflow::kInfNan, [](auto b, auto a) { Exp(b, a, 64); });
    PinOne<half>(300, Overflow::kInfNan, [](auto b, auto a) { MulAddDst(b, a, a, 64); });
    PinOne<half>(300, Overflow::kInfNan, [](auto b, auto a) { Muls(b, a, half(-300), 64); });
    PinOne<float>(1e5f, Overflow::kInfNan, Rint<half, float>);
}

TEST(Numbers, ASumOverManyElements) {
    const auto sum = [] {
        auto a = Ub<half>(0, 256), b = Ub<half>(512, 16);
        Duplicate(a, half(1000), 256);
        WholeReduceSum(b, a, 128, 2, 1, 1, 8);
    };
    Pin(sum, Overflow::kInfNan);
}

TEST(Numbers, SaturationHidesIt) {
    PinOne<half>(300, Overflow::kSaturate, [](auto b, auto a) { Mul(b, a, a, 64); });
    PinOne<half>(300, Overflow::kSaturate, [](auto, auto a) { Mul(a, a, a, 64); });
    PinOne<half>(0, Overflow::kSaturate, [](auto b, auto a) { Div(b, a, a, 64); });
    // Data that nobody wrote are NaN in half: `init` says where they matter.
    Pin([] {
        auto a = Ub<half>(0, 64);
        Adds(a, a, half(1), 64);
    });
    Bench b("numbers", "Ascend310P1");
    b.Run(1, [] {
        auto a = Ub<half>(0, 64);
        Duplicate(a, half(300), 64);
        Mul(a, a, a, 64);
    });
    b.ExpectPinned(__FILE__);
}

// The lanes behind the data of a short vector hold anything. With `init` they are its own, and silent where no result
// rests on them; what is wrong with the data is said all the same.
TEST(Numbers, LanesNobodyWroteAreLeftOut) {
    const auto roots = [](float first) {
        auto a = Ub<float>(0, 8);
        auto b = Ub<int16_t>(32, 16);
        a.SetValue(0, first), b.SetValue(0, 2);
        Sqrt(a, a, 8), Mul(b, b, b, 16);
        EXPECT_EQ(b.GetValue(0), 4);
    };
    for (const char* check : {"init,numbers", "all"}) {
        Bench b(check);
        b.Run(1, [&] { roots(4.0f); });
        EXPECT_EQ(b.Text(), "") << check;
    }
    Bench b("init,numbers");
    b.Run(1, [&] { roots(-4.0f); });
    b.ExpectPinned(__FILE__);
    Bench alone("numbers");
    alone.options.numbers = Severity::kFault;
    alone.Run(1, [&] { roots(4.0f); });
    ASSERT_EQ(alone.result.findings.size(), 2u) << alone.Text();
    EXPECT_EQ(alone.result.findings[0].Text().substr(0, 15), "note [nan-born]");
    EXPECT_EQ(alone.result.findings[1].severity, Severity::kNote);
    EXPECT_EQ(alone.result.findings[1].rule, "integer-overflow");
}

TEST(Numbers, IntegersThatDoNotFit) {
    const auto sum = [] {
        auto a = Ub<int32_t>(0, 64);
        Duplicate(a, 2000000000, 64);
        Add(a, a, a, 64);
    };
    Pin(sum);
    Pin(sum, Overflow::kInfNan);
    Pin([] {
        auto a = Ub<int16_t>(0, 64);
        Duplicate(a, int16_t(-200), 64), a.SetValue(9, 1), a.SetValue(63, 163);
        Muls(a, a, int16_t(-201), 64);
    });
    PinOne<float>(32767.6f, Overflow::kSaturate, Rint<int16_t, float>);
}

TEST(Numbers, ANumberThatBecomesZero) {
    PinOne<float>(1e-8f, Overflow::kSaturate, Rint<half, float>);
    PinOne<half>(1e-4f, Overflow::kSaturate, [](auto b, auto a) { Mul(b, a, a, 64); });
}

constexpr uint32_t kM = 20, kN = 24, kK = 40;  // none whole fractals

// A and B full of one number each, given as the bits of two elements of 16 bits or four of 8.
template <class T>
void Multiply(uint32_t a_bits, uint32_t b_bits, int times, MmadParams params) {
    auto a = At<T>(TPosition::A2, 4096), b = At<T>(TPosition::B2, 4096);
    auto c = At<std::conditional_t<sizeof(T) == 1, int32_t, float>>(TPosition::CO1, 32 * 32);
    auto l1 = At<T>(TPosition::A1, 4096);
    for (const bool left : {true, false}) {
        Fill(l1.template ReinterpretCast<uint32_t>(),
             InitConstValueParams<uint32_t>(1, 128, 0, left ? a_bits : b_bits));
        PipeBarrier<PIPE_ALL>();
        LoadData(left ? a : b, l1, LoadData2DParams(0, 8, 1, 0, 0, false, 0));
        PipeBarrier<PIPE_ALL>();
    }
    params.m = kM, params.n = kN, params.k = kK;
    params.cmatrixInitVal = true;
    for (int i = 0; i < times; ++i) {
        Mmad(c, a, b, params);
        PipeBarrier<PIPE_ALL>();
        params.cmatrixInitVal = false;
    }
}

TEST(Numbers, ProductsOfMatrices) {
    // The products of half are exact in float: no sum of so few is infinite.
    EXPECT_EQ(Ran([] { Multiply<half>(0x7BFF7BFF, 0x7BFF7BFF, 2, {}); }, Overflow::kInfNan, CoreChoice::kCube).Text(),
              "");
    // 2^100 in bfloat16; the sums of the second Mmad begin with an infinity.
    Ran([] { Multiply<bfloat16_t>(0x71807180, 0x71807180, 2, {}); }, Overflow::kInfNan, CoreChoice::kCube)
        .ExpectPinned(__FILE__);
    EXPECT_EQ(
        Ran([] { Multiply<bfloat16_t>(0x7F807F80, 0x71807180, 1, {}); }, Overflow::kInfNan, CoreChoice::kCube).Text(),
        "");
    // 3200 times 40 products of 127 and 127 reach past the largest int32_t.
    EXPECT_EQ(
        Ran([] { Multiply<int8_t>(0x7F7F7F7F, 0x7F7F7F7F, 3328, {}); }, Overflow::kInfNan, CoreChoice::kCube).Text(),
        "");
    Ran([] { Multiply<int8_t>(0x7F7F7F7F, 0x81818181, 3330, {}); }, Overflow::kInfNan, CoreChoice::kCube)
        .ExpectPinned(__FILE__);
}

TEST(Numbers, ResultsOnTheWayOutOfL0C) {
    for (const bool hidden : {false, true}) {
        Bench b("numbers");
        b.options.core = CoreChoice::kCube;
        b.options.overflow = hidden ? Overflow::kSaturate : Overflow::kInfNan;
        auto* z = b.Allocate<half>("z", kM * kN, Role::kOutput);
        b.Run(1, [=] {
            Multiply<half>(0x7B007B00, 0x40004000, 1, {});
            FixpipeParamsV220 out;
            out.nSize = kN, out.mSize = kM, out.srcStride = 32, out.dstStride = kN;
            out.quantPre = QuantMode_t::F322F16;
            Fixpipe(Gm<half>(z, kM * kN), At<float>(TPosition::CO1, 32 * 32), out);
        });
        b.ExpectPinned(__FILE__);
        // Hidden results stay as the policy makes them.
        EXPECT_EQ(static_cast<float>(z[17]), hidden ? 65504.0f : std::numeric_limits<float>::infinity());
    }
}

// Infinities the program itself puts there, NaN that was there, padding, lanes off the mask, quantisation.
TEST(Numbers, WhatIsRightIsSilent) {
    for (const Overflow overflow : {Overflow::kSaturate, Overflow::kInfNan}) {
        EXPECT_EQ(Ran(
                      [] {
                          auto a = Ub<float>(0, 64), b = Ub<float>(256, 64);
                          Duplicate(a, -kInf, 64);
                          Adds(b, a, 1.0f, 64);
                          Exp(a, a, 64);
                          Duplicate(a, 0.0f, 64);
                          uint64_t some[2] = {0x0F, 0};
                          Adds(a, a, 1.0f, some, 1, {1, 1, 8, 8});
                          Reciprocal(b, a, some, 1, {1, 1, 8, 8});
                          Reciprocal(b, a, 4, 1, {1, 1, 8, 8});
                          Reciprocal(b, a, 4);
                          Muls(a, a, 1e30f, 64);
                          Cast(b.ReinterpretCast<half>(), b, RoundMode::CAST_RINT, 4);
                          Cast(b.ReinterpretCast<int8_t>(), b.ReinterpretCast<half>(), RoundMode::CAST_RINT, 4);
                          Duplicate(a.ReinterpretCast<int32_t>(), 1 << 30, 64);
                          Adds(a.ReinterpretCast<int32_t>(), a.ReinterpretCast<int32_t>(), (1 << 30) - 1, 64);
                      },
                      overflow)
                      .Text(),
                  "");
    }
}

// They divide by 1 + e^x: that Exp, or a power before it, overflows is how small results come about.
template <class T>
void ActivationsOfLargeNumbers(const char* name) {
    EXPECT_EQ(Ran(
                  [] {
                      auto x = Ub<T>(0, 64), one = Ub<T>(256, 64), y = Ub<T>(512, 64);
                      Duplicate(one, T(1.0f), 64);
                      for (const float value : {-1000.0f, 1000.0f}) {
                          Duplicate(x, T(value), 64);
                          Sigmoid(y, x, 64), Gelu(y, x, 64), FasterGelu(y, x, 64), Silu(y, x, 64);
                          Swish(y, x, 64, T(1.5f)), SwiGLU(y, one, x, 1.5f, 64);
                          if (std::is_same_v<T, float>) GeGLU(y, one, x, 64);
                      }
                  },
                  Overflow::kInfNan)
                  .Text(),
              "")
        << name;
}
TEST(Numbers, ActivationsDivideByInfinity) {
    ActivationsOfLargeNumbers<half>("half");
    ActivationsOfLargeNumbers<float>("float");
    const auto large = [] {
        auto x = Ub<half>(0, 64), z = Ub<half>(256, 64), y = Ub<half>(512, 64);
        Duplicate(x, half(1000), 64);
        Duplicate(z, half(100), 64);
        SwiGLU(y, z, x, 1.0f, 64);
    };
    Pin(large, Overflow::kInfNan);
}

TEST(Numbers, TheSeverityIsAnOption) {
    const auto run = [](Severity severity, uint64_t* records) {
        Bench b("numbers");
        b.options.numbers = severity;
        b.Run(3, [] {
            auto a = Ub<float>(0, 64);
            Duplicate(a, GetBlockIdx() == 0 ? 1.0f : 0.0f, 64);
            for (int i = 0; i < 5; ++i) Reciprocal(a, a, 64), Duplicate(a, GetBlockIdx() == 0 ? 1.0f : 0.0f, 64);
        });
        *records = b.result.records;
        EXPECT_EQ(b.result.findings.size(), 1u);
        const Report& report = b.result.findings[0];
        EXPECT_EQ(report.severity, severity);
        EXPECT_EQ(report.core, "aiv1");
        return report.found;
    };
    uint64_t records = 0;
    for (const Severity severity : {Severity::kNote, Severity::kWarning}) {
        EXPECT_EQ(run(severity, &records), "element 0 is inf from src 0; 640 elements of 10 instructions at this line");
        EXPECT_EQ(records, 33u);
    }
    EXPECT_EQ(run(Severity::kFault, &records),
              "element 0 is inf from src 0; 64 elements of 1 instruction at this line");
    EXPECT_LT(records, 33u);
}

// After a fault the counts are those of one core.
TEST(Numbers, AFaultKeepsWhatCameBefore) {
    for (int i = 0; i < 20; ++i) {
        Bench b("numbers");
        b.Run(8, [] {
            auto a = Ub<float>(0, 64), c = Ub<float>(256, 64);
            Duplicate(a, 0.0f, 64);
            Reciprocal(c, a, 64);
            if (GetBlockIdx() == 2) Trap();
        });
        ASSERT_EQ(b.result.findings.size(), 2u);
        EXPECT_EQ(b.result.findings[0].found, "element 0 is inf from src 0; 64 elements of 1 instruction at this line");
        EXPECT_EQ(b.result.findings[0].core, "aiv0");
        EXPECT_EQ(b.result.findings[1].rule, "trap");
    }
}

TEST(Numbers, AnAtomicSumOverflows) {
    Bench b("numbers");
    b.options.overflow = Overflow::kInfNan;
    auto* z = b.Allocate<half>("z", 64, Role::kInOut, std::vector<half>(64, half(65000)));
    b.Run(2, [=] {
        auto a = Ub<half>(0, 64);
        Duplicate(a, half(300), 64);
        PipeBarrier<PIPE_ALL>();
        SetAtomicAdd<half>();
        DataCopy(Gm<half>(z, 64), a, 64);
        SetAtomicNone();
    });
    b.ExpectPinned(__FILE__);
}

}  // namespace
}  // namespace sfumato::sanitize_test
