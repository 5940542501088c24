// SPDX-License-Identifier: Apache-2.0
// The classes that host code sees, by value.
#include <gtest/gtest.h>

#include <array>

#include "op/host_call.h"
#include "op/host_calls.h"
#include "register/op_def_registry.h"
#include "securec.h"
#include "tiling/platform/platform_ascendc.h"

namespace {

using ge::TypeUtils;
using gert::Shape;
using sfumato::op::HostCall;
using sfumato::op::TensorOf;

TEST(GraphTypes, NumbersAndNames) {
    EXPECT_EQ(ge::DT_BF16, 27);
    EXPECT_EQ(ge::DT_FLOAT4_E1M2, 41);
    EXPECT_EQ(ge::FORMAT_FRACTAL_NZ, 29);
    EXPECT_EQ(ge::FORMAT_NCL, 47);
    EXPECT_EQ(ge::GRAPH_FAILED, 0xffffffffu);
    EXPECT_EQ(TypeUtils::DataTypeToSerialString(ge::DT_FLOAT16), "DT_FLOAT16");
    EXPECT_EQ(TypeUtils::SerialStringToDataType("DT_INT4"), ge::DT_INT4);
    EXPECT_EQ(TypeUtils::SerialStringToDataType("half"), ge::DT_UNDEFINED);
    EXPECT_EQ(TypeUtils::FormatToSerialString(ge::FORMAT_ND), "ND");
    EXPECT_EQ(TypeUtils::FormatToAscendString(ge::FORMAT_NC1HWC0), ge::AscendString("NC1HWC0"));
    EXPECT_EQ(TypeUtils::SerialStringToFormat("FRACTAL_NZ"), ge::FORMAT_FRACTAL_NZ);
    EXPECT_EQ(TypeUtils::SerialStringToFormat("XYZ"), ge::FORMAT_RESERVED);
    EXPECT_FALSE(TypeUtils::IsDataTypeValid(ge::DT_UNDEFINED));
    EXPECT_TRUE(TypeUtils::IsFormatValid(ge::FORMAT_NHWC));
    EXPECT_EQ(ge::GetPrimaryFormat(ge::GetFormatFromSub(ge::FORMAT_FRACTAL_Z, 16)), ge::FORMAT_FRACTAL_Z);
    EXPECT_EQ(ge::GetSubFormat(ge::GetFormatFromSub(ge::FORMAT_FRACTAL_Z, 16)), 16);
}

TEST(GraphTypes, Sizes) {
    EXPECT_EQ(ge::GetSizeByDataType(ge::DT_FLOAT), 4);
    EXPECT_EQ(ge::GetSizeByDataType(ge::DT_BOOL), 1);
    EXPECT_EQ(ge::GetSizeByDataType(ge::DT_COMPLEX128), 16);
    EXPECT_EQ(ge::GetSizeByDataType(ge::DT_INT4), 1004);
    EXPECT_EQ(ge::GetSizeByDataType(ge::DT_STRING), -1);
    EXPECT_EQ(ge::GetSizeInBytes(5, ge::DT_INT4), 3);
    EXPECT_EQ(ge::GetSizeInBytes(5, ge::DT_INT64), 40);
    EXPECT_EQ(ge::GetSizeInBytes(-1, ge::DT_INT64), -1);
    uint32_t length = 0;
    EXPECT_TRUE(TypeUtils::GetDataTypeLength(ge::DT_DOUBLE, length));
    EXPECT_EQ(length, 8u);
    EXPECT_FALSE(TypeUtils::GetDataTypeLength(ge::DT_INT4, length));
}

TEST(GraphTypes, AscendString) {
    const ge::AscendString text("abc"), part("bc");
    EXPECT_STREQ(text.GetString(), "abc");
    EXPECT_EQ(text.GetLength(), 3u);
    EXPECT_EQ(text.Find(part), 1u);
    EXPECT_TRUE(text < part && text != part && text == "abc");
    EXPECT_STREQ(ge::AscendString(nullptr).GetString(), "");
    EXPECT_EQ(ge::AscendString("abcd", 2), ge::AscendString("ab"));
}

TEST(Shape, DimensionsOfAShape) {
    Shape shape({3, 256, 16});
    EXPECT_EQ(shape.GetDimNum(), 3u);
    EXPECT_EQ(shape.GetShapeSize(), 3 * 256 * 16);
    EXPECT_EQ(shape[2], 16);
    shape[2] = 8;
    shape.SetDim(0, 4);
    shape.AppendDim(2).AppendDim(1);
    EXPECT_EQ(shape, Shape({4, 256, 8, 2, 1}));
    EXPECT_NE(shape, Shape({4, 256, 8, 2}));
    shape.SetDimNum(2);
    EXPECT_EQ(shape, Shape({4, 256}));
    shape.SetDimNum(3);
    EXPECT_EQ(shape.GetDim(2), 0);
    EXPECT_FALSE(shape.IsScalar());
    shape.SetScalar();
    EXPECT_TRUE(shape.IsScalar());
    EXPECT_EQ(shape.GetShapeSize(), 1);
    EXPECT_EQ(Shape({2, -1}).GetShapeSize(), -1);
    EXPECT_EQ(Shape({2, 0}).GetShapeSize(), 0);
    for (size_t i = 0; i < Shape::kMaxDimNum; ++i) shape.AppendDim(1);
    EXPECT_EQ(
        sfumato::op::WithoutPlace(sfumato::op::ReportFrom([&] { shape.AppendDim(1); })),
        "fault [op-dim-range] AppendDim: a shape has no more than 25 dimensions\n  found:  26 dimensions\n  legal:  0 "
        "to 25");
    EXPECT_EQ(
        sfumato::op::WithoutPlace(sfumato::op::ReportFrom([] { Shape().GetDim(25); })),
        "fault [op-dim-range] GetDim: the shape has no dimension 25\n  found:  dimension 25 of ()\n  legal:  none: the "
        "shape has no dimensions");
}

TEST(Shape, PairsOfShapesAndFormats) {
    gert::StorageShape shape({4, 20}, {2, 1, 16, 16});
    EXPECT_EQ(shape.GetOriginShape(), Shape({4, 20}));
    EXPECT_EQ(shape.GetStorageShape().GetShapeSize(), 512);
    shape.MutableOriginShape().SetDim(0, 5);
    shape.MutableStorageShape() = {1};
    EXPECT_EQ(shape, gert::StorageShape({5, 20}, {1}));
    gert::StorageFormat format(ge::FORMAT_ND, ge::FORMAT_FRACTAL_NZ, gert::ExpandDimsType("1000"));
    EXPECT_EQ(format.GetOriginFormat(), ge::FORMAT_ND);
    EXPECT_EQ(format.GetStorageFormat(), ge::FORMAT_FRACTAL_NZ);
    EXPECT_TRUE(format.GetExpandDimsType().IsExpandIndex(0) && !format.GetExpandDimsType().IsExpandIndex(1));
    EXPECT_EQ(format.GetExpandDimsType().GetFullSize(), 4u);
    format.SetOriginFormat(ge::FORMAT_NCHW);
    format.MutableExpandDimsType().SetExpandIndex(2);
    EXPECT_EQ(format, gert::StorageFormat(ge::FORMAT_NCHW, ge::FORMAT_FRACTAL_NZ, gert::ExpandDimsType("1010")));
    Shape low({1}), high({9});
    gert::Range<Shape> range(&low, &high);
    EXPECT_EQ(range.GetMax()->GetDim(0), 9);
    range.SetMax(&low);
    EXPECT_EQ(range, gert::Range<Shape>(&low));
}

TEST(Tensor, ShapeTypeAndData) {
    int32_t values[] = {1, 2, 3};
    gert::Tensor tensor({{3}, {3}}, {ge::FORMAT_ND, ge::FORMAT_NCHW, {}}, gert::kOnHost, ge::DT_INT32, values);
    EXPECT_EQ(tensor.GetShapeSize(), 3);
    EXPECT_EQ(tensor.GetSize(), 12u);
    EXPECT_EQ(tensor.GetData<int32_t>()[2], 3);
    EXPECT_EQ(tensor.GetAddr(), values);
    EXPECT_EQ(tensor.GetDataType(), ge::DT_INT32);
    EXPECT_EQ(tensor.GetOriginFormat(), ge::FORMAT_ND);
    EXPECT_EQ(tensor.GetStorageFormat(), ge::FORMAT_NCHW);
    EXPECT_TRUE(gert::TensorPlacementUtils::IsOnHost(tensor.GetPlacement()));
    tensor.SetDataType(ge::DT_FLOAT);
    tensor.SetPlacement(gert::kOnDeviceHbm);
    tensor.MutableOriginShape().AppendDim(7);
    tensor.SetData(gert::TensorData(nullptr, 5));
    EXPECT_EQ(tensor.GetOriginShape(), Shape({3, 7}));
    EXPECT_EQ(tensor.GetStorageShape(), Shape({3}));
    EXPECT_EQ(tensor.GetTensorData().GetSize(), 5u);
    EXPECT_EQ(gert::Tensor({{2}, {2}}, {}, ge::DT_INT8).GetData<int8_t>(), nullptr);
}

// x, an absent bias, two parts; z. Attributes: an Int, a String.
struct Node {
    sfumato::op::Definition definition;
    sfumato::op::Call call;
    Node() {
        using sfumato::op::ParamType;
        definition.name = "Node";
        definition.inputs.resize(3);
        definition.outputs.resize(1);
        const std::array<const char*, 3> names = {"x", "bias", "parts"};
        for (size_t i = 0; i < 3; ++i) definition.inputs[i].name = names[i];
        definition.inputs[1].type = ParamType::kOptional;
        definition.inputs[2].type = ParamType::kDynamic;
        definition.outputs[0].name = "z";
        definition.attrs.resize(2);
        call.chip = "Ascend910B1";
        call.inputs = {{TensorOf({4, 5}, 1)}, {}, {TensorOf({6}, 27), TensorOf({7}, 3)}};
        call.outputs = {{TensorOf({4, 5}, 1)}};
        call.attrs = {int64_t{-2}, std::string("mean")};
        call.deterministic = true;
    }
};

TEST(Contexts, IndicesOfGivenAndOfDeclaredTensors) {
    const Node node;
    HostCall host(node.definition, node.call);
    const gert::TilingContext context(&host);
    EXPECT_STREQ(context.GetNodeName(), "Node");
    EXPECT_STREQ(context.GetNodeType(), "Node");
    EXPECT_EQ(context.GetComputeNodeInputNum(), 3u);
    EXPECT_EQ(context.GetComputeNodeOutputNum(), 1u);
    const gert::ComputeNodeInfo* info = context.GetComputeNodeInfo();
    EXPECT_EQ(info->GetIrInputsNum(), 3u);
    EXPECT_EQ(info->GetIrOutputsNum(), 1u);
    EXPECT_EQ(info->GetInputInstanceInfo(1)->GetInstanceNum(), 0u);
    EXPECT_EQ(info->GetInputInstanceInfo(2)->GetInstanceStart(), 1u);
    EXPECT_EQ(context.GetIrInputInstanceInfo(2)->GetInstanceNum(), 2u);
    EXPECT_EQ(info->GetInputTdInfo(2)->GetDataType(), ge::DT_INT32);
    EXPECT_EQ(context.GetInputShape(0)->GetStorageShape(), Shape({4, 5}));
    EXPECT_EQ(context.GetInputShape(1)->GetOriginShape(), Shape({6}));
    EXPECT_EQ(context.GetInputShape(3), nullptr);
    EXPECT_EQ(context.GetOptionalInputShape(1), nullptr);
    EXPECT_EQ(context.GetOptionalInputTensor(1), nullptr);
    EXPECT_EQ(context.GetOptionalInputDesc(1), nullptr);
    EXPECT_EQ(context.GetRequiredInputShape(0), context.GetInputShape(0));
    EXPECT_EQ(context.GetDynamicInputShape(2, 1)->GetStorageShape(), Shape({7}));
    EXPECT_EQ(context.GetDynamicInputShape(2, 2), nullptr);
    EXPECT_EQ(context.GetDynamicInputDesc(2, 0)->GetDataType(), ge::DT_BF16);
    EXPECT_EQ(context.GetDynamicInputTensor(2, 1), context.GetInputTensor(2));
    EXPECT_EQ(context.GetRequiredInputDesc(0)->GetStorageFormat(), ge::FORMAT_ND);
    EXPECT_EQ(context.GetOutputDesc(0)->GetFormat().GetOriginFormat(), ge::FORMAT_ND);
    EXPECT_EQ(context.GetOutputShape(0)->GetStorageShape(), Shape({4, 5}));
    EXPECT_EQ(context.GetRequiredOutputShape(0), context.GetOutputShape(0));
    EXPECT_EQ(context.GetDeterministic(), 1);
    EXPECT_FALSE(context.InputIsView(0));
    EXPECT_EQ(context.GetAttrs()->GetAttrNum(), 2u);
    EXPECT_EQ(*context.GetAttrs()->GetAttrPointer<uint32_t>(0), 0xfffffffeu);
    EXPECT_STREQ(context.GetAttrs()->GetStr(1), "mean");
    EXPECT_STREQ(info->GetAttrs()->GetAttrPointer<char>(1), "mean");
}

TEST(Contexts, OfInference) {
    const Node node;
    HostCall host(node.definition, node.call);
    gert::InferShapeContext shapes(&host);
    gert::InferDataTypeContext types(&host);
    gert::InferShapeRangeContext ranges(&host);
    EXPECT_EQ(shapes.GetOptionalInputShape(1), nullptr);
    EXPECT_EQ(*shapes.GetDynamicInputShape(2, 0), Shape({6}));
    *shapes.GetOutputShape(0) = {1, 2, 3};
    EXPECT_EQ(*shapes.GetRequiredOutputShape(0), Shape({1, 2, 3}));
    EXPECT_EQ(types.GetInputDataType(0), ge::DT_FLOAT16);
    EXPECT_EQ(types.GetOptionalInputDataType(1), ge::DT_UNDEFINED);
    EXPECT_EQ(types.GetDynamicInputDataType(2, 1), ge::DT_INT32);
    EXPECT_EQ(types.SetOutputDataType(0, ge::DT_INT8), ge::GRAPH_SUCCESS);
    EXPECT_EQ(types.GetOutputDataType(0), ge::DT_INT8);
    EXPECT_EQ(*ranges.GetInputShapeRange(0)->GetMin(), Shape({4, 5}));
    EXPECT_EQ(ranges.GetOptionalInputShapeRange(1), nullptr);
    EXPECT_EQ(ranges.GetDynamicInputTensorRange(2, 0)->GetMax()->GetDataType(), ge::DT_BF16);
    EXPECT_EQ(*ranges.GetOutputShapeRange(0)->GetMax(), Shape({1, 2, 3}));
}

TEST(Contexts, TilingResults) {
    const Node node;
    HostCall host(node.definition, node.call);
    gert::TilingContext context(&host);
    EXPECT_EQ(context.SetBlockDim(7), ge::GRAPH_SUCCESS);
    EXPECT_EQ(context.GetBlockDim(), 7u);
    context.SetSimdNumBlocks(8);
    EXPECT_EQ(context.GetSimdNumBlocks(), 8u);
    context.SetTilingKey(uint64_t{1} << 40);
    EXPECT_EQ(context.GetTilingKey(), uint64_t{1} << 40);
    context.SetAicpuBlockDim(3);
    EXPECT_EQ(context.GetAicpuBlockDim(), 3u);
    context.SetTilingCond(-4);
    EXPECT_EQ(context.GetTilingCond(), -4);
    context.SetNeedAtomic(true);
    EXPECT_TRUE(context.NeedAtomic());
    context.SetScheduleMode(1);
    EXPECT_EQ(context.GetScheduleMode(), 1u);
    context.SetLocalMemorySize(5);
    EXPECT_EQ(context.GetLocalMemorySize(), 5u);
    EXPECT_EQ(context.GetCompileInfo(), nullptr);
    EXPECT_EQ(context.GetWorkspaceNum(), 0u);
    context.GetWorkspaceSizes(2)[1] = 6;
    EXPECT_EQ(context.GetWorkspaceNum(), 2u);
    EXPECT_EQ(context.GetWorkspaceSizes(2)[1], 6u);
    struct Large {
        char bytes[100000];
    };
    gert::TilingData* data = context.GetRawTilingData();
    EXPECT_EQ(data->GetCapacity(), 16384u);
    auto* small = context.GetTilingData<uint64_t>();
    *small = 77;
    EXPECT_EQ(data->GetDataSize(), 8u);
    EXPECT_EQ(context.GetTilingData<Large>()->bytes[0], 77);
    EXPECT_EQ(data->GetDataSize(), 100000u);
    EXPECT_GE(data->GetCapacity(), 100000u);
}

TEST(Platform, TablesAndCores) {
    fe::PlatFormInfos info{"Ascend910B3"};
    std::string value;
    EXPECT_TRUE(info.GetPlatformResWithLock("SoCInfo", "vector_core_cnt", value));
    EXPECT_EQ(value, "40");
    EXPECT_TRUE(info.GetPlatformRes("AICoreSpec", "l1_size", value));
    EXPECT_EQ(value, "524288");
    EXPECT_TRUE(info.GetPlatformResWithLock("version", "Short_SoC_version", value));
    EXPECT_EQ(value, "Ascend910B");
    EXPECT_FALSE(info.GetPlatformResWithLock("AICoreSpec", "speed", value));
    EXPECT_EQ(value, "");
    std::map<std::string, std::string> table;
    EXPECT_TRUE(info.GetPlatformResWithLock("SoCInfo", table));
    EXPECT_EQ(table.at("ai_core_cnt"), "20");
    EXPECT_FALSE(info.GetPlatformResWithLock("Weather", table));
    EXPECT_TRUE(table.empty());
    EXPECT_EQ(info.GetCoreNumByType("VectorCore"), 40u);
    EXPECT_EQ(info.GetCoreNum(), 20u);
    uint64_t bytes = 0;
    info.GetLocalMemSize(fe::LocalMemType::UB, bytes);
    EXPECT_EQ(bytes, 196608u);
    EXPECT_EQ(platform_ascendc::PlatformAscendC(&info).GetCoreNumAic(), 20u);
}

TEST(Securec, CopiesThatFit) {
    char to[8] = "1234567";
    EXPECT_EQ(memcpy_s(to, sizeof to, "abc", 4), EOK);
    EXPECT_STREQ(to, "abc");
    EXPECT_EQ(memcpy_s(to, sizeof to, "abcdefghi", 9), ERANGE_AND_RESET);
    EXPECT_EQ(std::string(to, 8), std::string(8, '\0'));
    EXPECT_EQ(memcpy_s(nullptr, 8, "a", 1), 22);
    EXPECT_EQ(memcpy_s(to, 0, "a", 1), 34);
    EXPECT_EQ(memcpy_s(to, sizeof to, nullptr, 1), EINVAL_AND_RESET);
    EXPECT_EQ(strcpy_s(to, sizeof to, "abcdefg"), EOK);
    EXPECT_EQ(memcpy_s(to, sizeof to, to + 1, 4), EOVERLAP_AND_RESET);
    EXPECT_EQ(strcpy_s(to, sizeof to, "abcdefgh"), ERANGE_AND_RESET);
    EXPECT_EQ(strncpy_s(to, sizeof to, "abcdefgh", 3), EOK);
    EXPECT_STREQ(to, "abc");
    EXPECT_EQ(memmove_s(to + 1, sizeof to - 1, to, 3), EOK);
    EXPECT_STREQ(to, "aabc");
    EXPECT_EQ(memset_s(to, sizeof to, 'x', 9), ERANGE_AND_RESET);
    EXPECT_EQ(std::string(to, 8), "xxxxxxxx");
    EXPECT_EQ(sprintf_s(to, sizeof to, "%d", 123), 3);
    EXPECT_STREQ(to, "123");
    EXPECT_EQ(sprintf_s(to, sizeof to, "%d", 123456789), -1);
    EXPECT_STREQ(to, "");
    EXPECT_EQ(snprintf_s(to, sizeof to, 2, "%d", 123), -1);
    EXPECT_STREQ(to, "12");
}

TEST(Log, OutsideOfACallSeriousLinesArePrinted) {
    testing::internal::CaptureStderr();
    OP_LOGI("Node", "quiet %d", 1);
#line 7 "log.cpp"
    OP_LOGE(std::string("Node"), "loud %d", 2);
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "log.cpp:7: error: Node: loud 2\n");
}

}  // namespace
