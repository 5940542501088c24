// SPDX-License-Identifier: Apache-2.0
// Faults of whole launches: hangs, one core of many, collecting, strictness, and options that are refused.
#include <gtest/gtest.h>

#include <chrono>

#include "report/rules.h"
#include "support/raised.h"
#include "wrong_programs.h"

namespace sfumato::wrong {
namespace {

LaunchOptions On(const char* chip) {
    LaunchOptions options;
    options.chip = chip;
    options.kernel = "kernel";
    return options;
}

template <class Thrown>
std::string ErrorOf(const LaunchOptions& options, uint32_t blocks, const std::function<void()>& kernel = [] {}) {
    GlobalMemory memory;
    try {
        Launch(options, blocks, memory, kernel);
    } catch (const Thrown& error) {
        return error.what();
    }
    return "nothing was thrown";
}

uint32_t g_line = 0;

__aicore__ void SomeKeysOnly() {
    g_line = __LINE__ + 1;
    KERNEL_TASK_TYPE(1, KERNEL_TYPE_AIC_ONLY), KERNEL_TASK_TYPE(3, KERNEL_TYPE_AIV_ONLY);
}

// g_line is set by a kernel that runs: these do not.
void ExpectRefused(const LaunchResult& result, uint32_t line, const Report& want) {
    EXPECT_EQ(result.records, 0u);
    ASSERT_EQ(result.findings.size(), 1u);
    const Report& report = result.findings[0];
    Raised(report.rule);
    EXPECT_EQ(report.rule, want.rule);
    EXPECT_EQ(report.severity, Severity::kFault);
    EXPECT_EQ(report.chip, "Ascend910B");
    EXPECT_EQ(report.kernel, "kernel");
    EXPECT_EQ(report.instruction, "KERNEL_TASK_TYPE");
    EXPECT_EQ(report.operand, want.operand);
    EXPECT_EQ(report.message, want.message);
    EXPECT_EQ(report.found, want.found);
    EXPECT_EQ(report.legal, want.legal);
    EXPECT_EQ(report.hint, want.hint);
    EXPECT_TRUE(report.file.ends_with("wrong_launch_test.cpp"));
    EXPECT_EQ(report.line, line);
}

TEST(WrongLaunch, ATaskTypeForSomeTilingKeysNeedsADefault) {
    LaunchOptions options = On("Ascend310P3");
    GlobalMemory memory;
    const std::function<void()> call = KernelCall{.run = SomeKeysOnly,
                                                  .function = reinterpret_cast<const void*>(SomeKeysOnly),
                                                  .name = "SomeKeysOnly"};
    EXPECT_TRUE(Launch(options, 1, memory, call).ok()) << "one kind of core";
    const uint32_t line = g_line;
    g_line = 0;
    Report want;
    want.rule = Rule::kTaskTypeNoDefault;
    want.message = "KERNEL_TASK_TYPE: the tiling keys that have no type of their own have none";
    want.found = "KERNEL_TASK_TYPE for the tiling keys 1, 3 alone";
    want.legal = "KERNEL_TASK_TYPE_DEFAULT beside every KERNEL_TASK_TYPE";
    want.hint = "add KERNEL_TASK_TYPE_DEFAULT with the type of the other keys";
    options = On("Ascend910B1");
    for (const uint64_t key : {0, 1}) {
        options.tiling_key = key;
        ExpectRefused(Launch(options, 1, memory, call), line, want);
    }
    EXPECT_EQ(g_line, 0u) << "it ran";
}

__aicore__ void DeclaresCube() {
    g_line = __LINE__ + 1;
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
}

TEST(WrongLaunch, ATaskTypeAndAQualifierMustAgree) {
    const auto launch = [](const char* chip, const char* qualifier) {
        GlobalMemory memory;
        const std::function<void()> call = KernelCall{.run = DeclaresCube,
                                                      .function = reinterpret_cast<const void*>(DeclaresCube),
                                                      .name = "DeclaresCube",
                                                      .qualifier = qualifier};
        return Launch(On(chip), 1, memory, call);
    };
    EXPECT_TRUE(launch("Ascend910B1", "__cube__").ok());
    EXPECT_TRUE(launch("Ascend310P3", "__vector__").ok()) << "one kind of core";
    const uint32_t line = g_line;
    g_line = 0;
    Report want;
    want.rule = Rule::kTaskTypeConflict;
    want.operand = "KERNEL_TYPE_AIC_ONLY";
    want.message = "KERNEL_TASK_TYPE: the qualifier of the function says otherwise";
    want.hint = "remove one of the two";
    want.found = "KERNEL_TYPE_AIC_ONLY in a function with __vector__";
    want.legal = "__vector__ means KERNEL_TYPE_AIV_ONLY";
    ExpectRefused(launch("Ascend910B1", "__vector__"), line, want);
    want.found = "KERNEL_TYPE_AIC_ONLY in a function with __mix__(1, 0)";
    want.legal = "__mix__(1, 0) means KERNEL_TYPE_MIX_AIC_1_0";
    ExpectRefused(launch("Ascend910B1", "__mix__(1, 0)"), line, want);
    EXPECT_EQ(g_line, 0u) << "it ran";
}

// The report of an instruction on the wrong kind of core names the type, and what helps against it.
TEST(WrongLaunch, AnInstructionOnTheWrongKindOfCore) {
    const auto report = [](std::string qualifier, CoreChoice choice) {
        LaunchOptions options = On("Ascend910B1");
        options.core = choice;
        GlobalMemory memory;
        const LaunchResult result =
            Launch(options, 1, memory, KernelCall{.run = [] {
                                                      auto a = Ub<half>(0, 128);
                                                      Adds(a, a, half(0), 128);
                                                  },
                                                  .qualifier = std::move(qualifier)});
        return result.findings.empty() ? std::string("none")
                                       : result.findings[0].found + " | " + result.findings[0].hint;
    };
    EXPECT_EQ(report("", CoreChoice::kCube),
              "the kernel runs on a cube core; its type is KERNEL_TYPE_AIC_ONLY, chosen by the launch | declare "
              "KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY), run with --core aiv, or guard the call with "
              "ASCEND_IS_AIV");
    EXPECT_EQ(report("__cube__", CoreChoice::kDefault),
              "the kernel runs on a cube core; its type is KERNEL_TYPE_AIC_ONLY, declared by __cube__ | declare a type "
              "that has vector cores, or guard the call with ASCEND_IS_AIV");
    EXPECT_EQ(report("", CoreChoice::kMix),
              "the kernel runs on a cube core; its type is KERNEL_TYPE_MIX_AIC_1_2, chosen by the launch | guard the "
              "call with ASCEND_IS_AIV");
}

__aicore__ void WaitsForEver() { WaitFlag<HardEvent::MTE2_V>(0); }

TEST(WrongLaunch, AHangIsReportedAtOnceUnderEverySchedule) {
    for (const char* schedule : {"eager", "late", "ahead", "seed:1"}) {
        LaunchOptions options = On("Ascend910B1");
        options.schedule = schedule;
        GlobalMemory memory;
        const auto begin = std::chrono::steady_clock::now();
        const LaunchResult result = Launch(options, 8, memory, std::function<void()>(WaitsForEver));
        EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5)) << schedule;
        ASSERT_EQ(result.findings.size(), 1u) << schedule;
        EXPECT_EQ(result.findings[0].rule, "wait-never-satisfied") << schedule;
        EXPECT_EQ(result.findings[0].core, "aiv0") << schedule;
    }
}

