// SPDX-License-Identifier: Apache-2.0
// Definition, inference and tiling of small operators.
#include "op/host_library.h"

#include <gtest/gtest.h>

#include <cstring>

#include "host/device.h"
#include "op/host_calls.h"

namespace sfumato::op {
namespace {

constexpr int kFloat = 0, kHalf = 1, kInt64 = 9;

template <class T>
T At(const std::string& data, size_t offset) {
    T value;
    std::memcpy(&value, data.data() + offset, sizeof value);
    return value;
}

TEST(HostLibrary, ReadsInfersAndTilesAddCustom) {
    const HostLibrary library(PathOf("add_custom"));
    EXPECT_EQ(library.names(), std::vector<std::string>{"AddCustom"});
    const Definition definition = library.DefinitionFor("AddCustom", "Ascend910B1", true);
    ASSERT_EQ(definition.inputs.size(), 2u);
    EXPECT_EQ(definition.inputs[1].name, "y");
    EXPECT_EQ(definition.columns, 2u);
    EXPECT_EQ(definition.outputs[0].types, (std::vector<int>{kHalf, kFloat}));
    EXPECT_EQ(definition.chips, (std::vector<std::string>{"ascend910b", "ascend310p"}));
    ASSERT_EQ(library.TilingClasses("AddCustom").size(), 1u);
    EXPECT_EQ(library.TilingClasses("AddCustom")[0].name, "AddCustomTilingData");
    EXPECT_EQ(library.TilingClasses("AddCustom")[0].bytes, 8u);

    Call call;
    call.chip = "Ascend910B1";
    call.inputs = {{TensorOf({8, 2048}, kHalf)}, {TensorOf({8, 2048}, kHalf)}};
    ASSERT_TRUE(library.Infer(definition, call));
    EXPECT_EQ(call.outputs[0][0].spec.shape, (std::vector<int64_t>{8, 2048}));
    EXPECT_EQ(call.outputs[0][0].spec.type, kHalf);
    const Tiling tiling = library.Tile(definition, call);
    EXPECT_EQ(tiling.blocks, 8u);
    EXPECT_EQ(tiling.workspaces, std::vector<uint64_t>{0});
    EXPECT_EQ(tiling.data, std::string("\x00\x40\x00\x00\x08\x00\x00\x00", 8));
    // Another chip, the same code.
    call.chip = "Ascend910B3";
    EXPECT_EQ(library.Tile(definition, call).blocks, 6u);
}

class Fractal : public testing::Test {
protected:
    using Dims = std::vector<int64_t>;
    static constexpr int kNd = 2, kNz = 29;

    // After inference, of the only input x in this column.
    Call CallOf(const char* op, size_t column, Spec x) {
        definition_ = library_.DefinitionFor(op, "Ascend910B1", true);
        Call call;
        call.chip = "Ascend910B1";
        call.column = column;
        call.inputs = {{{std::move(x), nullptr}}};
        EXPECT_TRUE(library_.Infer(definition_, call));
        return call;
    }
    // The int64_t that the tiling function wrote.
    Dims Seen(const Call& call) {
        const std::string data = library_.Tile(definition_, call).data;
        Dims seen(data.size() / 8);
        std::memcpy(seen.data(), data.data(), data.size());
        return seen;
    }

