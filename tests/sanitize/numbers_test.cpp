// SPDX-License-Identifier: Apache-2.0
// --check numbers: the exact reports, and the programs that are right.
#include <atomic>
#include <limits>

#include "sanitize/launches.h"

namespace sfumato::sanitize_test {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();

// Runs a kernel on one core, whose wrong call stands on the line of `Mark()`.
std::atomic<uint32_t> marked_line;  // of every core: some kernels run on several
void Mark(Where where = Where::Here()) { marked_line = where.line; }

// With {line} for the line of the mark.
std::string TextIn(const Bench& b) {
    std::string text = b.Text();
    const std::string line = ":" + std::to_string(marked_line) + ",";
    for (size_t at; (at = text.find(line)) != std::string::npos;) text.replace(at, line.size(), ":{line},");
    return text;
}

std::string TextOf(const std::function<void()>& kernel, Overflow overflow = Overflow::kSaturate,
                   const char* chip = "Ascend910B1") {
    Bench b("numbers", chip);
    b.options.overflow = overflow;
    b.Run(1, kernel);
    return TextIn(b);
}

// The report of one finding of core aiv0.
std::string Expected(const char* rule, const char* message, int index, const char* found, const char* legal,
                     const char* hint, const char* severity = "warning") {
    return std::string(severity) + " [" + rule + "] " + message +
           "\n  where:  numbers_test.cpp:{line}, kernel kernel, core aiv0, instruction " + std::to_string(index) +
           " (Ascend910B)\n  found:  dst: " + found + "\n  legal:  " + legal + "\n  do:     " + hint;
}

constexpr const char* kFloats = "finite results: of float up to 3.4028235e+38";
constexpr const char* kHalves = "finite results: of half up to 65504";
constexpr const char* kScale = "compute in float and convert at the end, or scale the data before";

TEST(Numbers, ADivisionByZero) {
    const std::string text = TextOf([] {
        auto a = Ub<float>(0, 64), b = Ub<float>(256, 64), c = Ub<float>(512, 64);
        Duplicate(a, 3.0f, 64), Duplicate(b, 2.0f, 64);
        b.SetValue(17, 0.0f), b.SetValue(40, 0.0f), a.SetValue(41, 0.0f), b.SetValue(41, 0.0f);
        for (int i = 0; i < 2; ++i) Mark(), Div(c, a, b, 64);
    });
    const char* hint = "keep the divisor from 0, e.g. add a small number to it, or Select afterwards";
    EXPECT_EQ(text, Expected("nan-born", "Div: NaN is born from finite numbers: a division by 0", 6,
                             "element 41 is nan from src0 0, src1 0; 2 elements of 2 instructions at this line",
                             kFloats, hint) +
                        "\n\n" +
                        Expected("inf-born", "Div: infinity is born from finite numbers: a division by 0", 6,
                                 "element 17 is inf from src0 3, src1 0; 4 elements of 2 instructions at this line",
                                 kFloats, hint));
}

// One instruction on element 3 of 64, in place or not, with both policies.
template <class T>
std::string AfterOne(float value, Overflow overflow, const std::function<void(LocalTensor<T>, LocalTensor<T>)>& call) {
    return TextOf(
        [&] {
            auto a = Ub<T>(0, 64), b = Ub<T>(256, 64);
            Duplicate(a, T(1.0f), 64), Duplicate(b, T(1.0f), 64);
            a.SetValue(3, T(value));
            call(b, a);
        },
        overflow);
}

TEST(Numbers, FunctionsSayTheirCause) {
    const char* limit = "limit the operand first, e.g. Maxs with the smallest number that may come";
    EXPECT_EQ(AfterOne<float>(-1, Overflow::kSaturate, [](auto b, auto a) { Mark(), Ln(b, a, 64); }),
              Expected("nan-born", "Ln: NaN is born from finite numbers: the logarithm of a negative number", 3,
                       "element 3 is nan from src -1", kFloats, limit));
    EXPECT_EQ(AfterOne<float>(0, Overflow::kSaturate, [](auto b, auto a) { Mark(), Ln(b, a, 64); }),
              Expected("inf-born", "Ln: infinity is born from finite numbers: the logarithm of 0", 3,
                       "element 3 is -inf from src 0", kFloats, limit));
    EXPECT_EQ(AfterOne<float>(-4, Overflow::kSaturate, [](auto, auto a) { Mark(), Sqrt(a, a, 64); }),
              Expected("nan-born", "Sqrt: NaN is born from finite numbers: the root of a negative number", 3,
                       "element 3 is nan from src -4", kFloats, limit));
    EXPECT_EQ(AfterOne<float>(0, Overflow::kSaturate, [](auto, auto a) { Mark(), Reciprocal(a, a, 64); }),
              Expected("inf-born", "Reciprocal: infinity is born from finite numbers: a division by 0", 3,
                       "element 3 is inf from src 0", kFloats,
                       "keep the divisor from 0, e.g. add a small number to it, or Select afterwards"));
    EXPECT_EQ(
        AfterOne<half>(12, Overflow::kInfNan, [](auto b, auto a) { Mark(), Exp(b, a, 64); }),
        Expected("inf-born", "Exp: infinity is born from finite numbers: more than 65504, the largest half", 3,
                 "element 3 is inf from src 12", kHalves, "subtract the largest element before Exp, as softmax does"));
    EXPECT_EQ(AfterOne<half>(300, Overflow::kInfNan, [](auto b, auto a) { Mark(), MulAddDst(b, a, a, 64); }),
              Expected("inf-born", "MulAddDst: infinity is born from finite numbers: more than 65504, the largest half",
                       3, "element 3 is inf from src0 300, src1 300, dst 1", kHalves, kScale));
    EXPECT_EQ(AfterOne<half>(300, Overflow::kInfNan, [](auto b, auto a) { Mark(), Muls(b, a, half(-300), 64); }),
              Expected("inf-born", "Muls: infinity is born from finite numbers: more than 65504, the largest half", 3,
                       "element 3 is -inf from src 300, the scalar -300", kHalves, kScale));
    EXPECT_EQ(AfterOne<float>(1e5f, Overflow::kInfNan,
                              [](auto b, auto a) {
                                  Mark(), Cast(b.template ReinterpretCast<half>(), a, RoundMode::CAST_RINT, 64);
                              }),
              Expected("inf-born", "Cast: infinity is born from finite numbers: more than 65504, the largest half", 3,
                       "element 3 is inf from src 100000", kHalves, kScale));
}

TEST(Numbers, ASumOverManyElements) {
    EXPECT_EQ(
        TextOf(
            [] {
                auto a = Ub<half>(0, 256), b = Ub<half>(512, 16);
                Duplicate(a, half(1000), 256);
                Mark(), WholeReduceSum(b, a, 128, 2, 1, 1, 8);
            },
            Overflow::kInfNan),
        Expected("inf-born", "WholeReduceSum: infinity is born from finite numbers: more than 65504, the largest half",
                 1, "element 0 is inf from 128 elements; 2 elements of 1 instruction at this line", kHalves, kScale));
}

TEST(Numbers, SaturationHidesIt) {
    const std::string legal = "saturate is the documented default; the runtime of Ascend910B uses inf and NaN";
    for (const bool in_place : {false, true}) {
        EXPECT_EQ(
            AfterOne<half>(300, Overflow::kSaturate, [=](auto b, auto a) { Mark(), Mul(in_place ? a : b, a, a, 64); }),
            Expected("saturation-hidden",
                     "Mul: the policy saturate hides an infinity: more than 65504, the largest half", 3,
                     "element 3 is 65504 instead of inf from src0 300, src1 300", legal.c_str(), kScale));
    }
    EXPECT_EQ(AfterOne<half>(0, Overflow::kSaturate, [](auto b, auto a) { Mark(), Div(b, a, a, 64); }),
              Expected("saturation-hidden", "Div: the policy saturate hides a NaN: a division by 0", 3,
                       "element 3 is 0 instead of nan from src0 0, src1 0", legal.c_str(),
                       "keep the divisor from 0, e.g. add a small number to it, or Select afterwards"));
    // Data that nobody wrote are NaN in half: `init` says where they matter.
    EXPECT_EQ(TextOf([] {
                  auto a = Ub<half>(0, 64);
                  Mark(), Adds(a, a, half(1), 64);
              }),
              Expected("saturation-hidden", "Adds: the policy saturate hides a NaN, which came with the operands", 0,
                       "element 0 is 0 instead of nan from src nan, the scalar 1 (src still holds the fill pattern of "
                       "UB nobody wrote); 64 elements of 1 instruction at this line",
                       legal.c_str(), "look for the line that wrote the operand, or wrote it not", "note"));
    Bench b("numbers", "Ascend310P1");
    b.Run(1, [] {
        auto a = Ub<half>(0, 64);
        Duplicate(a, half(300), 64);
        Mul(a, a, a, 64);
    });
    ASSERT_EQ(b.result.findings.size(), 1u);
    EXPECT_EQ(b.result.findings[0].legal, "Ascend310P has no other policy: finite results up to 65504");
}

// The lanes behind the data of a short vector hold anything. With `init` they are its own, and silent where no result
// rests on them; what is wrong with the data is said all the same.
TEST(Numbers, LanesNobodyWroteAreLeftOut) {
    const auto roots = [](float first) {
        auto a = Ub<float>(0, 8);
        auto b = Ub<int16_t>(32, 16);
        a.SetValue(0, first), b.SetValue(0, 2);
        Mark(), Sqrt(a, a, 8), Mul(b, b, b, 16);
        EXPECT_EQ(b.GetValue(0), 4);
    };
    for (const char* check : {"init,numbers", "all"}) {
        Bench b(check);
        b.Run(1, [&] { roots(4.0f); });
        EXPECT_EQ(TextIn(b), "") << check;
    }
    const char* message = "Sqrt: NaN is born from finite numbers: the root of a negative number";
    const char* hint = "limit the operand first, e.g. Maxs with the smallest number that may come";
    Bench b("init,numbers");
    b.Run(1, [&] { roots(-4.0f); });
    EXPECT_EQ(TextIn(b), Expected("nan-born", message, 2, "element 0 is nan from src -4", kFloats, hint));
    Bench alone("numbers");
    alone.options.numbers = Severity::kFault;
    alone.Run(1, [&] { roots(4.0f); });
    ASSERT_EQ(alone.result.findings.size(), 2u) << TextIn(alone);
    EXPECT_EQ(alone.result.findings[0].Text().substr(0, 15), "note [nan-born]");
    EXPECT_EQ(alone.result.findings[1].severity, Severity::kNote);
    EXPECT_EQ(alone.result.findings[1].rule, "integer-overflow");
}

TEST(Numbers, IntegersThatDoNotFit) {
    const char *wide = "-2147483648 to 2147483647", *wide_hint = "compute in float, or scale the data before";
    const char *narrow = "-32768 to 32767", *narrow_hint = "compute in int32_t or float";
    const auto sum = [] {
        auto a = Ub<int32_t>(0, 64);
        Duplicate(a, 2000000000, 64);
        Mark(), Add(a, a, a, 64);
    };
    EXPECT_EQ(TextOf(sum),
              Expected("integer-overflow",
                       "Add: an integer result does not fit int32_t, and is limited to the nearest end", 1,
                       "element 0 is 4000000000 exactly, from src0 2000000000, src1 2000000000; 64 elements of 1 "
                       "instruction at this line",
                       wide, wide_hint));
    EXPECT_EQ(TextOf(sum, Overflow::kInfNan),
              Expected("integer-overflow", "Add: an integer result does not fit int32_t, and wraps around", 1,
                       "element 0 is 4000000000 exactly, from src0 2000000000, src1 2000000000; 64 elements of 1 "
                       "instruction at this line",
                       wide, wide_hint));
    EXPECT_EQ(TextOf([] {
                  auto a = Ub<int16_t>(0, 64);
                  Duplicate(a, int16_t(-200), 64), a.SetValue(9, 1), a.SetValue(63, 163);
                  Mark(), Muls(a, a, int16_t(-201), 64);
              }),
              Expected("integer-overflow",
                       "Muls: an integer result does not fit int16_t, and is limited to the nearest end", 3,
                       "element 0 is 40200 exactly, from src -200, the scalar -201; 62 elements of 1 instruction at "
                       "this line",
                       narrow, narrow_hint));
    EXPECT_EQ(AfterOne<float>(32767.6f, Overflow::kSaturate,
                              [](auto b, auto a) {
                                  Mark(), Cast(b.template ReinterpretCast<int16_t>(), a, RoundMode::CAST_RINT, 64);
                              }),
              Expected("integer-overflow", "Cast: a number does not fit int16_t, and is limited to the nearest end", 3,
                       "element 3 from src 32767.6", narrow, narrow_hint));
}

TEST(Numbers, ANumberThatBecomesZero) {
    EXPECT_EQ(
        AfterOne<float>(
            1e-8f, Overflow::kSaturate,
            [](auto b, auto a) { Mark(), Cast(b.template ReinterpretCast<half>(), a, RoundMode::CAST_RINT, 64); }),
        Expected("subnormal-flushed", "Cast: a number that is not 0 becomes 0", 3, "element 3 is 0 from src 1e-08",
                 "results of half from 5.9604645e-08 on", "scale the data before, or keep a wider type", "note"));
    EXPECT_EQ(AfterOne<half>(1e-4f, Overflow::kSaturate, [](auto b, auto a) { Mark(), Mul(b, a, a, 64); }),
              Expected("subnormal-flushed", "Mul: a number that is not 0 becomes 0", 3,
                       "element 3 is 0 from src0 0.000100016594, src1 0.000100016594",
                       "results of half from 5.9604645e-08 on", "scale the data before, or keep a wider type", "note"));
}

constexpr uint32_t kM = 20, kN = 24, kK = 40;  // none whole fractals

// A and B full of one number each, given as the bits of two elements of 16 bits or four of 8.
template <class T>
void Multiply(uint32_t a_bits, uint32_t b_bits, int times, MmadParams params) {
    auto a = LocalTensor<T>(TPosition::A2, 0, 4096), b = LocalTensor<T>(TPosition::B2, 0, 4096);
    auto c = LocalTensor<std::conditional_t<sizeof(T) == 1, int32_t, float>>(TPosition::CO1, 0, 32 * 32);
    auto l1 = LocalTensor<T>(TPosition::A1, 0, 4096);
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
        Mark(), Mmad(c, a, b, params);
        PipeBarrier<PIPE_ALL>();
        params.cmatrixInitVal = false;
    }
}

