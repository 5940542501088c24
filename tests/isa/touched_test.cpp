// SPDX-License-Identifier: Apache-2.0
// The exact bytes of records against those enumerated element by element, without isa's geometry.
#include "isa/touched.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "check/touched_shapes.h"

namespace sfumato::isa {
namespace {

Bytes BytesOfRuns(const Record& r, int operand, const uint8_t* ub = nullptr) {
    Bytes bytes;
    ForEachRun(r, operand, ub, [&](const Span& run) {
        ASSERT_LT(run.begin, run.end) << Print(r);
        for (uint64_t at = run.begin; at < run.end; ++at) bytes.insert(at);
    });
    return bytes;
}

Bytes Of(Record (*draw)(RandomRecords&), RandomRecords& random, Record* r, int* operand) {
    *r = draw(random);
    *operand = r->operand_count == 0 ? 0 : static_cast<int>(random.Below(r->operand_count));
    return TouchedByShape(*r, *operand);
}

// `draw` makes records of this many opcodes.
void ExpectSameBytes(Record (*draw)(RandomRecords&), size_t opcodes) {
    RandomRecords random(11);
    std::set<Opcode> seen;
    for (int n = 0; n < 2000; ++n) {
        Record r;
        int operand = 0;
        const Bytes expected = Of(draw, random, &r, &operand);
        if (r.If<Load2D>() || r.If<LoadTransposed>()) {
            // Falling, it must not pass address 0.
            r.operand[1].offset = 1 << 16;
            ASSERT_EQ(BytesOfRuns(r, operand), TouchedByShape(r, operand)) << operand << " of " << Print(r);
        } else if (r.If<ReduceTensor>() && operand == 2) {
            // The pages say how large a work tensor must be, not which of its bytes are used: all of them count.
            const Bytes all = BytesOfRuns(r, operand);
            ASSERT_TRUE(std::includes(all.begin(), all.end(), expected.begin(), expected.end())) << Print(r);
        } else {
            ASSERT_EQ(BytesOfRuns(r, operand), expected) << operand << " of " << Print(r);
        }
        seen.insert(r.op);
    }
    EXPECT_EQ(seen.size(), opcodes);
}

TEST(Touched, Elementwise) {
    RandomRecords random(5);
    for (int n = 0; n < 2000; ++n) {
        const Record r = random.Vector();
        for (int i = 0; i < r.operand_count; ++i) {
            Bytes all;
            for (const Bytes& repeat : isa::Touched(r, i)) all.insert(repeat.begin(), repeat.end());
            ASSERT_EQ(BytesOfRuns(r, i), all) << i << " of " << Print(r);
        }
    }
}

TEST(Touched, CubeAndLayouts) { ExpectSameBytes(RandomShaped, 13); }
TEST(Touched, Lanes) { ExpectSameBytes(RandomLanes, 13); }
TEST(Touched, ReductionsAndTransposes) { ExpectSameBytes(RandomReduction, 13); }
TEST(Touched, Sorts) { ExpectSameBytes(RandomSort, 6); }

TEST(Touched, Moves) {
    Record r(Opcode::data_move_pad);
    r.operand_count = 2;
    r.operand[0] = {Memory::kUb, DataType::kHalf, 0, 64, 65536, 0, 1, 8};
    r.operand[1] = {Memory::kGm, DataType::kHalf, 0, 10, 4096, 0, 1, 8};
    constexpr MovePad kMoves[] = {{{3, 34, 40, 96}, true, 2, 1, 0, true},
                                  {{3, 34, 40, 34}, false, 0, 0, 0, true, true},
                                  {{2, 32, 0, 32}, false, 0, 0, 0, true, true}};
    for (const MovePad& move : kMoves) {
        r.As<MovePad>() = move;
        for (int i = 0; i < 2; ++i) {
            Bytes all;
            for (const Bytes& block : isa::Touched(r, i)) all.insert(block.begin(), block.end());
            EXPECT_EQ(BytesOfRuns(r, i), all);
            EXPECT_EQ(SpanOf(r, i).end, *all.rbegin() + 1);
        }
    }
    r.Become(Opcode::scalar_store);
    r.operand_count = 1;
    EXPECT_EQ(BytesOfRuns(r, 0), (Bytes{64, 65}));
}

// 3 active lanes of 64 floats; their offsets lead to 8, 100 and 8.
TEST(Touched, OffsetsAreReadWhenTheRecordExecutes) {
    constexpr uint64_t kOffsets = 2048, kReached = 1024;
    std::vector<uint8_t> ub(8192, 0xFF);
    const auto put = [&](uint64_t index, uint32_t offset) { std::memcpy(&ub[kOffsets + 4 * index], &offset, 4); };
    const auto record = [&](Opcode op, int reached) {
        Record r(op);
        r.operand_count = 3;
        r.operand[0] = r.operand[1] = {Memory::kUb, DataType::kFloat, 0, 0, 8192, 0, 1, 8};
        r.operand[static_cast<size_t>(reached)].offset = kReached;
        r.operand[2] = {Memory::kUb, DataType::kUint32, 0, kOffsets, 8192, 0, 1, 8};
        r.mask = {MaskMode::kBits, 0, {0b10010001, 0}};
        r.As<Offsets>().base = 32;
        return r;
    };
    put(0, 8), put(4, 100), put(7, 8);
    const Bytes four = {1064, 1065, 1066, 1067, 1156, 1157, 1158, 1159};
    EXPECT_EQ(BytesOfRuns(record(Opcode::vgather, 1), 1, ub.data()), four);
    EXPECT_EQ(BytesOfRuns(record(Opcode::vscatter, 0), 0, ub.data()), four);
    EXPECT_EQ(BytesOfRuns(record(Opcode::vgather, 1), 1).size(), 8192u - 1056) << "what they may reach";

    Record blocks = record(Opcode::vgatherb, 1);
    for (uint64_t i = 0; i < 8; ++i) put(i, i % 2 ? 96 : 0);
    EXPECT_EQ(BytesOfRuns(blocks, 1, ub.data()).size(), 64u);
    EXPECT_EQ(*BytesOfRuns(blocks, 1, ub.data()).rbegin(), 1024u + 32 + 96 + 31);

    Record sums(Opcode::vbi);
    sums.operand_count = 4;
    for (int i = 0; i < 4; ++i) sums.operand[static_cast<size_t>(i)] = blocks.operand[1];
    sums.operand[2] = blocks.operand[2];
    sums.mask = {MaskMode::kContinuous, 64, {}};
    EXPECT_EQ(BytesOfRuns(sums, 1, ub.data()).size(), 64u);
    EXPECT_EQ(*BytesOfRuns(sums, 1, ub.data()).rbegin(), 1024u + 96 + 31);
}

TEST(Touched, BitsThatChooseAreReadWhenTheRecordExecutes) {
    std::vector<uint8_t> ub(4096);
    ub[2048] = 0b1011;
    ub[2049] = 0xFF;  // past the 10 elements: 2 count
    Record r(Opcode::vreduce);
    r.operand_count = 3;
    r.operand[0] = {Memory::kUb, DataType::kHalf, 0, 64, 4096, 0, 1, 8};
    r.operand[1] = {Memory::kUb, DataType::kHalf, 0, 1024, 4096, 0, 1, 8};
    r.operand[2] = {Memory::kUb, DataType::kUint16, 0, 2048, 4096, 0, 1, 8};
    r.mask = {MaskMode::kCounter, 10, {}};
    EXPECT_EQ(BytesOfRuns(r, 0, ub.data()).size(), 2u * 5);
    EXPECT_EQ(BytesOfRuns(r, 0).size(), 4096u - 64);
}

}  // namespace
}  // namespace sfumato::isa
