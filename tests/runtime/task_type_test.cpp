// SPDX-License-Identifier: Apache-2.0
// The kernel type is known before the launch: no kernel code runs twice, and what a launch cannot know is a fault.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <string>
#include <vector>

#include "kernel_operator.h"
#include "runtime/code/task_types.h"
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

// framework.md 4.1: where a core of each type is.
TEST(TaskType, EveryCoreOfEveryTypeKnowsWhereItIs) {
    const auto tell = [](const char* chip, KernelMetaType type) {
        const auto where = [] {
            AscendC::printf("%d/%d sub %d/%d ratio %d raw %d %d %d type %d cube %d vector %d\n", GetBlockIdx(),
                            GetBlockNum(), GetSubBlockIdx(), GetSubBlockNum(), GetTaskRatio(), int64_t(block_idx),
                            int64_t(block_num), int64_t(sub_block_idx), int(g_coreType), bool(ASCEND_IS_AIC),
                            bool(ASCEND_IS_AIV));
            if (GetTaskRation() != GetTaskRatio()) AscendC::printf("two ratios\n");
        };
        LaunchOptions options;
        Lines lines;
        options.chip = chip;
        options.print = [&](std::string_view text) { lines.emplace_back(text.substr(text.find("] ") + 2)); };
        GlobalMemory memory;
        const auto launch = [&](auto kernel) { return Launch(options, 2, memory, std::function<void()>(kernel)); };
        LaunchResult result;
        switch (type) {
#define CASE(name)                                        \
    case KERNEL_TYPE_##name:                              \
        result = launch([&] {                             \
            KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_##name); \
            where();                                      \
        });                                               \
        break;
            CASE(AIV_ONLY)
            CASE(AIC_ONLY)
            CASE(MIX_AIV_1_0)
            CASE(MIX_AIC_1_0)
            CASE(MIX_AIC_1_1)
            CASE(MIX_AIC_1_2)
            CASE(AICORE)
            CASE(MIX_VECTOR_CORE)
#undef CASE
            default: break;
        }
        EXPECT_TRUE(result.findings.empty()) << type;
        lines.push_back(result.task_type + ", " + result.task_type_from);
        std::sort(lines.begin(), lines.end());  // cores print as they run
        return lines;
    };
    const auto lines = [](Lines of_cores, const std::string& type_and_from) {
        of_cores.push_back(type_and_from);
        std::sort(of_cores.begin(), of_cores.end());
        return of_cores;
    };
    const auto cube = [](int block) {
        const std::string b = std::to_string(block);
        return b + "/2 sub 0/1 ratio 1 raw " + b + " 2 0 type 1 cube 1 vector 0\n";
    };
    const auto vector = [](int block) {
        const std::string b = std::to_string(block);
        return b + "/2 sub 0/1 ratio 1 raw " + b + " 2 0 type 2 cube 0 vector 1\n";
    };
    const auto of_two = [](int block, int sub) {
        const std::string b = std::to_string(block), s = std::to_string(sub);
        return std::to_string(2 * block + sub) + "/2 sub " + s + "/2 ratio 2 raw " + b + " 2 " + s +
               " type 2 cube 0 vector 1\n";
    };
    const auto coupled = [](int block) {
        const std::string b = std::to_string(block);
        return b + "/2 sub 0/1 ratio 1 raw " + b + " 2 0 type 0 cube 1 vector 1\n";
    };
    const auto type = [](const std::string& name) { return "KERNEL_TYPE_" + name + ", declared by KERNEL_TASK_TYPE"; };
    const std::string one_kind = "KERNEL_TYPE_AICORE, the chip has one kind of core";
    EXPECT_EQ(tell("Ascend910B1", KERNEL_TYPE_AIV_ONLY), lines({vector(0), vector(1)}, type("AIV_ONLY")));
    EXPECT_EQ(tell("Ascend910B1", KERNEL_TYPE_MIX_AIV_1_0), lines({vector(0), vector(1)}, type("MIX_AIV_1_0")));
    EXPECT_EQ(tell("Ascend910B1", KERNEL_TYPE_AIC_ONLY), lines({cube(0), cube(1)}, type("AIC_ONLY")));
    EXPECT_EQ(tell("Ascend910B1", KERNEL_TYPE_MIX_AIC_1_0), lines({cube(0), cube(1)}, type("MIX_AIC_1_0")));
    EXPECT_EQ(tell("Ascend910B1", KERNEL_TYPE_MIX_AIC_1_1),
              lines({cube(0), vector(0), cube(1), vector(1)}, type("MIX_AIC_1_1")));
    EXPECT_EQ(tell("Ascend910B1", KERNEL_TYPE_MIX_AIC_1_2),
              lines({cube(0), of_two(0, 0), of_two(0, 1), cube(1), of_two(1, 0), of_two(1, 1)}, type("MIX_AIC_1_2")));
    for (const KernelMetaType t : {KERNEL_TYPE_AICORE, KERNEL_TYPE_MIX_VECTOR_CORE, KERNEL_TYPE_AIV_ONLY}) {
        EXPECT_EQ(tell("Ascend310P3", t), lines({coupled(0), coupled(1)}, one_kind));
    }
}