__aicore__ void FaultsOnSomeCores() {
    auto a = Ub<half>(0, 128);
    Duplicate(a, half(0), 128);
    const int64_t block = GetBlockIdx();
    for (int64_t i = 0; i < 200 * (7 - block); ++i) Adds(a, a, half(0), 128);
    if (block >= 3) Add(a[16 + block], a, a, 16);
}

TEST(WrongLaunch, TheSameReportInEveryRun) {
    std::string first;
    for (int run = 0; run < 50; ++run) {
        GlobalMemory memory;
        const LaunchResult result = Launch(On("Ascend910B1"), 8, memory, std::function<void()>(FaultsOnSomeCores));
        ASSERT_EQ(result.findings.size(), 1u);
        EXPECT_FALSE(result.ok());
        EXPECT_EQ(result.findings[0].core, "aiv3");
        EXPECT_EQ(result.findings[0].found, "byte offset 38 in UB");
        if (run == 0) first = result.findings[0].Text();
        EXPECT_EQ(result.findings[0].Text(), first);
    }
}

__aicore__ void ThreeFaults(GM_ADDR gm) {
    auto a = Ub<int16_t>(0, 256);
    Duplicate(a, 7, 256);
    Add(a[1], a, a, 16);
    Adds(a, a, 1, 256);
    Add(a, a, a, 257);
    auto out = Gm<int16_t>(gm, 256);
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    DataCopy(out, a, 256);
    DataCopy(out[256], a, 16);
}

TEST(WrongLaunch, CollectGoesOnAfterAFault) {
    GlobalMemory memory;
    uint8_t* gm = memory.Allocate(512, "gm");
    LaunchOptions options = On("Ascend910B1");
    options.collect = true;
    const LaunchResult result = Launch(options, 1, memory, ThreeFaults, gm);
    std::vector<std::string> rules;
    std::vector<uint64_t> indices;
    for (const Report& report : result.findings) {
        rules.push_back(Name(report.rule));
        indices.push_back(report.index);
    }
    EXPECT_EQ(rules, (std::vector<std::string>{"ub-alignment", "count-exceeds-tensor", "gm-out-of-range"}));
    EXPECT_EQ(indices, (std::vector<uint64_t>{1, 3, 7}));
    EXPECT_FALSE(result.ok());
    for (int i = 0; i < 256; ++i) EXPECT_EQ(reinterpret_cast<int16_t*>(gm)[i], 8) << i;
}

