// SPDX-License-Identifier: Apache-2.0
// Every mistake of host code with its exact report.
#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <thread>
#include <vector>

#include "op/host_calls.h"

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

struct Case {
    int64_t mode;
    const char* report;
};

std::string TileReport(const HostLibrary& library, const char* name, const Call& call) {
    return WithoutFolders(ReportFrom([&] { library.Tile(Defined(library, name), call); }));
}

TEST(Misuse, OfATilingFunctionIsReported) {
    const HostLibrary library(PathOf("misuse"));
    const Case cases[] = {
        {0, R"(none)"},
        {1, R"(fault [op-dim-range] GetDim: the shape has no dimension 2
  where:  misuse.cpp:1 (Ascend910B)
  found:  dimension 2 of (8, 16)
  legal:  0 to 1)"},
        {2, R"(fault [op-dim-range] operator[]: the shape has no dimension -1
  where:  misuse.cpp:2 (Ascend910B)
  found:  dimension -1 of (1, 2)
  legal:  0 to 1)"},
        {3, R"(fault [op-dim-range] SetDim: the shape has no dimension 2
  where:  misuse.cpp:3 (Ascend910B)
  found:  dimension 2 of (1, 2)
  legal:  0 to 1)"},
        {4, R"(fault [op-dim-range] SetDimNum: a shape has no more than 25 dimensions
  where:  misuse.cpp:4 (Ascend910B)
  found:  26 dimensions
  legal:  0 to 25)"},
        {5, R"(fault [op-dim-range] operator[]: the shape has no dimension 5
  where:  misuse.cpp:5 (Ascend910B)
  found:  dimension 5 of (8, 16)
  legal:  0 to 1)"},
        {6, R"(fault [op-index] GetInputShape: there is no input 4
  where:  misuse.cpp:6 (Ascend910B)
  found:  4
  legal:  0 to 1; declared are x, bias, y)"},
        {9, R"(fault [op-index] GetOptionalInputShape: no input 3 is declared
  where:  misuse.cpp:9 (Ascend910B)
  found:  3
  legal:  0 to 2)"},
        {10, R"(fault [op-index] GetOutputShape: there is no output 1
  where:  misuse.cpp:10 (Ascend910B)
  found:  1
  legal:  0 to 0; declared are z)"},
        {11, R"(fault [op-attr-type] GetAttrPointer: attribute 1 is declared as Float
  where:  misuse.cpp:11 (Ascend910B)
  found:  scale: read as double
  legal:  float)"},
        {12, R"(fault [op-attr-type] GetInt: there is no attribute 9
  where:  misuse.cpp:12 (Ascend910B)
  found:  9
  legal:  0 to 2)"},
        {13, R"(fault [op-attr-type] GetAttrPointer: attribute 2 is declared as ListInt
  where:  misuse.cpp:13 (Ascend910B)
  found:  list: read as a list of integers of 4 bytes
  legal:  ContinuousVector, TypedContinuousVector<int64_t>)"},
        {14, R"(fault [op-attr-type] GetBool: attribute 0 is declared as Int
  where:  misuse.cpp:14 (Ascend910B)
  found:  mode: read as bool
  legal:  an integer)"},
        {15, R"(fault [op-tiling-data] SetDataSize: the tiling data do not fit their buffer
  where:  misuse.cpp:15 (Ascend910B)
  found:  20000 bytes
  legal:  0 to 16384 bytes (GetCapacity))"},
        {16, R"(fault [op-tiling-data] Misuse: the tiling data were written, and their size was not set
  where:  misuse.cpp:100 (Ascend910B)
  found:  0 bytes
  legal:  GetRawTilingData()->SetDataSize(size))"},
        {17, R"(fault [op-blocks] SetBlockDim: a launch has 1 to 65535 blocks
  where:  misuse.cpp:17 (Ascend910B)
  found:  0
  legal:  1 to 65535)"},
        {18, R"(fault [op-workspace] GetWorkspaceSizes: workspace 1 of 2 has no size
  where:  misuse.cpp:18 (Ascend910B)
  found:  not set
  legal:  a number of bytes)"},
        {19, R"(fault [op-workspace] GetWorkspaceSizes: more workspaces than a launch has
  where:  misuse.cpp:19 (Ascend910B)
  found:  33
  legal:  0 to 32)"},
        {20, R"(fault [op-blocks] Misuse: the tiling function did not set the number of blocks
  where:  misuse.cpp:100 (Ascend910B)
  found:  no SetBlockDim
  legal:  1 to 65535)"},
        {23, R"(fault [op-tiling] GetCompileInfo: the compile information is of another type than TilingParse makes
  where:  misuse.cpp:23 (Ascend910B)
  found:  optiling::Data
  legal:  optiling::Info)"},
        {24, R"(fault [op-tiling] Misuse: the tiling function failed
  where:  misuse.cpp:100 (Ascend910B)
  other:  misuse.cpp:24, look: 7
  other:  misuse.cpp:24, bad shape
  found:  GRAPH_FAILED (4294967295))"},
        {25, R"(fault [op-tiling] Misuse: the tiling function threw an exception
  where:  misuse.cpp:100 (Ascend910B)
  found:  out of luck)"},
        {26, R"(fault [op-tiling] Misuse: the tiling function threw an exception
  where:  misuse.cpp:100 (Ascend910B)
  found:  int)"},
        {27, R"(fault [op-dim-range] GetDim: the shape has no dimension 7
  where:  misuse.cpp:27 (Ascend910B)
  found:  dimension 7 of (8, 16)
  legal:  0 to 1)"},
        {28, R"(fault [op-tiling] Misuse: the tiling function goes through a null pointer
  where:  misuse.cpp:28 (Ascend910B)
  other:  misuse.cpp:28, GetOptionalInputShape gave nullptr
  found:  address 208)"},
        {29, R"(fault [op-tiling] Misuse: the tiling function divides by zero
  where:  misuse.cpp:29 (Ascend910B)
  found:  an integer divided by 0)"},
        {30, R"(fault [op-blocks] SetBlockDim: a launch has 1 to 65535 blocks
  where:  misuse.cpp:30 (Ascend910B)
  found:  65536
  legal:  1 to 65535)"},
        {31, R"(fault [op-tiling] Misuse: the tiling function failed
  where:  misuse.cpp:100 (Ascend910B)
  found:  GRAPH_PARAM_INVALID (50331649))"},
        {32, R"(fault [op-tiling] Misuse: the tiling function reaches memory that is not there
  where:  misuse.cpp:32 (Ascend910B)
  found:  address 0x123456789000)"},
        {33, R"(fault [op-tiling] Misuse: the tiling function failed
  where:  misuse.cpp:100 (Ascend910B)
  found:  7)"},
        {34, R"(fault [op-tiling] Misuse: the tiling function goes through a null pointer
  where:  misuse.cpp:34 (Ascend910B)
  found:  address 0)"},
    };
    for (const Case& one : cases) {
#ifdef __aarch64__
        if (one.mode == 29) continue;  // a division by zero is 0 there
#endif
        EXPECT_EQ(TileReport(library, "Misuse", CallOf(one.mode)), one.report) << one.mode;
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
    const Case cases[] = {
        {7, R"([op-index] GetInputDesc: input 1 counts the given ones, and `bias` before it is absent
  where:  misuse.cpp:7 (Ascend910B)
  found:  input 1 of those given
  do:     use the call with Optional, Required or Dynamic: it counts declarations)"},
        {8, R"([op-index] GetInputShape: input 2 counts the given ones, and `bias` before it is absent
  where:  misuse.cpp:8 (Ascend910B)
  found:  input 2, of only 2 given
  do:     use the call with Optional, Required or Dynamic: it counts declarations)"},
    };
    for (const Case& one : cases) {
        EXPECT_EQ(TileReport(library, "Misuse", CallOf(one.mode, true)), std::string("fault ") + one.report);
        const Tiling tiling = library.Tile(Defined(library, "Misuse"), CallOf(one.mode));
        ASSERT_EQ(tiling.findings.size(), 1u);
        EXPECT_EQ(tiling.findings[0].Text(), std::string("warning ") + one.report);
    }
}

TEST(Misuse, KeysThatTheChipDataLackAreNoted) {
    const HostLibrary library(PathOf("misuse"));
    const Case cases[] = {
        {21, R"(note [platform-key] GetPlatformResWithLock: the chip data have no such key
  where:  misuse.cpp:21 (Ascend910B)
  found:  AICoreSpec, speed
  legal:  AICoreSpec: bt_size, fb_size, l0_a_size, l0_b_size, l0_c_size, l1_size, ub_size, ubblock_size)"},
        {22, R"(note [platform-key] GetPlatformResWithLock: the chip data have no such table
  where:  misuse.cpp:22 (Ascend910B)
  found:  Weather, rain
  legal:  AICoreSpec, SoCInfo, version)"},
    };
    for (const Case& one : cases) {
        const Tiling tiling = library.Tile(Defined(library, "Misuse"), CallOf(one.mode, true));
        ASSERT_EQ(tiling.findings.size(), 1u);
        EXPECT_EQ(tiling.findings[0].Text(), one.report);
        Raised(tiling.findings[0].rule);
    }
}

TEST(Misuse, OfAnInferenceIsReported) {
    const HostLibrary library(PathOf("misuse"));
    const Case cases[] = {
        {0, R"(none)"},
        {1, R"(fault [op-infer] Misuse: InferShape gives a negative dimension
  where:  misuse.cpp:210 (Ascend910B)
  found:  z: (4, -1)
  legal:  dimensions of 0 or more: every shape is known here)"},
        {2, R"(fault [op-infer] Misuse: InferShape failed
  where:  misuse.cpp:210 (Ascend910B)
  other:  misuse.cpp:202, cannot tell
  found:  GRAPH_FAILED (4294967295))"},
        {3, R"(fault [op-dim-range] GetDim: the shape has no dimension 9
  where:  misuse.cpp:203 (Ascend910B)
  found:  dimension 9 of (8, 16)
  legal:  0 to 1)"},
        {4, R"(fault [op-infer] Misuse: InferDataType gives a type that is none
  where:  misuse.cpp:210 (Ascend910B)
  found:  z: 28
  legal:  a ge::DataType)"},
    };
    for (const Case& one : cases) {
        Call call = CallOf(one.mode);
        call.outputs.clear();
        EXPECT_EQ(ReportFrom([&] { library.Infer(Defined(library, "Misuse"), call); }), one.report) << one.mode;
        EXPECT_EQ(call.outputs.at(0).empty(), one.mode != 0);
    }
}

TEST(Misuse, FunctionsThatFailOrLackAreReported) {
    const HostLibrary library(PathOf("misuse"));
    EXPECT_EQ(TileReport(library, "BadParse", CallOf(0)), R"(fault [op-tiling] BadParse: TilingParse failed
  where:  misuse.cpp:101 (Ascend910B)
  other:  misuse.cpp:40, no such chip
  found:  GRAPH_FAILED (4294967295))");
    EXPECT_EQ(TileReport(library, "NoTiling", CallOf(0)),
              R"(fault [op-tiling] NoTiling: the operator has no tiling function
  where:  misuse.cpp:302 (Ascend910B)
  found:  none
  legal:  AICore().SetTiling(function), or IMPL_OP_OPTILING(Op).Tiling(function))");
}

TEST(Misuse, OfADefinitionIsReported) {
    const HostLibrary library(PathOf("definitions"));
    const std::pair<const char*, const char*> cases[] = {
        {"TwoLengths", R"(fault [op-definition] TwoLengths: lists of types and formats are of one length
  where:  definitions.cpp:1 (Ascend910B)
  found:  DataType of `z`: 1
  legal:  2, as DataType of `x`)"},
        {"FormatLength", R"(fault [op-definition] FormatLength: lists of types and formats are of one length
  where:  definitions.cpp:2 (Ascend910B)
  found:  Format of `x`: 1
  legal:  2, as DataType of `x`)"},
        {"EmptyTypes", R"(fault [op-definition] EmptyTypes: DataType of `x` is empty
  where:  definitions.cpp:3 (Ascend910B)
  found:  0
  legal:  one at least)"},
        {"EmptyFree", R"(fault [op-definition] EmptyFree: DataTypeList of `z` is empty
  where:  definitions.cpp:4 (Ascend910B)
  found:  0
  legal:  one at least)"},
        {"NoTypes", R"(fault [op-definition] NoTypes: `z` has no element types
  where:  definitions.cpp:5 (Ascend910B)
  found:  none
  legal:  DataType, DataTypeList)"},
        {"VersionGap", R"(fault [op-definition] VersionGap: the versions of inputs and attributes leave one out
  where:  definitions.cpp:22 (Ascend910B)
  found:  1, 3
  legal:  1, 2, ... without a gap)"},
        {"VersionRequired",
         R"(fault [op-definition] VersionRequired: `a` is required, and older aclnn functions do not have it
  where:  definitions.cpp:23 (Ascend910B)
  found:  Version(1)
  legal:  OPTIONAL, or no Version)"},
        {"TwoInputs", R"(fault [op-definition] TwoInputs: two inputs have one name
  where:  definitions.cpp:6 (Ascend910B)
  found:  `x` twice
  legal:  names that differ)"},
        {"TwoAttrs", R"(fault [op-definition] TwoAttrs: two attributes have one name
  where:  definitions.cpp:7 (Ascend910B)
  found:  `a` twice
  legal:  names that differ)"},
        {"AttrWithoutType", R"(fault [op-definition] AttrWithoutType: attribute `a` has no type
  where:  definitions.cpp:8 (Ascend910B)
  found:  none
  legal:  Bool, Int, Float, String, ListBool, ListInt, ListFloat, ListListInt)"},
        {"NoConfig", R"(fault [op-definition] NoConfig: the operator has no configuration of an AI Core
  where:  definitions.cpp:9 (Ascend910B)
  found:  no AddConfig
  legal:  AICore().AddConfig("ascend910b"))"},
        {"Nothing", R"(fault [op-definition] Nothing: the operator has neither inputs nor outputs
  where:  definitions.cpp:10 (Ascend910B)
  found:  none
  legal:  one at least)"},
        {"Unnamed", R"(fault [op-definition] Unnamed: an input has no name
  where:  definitions.cpp:11 (Ascend910B)
  found:  ""
  legal:  a name)"},
        {"Virtual", R"(fault [op-definition] Virtual: `x` has no ParamType that is known here
  where:  definitions.cpp:12 (Ascend910B)
  found:  VIRTUAL
  legal:  REQUIRED, OPTIONAL, DYNAMIC)"},
        {"FollowsNothing", R"(fault [op-definition] FollowsNothing: `z` follows an input that is not declared
  where:  definitions.cpp:13 (Ascend910B)
  found:  y
  legal:  x)"},
        {"Initials", R"(fault [op-definition] Initials: `z` has initial values that differ from column to column
  where:  definitions.cpp:14 (Ascend910B)
  found:  InitValue of a list
  legal:  one value)"},
        {"Throws", R"(fault [op-definition] Throws: the constructor of the definition threw an exception
  where:  definitions.cpp:15
  found:  out of luck)"},
        {"Talks", R"(fault [comm-unsupported] Talks: the operator communicates with other devices
  where:  definitions.cpp:16 (Ascend910B)
  found:  MC2(), group group
  legal:  operators of one device)"},
        {"TooMany", R"(fault [op-definition] TooMany: the free lists combine to too many columns
  where:  definitions.cpp:17 (Ascend910B)
  found:  131072 columns
  legal:  at most 65536)"},
        {"Twice", R"(fault [op-definition] Twice: the operator is defined twice
  where:  definitions.cpp:19 (Ascend910B)
  found:  OP_ADD twice
  legal:  one, as in definitions.cpp:18)"},
        {"A3", R"(fault [op-chip] A3: the operator has no AddConfig for the chip
  where:  definitions.cpp:20 (Ascend910B)
  found:  ascend910b (Ascend910B1)
  legal:  ascend910_93)"},
        {"Good", R"(none)"},
    };
    for (const auto& [name, report] : cases)
        EXPECT_EQ(ReportFrom([&, n = name] { library.DefinitionFor(n, "Ascend910B1", true); }), report) << name;
    EXPECT_EQ(library.names().size(), std::size(cases));
}

TEST(Misuse, ChipsOfA3HaveTheirOwnConfiguration) {
    const HostLibrary library(PathOf("definitions"));
    EXPECT_EQ(library.DefinitionFor("A3", "Ascend910_9392", true).chips, std::vector<std::string>{"ascend910_93"});
    EXPECT_EQ(library.DefinitionFor("Good", "Ascend910_9392", false).chips, std::vector<std::string>{"ascend910b"});
    EXPECT_EQ(ReportFrom([&] { library.DefinitionFor("Good", "Ascend910_9392", true); }),
              R"(fault [op-chip] Good: the operator has no AddConfig for the chip
  where:  definitions.cpp:21 (Ascend910B)
  found:  ascend910_93 (Ascend910_9392)
  legal:  ascend910b
  do:     strict=False takes ascend910b for it)");
}

}  // namespace
}  // namespace sfumato::op
