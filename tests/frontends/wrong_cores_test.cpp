// SPDX-License-Identifier: Apache-2.0
// Every wrong program of several cores gives its one report, the same under every schedule, and ends.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <mutex>
#include <optional>
#include <string>

#include "report/rules.h"
#include "runtime/cores/core.h"
#include "support/golden.h"
#include "support/raised.h"
#include "wrong_cores.h"

namespace sfumato::wrong {

void PrintTo(const CoresProgram& program, std::ostream* out) { *out << program.name; }

namespace {

constexpr uint64_t kGmBytes = 65536;

struct Way {
    const char* schedule;
    uint32_t workers;
};
constexpr Way kWays[] = {{"eager", 1}, {"eager", 2}, {"serial", 1}, {"late", 1}, {"ahead", 2}, {"seed:1", 1}};

// One run of one program. Its cores mark lines from several threads.
struct Session {
    const CoresProgram& program;
    std::mutex mutex;
    std::optional<Where> wrong;
    std::vector<uint8_t> before;  // UB of the core that reports
    bool wrote_after = false;
};
Session* current_session = nullptr;

std::vector<uint8_t> Picture(runtime::Core& core) {
    const uint8_t* ub = core.MemoryBase(isa::Memory::kUb);
    return ub ? std::vector<uint8_t>(ub, ub + core.chip().Bytes(isa::Memory::kUb)) : std::vector<uint8_t>();
}

bool Reports(const runtime::Core& core) { return core.place().name == current_session->program.launched.reports; }

// Compares UB when the kernel's body ends, however it ends.
struct Comparison {
    ~Comparison() {
        runtime::Core* core = runtime::CurrentCore();
        if (!core || !Reports(*core) || !std::uncaught_exceptions()) return;
        current_session->wrote_after = Picture(*core) != current_session->before;
    }
};

LaunchResult RunProgram(Session& session, const Way& way, bool collect) {
    const CoresProgram& program = session.program;
    current_session = &session;
    GlobalMemory memory({.fill = 0});
    uint8_t* gm = memory.Allocate(kGmBytes, "gm");
    EXPECT_EQ(reinterpret_cast<uintptr_t>(gm) % 512, 0u);
    LaunchOptions options;
    options.chip = program.launched.chip;
    options.core = program.launched.core;
    options.kernel = program.name;
    options.schedule = way.schedule;
    options.workers = way.workers;
    options.collect = collect;
    options.print = [](std::string_view) {};
    const KernelCall call{.run = [&] {
                              const Comparison comparison;
                              program.kernel(gm);
                          },
                          .function = program.launched.function ? reinterpret_cast<const void*>(program.kernel) : nullptr,
                          .name = program.launched.function ? program.launched.function : ""};
    LaunchResult result = Launch(options, program.launched.blocks, memory, std::function<void()>(call));
    current_session = nullptr;
    return result;
}

class WrongCores : public testing::TestWithParam<CoresProgram> {};

TEST_P(WrongCores, GiveTheSameReportInEveryRun) {
    const CoresProgram& program = GetParam();
    for (const Way& way : kWays) {
        if (program.launched.one_worker && way.workers > 1) continue;
        SCOPED_TRACE(std::string(way.schedule) + ", workers: " + std::to_string(way.workers));
        Session session{program, {}, {}, {}, {}};
        const LaunchResult result = RunProgram(session, way, false);
        ASSERT_TRUE(session.wrong);
        ExpectReports(session.wrong->file, program.name, result.findings);
        const auto report = std::find_if(result.findings.begin(), result.findings.end(),
                                         [&](const Report& finding) { return finding.rule == program.rule; });
        ASSERT_NE(report, result.findings.end()) << program.rule;
        Raised(report->rule);
        EXPECT_TRUE(report->message.starts_with(report->instruction)) << report->instruction;
        EXPECT_EQ(report->severity, Info(*FindRule(program.rule)).severity);
        EXPECT_EQ(report->core, program.launched.reports);
        EXPECT_EQ(report->kernel, program.name);
        EXPECT_EQ(report->file, session.wrong->file);
        EXPECT_EQ(report->line, session.wrong->line);
        EXPECT_EQ(result.ok(), report->severity != Severity::kFault);
        EXPECT_FALSE(session.wrote_after);
    }
}

// With faults collected the refused call is left out and the rest goes on: it ends, and tells the same each time.
TEST_P(WrongCores, EndWhenFaultsAreCollected) {
    const CoresProgram& program = GetParam();
    std::string first;
    for (const Way& way : kWays) {
        if (program.launched.one_worker && way.workers > 1) continue;
        Session session{program, {}, {}, {}, {}};
        const LaunchResult result = RunProgram(session, way, true);
        std::string text;
        bool told = false;
        for (const Report& finding : result.findings) {
            text += finding.core + ' ' + finding.Text() + '\n';
            told = told || finding.rule == program.rule;
        }
        EXPECT_TRUE(told) << text;
        if (first.empty()) first = text;
        EXPECT_EQ(text, first) << way.schedule << ' ' << way.workers;
    }
}

INSTANTIATE_TEST_SUITE_P(Table, WrongCores, testing::ValuesIn(Table<CoresProgram>::All()),
                         [](const testing::TestParamInfo<CoresProgram>& tested) {
                             return std::string(tested.param.name);
                         });

}  // namespace

void Wrong(Where where) {
    std::lock_guard lock(current_session->mutex);
    std::optional<Where>& place = current_session->wrong;
    const bool first = !place || place->line != where.line;
    if (first) place = where;
    runtime::Core& core = *runtime::CurrentCore();
    if (!Reports(core) || (!first && !current_session->before.empty())) return;
    current_session->before = Picture(core);
}

}  // namespace sfumato::wrong