std::string TextOnCube(const std::function<void()>& kernel, Overflow overflow = Overflow::kInfNan) {
    Bench b("numbers");
    b.options.core = CoreChoice::kCube;
    b.options.overflow = overflow;
    b.Run(1, kernel);
    std::string text = TextIn(b);
    if (const auto at = text.find("aic0"); at != std::string::npos) text.replace(at, 4, "aiv0");
    return text;
}

TEST(Numbers, ProductsOfMatrices) {
    // The products of half are exact in float: no sum of so few is infinite.
    EXPECT_EQ(TextOnCube([] { Multiply<half>(0x7BFF7BFF, 0x7BFF7BFF, 2, {}); }), "");
    // 2^100 in bfloat16; the sums of the second Mmad begin with an infinity.
    EXPECT_EQ(
        TextOnCube([] { Multiply<bfloat16_t>(0x71807180, 0x71807180, 2, {}); }),
        Expected("inf-born", "Mmad: infinity is born from finite numbers: more than 3.4028235e+38, the largest float",
                 8, "element 0 is inf from 80 elements; 480 elements of 1 instruction at this line", kFloats,
                 "scale the data before"));
    EXPECT_EQ(TextOnCube([] { Multiply<bfloat16_t>(0x7F807F80, 0x71807180, 1, {}); }), "");
    // 3200 times 40 products of 127 and 127 reach past the largest int32_t.
    EXPECT_EQ(TextOnCube([] { Multiply<int8_t>(0x7F7F7F7F, 0x7F7F7F7F, 3328, {}); }), "");
    EXPECT_EQ(
        TextOnCube([] { Multiply<int8_t>(0x7F7F7F7F, 0x81818181, 3330, {}); }),
        Expected("integer-overflow", "Mmad: an integer result does not fit int32_t, and is limited to the nearest end",
                 6664,
                 "element 0 is -2147737640 exactly, from 81 elements; 960 elements of 2 instructions at this line",
                 "-2147483648 to 2147483647", "compute in float, or scale the data before"));
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
            Mark(), Fixpipe(Gm<half>(z, kM * kN), LocalTensor<float>(TPosition::CO1, 0, 32 * 32), out);
        });
        std::string text = TextIn(b);
        text.replace(text.find("aic0"), 4, "aiv0");
        EXPECT_EQ(
            text,
            hidden ? Expected("saturation-hidden",
                              "Fixpipe: the policy saturate hides an infinity: more than 65504, the largest half", 10,
                              "element 0 is 65504 instead of inf from src 4587520; 480 elements of 1 "
                              "instruction at this line",
                              "saturate is the documented default; the runtime of Ascend910B uses inf and NaN", kScale)
                   : Expected("inf-born",
                              "Fixpipe: infinity is born from finite numbers: more than 65504, the largest half", 10,
                              "element 0 is inf from src 4587520; 480 elements of 1 instruction at this line", kHalves,
                              kScale));
        // Hidden results stay as the policy makes them.
        EXPECT_EQ(static_cast<float>(z[17]), hidden ? 65504.0f : std::numeric_limits<float>::infinity());
    }
}