    HostLibrary library_{PathOf("fractal_custom")};
    Definition definition_;
};

TEST_F(Fractal, HostCodeSeesTheMatrixAndWhatIsStored) {
    const Call call = CallOf("FractalCustom", 0, {{3, 2, 16, 16}, kHalf, kNz, {20, 40}});
    EXPECT_EQ(call.outputs[0][0].spec.shape, (Dims{3, 2, 16, 16}));
    EXPECT_EQ(call.outputs[0][0].spec.origin, (Dims{20, 40}));
    EXPECT_EQ(call.outputs[1][0].spec.shape, (Dims{20, 40}));  // in ND
    EXPECT_EQ(call.outputs[1][0].spec.origin, Dims());
    EXPECT_EQ(Seen(call), (Dims{20, 40, 3, 2, 16, 16, 4, 20, 40, 4, kNd, kNz}));
}

TEST_F(Fractal, WithoutAnOriginTheMatrixIsOfWholeFractals) {
    const Call call = CallOf("FractalCustom", 0, {{3, 2, 16, 16}, kHalf, kNz});
    EXPECT_EQ(call.outputs[0][0].spec.shape, (Dims{3, 2, 16, 16}));
    EXPECT_EQ(call.outputs[1][0].spec.shape, (Dims{32, 48}));
    EXPECT_EQ(Seen(call), (Dims{32, 48, 3, 2, 16, 16, 4, 32, 48, 4, kNd, kNz}));
}

TEST_F(Fractal, OutputsHaveFractalsOfTheInputsElse32Bytes) {
    EXPECT_EQ(CallOf("FractalCustom", 1, {{3, 2, 16, 16}, kFloat, kNz, {20, 40}}).outputs[0][0].spec.shape,
              (Dims{3, 2, 16, 16}));
    EXPECT_EQ(CallOf("FractalCustom", 1, {{5, 2, 16, 8}, kFloat, kNz, {20, 40}}).outputs[0][0].spec.shape,
              (Dims{5, 2, 16, 8}));
    const Call from_nd = CallOf("FractalCustom", 2, {{7, 20, 41}, kFloat, kNd});
    EXPECT_EQ(from_nd.outputs[0][0].spec.shape, (Dims{7, 6, 2, 16, 8}));
    EXPECT_EQ(from_nd.outputs[0][0].spec.origin, (Dims{7, 20, 41}));
    // What follows follows the matrix.
    const Call follows = CallOf("FollowsFractal", 0, {{3, 2, 16, 16}, kHalf, kNz, {20, 40}});
    EXPECT_EQ(follows.outputs[0][0].spec.shape, (Dims{2, 2, 16, 32}));
    EXPECT_EQ(follows.outputs[1][0].spec.shape, (Dims{20, 40}));
}

TEST_F(Fractal, OnlyMatricesLieInFractals) {
    EXPECT_EQ(WithoutPlace(ReportFrom([&] {
                  CallOf("FractalCustom", 2, {{7}, kFloat, kNd});
              })),
              "fault [op-infer] FractalCustom: only matrices lie in FRACTAL_NZ\n"
              "  found:  z: float32[7] FRACTAL_NZ\n"
              "  legal:  two dimensions or more: InferShape gives those of the origin");
}

class Gather : public testing::Test {
protected:
    Call CallOf() {
        Call call;
        call.chip = "Ascend910B1";
        call.inputs = {{TensorOf({8, 16}, kHalf)},
                       {},
                       {TensorOf({3, 1}, kHalf), TensorOf({4, 1}, kHalf)},
                       {TensorOf({2}, kInt64, offsets_)}};
        call.attrs = {int64_t{5},
                      2.0f,
                      true,
                      std::string("mean"),
                      std::vector<int64_t>{10, 20},
                      std::vector<float>{1, 0.25},
                      std::vector<bool>{false, true},
                      std::vector<std::vector<int64_t>>{{1}, {1, 2, 3}}};
        return call;
    }

