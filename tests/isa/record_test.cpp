// SPDX-License-Identifier: Apache-2.0
// Names, lanes, spans and the printed line of records.
#include "isa/record.h"

#include <gtest/gtest.h>

#include <set>

#include "check/touched_shapes.h"
#include "isa/spans.h"
#include "trace/log.h"

namespace sfumato::isa {
namespace {

Record Cast() {
    Record r;
    r.Become(Opcode::vconv);
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

// pages/001: channelSize is a multiple of these, or what is left of one.
TEST(Record, ElementsOfABlock) {
    for (const auto& [type, elements] :
         {std::pair{DataType::kInt4, 64u}, {DataType::kInt8, 32u}, {DataType::kHalf, 16u}, {DataType::kFloat, 8u}}) {
        EXPECT_EQ(BlockElements(type), elements) << CName(type);
        EXPECT_EQ(C0Of(type), elements) << CName(type);
    }
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

// Two operands of half at byte offsets 0 and `src` of UB.
Record Short(uint64_t src, const Mask& mask) {
    Record r(Opcode::vadds);
    r.operand_count = 2;
    r.operand[0] = {Memory::kUb, DataType::kHalf, 0, 0, 65536, 0, 1, 8};
    r.operand[1] = {Memory::kUb, DataType::kHalf, 0, src, 65536, 0, 1, 8};
    r.mask = mask;
    return r;
}

TEST(Record, PackedIsARunOfBytes) {
    const Mask first{MaskMode::kContinuous, 100, {}}, count{MaskMode::kCount, 1000, {}};
    EXPECT_TRUE(IsPacked(Short(1024, first)));
    EXPECT_TRUE(IsPacked(Short(224, first)));
    EXPECT_FALSE(IsPacked(Short(192, first))) << "8 bytes are read and written";
    EXPECT_TRUE(IsPacked(Short(0, first))) << "in place";
    EXPECT_FALSE(IsPacked(Short(1026, first))) << "not aligned";
    EXPECT_TRUE(IsPacked(Short(2048, count)));
    EXPECT_FALSE(IsPacked(Short(1024, count)));
    EXPECT_TRUE(IsPacked(Short(0, count)));
    EXPECT_FALSE(IsPacked(Short(1024, {MaskMode::kContinuous, 0, {}})));
    EXPECT_FALSE(IsPacked(Short(1024, {MaskMode::kContinuous, 129, {}})));
    EXPECT_FALSE(IsPacked(Short(1024, {MaskMode::kCount, 0, {}})));
    EXPECT_FALSE(IsPacked(Short(1024, {MaskMode::kCount, uint64_t{1} << 32, {}})));
    EXPECT_FALSE(IsPacked(Short(1024, {MaskMode::kCounter, 100, {}})));
    EXPECT_FALSE(IsPacked(Short(1024, {MaskMode::kBits, 0, {1, 0}})));
    Record r = Short(1024, first);
    r.repeat = 2;
    EXPECT_FALSE(IsPacked(r));
    r = Short(1024, first);
    r.operand[1].block_stride = 2;
    EXPECT_FALSE(IsPacked(r));
    r.mask = count;
    r.operand[1].offset = 4096;
    EXPECT_TRUE(IsPacked(r)) << "a count has no strides";
    r = Short(1024, first);
    r.operand[0].type = DataType::kFloat;
    EXPECT_FALSE(IsPacked(r)) << "64 lanes";
    r = Short(0, {MaskMode::kContinuous, 8, {}});
    r.operand[0].type = DataType::kInt16;
    EXPECT_FALSE(IsPacked(r)) << "one place, two types";
    r = Short(1024, {MaskMode::kContinuous, 7, {}});
    r.operand[0].type = r.operand[1].type = DataType::kInt4;
    EXPECT_FALSE(IsPacked(r)) << "half a byte";
    r = Short(1024, first);
    r.operand[1].memory = Memory::kL1;
    EXPECT_FALSE(IsPacked(r));
    r = Short(1024, first);
    r.half_block = HalfBlock::kLow;
    EXPECT_FALSE(IsPacked(r));
}

// What the walk over lanes says of the same records.
TEST(Record, PackedRecordsTouchTheirHull) {
    RandomRecords random(3);
    int packed = 0;
    for (int i = 0; i < 20000; ++i) {
        Record r = random.Vector();
        if (i % 2 == 0) r.mask = {i % 4 ? MaskMode::kContinuous : MaskMode::kCount, 1 + r.mask.count % 300, {}};
        if (i % 2 == 0) r.repeat = 1;
        if (!r.If<Elementwise>() || !IsPacked(r)) continue;
        ++packed;
        for (int k = 0; k < r.operand_count; ++k) {
            const Operand& o = r.operand[static_cast<size_t>(k)];
            const Span span = SpanOf(r, k);
            EXPECT_EQ(span.begin, o.offset) << Print(r);
            EXPECT_EQ(span.end, o.offset + BytesOf(o.type, r.mask.count)) << Print(r);
        }
    }
    EXPECT_GT(packed, 100);
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

// `draw` makes records of this many kinds.
template <class Kind>
void ExpectExactSpans(Record (*draw)(RandomRecords&), size_t kinds, const Kind& kind) {
    RandomRecords random(3);
    std::set<int> seen;
    for (int n = 0; n < 6000; ++n) {
        const Record r = draw(random);
        seen.insert(static_cast<int>(kind(r)));
        for (int i = 0; i < r.operand_count; ++i) {
            const Bytes all = TouchedByShape(r, i);
            const Span span = SpanOf(r, i);
            if (all.empty()) {
                ASSERT_EQ(span.begin, span.end) << i << " of " << Print(r);
                continue;
            }
            ASSERT_EQ(span.begin, *all.begin()) << i << " of " << Print(r);
            ASSERT_EQ(span.end, *all.rbegin() + 1) << i << " of " << Print(r);
        }
    }
    EXPECT_EQ(seen.size(), kinds);
}
constexpr auto OpcodeOf = [](const Record& r) -> Opcode { return r.op; };

// Falling loads must not pass address 0.
Record ShapeAboveZero(RandomRecords& random) {
    Record r = RandomShaped(random);
    const auto* load = r.If<Load2D>();
    const auto* transposed = r.If<LoadTransposed>();
    if ((load && load->decrement) || (transposed && transposed->decrement)) r.operand[1].offset = 1 << 16;
    return r;
}

TEST(Record, SpanOfShapesIsExact) {
    ExpectExactSpans(ShapeAboveZero, 12, [](const Record& r) { return Info(r.op).form; });
}
TEST(Record, SpanOfLanesIsExact) { ExpectExactSpans(RandomLanes, 13, OpcodeOf); }
TEST(Record, SpanOfSortsIsExact) { ExpectExactSpans(RandomSort, 6, OpcodeOf); }

TEST(Record, SpanOfACircularL1) {
    Record r;
    r.Become(Opcode::load3dv2);
    r.operand_count = 2;
    r.operand[0] = {Memory::kL0A, DataType::kHalf, 0, 0, 65536, 0, 1, 8};
    r.operand[1] = {Memory::kL1, DataType::kHalf, 0, 1024, 4096, 0, 1, 8};
    Load3Dv2 s;
    s.map = {8, 8, 0, 0, 0, 0};
    s.channels = 16;
    s.m_extension = 64;
    s.k_extension = 16;
    s.boundary = 3072;
    r.Set(s);
    EXPECT_EQ(SpanOf(r, 1).begin, 1024u);
    EXPECT_EQ(SpanOf(r, 1).end, 3072u);
    r.As<Load3Dv2>().boundary = 2048;
    EXPECT_EQ(SpanOf(r, 1).begin, 0u);
    EXPECT_EQ(SpanOf(r, 1).end, 2048u);
}

TEST(Record, WordsOfVectorModes) {
    Record r;
    r.Become(Opcode::tensor_mov);
    r.Set(MatrixMove{.block_count = 3, .block_len = 2, .deq = MatrixMove::Deq::kVDeq8, .word = 64});
    EXPECT_EQ(WordsSpan(r).begin, 64u);
    EXPECT_EQ(WordsSpan(r).end, 64u + 3 * 128);
    r.As<MatrixMove>().deq = MatrixMove::Deq::kVDeq;
    EXPECT_EQ(WordsSpan(r).end, 64u + 3 * 32);
    r.As<MatrixMove>().deq = MatrixMove::Deq::kDeq8;
    EXPECT_EQ(WordsSpan(r).end, 0u);
    r.Become(Opcode::vconv_deq);
    r.control.deq = DeqScale::kVector;
    r.control.deq_word = 32;
    EXPECT_EQ(WordsSpan(r).end, 32u + 128);
    // In Ascend C other conversions ignore the register; in TIK the words are theirs.
    r.Become(Opcode::vconv);
    EXPECT_EQ(WordsSpan(r).end, 0u);
    r.api = Api::kTik;
    EXPECT_EQ(WordsSpan(r).end, 32u + 128);
    r.control.deq = DeqScale::kWord;
    EXPECT_EQ(WordsSpan(r).end, 0u);
}

TEST(Record, BiasTableTakesHalfAsFloat) {
    Record r;
    r.Become(Opcode::data_move);
    r.operand_count = 2;
    r.operand[0] = {Memory::kBt, DataType::kFloat, 0, 0, 1024, 0, 1, 8};
    r.operand[1] = {Memory::kL1, DataType::kHalf, 0, 0, 1024, 0, 1, 8};
    r.As<Blocks>().block_bytes = 64;
    EXPECT_EQ(SpanOf(r, 0).end, 128u);
    EXPECT_EQ(SpanOf(r, 1).end, 64u);
}

TEST(Record, SpanOfMoves) {
    Record r;
    r.Become(Opcode::data_move_pad);
    r.operand_count = 2;
    r.operand[0] = {Memory::kUb, DataType::kHalf, 0, 64, 65536, 0, 1, 8};
    r.operand[1] = {Memory::kGm, DataType::kHalf, 0, 10, 4096, 0, 1, 8};
    r.As<MovePad>() = {3, 34, 40, 96, true, 2, 1, 0, true};
    EXPECT_EQ(SpanOf(r, 0).begin, 64u);
    EXPECT_EQ(SpanOf(r, 0).end, 64u + 2 * 96 + 64) << "34 bytes and three pads fill two blocks";
    EXPECT_EQ(SpanOf(r, 1).end, 10u + 2 * 40 + 34);
    r.As<Blocks>().block_count = 0;
    EXPECT_EQ(SpanOf(r, 0).begin, SpanOf(r, 0).end);
    r.Become(Opcode::scalar_store);
    EXPECT_EQ(SpanOf(r, 0).end, 66u);
    r.Become(Opcode::pipe_barrier);
    EXPECT_EQ(SpanOf(r, 0).begin, SpanOf(r, 0).end);
}

TEST(Record, ParametersBelongToTheOpcode) {
    Record r;
    for (int i = 0; i < kOpcodeCount; ++i) {
        const Opcode op = static_cast<Opcode>(i);
        r.Become(op);
        EXPECT_EQ(r.op, op);
        EXPECT_EQ(r.form(), Info(op).form) << Info(op).opcode;
        // Parameters of another form are refused, and change nothing.
        const Opcode other = op == Opcode::vsel ? Opcode::vbi : Opcode::vsel;
        EXPECT_THROW(r.Set(Record(other).parameters()), std::logic_error);
        EXPECT_EQ(r.If<Select>() != nullptr, Info(op).form == Form::kSelect);
        EXPECT_EQ(r.form(), Info(op).form) << Info(op).opcode;
    }
    EXPECT_THROW(r.As<Gather>(), std::logic_error);
    EXPECT_THROW(r.Set(Gather{}), std::logic_error);
}

TEST(Record, NamesOfOperands) {
    const auto names = [](Opcode op, int count, Api api) {
        Record r(op);
        r.operand_count = static_cast<uint8_t>(count);
        r.api = api;
        std::string text;
        for (int i = 0; i < count; ++i) text += std::string(i ? " " : "") + OperandName(r, i);
        return text;
    };
    EXPECT_EQ(names(Opcode::vadd, 3, Api::kAscendC), "dst src0 src1");
    EXPECT_EQ(names(Opcode::vconv, 2, Api::kTik), "dst src");
    EXPECT_EQ(names(Opcode::vcmpvs, 2, Api::kAscendC), "dst src");
    EXPECT_EQ(names(Opcode::vsel, 3, Api::kAscendC), "dst src0 selMask");
    EXPECT_EQ(names(Opcode::vsel, 4, Api::kTik), "dst src0 src1 sel");
    EXPECT_EQ(names(Opcode::vscatter, 3, Api::kAscendC), "dst src dstOffset");
    EXPECT_EQ(names(Opcode::vreduce, 2, Api::kAscendC), "dst src0");
    EXPECT_EQ(names(Opcode::vrpsort16, 2, Api::kAscendC), "dst src");
    EXPECT_EQ(names(Opcode::vmrgsort4, 4, Api::kTik), "dst src_list[0] src_list[1] src_list[2]");
    EXPECT_EQ(names(Opcode::mmad, 3, Api::kAscendC), "dst fm filter");
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
    r.Become(Opcode::data_move);
    r.pipe = Pipe::kMte2;
    r.operand_count = 2;
    r.operand[0] = {Memory::kUb, DataType::kHalf, 0, 0, 1024, 512, 1, 8};
    r.operand[1] = {Memory::kGm, DataType::kHalf, 3, 64, 4096, 512, 1, 8};
    r.As<Blocks>().block_bytes = r.As<Blocks>().src_pitch = r.As<Blocks>().dst_pitch = 1024;
    EXPECT_EQ(Print(r), "#0 PIPE_MTE2 DataCopy dst=UB+0:half src=GM#3+64:half blocks=1x1024B pitch=1024,1024");
    r.Become(Opcode::set_flag);
    r.Set(Flag{Pipe::kMte2, Pipe::kV, 4, 1, 0});
    EXPECT_EQ(Print(r), "#0 PIPE_MTE2 SetFlag MTE2->V id=1");
    r.Become(Opcode::pipe_barrier);
    r.pipe = Pipe::kV;
    EXPECT_EQ(Print(r), "#0 PIPE_V    PipeBarrier");
}

std::string PrintShaped(Opcode op, std::initializer_list<std::pair<Memory, DataType>> operands,
                        const Parameters& shape) {
    Record r;
    r.Become(op);
    r.pipe = Info(op).pipe;
    for (const auto& [memory, type] : operands) {
        r.operand[r.operand_count].memory = memory;
        r.operand[r.operand_count++].type = type;
    }
    r.Set(shape);
    return Print(r);
}

TEST(Record, PrintLoads) {
    using T = DataType;
    EXPECT_EQ(PrintShaped(Opcode::load2d, {{Memory::kL0A, T::kHalf}, {Memory::kL1, T::kHalf}},
                          Load2D{.start = 1, .repeats = 8, .src_stride = 2, .dst_gap = 3, .transpose = true}),
              "#0 ?         LoadData dst=L0A+0:half src=L1+0:half start=1 repeat=8 stride=2 gap=3 transpose");
    EXPECT_EQ(PrintShaped(Opcode::load2d_transpose, {{Memory::kL0B, T::kInt8}, {Memory::kL1, T::kInt8}},
                          LoadTransposed{.repeats = 2, .src_stride = 1, .dst_gap = 1, .decrement = true}),
              "#0 PIPE_MTE1 LoadDataWithTranspose dst=L0B+0:int8_t src=L1+0:int8_t start=0 repeat=2 stride=1 gap=1 "
              "fractalgap=0 falling");
    Load3Dv1 v1;
    v1.map = {4, 5, 1, 2, 3, 4};
    v1.filter = {1, 2, 3, 4, 5, 6};
    v1.left_top_w = -1;
    v1.repeats = 8;
    v1.small_channels = true;
    v1.pad_value = 0x3C00;
    EXPECT_EQ(PrintShaped(Opcode::load3dv1, {{Memory::kL0A, T::kHalf}, {Memory::kL1, T::kHalf}}, v1),
              "#0 PIPE_MTE1 LoadData dst=L0A+0:half src=L1+0:half map=4x5 pad=1,2,3,4 filter=4x3 stride=2,1 "
              "dilation=6,5 c1=0 fetch=0,0 lefttop=0,-1 repeat=8 mode=0 jump=1 csize padvalue=0x3c00");
    Load3Dv2 v2;
    v2.map = {4, 5, 1, 1, 1, 1};
    v2.channels = 32;
    v2.m_start = 2;
    v2.m_extension = 16;
    v2.k_extension = 32;
    v2.repeats = 2;
    v2.repeat_stride = 1;
    v2.boundary = 4096;
    EXPECT_EQ(PrintShaped(Opcode::load3dv2, {{Memory::kL0A, T::kHalf}, {Memory::kL1, T::kHalf}}, v2),
              "#0 PIPE_MTE1 LoadData dst=L0A+0:half src=L1+0:half map=4x5 pad=1,1,1,1 filter=1x1 stride=1,1 "
              "dilation=1,1 channels=32 m=2+16 k=0+32 repeat=2 mode=0 repeatstride=1 boundary=4096");
}

TEST(Record, PrintProductsAndResults) {
    using T = DataType;
    Matmul product{.m = 16, .n = 32, .k = 64, .initial = Matmul::Initial::kBias, .unit_flag = 3};
    product.hf32 = Matmul::Hf32::kNearestAway;
    product.order = {Accumulation::Kind::kK0Block};
    EXPECT_EQ(
        PrintShaped(
            Opcode::mmad,
            {{Memory::kL0C, T::kFloat}, {Memory::kL0A, T::kFloat}, {Memory::kL0B, T::kFloat}, {Memory::kBt, T::kFloat}},
            product),
        "#0 PIPE_M    Mmad dst=L0C+0:float fm=L0A+0:float filter=L0B+0:float bias=BT+0:float m=16 n=32 k=64 "
        "init=bias hf32=away order=k0-block unitflag=3");
    Fixpipe out{.n = 32, .m = 16, .src_stride = 16, .dst_stride = 64, .relu = true, .quant = Quant::kReq8, .word = 5};
    out.nd_count = 2;
    out.dst_nd_stride = 100;
    EXPECT_EQ(PrintShaped(Opcode::fixpipe, {{Memory::kGm, T::kInt8}, {Memory::kL0C, T::kInt32}}, out),
              "#0 PIPE_FIX  Fixpipe dst=GM#0+0:int8_t src=L0C+0:int32_t m=16 n=32 stride=64,16 rows nd=2x100,0 REQ8 "
              "word=0x5 relu");
    out = {.n = 32, .m = 16, .src_stride = 16, .dst_stride = 64, .row_major = false, .channel_split = true};
    EXPECT_EQ(PrintShaped(Opcode::fixpipe, {{Memory::kGm, T::kFloat}, {Memory::kL0C, T::kFloat}}, out),
              "#0 PIPE_FIX  Fixpipe dst=GM#0+0:float src=L0C+0:float m=16 n=32 stride=64,16 NZ NoQuant split");
    MatrixMove move{.block_count = 2, .block_len = 3, .dst_gap = 1, .deq = MatrixMove::Deq::kVDeq8, .relu = true};
    move.sid_store_mode = 2;
    move.word = 256;
    EXPECT_EQ(PrintShaped(Opcode::tensor_mov, {{Memory::kUb, T::kInt8}, {Memory::kL0C, T::kInt32}}, move),
              "#0 PIPE_V    DataCopy dst=UB+0:int8_t src=L0C+0:int32_t matrix blocks=2x3 gap=1,0 vdeq8=UB+256 sid=2 "
              "relu");
    move = {.block = MatrixMove::Block::kBroadcast, .block_count = 2, .block_len = 3, .src_gap = 1};
    EXPECT_EQ(PrintShaped(Opcode::broadcast_ub_to_l0c, {{Memory::kL0C, T::kFloat}, {Memory::kUb, T::kFloat}}, move),
              "#0 PIPE_V    BroadCastVecToMM dst=L0C+0:float src=UB+0:float broadcast blocks=2x3 gap=0,1");
}

TEST(Record, PrintLayouts) {
    using T = DataType;
    EXPECT_EQ(PrintShaped(Opcode::nd2nz, {{Memory::kL1, T::kHalf}, {Memory::kGm, T::kHalf}},
                          Nd2Nz{.nd_count = 2,
                                .n = 16,
                                .d = 32,
                                .src_nd_stride = 512,
                                .src_d = 64,
                                .dst_c0_stride = 16,
                                .dst_n_stride = 1,
                                .dst_nd_stride = 1024}),
              "#0 PIPE_MTE2 DataCopy dst=L1+0:half src=GM#0+0:half n=16 d=32 dst=c0:16,n:1 src=d:64 nd=2x1024,512");
    EXPECT_EQ(PrintShaped(Opcode::dn2nz, {{Memory::kL1, T::kHalf}, {Memory::kGm, T::kHalf}},
                          Dn2Nz{.dn_count = 1, .n = 16, .d = 32, .src_d = 64, .dst_c0_stride = 16, .dst_n_stride = 1}),
              "#0 PIPE_MTE2 DataCopy dst=L1+0:half src=GM#0+0:half n=16 d=32 dst=c0:16,n:1 src=d:64");
    NdDma box{.count = 2, .pad_value = 0x3C00};
    box.loops[0] = {.src_stride = 1, .dst_stride = 1, .size = 7, .before = 1};
    box.loops[1] = {.src_stride = 9, .dst_stride = 8, .size = 3, .behind = 2};
    EXPECT_EQ(PrintShaped(Opcode::nddma, {{Memory::kUb, T::kHalf}, {Memory::kGm, T::kHalf}}, box),
              "#0 PIPE_MTE2 DataCopy dst=UB+0:half src=GM#0+0:half box=1+7+0:1,1 0+3+2:8,9 pad=0x3c00");
    EXPECT_EQ(PrintShaped(Opcode::nz2nd, {{Memory::kGm, T::kHalf}, {Memory::kUb, T::kHalf}},
                          Nz2Nd{.nd_count = 1, .n = 16, .d = 32, .src_n_stride = 16, .dst_d_stride = 64}),
              "#0 PIPE_MTE3 DataCopy dst=GM#0+0:half src=UB+0:half n=16 d=32 dst=d:64 src=n:16");
    EXPECT_EQ(PrintShaped(Opcode::fill, {{Memory::kL1, T::kHalf}}, BlockFill{.repeats = 2, .blocks = 3, .dst_gap = 1}),
              "#0 ?         Fill dst=L1+0:half repeat=2 blocks=3 gap=1 value=0x0");
    Record r;
    r.Become(Opcode::data_move);
    r.operand_count = 2;
    r.operand[0].memory = Memory::kGm;
    r.operand[1].memory = Memory::kUb;
    r.control.atomic = Atomic::kMax;
    r.control.atomic_type = T::kHalf;
    EXPECT_TRUE(Print(r).ends_with("pitch=0,0 atomic=max:half")) << Print(r);
}

TEST(Log, LineStartsWithTheCore) {
    Record r;
    r.Become(Opcode::pipe_barrier);
    EXPECT_EQ(trace::LogLine("aiv0", r), "aiv0   #0 PIPE_V    PipeBarrier");
}

}  // namespace
}  // namespace sfumato::isa
