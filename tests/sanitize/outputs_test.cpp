// SPDX-License-Identifier: Apache-2.0
// --check outputs: the exact reports, and the programs that are right.
#include <atomic>

#include "sanitize/launches.h"

namespace sfumato::sanitize_test {
namespace {

// Copies `count` floats from `from` to `to` through UB.
void CopyThrough(const float* from, const float* to, uint32_t count, uint32_t* line) {
    auto tile = Ub<float>(0, 1024);
    DataCopy(tile, Gm<float>(from, 1024), count);
    PipeBarrier<PIPE_ALL>();
    *line = __LINE__ + 1;
    DataCopy(Gm<float>(to, 1024), tile, count);
}

TEST(Outputs, ATailNobodyWroteIsNamedWithTheLineBeforeIt) {
    Bench b("");
    auto* x = b.Allocate<float>("x", 1024, Role::kInput, std::vector<float>(1024, 1.0f));
    auto* z = b.Allocate<float>("z", 1024, Role::kOutput);
    uint32_t line = 0;
    b.Run(1, [=, &line] { CopyThrough(x, z, 1000, &line); });
    EXPECT_EQ(b.Text(), Lines("warning [output-unwritten] a part of the output 'z' is written by nobody\n"
                              "  where:  outputs_test.cpp:{0}, kernel kernel (Ascend910B)\n"
                              "  other:  outputs_test.cpp:{0}, DataCopy writes up to byte 3999\n"
                              "  found:  z: bytes 4000 to 4095 (elements 1000 to 1023 of float); 96 of 4096 bytes\n"
                              "  legal:  every byte of an output is written: what it held before is undefined\n"
                              "  do:     check the length of the last tile and the number of blocks: DataCopyPad "
                              "stores any length",
                              {line}));
}

TEST(Outputs, GapsBetweenRowsAreCounted) {
    Bench b("outputs");
    auto* z = b.Allocate<half>("z", 256, Role::kOutput);
    uint32_t line = 0;
    b.Run(1, [=, &line] {
        auto tile = Ub<half>(0, 256);
        Duplicate(tile, half(1), 256);
        PipeBarrier<PIPE_ALL>();
        line = __LINE__ + 1;
        DataCopy(Gm<half>(z, 256), tile, DataCopyParams(4, 1, 0, 3));
    });
    EXPECT_EQ(b.Text(), Lines("warning [output-unwritten] a part of the output 'z' is written by nobody\n"
                              "  where:  outputs_test.cpp:{0}, kernel kernel (Ascend910B)\n"
                              "  other:  outputs_test.cpp:{0}, DataCopy writes up to byte 31\n"
                              "  found:  z: bytes 32 to 127 (elements 16 to 63 of half) first; 4 such ranges, 384 of "
                              "512 bytes\n"
                              "  legal:  every byte of an output is written: what it held before is undefined\n"
                              "  do:     check the offset of each block and the strides of the store",
                              {line}));
}

TEST(Outputs, TwoOutputsNobodyWroteAreTwoFindings) {
    Bench b("outputs");
    auto* y = b.Allocate<float>("y", 16, Role::kOutput);
    b.Allocate<float>("z", 16, Role::kOutput);
    std::atomic<uint32_t> line = 0;  // two blocks write it
    b.Run(2, [=, &line] { line = __LINE__, Gm<float>(y, 16); });
    const std::string legal =
        "  legal:  every byte of an output is written: what it held before is undefined\n"
        "  do:     store the result with DataCopy, to the tensor that was set to this argument";
    EXPECT_EQ(b.Text(), Lines("warning [output-unwritten] nothing is written to the output 'y'\n"
                              "  where:  outputs_test.cpp:{0}, kernel kernel (Ascend910B)\n"
                              "  found:  y: bytes 0 to 63 (elements 0 to 15 of float)\n" +
                                  legal +
                                  "\n\nwarning [output-unwritten] nothing is written to the output 'z'\n"
                                  "  where:  kernel kernel (Ascend910B)\n"
                                  "  found:  z: bytes 0 to 63\n" +
                                  legal,
                              {line.load()}));
}

TEST(Outputs, AnArrayWrittenInPartIsANote) {
    Bench b("outputs");
    auto* x = b.Allocate<float>("x", 1024, Role::kInOut, std::vector<float>(1024, 1.0f));
    uint32_t line = 0;
    b.Run(1, [=, &line] { CopyThrough(x, x, 1016, &line); });
    EXPECT_EQ(b.Text(), Lines("note [output-unwritten] a part of 'x' is written, the rest is left as it was\n"
                              "  where:  outputs_test.cpp:{1}, kernel kernel (Ascend910B)\n"
                              "  other:  outputs_test.cpp:{0}, DataCopy writes up to byte 4063\n"
                              "  found:  x: bytes 4064 to 4095 (elements 1016 to 1023 of float); 32 of 4096 bytes\n"
                              "  legal:  an array that the kernel is to fill is written whole\n"
                              "  do:     check the length of the last tile and the number of blocks: DataCopyPad "
                              "stores any length",
                              {line, line - 3}));
    b.options.check = "";  // it may be meant
    b.Run(1, [=, &line] { CopyThrough(x, x, 1016, &line); });
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
    uint32_t line = 0;
    b.Run(1, [=, &line] { CopyThrough(x, x, 32, &line); });
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
        std::atomic<uint32_t> line = 0;  // two blocks write it
        b.Run(2, [=, &line] {
            auto tile = Ub<float>(0, 64);
            Duplicate(tile, 0.0f, 64);
            PipeBarrier<PIPE_ALL>();
            if (GetBlockIdx() == 0) DataCopy(Gm<float>(z, 64), tile, 48);
            SyncAll();
            SetAtomicAdd<float>();
            line = __LINE__ + 1;
            DataCopy(Gm<float>(z, 64), tile, 64);
            SetAtomicNone();
        });
        EXPECT_EQ(b.Text(),
                  Lines("warning [atomic-uninitialised] DataCopy: an atomic store combines with what nobody "
                        "wrote\n"
                        "  where:  outputs_test.cpp:{0}, kernel kernel, core aiv0, instruction 3 (Ascend910B)\n"
                        "  found:  z: bytes 192 to 255 (elements 48 to 63 of float); 64 bytes of this store\n"
                        "  legal:  global memory that was cleared or written before: an output and a "
                        "workspace start undefined\n"
                        "  do:     clear it first, e.g. by InitGlobalMemory, with SyncAll before the atomic "
                        "stores",
                        {line.load()}));
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
    const auto kernel = [](const float* x, const float* z, uint32_t* line) {
        auto used = Ub<float>(0, 64), never = Ub<float>(256, 64), late = Ub<float>(512, 64);
        auto once = Ub<float>(768, 64);
        for (int i = 0; i < 3; ++i) {
            DataCopy(used, Gm<float>(x, 64), 64);
            *line = __LINE__ + 1;
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
        uint32_t line = 0;
        b.Run(1, [=, &line] { kernel(x, z, &line); });
        EXPECT_EQ(b.Text(), *check == 0
                                ? ""
                                : Lines("note [load-unused] DataCopy: what it loads is never used\n"
                                        "  where:  outputs_test.cpp:{0}, kernel kernel, core aiv0, instruction "
                                        "1 (Ascend910B)\n"
                                        "  found:  dst: bytes 0 to 255 of 'x' in UB bytes 256 to 511; all 3 "
                                        "loads of it at this line\n"
                                        "  legal:  a load whose data an instruction or GetValue reads before "
                                        "it is overwritten\n"
                                        "  do:     remove the load, or check which tensor the computation reads",
                                        {line}));
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
    EXPECT_EQ(TextOfTypes<half>(DataType::kFloat),
              "warning [dtype-differs] SetGlobalBuffer: the tensor's elements are not those of 'x'\n"
              "  where:  kernel.cpp:7, kernel kernel, core aiv0, instruction 0 (Ascend910B)\n"
              "  found:  x: a GlobalTensor<half> on an array of float32\n"
              "  legal:  GlobalTensor<float>; bytes and unsigned integers stand for any type\n"
              "  do:     pass the array as float16, or change the tensor's type");
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