__aicore__ void DropsATail(GM_ADDR gm) {
    auto a = Ub<int16_t>(0, 32);
    Duplicate(a, 7, 32);
    DataCopy(Gm<int16_t>(gm, 256), a, 20);
}

TEST(WrongLaunch, StrictTurnsWarningsIntoFaults) {
    GlobalMemory memory;
    uint8_t* gm = memory.Allocate(512, "gm");
    LaunchOptions options = On("Ascend910B1");
    const LaunchResult warned = Launch(options, 1, memory, DropsATail, gm);
    ASSERT_EQ(warned.findings.size(), 1u);
    EXPECT_EQ(warned.findings[0].severity, Severity::kWarning);
    EXPECT_TRUE(warned.ok());
    EXPECT_EQ(gm[0], 7);
    gm[0] = 1;
    options.strict = true;
    const LaunchResult refused = Launch(options, 1, memory, DropsATail, gm);
    ASSERT_EQ(refused.findings.size(), 1u);
    EXPECT_EQ(refused.findings[0].rule, "copy-tail");
    EXPECT_EQ(refused.findings[0].severity, Severity::kFault);
    EXPECT_FALSE(refused.ok());
    EXPECT_EQ(gm[0], 1);
}

__aicore__ void WarnsTwiceOnEveryCore(GM_ADDR gm) {
    auto a = Ub<int16_t>(0, 32);
    for (int i = 0; i < 2; ++i) DataCopy(a, Gm<int16_t>(gm, 256), 20);
}

TEST(WrongLaunch, AWarningOfManyCoresComesOnce) {
    GlobalMemory memory;
    uint8_t* gm = memory.Allocate(512, "gm");
    const LaunchResult result = Launch(On("Ascend910B1"), 8, memory, WarnsTwiceOnEveryCore, gm);
    ASSERT_EQ(result.findings.size(), 1u);
    EXPECT_EQ(result.findings[0].rule, "copy-tail");
    EXPECT_EQ(result.findings[0].core, "aiv0");
}

TEST(WrongLaunch, ChipsWithoutAscendC) {
    const std::string rest =
        " has no Ascend C, only TIK: Ascend C kernels run on Ascend910, Ascend310P, Ascend910B, Ascend310B, Ascend950";
    EXPECT_EQ(ErrorOf<UnsupportedError>(On("Ascend310"), 1), "Ascend310" + rest);
    EXPECT_EQ(ErrorOf<UnsupportedError>(On("Ascend310P-Vector"), 1), "Ascend310P-Vector" + rest);
}

TEST(WrongLaunch, UnknownChip) {
    const std::string unknown = ErrorOf<UnsupportedError>(On("Ascend910B9"), 1);
    EXPECT_EQ(unknown.find("unknown chip 'Ascend910B9'; did you mean Ascend910B"), 0u) << unknown;
    EXPECT_NE(unknown.find("Ascend310P3"), std::string::npos) << unknown;
    EXPECT_EQ(ErrorOf<UnsupportedError>(On(""), 1).find("no chip was named\n"), 0u);
}

TEST(WrongLaunch, NumberOfBlocks) {
    EXPECT_EQ(ErrorOf<Error>(On("Ascend910B1"), 0), "Launch: 0 blocks; legal are 1 to 65535");
    EXPECT_EQ(ErrorOf<Error>(On("Ascend910B1"), 65536), "Launch: 65536 blocks; legal are 1 to 65535");
}

TEST(WrongLaunch, OverflowPolicyTheChipLacks) {
    LaunchOptions options = On("Ascend910A");
    options.overflow = Overflow::kInfNan;
    EXPECT_EQ(ErrorOf<UnsupportedError>(options, 1),
              "Ascend910 has no inf/nan mode: legal overflow policies are saturate and board (which is saturate "
              "there)");
}

TEST(WrongLaunch, UnknownSchedule) {
    for (const char* text : {"latest", "seed:", "seed:x", "seed:-1", ""}) {
        LaunchOptions options = On("Ascend910B1");
        options.schedule = text;
        EXPECT_EQ(ErrorOf<Error>(options, 1),
                  std::string("unknown schedule '") + text +
                      "': legal are eager, serial, late, ahead, seed:N (N a number), all and all:N; for several ranks skew, skew:R, torn and torn:N, too");
    }
}

TEST(WrongLaunch, LaunchInsideAKernel) {
    GlobalMemory memory;
    const LaunchResult result = Launch(On("Ascend910B1"), 1, memory, std::function<void()>([&memory] {
        Launch(On("Ascend910B1"), 1, memory, std::function<void()>(WaitsForEver));
    }));
    ASSERT_EQ(result.findings.size(), 1u);
    EXPECT_EQ(result.findings[0].rule, "exception");
    EXPECT_EQ(result.findings[0].found, "Launch: called from inside a kernel");
}

TEST(WrongLaunch, KernelCalledWithoutLaunch) {
    try {
        WaitsForEver();
        FAIL() << "nothing was thrown";
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "WaitFlag: called outside a kernel launch");
    }
}

}  // namespace
}  // namespace sfumato::wrong
