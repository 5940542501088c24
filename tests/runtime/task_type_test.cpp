// SPDX-License-Identifier: Apache-2.0
// The kernel type is known before the launch: no kernel code runs twice, and what a launch cannot know is a fault.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <string>
#include <vector>

#include "kernel_operator.h"
#include "runtime/task_types.h"
#include "sfumato/launch.h"

namespace sfumato {
namespace {

using namespace AscendC;

std::atomic<int> g_entered = 0;

#define KERNEL_OF_TYPE(name, type)            \
    void name() {                             \
        KERNEL_TASK_TYPE_DEFAULT(type);       \
        static const int first = ++g_entered; \
        AscendC::printf("%d\n", first);       \
    }
KERNEL_OF_TYPE(AivOnly, KERNEL_TYPE_AIV_ONLY)
KERNEL_OF_TYPE(AicOnly, KERNEL_TYPE_AIC_ONLY)
KERNEL_OF_TYPE(MixAiv10, KERNEL_TYPE_MIX_AIV_1_0)
KERNEL_OF_TYPE(MixAic10, KERNEL_TYPE_MIX_AIC_1_0)
KERNEL_OF_TYPE(MixAic11, KERNEL_TYPE_MIX_AIC_1_1)
KERNEL_OF_TYPE(MixAic12, KERNEL_TYPE_MIX_AIC_1_2)

template <int kKind>
void Chosen() {
    KERNEL_TASK_TYPE_DEFAULT(kKind == 0 ? KERNEL_TYPE_AIC_ONLY : KERNEL_TYPE_MIX_AIC_1_1);
    AscendC::printf("here\n");
}

struct Printed {
    std::vector<std::string> printed;
    LaunchResult result;
};
template <class Kernel>
Printed Print(const char* name, Kernel kernel, LaunchOptions options = {}) {
    Printed run;
    options.chip = options.chip.empty() ? "Ascend910B1" : options.chip;
    options.kernel = name;
    options.print = [&](std::string_view text) { run.printed.emplace_back(text); };
    GlobalMemory memory;
    run.result = Launch(options, 1, memory, kernel);
    std::sort(run.printed.begin(), run.printed.end());
    return run;
}
using Lines = std::vector<std::string>;

TEST(TaskType, EveryKernelRunsOnceOnTheCoresItDeclares) {
    const struct {
        const char* name;
        void (*kernel)();
        Lines cores;
    } kCases[] = {{"AivOnly", AivOnly, {"AIV Block 0/1"}},
                  {"AicOnly", AicOnly, {"AIC Block 0/1"}},
                  {"MixAiv10", MixAiv10, {"AIV Block 0/1"}},
                  {"MixAic10", MixAic10, {"AIC Block 0/1"}},
                  {"MixAic11", MixAic11, {"AIC Block 0/1", "AIV Block 0/1"}},
                  {"MixAic12", MixAic12, {"AIC Block 0/1", "AIV Block 0/1", "AIV Block 1/1"}}};
    int entered = 0;
    for (const auto& c : kCases) {
        for (const CoreChoice choice : {CoreChoice::kDefault, CoreChoice::kCube, CoreChoice::kMix}) {
            LaunchOptions options;
            options.core = choice;
            const Printed run = Print(c.name, c.kernel, options);
            EXPECT_TRUE(run.result.findings.empty()) << c.name;
            if (choice == CoreChoice::kDefault) ++entered;
            Lines want;
            for (const std::string& core : c.cores) want.push_back("[" + core + "] " + std::to_string(entered) + "\n");
            EXPECT_EQ(run.printed, want) << c.name;
            EXPECT_EQ(g_entered, entered) << c.name << ": its static state was entered again";
        }
    }
}

TEST(TaskType, ALambdaIsKnownByItsType) {
    const Printed run = Print("", [] {
        KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
        AscendC::printf("a\n");
    });
    EXPECT_TRUE(run.result.ok());
    EXPECT_EQ(run.printed, (Lines{"[AIC Block 0/1] a\n"}));
}

TEST(TaskType, TemplatesAreToldApart) {
    EXPECT_EQ(Print("Chosen<0>", Chosen<0>).printed, (Lines{"[AIC Block 0/1] here\n"}));
    EXPECT_EQ(Print("Chosen<1>", Chosen<1>).printed, (Lines{"[AIC Block 0/1] here\n", "[AIV Block 0/1] here\n"}));
}

void Helper() { KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY); }
void ByHelper() {
    AscendC::printf("before\n");
    Helper();
    AscendC::printf("after\n");
}

TEST(TaskType, WhatTheLaunchCouldNotKnowIsAFaultThatSaysWhatToPass) {
    const Printed run = Print("ByHelper", ByHelper);
    EXPECT_EQ(run.printed, (Lines{"[AIV Block 0/1] before\n"})) << "the kernel ran again";
    ASSERT_EQ(run.result.findings.size(), 1u);
    const Report& report = run.result.findings[0];
    EXPECT_EQ(report.rule, "task-type-unforeseen");
    EXPECT_EQ(report.operand, "KERNEL_TYPE_AIC_ONLY");
    EXPECT_EQ(report.hint,
              "declare it there, or choose the cores: LaunchOptions::core = CoreChoice::kCube, --core aic");
    LaunchOptions options;
    options.core = CoreChoice::kCube;
    EXPECT_EQ(Print("ByHelper", ByHelper, options).printed,
              (Lines{"[AIC Block 0/1] after\n", "[AIC Block 0/1] before\n"}));
}

void Contradiction() {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
}

TEST(TaskType, ContradictingDeclarationsAreAFault) {
    const Printed run = Print("Contradiction", Contradiction);
    ASSERT_EQ(run.result.findings.size(), 1u);
    EXPECT_EQ(run.result.findings[0].rule, "task-type-unforeseen");
}

TEST(TaskType, NamesOfClosuresGiveTheFunction) {
    EXPECT_EQ(runtime::EnclosingFunction("ZN3ops5tmplILi3ELb1EEEvPhEUlvE_"), "ZN3ops5tmplILi3ELb1EEEvPhEUlvE_");
    EXPECT_EQ(runtime::EnclosingFunction("ZN3ops4tmplILi3ELb1EEEvPhEUlvE_"), "ops::tmpl<3, true>(unsigned char*)");
    EXPECT_EQ(runtime::EnclosingFunction("Z5plainEUlvE_"), "plain");
    EXPECT_EQ(runtime::EnclosingFunction("Z5plainE3$_0"), "plain");
    EXPECT_EQ(runtime::EnclosingFunction("ZZ4mainENKUliE_clEiEUlvE_"), "main::{lambda(int)#1}::operator()(int) const");
}

}  // namespace
}  // namespace sfumato
