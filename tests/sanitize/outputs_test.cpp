// SPDX-License-Identifier: Apache-2.0
// --check outputs: the exact reports, and the programs that are right.
#include "sanitize/launches.h"

namespace sfumato::sanitize_test {
namespace {

// Copies `count` floats from `from` to `to` through UB.
void CopyThrough(const float* from, const float* to, uint32_t count) {
    auto tile = Ub<float>(0, 1024);
    DataCopy(tile, Gm<float>(from, 1024), count);
    PipeBarrier<PIPE_ALL>();
    DataCopy(Gm<float>(to, 1024), tile, count);
}

TEST(Outputs, ATailNobodyWroteIsNamedWithTheLineBeforeIt) {
    Bench b("");
    auto* x = b.Allocate<float>("x", 1024, Role::kInput, std::vector<float>(1024, 1.0f));
    auto* z = b.Allocate<float>("z", 1024, Role::kOutput);
    b.Run(1, [=] { CopyThrough(x, z, 1000); });
    b.ExpectPinned(__FILE__);
}

// These chips have no DataCopyPad.
TEST(Outputs, ATailWhereNothingPads) {
    for (const char* chip : {"Ascend310P3", "Ascend910A"}) {
        Bench b("", chip);
        auto* x = b.Allocate<float>("x", 1024, Role::kInput, std::vector<float>(1024, 1.0f));
        auto* z = b.Allocate<float>("z", 1024, Role::kOutput);
        b.Run(1, [=] { CopyThrough(x, z, 1000); });
        ASSERT_EQ(b.result.findings.size(), 1u) << chip;
        EXPECT_EQ(b.result.findings[0].rule, "output-unwritten");
        EXPECT_EQ(b.result.findings[0].hint,
                  "check the length of the last tile and the number of blocks: the last copy may begin earlier, so "
                  "that it ends where the data ends");
    }
}

TEST(Outputs, GapsBetweenRowsAreCounted) {
    Bench b("outputs");
    auto* z = b.Allocate<half>("z", 256, Role::kOutput);
    b.Run(1, [=] {
        auto tile = Ub<half>(0, 256);
        Duplicate(tile, half(1), 256);
        PipeBarrier<PIPE_ALL>();
        DataCopy(Gm<half>(z, 256), tile, DataCopyParams(4, 1, 0, 3));
    });
    b.ExpectPinned(__FILE__);
}

TEST(Outputs, TwoOutputsNobodyWroteAreTwoFindings) {
    Bench b("outputs");
    auto* y = b.Allocate<float>("y", 16, Role::kOutput);
    b.Allocate<float>("z", 16, Role::kOutput);
    b.Run(2, [=] { Gm<float>(y, 16); });
    b.ExpectPinned(__FILE__);
}

TEST(Outputs, AnArrayWrittenInPartIsANote) {
    Bench b("outputs");
    auto* x = b.Allocate<float>("x", 1024, Role::kInOut, std::vector<float>(1024, 1.0f));
    b.Run(1, [=] { CopyThrough(x, x, 1016); });
    b.ExpectPinned(__FILE__);
    b.options.check = "";  // it may be meant
    b.Run(1, [=] { CopyThrough(x, x, 1016); });
    EXPECT_EQ(b.Text(), "");
}

// An array that carries flags or data from core to core is none to fill, whoever reads it: GetValue, DataCopy.
TEST(Outputs, WhatCarriesDataIsNotForTheHost) {
    for (const bool by_copy : {false, true}) {
        Bench b("outputs");
        auto* flags = b.Allocate<int32_t>("flags", 64, Role::kInOut, std::vector<int32_t>(64));
        b.Run(2, [=] {
            auto flag = Gm<int32_t>(flags, 64);
            auto tile = Ub<int32_t>(0, 8);
            if (GetBlockIdx() == 0) {
                flag.SetValue(32, 1);
                DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(flag[32]);
            }
            SyncAll();
            if (GetBlockIdx() == 0) return;
            if (!by_copy) {
                DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(flag[32]);
                EXPECT_EQ(flag.GetValue(32), 1);
                return;
            }
            DataCopy(tile, flag[32], 8);
            PipeBarrier<PIPE_ALL>();
            EXPECT_EQ(tile.GetValue(0), 1);
        });
        EXPECT_EQ(b.Text(), "") << by_copy;
    }
    // What is read only before it is written is a result.
    Bench b("outputs");
    auto* x = b.Allocate<float>("x", 64, Role::kInOut, std::vector<float>(64, 1.0f));
    b.Run(1, [=] { CopyThrough(x, x, 32); });
    ASSERT_EQ(b.result.findings.size(), 1u);
    EXPECT_EQ(b.result.findings[0].rule, "output-unwritten");
}

// Lines that share 64 bytes are told apart.
TEST(Outputs, TheLineBesideTheGap) {
    Bench b("");
    auto* z = b.Allocate<int32_t>("z", 16, Role::kOutput);
    uint32_t line = 0;
    b.Run(1, [=, &line] {
        auto tile = Ub<int32_t>(0, 8);
        Duplicate(tile, 1, 8);
        PipeBarrier<PIPE_ALL>();
        line = __LINE__ + 1;
        DataCopy(Gm<int32_t>(z, 16), tile, 8);
        Gm<int32_t>(z, 16).SetValue(9, 2);  // element 8 is forgotten
        for (uint32_t i = 10; i < 16; ++i) Gm<int32_t>(z, 16).SetValue(i, 3);
    });
    ASSERT_EQ(b.result.findings.size(), 1u);
    const Report& report = b.result.findings[0];
    EXPECT_EQ(report.found, "bytes 32 to 35 (element 8 of int32_t); 4 of 64 bytes");
    ASSERT_EQ(report.related.size(), 1u);
    EXPECT_EQ(report.related[0].line, line);
    EXPECT_EQ(report.related[0].note, "DataCopy writes up to byte 31");
}

// Inputs are arrays that nobody writes to; a raw pointer, GetValue's reference and SetValue write, too; a fault is the
// finding.
TEST(Outputs, WhatIsRightIsSilent) {
    for (const char* check : {"", "outputs", "all"}) {
        Bench b(check);
        auto* in = b.Allocate<float>("in", 64, Role::kInOut, std::vector<float>(64, 2.0f));
        auto* z = b.Allocate<float>("z", 64, Role::kOutput);
        b.Allocate<float>("unknown", 64, Role::kUnknown);
        b.Allocate<float>("workspace", 64, Role::kWorkspace);
        b.Run(1, [=] {
            auto tile = Ub<float>(0, 32);
            DataCopy(tile, Gm<float>(in, 64), 32);
            PipeBarrier<PIPE_ALL>();
            DataCopy(Gm<float>(z, 64), tile, 32);
            auto rest = Gm<float>(z, 64);
            for (uint32_t i = 32; i < 48; ++i) rest.SetValue(i, 1.0f);
            for (uint32_t i = 48; i < 63; ++i) z[i] = 2.0f;
            rest(63) = 3.0f;
        });
        EXPECT_EQ(b.Text(), "") << check;
    }
    Bench b("outputs");
    auto* z = b.Allocate<float>("z", 64, Role::kOutput);
    b.Run(1, [=] { DataCopy(Gm<float>(z, 64), Ub<float>(32, 32)[1], 32); });
    ASSERT_EQ(b.result.findings.size(), 1u);
    EXPECT_EQ(b.result.findings[0].rule, "ub-alignment");
}

TEST(Outputs, AnAtomicStoreOntoWhatNobodyWrote) {
    for (const Role role : {Role::kOutput, Role::kWorkspace}) {
        Bench b("");
        auto* z = b.Allocate<float>("z", 64, role);
        b.Run(2, [=] {
            auto tile = Ub<float>(0, 64);
            Duplicate(tile, 0.0f, 64);
            PipeBarrier<PIPE_ALL>();
            if (GetBlockIdx() == 0) DataCopy(Gm<float>(z, 64), tile, 48);
            SyncAll();
            SetAtomicAdd<float>();
            DataCopy(Gm<float>(z, 64), tile, 64);
            SetAtomicNone();
        });
        b.ExpectPinned(__FILE__);
    }
}

// Cleared by the kernel, by a raw pointer, or content of the host.
TEST(Outputs, AnAtomicStoreOntoWhatWasWrittenIsSilent) {
    Bench b("");
    auto* cleared = b.Allocate<float>("cleared", 64, Role::kOutput);
    auto* raw = b.Allocate<float>("raw", 64, Role::kOutput);
    auto* given = b.Allocate<float>("given", 64, Role::kInOut, std::vector<float>(64, 1.0f));
    b.Run(1, [=] {
        auto tile = Ub<float>(0, 64);
        Duplicate(tile, 0.0f, 64);
        PipeBarrier<PIPE_ALL>();
        DataCopy(Gm<float>(cleared, 64), tile, 64);
        std::fill(raw, raw + 64, 0.0f);
        PipeBarrier<PIPE_ALL>();
        SetAtomicAdd<float>();
        for (float* z : {cleared, raw, given}) DataCopy(Gm<float>(z, 64), tile, 64);
        SetAtomicNone();
    });
    EXPECT_EQ(b.Text(), "");
}

TEST(Outputs, ALoadNobodyReads) {
    const auto kernel = [](const float* x, const float* z) {
        auto used = Ub<float>(0, 64), never = Ub<float>(256, 64), late = Ub<float>(512, 64);
        auto once = Ub<float>(768, 64);
        for (int i = 0; i < 3; ++i) {
            DataCopy(used, Gm<float>(x, 64), 64);
            DataCopy(never, Gm<float>(x, 64), 64);
            PipeBarrier<PIPE_ALL>();
            DataCopy(late, Gm<float>(x, 64), 64);
            PipeBarrier<PIPE_ALL>();
            DataCopy(once, Gm<float>(x, 64), 64);
            PipeBarrier<PIPE_ALL>();
            if (i == 1) Adds(once, once, 1.0f, 8);  // a block of it is read, in one pass: the line is not in vain
            PipeBarrier<PIPE_ALL>();
            if (i == 2) DataCopy(Gm<float>(z, 64), used, 64);
            Adds(late, used, late.GetValue(63), 64);
            PipeBarrier<PIPE_ALL>();
        }
    };
    for (const char* check : {"outputs", ""}) {
        Bench b(check);
        auto* x = b.Allocate<float>("x", 64, Role::kInput, std::vector<float>(64, 1.0f));
        auto* z = b.Allocate<float>("z", 64, Role::kOutput);
        b.Run(1, [=] { kernel(x, z); });
        if (*check == 0)
            EXPECT_EQ(b.Text(), "");
        else
            b.ExpectPinned(__FILE__);
    }
}

template <class T>
std::string TextOfTypes(DataType array) {
    Bench b("");
    uint8_t* x = b.memory.Allocate(64, "x");
    b.memory.SetRole(x, Role::kInput, array);
    b.Run(3, [=] { Gm<T>(x, 8, {"kernel.cpp", 7}); });
    return b.Text();
}

TEST(Outputs, AnArrayOfAnotherType) {
    ExpectText(__FILE__, NameOfTest(), TextOfTypes<half>(DataType::kFloat));
    for (const std::string& wrong : {TextOfTypes<bfloat16_t>(DataType::kHalf), TextOfTypes<int32_t>(DataType::kInt64),
                                     TextOfTypes<float>(DataType::kInt32), TextOfTypes<int32_t>(DataType::kFloat),
                                     TextOfTypes<float>(DataType::kUint16), TextOfTypes<int16_t>(DataType::kInt32)}) {
        EXPECT_TRUE(wrong.starts_with("warning [dtype-differs]")) << wrong;
    }
    // The same bits under another name.
    for (const std::string& right : {TextOfTypes<float>(DataType::kFloat), TextOfTypes<uint8_t>(DataType::kFloat),
                                     TextOfTypes<uint16_t>(DataType::kHalf), TextOfTypes<bfloat16_t>(DataType::kUint16),
                                     TextOfTypes<uint32_t>(DataType::kInt64), TextOfTypes<int32_t>(DataType::kUint32),
                                     TextOfTypes<half>(DataType::kUint8), TextOfTypes<int4b_t>(DataType::kInt8)}) {
        EXPECT_EQ(right, "");
    }
}

}  // namespace
}  // namespace sfumato::sanitize_test