// Infinities the program itself puts there, NaN that was there, padding, lanes off the mask, quantisation.
TEST(Numbers, WhatIsRightIsSilent) {
    for (const Overflow overflow : {Overflow::kSaturate, Overflow::kInfNan}) {
        EXPECT_EQ(TextOf(
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
                      overflow),
                  "");
    }
}

// They divide by 1 + e^x: that Exp, or a power before it, overflows is how small results come about.
template <class T>
void ActivationsOfLargeNumbers(const char* name) {
    EXPECT_EQ(TextOf(
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
                  Overflow::kInfNan),
              "")
        << name;
}
TEST(Numbers, ActivationsDivideByInfinity) {
    ActivationsOfLargeNumbers<half>("half");
    ActivationsOfLargeNumbers<float>("float");
    const std::string text = TextOf(
        [] {
            auto x = Ub<half>(0, 64), z = Ub<half>(256, 64), y = Ub<half>(512, 64);
            Duplicate(x, half(1000), 64);
            Duplicate(z, half(100), 64);
            Mark(), SwiGLU(y, z, x, 1.0f, 64);
        },
        Overflow::kInfNan);
    EXPECT_EQ(text, Expected("inf-born",
                             "SwiGLU: Mul: infinity is born from finite numbers: more than 65504, the largest half", 10,
                             "element 0 is inf from src0 100, src1 1000; 64 elements of 1 instruction at this line",
                             kHalves, kScale));
}

