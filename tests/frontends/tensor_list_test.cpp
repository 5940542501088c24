// SPDX-License-Identifier: Apache-2.0
// Lists of tensors: the bytes of a list, what kernels read of it, and lists that are none.
#include <gtest/gtest.h>

#include <cstring>

#include "kernel_operator.h"
#include "sfumato/launch.h"

namespace sfumato {
namespace {

using namespace AscendC;

LaunchResult OnList(GlobalMemory& memory, const std::function<void()>& kernel) {
    LaunchOptions options;
    options.chip = "Ascend910B1";
    return Launch(options, 1, memory, kernel);
}

// framework.md 1.12.
TEST(TensorList, Bytes) {
    GlobalMemory memory;
    uint8_t *a = memory.Allocate(12, "a"), *b = memory.Allocate(8, "b");
    const uint8_t* list = memory.AllocateList({{a, {2, 3}}, {b, {4}}}, "list");
    uint64_t words[12];  // and a block that kernels may copy with the last pointers
    ASSERT_EQ(memory.SizeOf(list), sizeof words);
    std::memcpy(words, list, sizeof words);
    EXPECT_EQ(words[0], 48u);
    EXPECT_EQ(words[1], 2u);
    EXPECT_EQ(words[2], 2u);
    EXPECT_EQ(words[3], 3u);
    EXPECT_EQ(words[4], 1u | uint64_t{1} << 32);
    EXPECT_EQ(words[5], 4u);
    EXPECT_EQ(words[6], reinterpret_cast<uintptr_t>(a));
    EXPECT_EQ(words[7], reinterpret_cast<uintptr_t>(b));
}

TEST(TensorList, WhatKernelsRead) {
    GlobalMemory memory;
    const half values[] = {half(1.f), half(2.f), half(3.f), half(4.f)};
    uint8_t *a = memory.Allocate(12, "a"), *b = memory.Allocate(8, "b", values);
    uint8_t* list = memory.AllocateList({{a, {2, 3}}, {b, {4, 1, 1}}}, "list");
    const LaunchResult result = OnList(memory, [&] {
        ListTensorDesc tensors(list);
        EXPECT_EQ(tensors.GetSize(), 2u);
        EXPECT_EQ(tensors.GetDataPtr<__gm__ uint8_t>(0), a);
        uint64_t shape[3] = {};
        TensorDesc<half> desc;
        desc.SetShapeAddr(shape);
        tensors.GetDesc(desc, 1);
        EXPECT_EQ(desc.GetDim(), 3u);
        EXPECT_EQ(desc.GetIndex(), 1u);
        EXPECT_EQ(desc.GetShape(0), 4u);
        EXPECT_EQ(shape[2], 1u);
        EXPECT_EQ(reinterpret_cast<uint8_t*>(desc.GetDataPtr()), b);
        GlobalTensor<half> tensor = desc.GetDataObj();
        EXPECT_EQ(tensor.GetSize(), 4u);
        EXPECT_EQ(static_cast<float>(tensor.GetValue(2)), 3.0f);
    });
    for (const Report& report : result.findings) ADD_FAILURE() << report.Text();
}

TEST(TensorList, Empty) {
    GlobalMemory memory;
    uint8_t* list = memory.AllocateList({}, "list");
    EXPECT_TRUE(OnList(memory, [&] { EXPECT_EQ(ListTensorDesc(list).GetSize(), 0u); }).ok());
}

// What a list is refused for, found and legal.
std::string Refusal(std::vector<uint64_t> words, uint32_t length = 0xFFFFFFFF, uint32_t shape_words = 0xFFFFFFFF) {
    GlobalMemory memory;
    uint8_t* list = memory.Allocate(words.size() * sizeof(uint64_t), "list", words.data());
    const LaunchResult result = OnList(memory, [&] { ListTensorDesc(list, length, shape_words); });
    if (result.findings.empty()) return "";
    const Report& report = result.findings.front();
    return report.message + ": " + report.found + "; " + report.legal;
}

TEST(TensorList, Refused) {
    const std::vector<uint64_t> good = {24, 1, 5, 0};
    EXPECT_EQ(Refusal(good), "");
    EXPECT_EQ(Refusal(good, 32, 1), "");
    EXPECT_EQ(Refusal({12, 1, 5, 0}),
              "ListTensorDesc: the argument is no list of tensors: its pointers begin at byte 12; a multiple of 8 from 8 "
              "to 32");
    EXPECT_EQ(Refusal({24, 2, 5, 0}),
              "ListTensorDesc: the argument is no list of tensors: tensor 0 has 2 dimensions; at most 25, and room for "
              "them before the pointers");
    EXPECT_EQ(Refusal({32, 1, 5, 0}),
              "ListTensorDesc: the list ends before its pointers do: 32 bytes; 48 bytes for 2 tensors");
    EXPECT_EQ(Refusal(good, 24), "ListTensorDesc: the list is longer than said: length 24; 32");
    EXPECT_EQ(Refusal(good, 32, 0), "ListTensorDesc: the shapes are longer than said: shapeSize 0; 1");
}

}  // namespace
}  // namespace sfumato