    const int64_t offsets_[2] = {100, 200};
    HostLibrary library_{PathOf("gather_custom")};
    Definition definition_ = library_.DefinitionFor("GatherCustom", "Ascend910B1", true);
};

TEST_F(Gather, ExpandsItsColumns) {
    // 2 of DataType, times 2 types of bias, times 3 formats of offsets.
    EXPECT_EQ(definition_.columns, 12u);
    const std::vector<int> x = {1, 27, 1, 27, 1, 27, 1, 27, 1, 27, 1, 27};
    EXPECT_EQ(definition_.inputs[0].types, x);
    EXPECT_EQ(definition_.inputs[1].types, (std::vector<int>{0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1}));
    EXPECT_EQ(definition_.inputs[2].types, x);
    EXPECT_EQ(definition_.inputs[3].types, std::vector<int>(12, kInt64));
    EXPECT_EQ(definition_.inputs[3].formats, (std::vector<int>{2, 2, 2, 2, 0, 0, 0, 0, 29, 29, 29, 29}));
    EXPECT_EQ(definition_.outputs[0].types, x);
    EXPECT_EQ(definition_.outputs[0].formats, std::vector<int>(12, 2));
}

TEST_F(Gather, KeepsWhatTheChainSays) {
    EXPECT_EQ(definition_.name, "GatherCustom");
    EXPECT_EQ(definition_.inputs[1].type, ParamType::kOptional);
    EXPECT_EQ(definition_.inputs[2].type, ParamType::kDynamic);
    EXPECT_TRUE(definition_.inputs[1].ignore_contiguous && definition_.inputs[2].auto_contiguous);
    EXPECT_TRUE(definition_.inputs[3].value_depend && !definition_.inputs[0].value_depend);
    EXPECT_EQ(definition_.outputs[0].follow, "x");
    EXPECT_TRUE(definition_.outputs[0].follow_type && !definition_.outputs[0].follow_shape);
    EXPECT_EQ(definition_.outputs[1].initial, 0.0);
    EXPECT_FALSE(definition_.outputs[0].initial.has_value());
    EXPECT_EQ(definition_.file, "gather_file");
    EXPECT_EQ(definition_.kernel, "gather_kernel");
    EXPECT_EQ(definition_.version, 2u);
    EXPECT_EQ(definition_.inputs[3].version, 1u);
    EXPECT_EQ(definition_.attrs.back().version, 2u);
    EXPECT_EQ(definition_.inputs[0].version + definition_.attrs[0].version, 0u);
    ASSERT_EQ(definition_.attrs.size(), 8u);
    EXPECT_TRUE(definition_.attrs[0].required && !definition_.attrs[1].required);
    const AttrValue defaults[] = {int64_t{0},
                                  1.5f,
                                  true,
                                  std::string("sum"),
                                  std::vector<int64_t>{1, 2},
                                  std::vector<float>{0.5, 0.25},
                                  std::vector<bool>{true, false},
                                  std::vector<std::vector<int64_t>>{{1}, {2, 3, 4}}};
    const AttrType types[] = {AttrType::kInt,     AttrType::kFloat,     AttrType::kBool,     AttrType::kString,
                              AttrType::kListInt, AttrType::kListFloat, AttrType::kListBool, AttrType::kListListInt};
    for (size_t i = 0; i < 8; ++i) {
        EXPECT_EQ(definition_.attrs[i].value, defaults[i]) << i;
        EXPECT_EQ(definition_.attrs[i].type, types[i]) << i;
    }
}

TEST_F(Gather, TakesTheConfigurationOfTheChip) {
    const Definition other = library_.DefinitionFor("GatherCustom", "Ascend310P3", true);
    EXPECT_EQ(other.columns, 6u);
    EXPECT_EQ(other.inputs[0].types, std::vector<int>(6, kHalf));
    EXPECT_EQ(other.inputs[1].name, "bias");
    EXPECT_FALSE(other.inputs[2].auto_contiguous);
    EXPECT_EQ(other.file, "");
}

TEST_F(Gather, InfersFromValuesAndCounts) {
    Call call = CallOf();
    ASSERT_TRUE(library_.Infer(definition_, call));
    EXPECT_EQ(call.outputs[0][0].spec.shape, (std::vector<int64_t>{108, 16, 2}));
    EXPECT_EQ(call.outputs[0][0].spec.type, kHalf);
    EXPECT_TRUE(call.outputs[1].empty());
    call.outputs.clear();
    call.inputs[1] = {TensorOf({16}, kFloat)};
    ASSERT_TRUE(library_.Infer(definition_, call));
    EXPECT_EQ(call.outputs[0][0].spec.type, kFloat);
}

TEST_F(Gather, TilesAPlainStructOnceTheChipIsKnown) {
    Call call = CallOf();
    call.outputs = {{TensorOf({108, 16, 2}, kHalf)}, {}};
    const Tiling tiling = library_.Tile(definition_, call);
    EXPECT_EQ(tiling.blocks, 48u);
    EXPECT_EQ(tiling.workspaces, (std::vector<uint64_t>{4096, 128}));
    EXPECT_EQ(tiling.schedule_mode, 1u);
    EXPECT_TRUE(tiling.atomic);
    ASSERT_EQ(tiling.data.size(), 40u);
    EXPECT_EQ(At<uint64_t>(tiling.data, 0), 196608u);
    EXPECT_EQ(At<int64_t>(tiling.data, 8), 5 + 30 + 300);
    EXPECT_EQ(At<float>(tiling.data, 16), 2.25f);
    EXPECT_EQ(At<uint32_t>(tiling.data, 20), 7u);      // parts
    EXPECT_EQ(At<uint32_t>(tiling.data, 24), 1u + 2);  // flag, bools
    EXPECT_EQ(At<uint32_t>(tiling.data, 28), 4u);      // letters
    EXPECT_EQ(At<uint32_t>(tiling.data, 32), 3u);      // depth
    EXPECT_EQ(At<uint32_t>(tiling.data, 36), 0u);      // nobody sets it
    EXPECT_EQ(tiling.log, "info: GatherCustom: axis 335\nwarning: GatherCustom: parts 7\n");

    // TilingParse ran once for this chip; the optional input adds 1000.
    const uint64_t made = tiling.key;
    call.inputs[1] = {TensorOf({16}, kFloat)};
    EXPECT_EQ(library_.Tile(definition_, call).key, 1000 + made);
    call.chip = "Ascend910B3";
    EXPECT_EQ(library_.Tile(definition_, call).key, 1000 + made + 1);
    call.strict = true;
    EXPECT_EQ(At<uint32_t>(library_.Tile(definition_, call).data, 36), 0xa5a5a5a5u);
}

TEST_F(Gather, NeedsTheValuesItReads) {
    Call call = CallOf();
    call.inputs[3][0].values = nullptr;
    const std::string rest = R"(
  found:  offsets: a shape and a type
  legal:  an array)";
    EXPECT_EQ(WithoutPlace(ReportFrom([&] { library_.Infer(definition_, call); })),
              "fault [op-input] GatherCustom: InferShape reads the values of the input, and they are not known" + rest);
    EXPECT_EQ(
        WithoutPlace(ReportFrom([&] { library_.Tile(definition_, call); })),
        "fault [op-input] GatherCustom: the tiling function reads the values of the input, and they are not known" +
            rest);
}

TEST(HostLibrary, NestedAndKeyedStructsAndTilingLibraries) {
    const HostLibrary library(PathOf("matmul_custom"));
    const Definition definition = library.DefinitionFor("MatmulCustom", "Ascend910B1", true);
    const auto classes = library.TilingClasses("MatmulCustom");
    ASSERT_EQ(classes.size(), 2u);
    EXPECT_EQ(classes[0].key, "");
    EXPECT_EQ(classes[1].key, "_2");
    EXPECT_EQ(classes[1].name, "Inner");
    EXPECT_EQ(classes[1].bytes, 16u);

    Call call;
    call.chip = "Ascend910B1";
    call.inputs = {{TensorOf({64, 32}, kHalf)}};
    ASSERT_TRUE(library.Infer(definition, call));  // Follow tells all
    EXPECT_EQ(call.outputs[0][0].spec.shape, (std::vector<int64_t>{64, 32}));
    const Tiling tiling = library.Tile(definition, call);
    EXPECT_EQ(tiling.data.size(), classes[0].bytes);  // more than 16 KiB
    EXPECT_EQ(At<int64_t>(tiling.data, 0), 64 * 32);
    EXPECT_EQ(At<float>(tiling.data, 8), 0.0f);
    EXPECT_EQ(At<uint32_t>(tiling.data, classes[0].bytes - 4), 7u);
    EXPECT_EQ(tiling.key, 64u + 64u);
    call.strict = true;
    EXPECT_EQ(At<uint32_t>(library.Tile(definition, call).data, 8), 0xa5a5a5a5u);
    // What the library refuses stands in the report.
    host::Device::Say("said before");
    call.inputs = {{TensorOf({64, 1}, kHalf)}};
    EXPECT_EQ(ReportFrom([&] { library.Tile(definition, call); }),
              R"(fault [op-tiling] MatmulCustom: the tiling function failed
  where:  matmul_custom.cpp:90 (Ascend910B)
  other:  matmul_custom.cpp:90, SetShape: k is 0; it is at least 1
  found:  GRAPH_FAILED (4294967295))");
    EXPECT_STREQ(host::Device::TakeMessage(), "said before");
}

TEST(HostLibrary, ARegisteredStructMustBeWritten) {
    const HostLibrary library(PathOf("matmul_custom"));
    const Definition definition = library.DefinitionFor("SilentCustom", "Ascend910B1", true);
    Call call;
    call.chip = "Ascend910B1";
    call.inputs = {{TensorOf({3}, kHalf)}};
    EXPECT_EQ(
        WithoutPlace(ReportFrom([&] { library.Tile(definition, call); })),
        "fault [op-tiling-data] SilentCustom: the tiling data were never written: Inner is registered\n  found:  0 "
        "bytes\n  legal:  16 bytes");
}

TEST(HostLibrary, TemplateArgumentsOfEachSource) {
    const HostLibrary library(PathOf("templates"));
    const auto tile = [&](const char* name, int64_t mode) {
        Call call;
        call.chip = "Ascend910B1";
        call.inputs = {{TensorOf({3}, kFloat)}};
        call.attrs = {mode};
        return library.Tile(library.DefinitionFor(name, "Ascend910B1", true), call).key;
    };
    EXPECT_EQ(tile("TemplatesCustom", 3), 259u);
    EXPECT_EQ(tile("TemplatesCustom", 0), 0u);
    EXPECT_EQ(tile("OtherCustom", 300), 300u);
    EXPECT_EQ(WithoutPlace(ReportFrom([&] { tile("OtherCustom", 700); })),
              "fault [op-tiling] OtherCustom: the tiling function threw an exception\n  found:  GET_TPL_TILING_KEY: "
              "OtherCustom: no ASCENDC_TPL_ARGS_SEL has WIDTH=700; there are WIDTH=1..500");
}

TEST(HostLibrary, TakesTheFormsOfOlderReleases) {
    const HostLibrary library(PathOf("old_custom"));
    const Definition definition = library.DefinitionFor("OldCustom", "Ascend910A", true);
    EXPECT_EQ(definition.inputs[0].name, definition.outputs[0].name);
    Call call;
    call.chip = "Ascend910A";
    call.inputs = call.outputs = {{TensorOf({3, 5}, kHalf)}};
    const Tiling tiling = library.Tile(definition, call);
    EXPECT_EQ(tiling.blocks, 32u);
    EXPECT_EQ(tiling.key, 30u);
    EXPECT_EQ(tiling.data, std::string("\x07\x00\x00\x00\x08\x00\x09\x00", 8));
}

TEST(HostLibrary, InfersBesideGivenDynamicOutputs) {
    const HostLibrary library(PathOf("old_custom"));
    const Definition definition = library.DefinitionFor("SplitCustom", "Ascend910B1", true);
    Call call;
    call.chip = "Ascend910B1";
    call.inputs = {{TensorOf({3, 5}, kHalf)}};
    call.outputs = {{TensorOf({1}, kHalf), TensorOf({2}, kHalf)}, {}};
    ASSERT_TRUE(library.Infer(definition, call));
    EXPECT_EQ(call.outputs[1][0].spec.shape, std::vector<int64_t>{2});
    EXPECT_EQ(call.outputs[1][0].spec.type, kInt64);
    EXPECT_EQ(call.outputs[0][1].spec.shape, std::vector<int64_t>{2});  // as given
}

TEST(HostLibrary, LoadsOnceAndKeepsLibrariesApart) {
    const HostLibrary one(PathOf("add_custom")), again(PathOf("add_custom")), other(PathOf("gather_custom"));
    EXPECT_EQ(one.names(), again.names());
    EXPECT_EQ(other.names(), std::vector<std::string>{"GatherCustom"});
    EXPECT_TRUE(other.TilingClasses("AddCustom").empty());
    try {
        HostLibrary("/no/such.so");
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(std::string(error.what()).find("cannot load the host code /no/such.so: "), 0u);
    }
    try {
        one.DefinitionFor("SubCustom", "Ascend910B1", true);
        FAIL();
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "the host code has no OP_ADD(SubCustom); it has AddCustom");
    }
}

TEST(HostLibrary, OutputsThatNothingTells) {
    const HostLibrary library(PathOf("definitions"));
    const Definition definition = library.DefinitionFor("Good", "Ascend910B1", true);
    Call call;
    call.chip = "Ascend910B1";
    call.inputs = {{TensorOf({4}, kHalf)}};
    EXPECT_FALSE(library.Infer(definition, call));
    EXPECT_TRUE(call.outputs.at(0).empty());
    call.outputs = {{TensorOf({4}, kHalf)}};
    EXPECT_TRUE(library.Infer(definition, call));
}

}  // namespace
}  // namespace sfumato::op