TEST(Numbers, TheSeverityIsAnOption) {
    const auto run = [](Severity severity, uint64_t* records) {
        Bench b("numbers");
        b.options.numbers = severity;
        b.Run(3, [] {
            auto a = Ub<float>(0, 64);
            Duplicate(a, GetBlockIdx() == 0 ? 1.0f : 0.0f, 64);
            for (int i = 0; i < 5; ++i)
                Mark(), Reciprocal(a, a, 64), Duplicate(a, GetBlockIdx() == 0 ? 1.0f : 0.0f, 64);
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
        Mark(), DataCopy(Gm<half>(z, 64), a, 64);
        SetAtomicNone();
    });
    ASSERT_EQ(b.result.findings.size(), 1u);
    EXPECT_EQ(TextIn(b), std::string("warning [inf-born] DataCopy: infinity is born from finite numbers: more than "
                                     "65504, the largest half\n  where:  numbers_test.cpp:{line}, kernel kernel, core "
                                     "aiv1, instruction 2 (Ascend910B)\n  found:  dst: element 0 is inf from src 300, "
                                     "dst 65280; 64 elements of 1 instruction at this line\n  legal:  ") +
                             kHalves + "\n  do:     " + kScale);
}

}  // namespace
}  // namespace sfumato::sanitize_test
