// SPDX-License-Identifier: Apache-2.0
// Every wrong program of several cores gives its one report, the same under every schedule, and ends.
#include <gtest/gtest.h>

#include <cstring>
#include <exception>
#include <mutex>
#include <optional>
#include <string>

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
constexpr Way kWays[] = {{"eager", 1}, {"eager", 2}, {"serial", 1}, {"late", 1}, {"seed:1", 1}};

// One run of one program. Its cores mark lines from several threads.
struct Session {
    const CoresProgram& program;
    std::mutex mutex;
    std::optional<Where> wrong, earlier, also;
    std::vector<uint8_t> before;  // UB of the core that reports
    bool wrote_after = false;
};
Session* current_session = nullptr;

// False: the mark stands there already.
bool Mark(std::optional<Where> Session::*mark, Where where) {
    std::lock_guard lock(current_session->mutex);
    std::optional<Where>& place = current_session->*mark;
    if (place && place->line == where.line) return false;
    place = where;
    return true;
}

std::vector<uint8_t> Picture(runtime::Core& core) {
    const uint8_t* ub = core.MemoryBase(isa::Memory::kUb);
    return ub ? std::vector<uint8_t>(ub, ub + core.chip().Bytes(isa::Memory::kUb)) : std::vector<uint8_t>();
}

bool Reports(const runtime::Core& core) { return core.place().name == current_session->program.report.core; }

// Compares UB when the kernel's body ends, however it ends.
struct Comparison {
    ~Comparison() {
        runtime::Core* core = runtime::CurrentCore();
        if (!core || !Reports(*core) || !std::uncaught_exceptions()) return;
        current_session->wrote_after = Picture(*core) != current_session->before;
    }
};

std::string Line(const std::optional<Where>& where) {
    return where ? std::string(where->file) + ":" + std::to_string(where->line) : "";
}

std::string FoundOf(const Session& session) {
    std::string found = session.program.report.found;
    const auto replace = [&](std::string_view mark, const std::optional<Where>& where) {
        for (size_t at; (at = found.find(mark)) != std::string::npos;) found.replace(at, mark.size(), Line(where));
    };
    replace("{wrong}", session.wrong);
    replace("{earlier}", session.earlier);
    replace("{also}", session.also);
    return found;
}

LaunchResult RunProgram(Session& session, const Way& way, bool collect) {
    const CoresProgram& program = session.program;
    current_session = &session;
    GlobalMemory memory({.fill = 0});
    uint8_t* gm = memory.Allocate(kGmBytes, "gm");
    EXPECT_EQ(reinterpret_cast<uintptr_t>(gm) % 512, 0u);
    LaunchOptions options;
    options.chip = program.chip;
    options.core = program.core;
    options.kernel = program.name;
    options.schedule = way.schedule;
    options.workers = way.workers;
    options.collect = collect;
    options.print = [](std::string_view) {};
    const KernelCall call{.run = [&] {
                              const Comparison comparison;
                              program.kernel(gm);
                          },
                          .function = program.function ? reinterpret_cast<const void*>(program.kernel) : nullptr,
                          .name = program.function ? program.function : ""};
    LaunchResult result = Launch(options, program.blocks, memory, std::function<void()>(call));
    current_session = nullptr;
    return result;
}

std::vector<CoresProgram> AllCoresPrograms() {
    std::vector<CoresProgram> all;
    for (const auto& part :
         {DeadlockFlagPrograms(), DeadlockMeetingPrograms(), CrossFlagPrograms(), CrossMemoryPrograms()}) {
        all.insert(all.end(), part.begin(), part.end());
    }
    return all;
}

class WrongCores : public testing::TestWithParam<CoresProgram> {};

TEST_P(WrongCores, GiveTheSameReportInEveryRun) {
    const CoresProgram& program = GetParam();
    const Expected& want = program.report;
    for (const Way& way : kWays) {
        if (program.one_worker && way.workers > 1) continue;
        SCOPED_TRACE(std::string(way.schedule) + ", workers: " + std::to_string(way.workers));
        Session session{program, {}, {}, {}, {}, {}};
        const LaunchResult result = RunProgram(session, way, false);
        const Report* report = nullptr;
        std::vector<std::string> others;
        for (const Report& finding : result.findings) {
            if (!report && finding.rule == want.rule) {
                report = &finding;
            } else {
                others.push_back(finding.rule);
            }
        }
        ASSERT_TRUE(report) << want.rule;
        Raised(report->rule);
        EXPECT_STREQ(Name(report->severity), Name(want.severity));
        if (want.in_text()) {
            ExpectText(session.wrong ? session.wrong->file : "", program.name, StableText(result.findings));
            EXPECT_TRUE(report->message.starts_with(report->instruction)) << report->instruction;
        } else {
            EXPECT_EQ(report->instruction, want.instruction);
            EXPECT_EQ(report->operand, want.operand);
            EXPECT_EQ(report->message, want.message);
            EXPECT_EQ(report->found, FoundOf(session));
            EXPECT_EQ(report->legal, want.legal);
            EXPECT_EQ(report->hint, want.hint);
        }
        EXPECT_EQ(report->core, want.core);
        EXPECT_EQ(report->kernel, program.name);
        EXPECT_EQ(report->file + ":" + std::to_string(report->line), Line(session.wrong));
        EXPECT_EQ(others, std::vector<std::string>(program.others.begin(), program.others.end()));
        EXPECT_EQ(result.ok(), want.severity != Severity::kFault);
        EXPECT_FALSE(session.wrote_after);
    }
}

// With faults collected the refused call is left out and the rest goes on: it ends, and tells the same each time.
TEST_P(WrongCores, EndWhenFaultsAreCollected) {
    const CoresProgram& program = GetParam();
    std::string first;
    for (const Way& way : kWays) {
        if (program.one_worker && way.workers > 1) continue;
        Session session{program, {}, {}, {}, {}, {}};
        const LaunchResult result = RunProgram(session, way, true);
        std::string text;
        bool told = false;
        for (const Report& finding : result.findings) {
            text += finding.core + ' ' + finding.Text() + '\n';
            told = told || finding.rule == program.report.rule;
        }
        EXPECT_TRUE(told) << text;
        if (first.empty()) first = text;
        EXPECT_EQ(text, first) << way.schedule << ' ' << way.workers;
    }
}

INSTANTIATE_TEST_SUITE_P(Table, WrongCores, testing::ValuesIn(AllCoresPrograms()),
                         [](const testing::TestParamInfo<CoresProgram>& tested) {
                             return std::string(tested.param.name);
                         });

}  // namespace

void Wrong(Where where) {
    const bool first = Mark(&Session::wrong, where);
    runtime::Core& core = *runtime::CurrentCore();
    if (!Reports(core) || (!first && !current_session->before.empty())) return;
    current_session->before = Picture(core);
}
void Earlier(Where where) { Mark(&Session::earlier, where); }
void Also(Where where) { Mark(&Session::also, where); }

}  // namespace sfumato::wrong
