// SPDX-License-Identifier: Apache-2.0
// Every mistake of host code and its report.
#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <thread>
#include <vector>

#include "op/host_calls.h"
#include "support/golden.h"

namespace sfumato::op {
namespace {

const Definition& Defined(const HostLibrary& library, const char* name) {
    static std::map<std::string, Definition> known;
    return known.try_emplace(name, library.DefinitionFor(name, "Ascend910B1", true)).first->second;
}

Call CallOf(int64_t mode, bool strict = false) {
    Call call;
    call.chip = "Ascend910B1";
    call.strict = strict;
    call.inputs = {{TensorOf({8, 16}, 0)}, {}, {TensorOf({3}, 0)}};
    call.outputs = {{TensorOf({8, 16}, 0)}};
    call.attrs = {mode, 1.0f, std::vector<int64_t>{1, 2}};
    return call;
}

std::string TileReport(const HostLibrary& library, const char* name, const Call& call) {
    return WithoutFolders(ReportFrom([&] { library.Tile(Defined(library, name), call); }));
}

TEST(Misuse, OfATilingFunctionIsReported) {
    const HostLibrary library(PathOf("misuse"));
    for (const int64_t mode : {0,  1,  2,  3,  4,  5,  6,  9,  10, 11, 12, 13, 14, 15, 16, 17,
                               18, 19, 20, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34}) {
#ifdef __aarch64__
        if (mode == 29) continue;  // a division by zero is 0 there
#endif
        ExpectText(__FILE__, "tiling " + std::to_string(mode), TileReport(library, "Misuse", CallOf(mode)));
    }
}

TEST(Misuse, ThreadsCrashAlone) {
    const HostLibrary library(PathOf("misuse"));
    const Definition& definition = Defined(library, "Misuse");
    std::vector<std::thread> threads;
    std::atomic<int> faults{0}, tilings{0};
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&, t] {
            for (const int64_t mode : {0, 28, 0, 34, 1, 25, 0}) {
                try {
                    tilings += library.Tile(definition, CallOf(mode + 100 * (mode == 0) * t)).blocks == 1;
                } catch (const KernelError&) {
                    ++faults;
                }
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(faults, 16);
    EXPECT_EQ(tilings, 12);
}

TEST(Misuse, OfPlainIndicesIsAWarningAndStrictlyAFault) {
    const HostLibrary library(PathOf("misuse"));
    for (const int64_t mode : {7, 8}) {
        const Tiling tiling = library.Tile(Defined(library, "Misuse"), CallOf(mode));
        ASSERT_EQ(tiling.findings.size(), 1u);
        const std::string text = tiling.findings[0].Text();
        ExpectText(__FILE__, "index " + std::to_string(mode), text);
        EXPECT_EQ(text.substr(0, 8), "warning ");
        EXPECT_EQ(TileReport(library, "Misuse", CallOf(mode, true)), "fault " + text.substr(8));
    }
}

TEST(Misuse, KeysThatTheChipDataLackAreNoted) {
    const HostLibrary library(PathOf("misuse"));
    for (const int64_t mode : {21, 22}) {
        const Tiling tiling = library.Tile(Defined(library, "Misuse"), CallOf(mode, true));
        ASSERT_EQ(tiling.findings.size(), 1u);
        ExpectText(__FILE__, "key " + std::to_string(mode), tiling.findings[0].Text());
        Raised(tiling.findings[0].rule);
    }
}

TEST(Misuse, OfAnInferenceIsReported) {
    const HostLibrary library(PathOf("misuse"));
    for (const int64_t mode : {0, 1, 2, 3, 4}) {
        Call call = CallOf(mode);
        call.outputs.clear();
        ExpectText(__FILE__, "inference " + std::to_string(mode),
                   ReportFrom([&] { library.Infer(Defined(library, "Misuse"), call); }));
        EXPECT_EQ(call.outputs.at(0).empty(), mode != 0);
    }
}

TEST(Misuse, FunctionsThatFailOrLackAreReported) {
    const HostLibrary library(PathOf("misuse"));
    for (const char* name : {"BadParse", "NoTiling"}) ExpectText(__FILE__, name, TileReport(library, name, CallOf(0)));
}

TEST(Misuse, OfADefinitionIsReported) {
    const HostLibrary library(PathOf("definitions"));
    const char* const cases[] = {"TwoLengths",
                                 "FormatLength",
                                 "EmptyTypes",
                                 "EmptyFree",
                                 "NoTypes",
                                 "VersionGap",
                                 "VersionRequired",
                                 "TwoInputs",
                                 "TwoAttrs",
                                 "AttrWithoutType",
                                 "NoConfig",
                                 "Nothing",
                                 "Unnamed",
                                 "Virtual",
                                 "FollowsNothing",
                                 "Initials",
                                 "Throws",
                                 "Talks",
                                 "TooMany",
                                 "Twice",
                                 "A3",
                                 "Good"};
    for (const char* name : cases) {
        ExpectText(__FILE__, name, ReportFrom([&] { library.DefinitionFor(name, "Ascend910B1", true); }));
    }
    EXPECT_EQ(library.names().size(), std::size(cases));
}

TEST(Misuse, ChipsOfA3HaveTheirOwnConfiguration) {
    const HostLibrary library(PathOf("definitions"));
    EXPECT_EQ(library.DefinitionFor("A3", "Ascend910_9392", true).chips, std::vector<std::string>{"ascend910_93"});
    EXPECT_EQ(library.DefinitionFor("Good", "Ascend910_9392", false).chips, std::vector<std::string>{"ascend910b"});
    ExpectText(__FILE__, "GoodOnA3", ReportFrom([&] { library.DefinitionFor("Good", "Ascend910_9392", true); }));
}

}  // namespace
}  // namespace sfumato::op
