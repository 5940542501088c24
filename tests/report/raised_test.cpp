// SPDX-License-Identifier: Apache-2.0
// Every row of the table of rules is raised by a test of whoever finds it, which pins the report.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "report/rules.h"

namespace sfumato {
namespace {

using Ids = std::set<std::string>;

Ids RaisedBy(const std::string& program) {
    std::ifstream file(SFUMATO_RAISED "/" + program + ".txt");
    EXPECT_TRUE(file) << program << " has left no list: run it with ctest";
    return Ids(std::istream_iterator<std::string>(file), {});
}

// Rules of records that no Ascend C program can break; tests/check breaks them with records.
const std::map<std::string, std::string> kUnreachable = {
    {"deqscale-not-taken", "TIK only: Ascend C keeps the scale in a register, which other conversions ignore"},
    {"deqscale-address", "deqscale-tensor refuses such a tensor before"},
    {"half-block-unsupported", "every CastDeq to 8 bits of every chip chooses a half"},
    {"stride-range", "the members of the parameter structs hold legal values only"},
    {"pad-to-gm", "DataCopyPad to global memory takes no padding"},
};

// Tests of what host programs, operator projects and the toolkit folder do wrong.
constexpr const char* kOfHosts[] = {
    "host_test",       "launch_test",          "op_test",         "wrong_projects_test", "aclnn_test",
    "aclnn_call_test", "aclnn_single_op_test", "project_toolkit", "forms_test",          "reference_hosts_test"};

// Programs of several ranks, and the calls of their hosts.
constexpr const char* kOfRanks[] = {"wrong_ranks", "sanitize_ranks", "host_ranks", "hccl_wrong_test"};

TEST(Raised, EveryRule) {
    Ids programs = RaisedBy("wrong_programs");
    programs.merge(RaisedBy("wrong_cores"));
    programs.merge(RaisedBy("wrong_names"));
    programs.merge(RaisedBy("frontend_matmul"));
    programs.merge(RaisedBy("frontend_unlisted"));
    programs.merge(RaisedBy("frontend_raw"));
    programs.merge(RaisedBy("time_test"));
    programs.merge(RaisedBy("debug_builds_test"));
    programs.merge(RaisedBy("registers"));
    programs.merge(RaisedBy("moves950"));
    for (const char* test : kOfRanks) programs.merge(RaisedBy(test));
    Ids command = RaisedBy("command_test");
    command.merge(RaisedBy("findings_test"));
    command.merge(RaisedBy("raw_test"));
    command.merge(RaisedBy("control_test"));
    command.merge(RaisedBy("ends_test"));
    const Ids records = RaisedBy("check_rules"), tik = RaisedBy("frontend_tik"), scripts = RaisedBy("python");
    Ids host;
    for (const char* test : kOfHosts) host.merge(RaisedBy(test));
    for (const char* test : kOfRanks) host.merge(RaisedBy(test));
    Ids checks = RaisedBy("sanitize_outputs");
    for (const char* test : {"sanitize_numbers", "sanitize_init", "sanitize_pairs", "sanitize_ranks"})
        checks.merge(RaisedBy(test));
    for (const RuleInfo& rule : kRules) {
        switch (rule.finder) {
            case Finder::kRecord:
                EXPECT_TRUE(records.contains(rule.id)) << rule.id << ": add a wrong record to tests/check";
                [[fallthrough]];
            case Finder::kProgram:
                EXPECT_NE(programs.contains(rule.id), kUnreachable.contains(rule.id))
                    << rule.id
                    << ": add a program to tests/frontends/wrong_*.cpp, or say in kUnreachable why none can be";
                break;
            case Finder::kTik:
                EXPECT_TRUE(tik.contains(rule.id) || scripts.contains(rule.id))
                    << rule.id << ": add a script to tests/python/tik_wrong_scripts.txt";
                break;
            case Finder::kCommand:
                EXPECT_TRUE(command.contains(rule.id))
                    << rule.id << ": add a kernel to tests/tools/command_test.py or ends_test.py";
                break;
            case Finder::kHost:
                EXPECT_TRUE(host.contains(rule.id))
                    << rule.id << ": add a program to tests/host, or a project to tests/op/wrong_projects.txt";
                break;
            case Finder::kSanitize:
                EXPECT_TRUE(checks.contains(rule.id)) << rule.id << ": add a launch to tests/sanitize";
                break;
        }
    }
}

// A test that expects a rule the table does not have expects what cannot come.
TEST(Raised, NothingElse) {
    std::vector<const char*> programs(std::begin(kOfHosts), std::end(kOfHosts));
    programs.insert(programs.end(), std::begin(kOfRanks), std::end(kOfRanks));
    programs.insert(programs.end(),
                    {"check_rules", "wrong_programs", "wrong_cores", "frontend_tik", "python", "command_test",
                     "findings_test", "sanitize_outputs", "sanitize_numbers", "registers", "moves950"});
    for (const char* program : programs) {
        for (const std::string& id : RaisedBy(program)) EXPECT_TRUE(FindRule(id)) << program << ": " << id;
    }
}

}  // namespace
}  // namespace sfumato
