// SPDX-License-Identifier: Apache-2.0
// Names, lanes, spans and the printed line of records.
#include "isa/record.h"

#include <gtest/gtest.h>

#include "check/touched.h"
#include "isa/geometry.h"
#include "trace/log.h"

namespace sfumato::isa {
namespace {

Record Cast() {
    Record r;
    r.op = Opcode::vconv;
    r.operand_count = 2;
    r.operand[0] = {Memory::kUb, DataType::kInt32, 0, 1024, 65536, 512, 1, 8};
    r.operand[1] = {Memory::kUb, DataType::kHalf, 0, 0, 1024, 512, 1, 4};
    r.rounding = Rounding::kCeil;
    r.index = 2;
    r.where = {"/home/user/cast.cpp", 27};
    return r;
}

TEST(Record, Names) {
    EXPECT_STREQ(Name(Pipe::kV), "PIPE_V");
    EXPECT_STREQ(Name(Pipe::kFix), "PIPE_FIX");
    EXPECT_STREQ(Name(Pipe::kAll), "PIPE_ALL");
    EXPECT_STREQ(Name(Memory::kGm), "GM");
    EXPECT_STREQ(Name(Memory::kL0C), "L0C");
    EXPECT_STREQ(Info(Opcode::vconv).tik, "vec_conv");
}

TEST(Record, LanesFollowTheWidestOperand) {
    Record r = Cast();
    EXPECT_EQ(LanesPerRepeat(r), 64u);
    r.operand[0].type = DataType::kInt8;
    EXPECT_EQ(LanesPerRepeat(r), 128u);
    r.operand[0].type = DataType::kInt64;
    EXPECT_EQ(LanesPerRepeat(r), 32u);
    r.operand[2].type = DataType::kInt64;
    r.operand[0].type = DataType::kInt4;
    EXPECT_EQ(LanesPerRepeat(r), 128u) << "operands beyond operand_count do not count";
}

TEST(Record, SpanOfVectorRecordsIsExact) {
    RandomRecords random(1);
    for (int n = 0; n < 5000; ++n) {
        const Record r = random.Vector();
        for (int i = 0; i < r.operand_count; ++i) {
            Bytes all;
            for (const Bytes& repeat : Touched(r, i)) all.insert(repeat.begin(), repeat.end());
            const Span span = SpanOf(r, i);
            if (all.empty()) {
                EXPECT_EQ(span.begin, span.end) << Print(r);
                continue;
            }
            // A repeat stride below the length of a repeat can leave the end to an earlier repeat: never outside.
            EXPECT_EQ(span.begin, *all.begin()) << Print(r);
            EXPECT_EQ(span.end, *all.rbegin() + 1) << Print(r);
        }
    }
}

TEST(Record, SpanOfMoves) {
    Record r;
    r.op = Opcode::data_move_pad;
    r.operand_count = 2;
    r.operand[0] = {Memory::kUb, DataType::kHalf, 0, 64, 65536, 0, 1, 8};
    r.operand[1] = {Memory::kGm, DataType::kHalf, 0, 10, 4096, 0, 1, 8};
    r.move = {3, 34, 40, 96, true, 2, 1, 0, true};
    EXPECT_EQ(SpanOf(r, 0).begin, 64u);
    EXPECT_EQ(SpanOf(r, 0).end, 64u + 2 * 96 + 64) << "34 bytes and three pads fill two blocks";
    EXPECT_EQ(SpanOf(r, 1).end, 10u + 2 * 40 + 34);
    r.move.block_count = 0;
    EXPECT_EQ(SpanOf(r, 0).begin, SpanOf(r, 0).end);
    r.op = Opcode::scalar_store;
    EXPECT_EQ(SpanOf(r, 0).end, 66u);
    r.op = Opcode::pipe_barrier;
    EXPECT_EQ(SpanOf(r, 0).begin, SpanOf(r, 0).end);
}

TEST(Record, PrintVector) {
    Record r = Cast();
    r.mask.count = 512;
    EXPECT_EQ(Print(r), "#2 PIPE_V    Cast dst=UB+1024:int32_t src=UB+0:half count=512 CAST_CEIL  cast.cpp:27");
    r.mask = {MaskMode::kContinuous, 64, {}};
    r.repeat = 8;
    EXPECT_EQ(Print(r),
              "#2 PIPE_V    Cast dst=UB+1024:int32_t[1,8] src=UB+0:half[1,4] mask=64 repeat=8 CAST_CEIL  cast.cpp:27");
    r.mask = {MaskMode::kBits, 0, {0xF, 0}};
    r.api = Api::kTik;
    r.where = {};
    EXPECT_EQ(Print(r),
              "#2 PIPE_V    vec_conv dst=UB+1024:int32[1,8] src=UB+0:float16[1,4] mask={0xf,0x0} repeat=8 CAST_CEIL");
}

TEST(Record, PrintOthers) {
    Record r;
    r.op = Opcode::data_move;
    r.pipe = Pipe::kMte2;
    r.operand_count = 2;
    r.operand[0] = {Memory::kUb, DataType::kHalf, 0, 0, 1024, 512, 1, 8};
    r.operand[1] = {Memory::kGm, DataType::kHalf, 3, 64, 4096, 512, 1, 8};
    r.move.block_bytes = r.move.src_pitch = r.move.dst_pitch = 1024;
    EXPECT_EQ(Print(r), "#0 PIPE_MTE2 DataCopy dst=UB+0:half src=GM#3+64:half blocks=1x1024B pitch=1024,1024");
    r.op = Opcode::set_flag;
    r.flag = {Pipe::kMte2, Pipe::kV, 4, 1, 0};
    EXPECT_EQ(Print(r), "#0 PIPE_MTE2 SetFlag MTE2->V id=1");
    r.op = Opcode::pipe_barrier;
    r.pipe = Pipe::kV;
    EXPECT_EQ(Print(r), "#0 PIPE_V    PipeBarrier");
}

TEST(Log, LineStartsWithTheCore) {
    Record r;
    r.op = Opcode::pipe_barrier;
    EXPECT_EQ(trace::LogLine("aiv0", r), "aiv0   #0 PIPE_V    PipeBarrier");
}

}  // namespace
}  // namespace sfumato::isa