TEST(TaskType, WhatAQualifierSaysWhatTheLaunchChoosesAndWhatTheCodeNeeds) {
    const auto choose = [](KernelCall call, CoreChoice choice) {
        LaunchOptions options;
        options.core = choice;
        call.run = [] {};
        const LaunchResult result = Print("k", std::function<void()>(call), options).result;
        EXPECT_TRUE(result.findings.empty());
        return result.task_type + ", " + result.task_type_from;
    };
    const auto qualified = [&](const char* qualifier) {
        return choose({.qualifier = qualifier, .use = CodeUse{.vector = true}}, CoreChoice::kMix);
    };
    EXPECT_EQ(qualified("__vector__"), "KERNEL_TYPE_AIV_ONLY, declared by __vector__");
    EXPECT_EQ(qualified("__cube__"), "KERNEL_TYPE_AIC_ONLY, declared by __cube__");
    EXPECT_EQ(qualified("__mix__(1, 0)"), "KERNEL_TYPE_MIX_AIC_1_0, declared by __mix__(1, 0)");
    EXPECT_EQ(qualified("__mix__(0, 1)"), "KERNEL_TYPE_MIX_AIV_1_0, declared by __mix__(0, 1)");
    EXPECT_EQ(qualified("__mix__(1, 1)"), "KERNEL_TYPE_MIX_AIC_1_1, declared by __mix__(1, 1)");
    EXPECT_EQ(qualified("__mix__(1, 2)"), "KERNEL_TYPE_MIX_AIC_1_2, declared by __mix__(1, 2)");
    EXPECT_EQ(choose({.use = CodeUse{.cube = true}}, CoreChoice::kVector),
              "KERNEL_TYPE_AIV_ONLY, chosen by the launch");
    EXPECT_EQ(choose({.use = CodeUse{.vector = true}}, CoreChoice::kCube),
              "KERNEL_TYPE_AIC_ONLY, chosen by the launch");
    EXPECT_EQ(choose({.use = CodeUse{}}, CoreChoice::kMix), "KERNEL_TYPE_MIX_AIC_1_2, chosen by the launch");
    EXPECT_EQ(choose({}, CoreChoice::kDefault), "KERNEL_TYPE_AIV_ONLY, the default");
    const auto derived = [&](CodeUse use) { return choose({.use = use}, CoreChoice::kDefault); };
    EXPECT_EQ(derived({}), "KERNEL_TYPE_AIV_ONLY, derived from its code");
    EXPECT_EQ(derived({.vector = true}), "KERNEL_TYPE_AIV_ONLY, derived from its code");
    EXPECT_EQ(derived({.cube = true}), "KERNEL_TYPE_AIC_ONLY, derived from its code");
    EXPECT_EQ(derived({.cross_core = true}), "KERNEL_TYPE_MIX_AIV_1_0, derived from its code");
    EXPECT_EQ(derived({.vector = true, .cross_core = true}), "KERNEL_TYPE_MIX_AIV_1_0, derived from its code");
    EXPECT_EQ(derived({.cube = true, .cross_core = true}), "KERNEL_TYPE_MIX_AIC_1_0, derived from its code");
    EXPECT_EQ(derived({.cube = true, .vector = true}), "KERNEL_TYPE_MIX_AIC_1_2, derived from its code");
    EXPECT_EQ(derived({true, true, true}), "KERNEL_TYPE_MIX_AIC_1_2, derived from its code");
}

TEST(TaskType, AQualifierThatIsNotedWhereTheLaunchHasNone) {
    const auto choose = [](KernelCall call) {
        call.run = [] {};
        const LaunchResult result = Print("ops::k", std::function<void()>(call)).result;
        return result.task_type + ", " + result.task_type_from;
    };
    const int owner = 0;
    runtime::NoteTaskType({&owner, "ops::k", runtime::TaskType::kAicOnly, std::nullopt, {}, "__cube__"});
    runtime::NoteTaskType({&owner, "ops::scale", runtime::TaskType::kMixAic11, std::nullopt, {}, "__mix__(1, 1)"});
    EXPECT_EQ(choose({}), "KERNEL_TYPE_AIC_ONLY, declared by __cube__");
    EXPECT_EQ(choose({.name = "k"}), "KERNEL_TYPE_AIC_ONLY, declared by __cube__");
    EXPECT_EQ(choose({.name = "ops::scale<float>"}), "KERNEL_TYPE_MIX_AIC_1_1, declared by __mix__(1, 1)");
    EXPECT_EQ(choose({.qualifier = "__vector__"}), "KERNEL_TYPE_AIV_ONLY, declared by __vector__");
    EXPECT_EQ(choose({.name = "other", .use = CodeUse{}}), "KERNEL_TYPE_AIV_ONLY, derived from its code");
    runtime::ForgetTaskType(&owner);
    EXPECT_EQ(choose({}), "KERNEL_TYPE_AIV_ONLY, the default");
}

TEST(TaskType, AMixedKernelTakesAnyNumberOfBlocks) {
    std::atomic<uint32_t> cores = 0;
    LaunchOptions options;
    options.chip = "Ascend910B1";
    options.core = CoreChoice::kMix;
    GlobalMemory memory;
    for (const uint32_t blocks : {1u, 25u, 65535u}) {
        cores = 0;
        EXPECT_TRUE(Launch(options, blocks, memory, std::function<void()>([&] { ++cores; })).ok());
        EXPECT_EQ(cores, 3 * blocks);
    }
    for (const uint32_t blocks : {0u, 65536u}) {
        EXPECT_THROW(Launch(options, blocks, memory, std::function<void()>([] {})), Error);
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
