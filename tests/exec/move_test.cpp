// SPDX-License-Identifier: Apache-2.0
// Moves of blocks: every row of framework.md 3.4's table, pitches, exact lengths; whole memories are compared.
#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <vector>

#include "exec/exec.h"

namespace sfumato::testing {
namespace {

using isa::Memory;
using isa::Opcode;

constexpr uint8_t kGuard = 0xA5;
constexpr uint8_t kPoison = 0xFE;

class Moves : public ::testing::Test {
protected:
    Moves() : gm_(4096), ub_(4096, kGuard) {
        std::iota(gm_.begin(), gm_.end(), uint8_t{1});
        allocations_[1] = gm_.data();
        memory_.gm = allocations_;
        memory_.base[static_cast<int>(Memory::kUb)] = ub_.data();
        expected_gm_ = gm_;
        expected_ub_ = ub_;
    }

    // From GM to UB, or back.
    isa::Record Record(Opcode op, bool to_ub, DataType type, uint64_t gm_offset, uint64_t ub_offset) {
        isa::Record r;
        r.Become(op);
        r.operand_count = 2;
        isa::Operand& gm = r.operand[to_ub ? 1 : 0];
        isa::Operand& ub = r.operand[to_ub ? 0 : 1];
        gm.memory = Memory::kGm;
        gm.allocation = 1;
        gm.offset = gm_offset;
        ub.memory = Memory::kUb;
        ub.offset = ub_offset;
        gm.type = ub.type = type;
        return r;
    }

    void Check(const isa::Record& record) {
        EXPECT_FALSE(exec::Execute(record, memory_));
        EXPECT_EQ(gm_, expected_gm_);
        EXPECT_EQ(ub_, expected_ub_);
    }

    void ExpectUb(uint64_t at, std::vector<uint8_t> bytes) {
        std::copy(bytes.begin(), bytes.end(), expected_ub_.begin() + static_cast<int64_t>(at));
    }

    std::vector<uint8_t> Gm(uint64_t at, uint64_t n) const {
        return {gm_.begin() + static_cast<int64_t>(at), gm_.begin() + static_cast<int64_t>(at + n)};
    }

    std::vector<uint8_t> gm_, ub_, expected_gm_, expected_ub_;
    uint8_t* allocations_[2] = {};
    exec::MemoryMap memory_;
};

template <typename... Parts>
std::vector<uint8_t> Join(const Parts&... parts) {
    std::vector<uint8_t> all;
    (all.insert(all.end(), parts.begin(), parts.end()), ...);
    return all;
}
std::vector<uint8_t> Bytes(size_t n, uint8_t value) { return std::vector<uint8_t>(n, value); }
std::vector<uint8_t> Halves(size_t n, uint16_t value) {
    std::vector<uint8_t> bytes(2 * n);
    for (size_t i = 0; i < n; ++i) std::memcpy(&bytes[2 * i], &value, 2);
    return bytes;
}

TEST_F(Moves, ContiguousBlocks) {
    isa::Record r = Record(Opcode::data_move, true, DataType::kHalf, 100, 64);
    r.As<isa::Blocks>().block_count = 3;
    r.As<isa::Blocks>().block_bytes = r.As<isa::Blocks>().src_pitch = r.As<isa::Blocks>().dst_pitch = 96;
    ExpectUb(64, Gm(100, 288));
    Check(r);
}

TEST_F(Moves, PitchesOnBothSides) {
    isa::Record r = Record(Opcode::data_move, false, DataType::kHalf, 7, 32);
    std::iota(ub_.begin(), ub_.end(), uint8_t{9});
    expected_ub_ = ub_;
    r.As<isa::Blocks>().block_count = 3;
    r.As<isa::Blocks>().block_bytes = 64;
    r.As<isa::Blocks>().src_pitch = 128;
    r.As<isa::Blocks>().dst_pitch = 96;
    for (size_t i = 0; i < 3; ++i) std::memcpy(&expected_gm_[7 + 96 * i], &ub_[32 + 128 * i], 64);
    Check(r);
}

TEST_F(Moves, NoBlocksMoveNothing) {
    for (Opcode op : {Opcode::data_move, Opcode::data_move_pad}) {
        isa::Record r = Record(op, true, DataType::kHalf, 0, 0);
        r.As<isa::Blocks>().block_count = 0;
        r.As<isa::Blocks>().block_bytes = 32;
        Check(r);
        r.As<isa::Blocks>().block_count = 2;
        r.As<isa::Blocks>().block_bytes = 0;
        if (auto* padded = r.If<isa::MovePad>()) padded->left = 2;
        Check(r);
    }
}

// A padded move of two blocks of `bytes` bytes of half, GM pitch 50, UB pitch 96.
isa::MovePad Padded(uint64_t bytes, uint8_t left, uint8_t right, bool is_pad) {
    isa::MovePad m;
    m.block_count = 2;
    m.block_bytes = bytes;
    m.src_pitch = 50;
    m.dst_pitch = 96;
    m.left = left;
    m.right = right;
    m.is_pad = m.pad_defined = is_pad;
    m.pad_value = 0x1234;
    return m;
}

TEST_F(Moves, WholeBlocksPadWithTheValueOrPoison) {
    for (bool is_pad : {false, true}) {
        isa::Record r = Record(Opcode::data_move_pad, true, DataType::kHalf, 3, 32);
        r.As<isa::MovePad>() = Padded(26, 1, 2, is_pad);
        for (uint64_t i = 0; i < 2; ++i) {
            const uint16_t pad = is_pad ? 0x1234 : kPoison * 0x101;
            ExpectUb(32 + 96 * i, Join(Halves(1, pad), Gm(3 + 50 * i, 26), Halves(2, pad)));
        }
        Check(r);
    }
}

TEST_F(Moves, WithoutPadsTheFillerIsTheFirstElement) {
    for (bool is_pad : {false, true}) {
        isa::Record r = Record(Opcode::data_move_pad, true, DataType::kHalf, 3, 32);
        r.As<isa::MovePad>() = Padded(38, 0, 0, is_pad);
        for (uint64_t i = 0; i < 2; ++i) {
            uint16_t first;
            std::memcpy(&first, &gm_[3 + 50 * i], 2);
            ExpectUb(32 + 96 * i, Join(Gm(3 + 50 * i, 38), Halves(13, first)));
        }
        Check(r);
    }
}

TEST_F(Moves, PartBlocksWithPadsFillWithTheValueOrPoison) {
    for (bool is_pad : {false, true}) {
        isa::Record r = Record(Opcode::data_move_pad, true, DataType::kHalf, 3, 32);
        r.As<isa::MovePad>() = Padded(20, 0, 3, is_pad);
        const uint16_t pad = is_pad ? 0x1234 : kPoison * 0x101;
        for (uint64_t i = 0; i < 2; ++i) ExpectUb(32 + 96 * i, Join(Gm(3 + 50 * i, 20), Halves(6, pad)));
        Check(r);
    }
}

TEST_F(Moves, PadsOfOtherElementSizes) {
    isa::Record r = Record(Opcode::data_move_pad, true, DataType::kInt8, 0, 0);
    r.As<isa::MovePad>() = Padded(5, 3, 1, true);
    r.As<isa::Blocks>().block_count = 1;
    ExpectUb(0, Join(Bytes(3, 0x34), Gm(0, 5), Bytes(24, 0x34)));
    Check(r);
    r = Record(Opcode::data_move_pad, true, DataType::kInt64, 0, 512);
    r.As<isa::MovePad>() = Padded(8, 1, 0, true);
    r.As<isa::Blocks>().block_count = 1;
    r.As<isa::MovePad>().pad_value = 0;
    ExpectUb(512, Join(Bytes(8, 0), Gm(0, 8), Bytes(16, 0)));
    Check(r);
}

TEST_F(Moves, CompactBlocksFollowEachOtherAndTheLastIsFilled) {
    isa::Record r = Record(Opcode::data_move_pad, true, DataType::kHalf, 3, 32);
    isa::MovePad& m = r.As<isa::MovePad>() = Padded(26, 0, 0, false);
    m.compact = true;
    m.dst_pitch = 26;
    uint16_t first;
    std::memcpy(&first, &gm_[3 + 50], 2);
    ExpectUb(32, Join(Gm(3, 26), Gm(53, 26), Halves(6, first)));
    Check(r);
    m.src_pitch = 0;  // the block again
    std::memcpy(&first, &gm_[3], 2);
    ExpectUb(32, Join(Gm(3, 26), Gm(3, 26), Halves(6, first)));
    Check(r);
}

TEST_F(Moves, CompactBlocksOnTheWayOut) {
    std::iota(ub_.begin(), ub_.end(), uint8_t{9});
    expected_ub_ = ub_;
    isa::Record r = Record(Opcode::data_move_pad, false, DataType::kHalf, 7, 32);
    isa::MovePad& m = r.As<isa::MovePad>() = Padded(26, 0, 0, false);
    m.compact = true;
    m.src_pitch = 26;
    m.dst_pitch = 40;
    for (size_t i = 0; i < 2; ++i) std::memcpy(&expected_gm_[7 + 40 * i], &ub_[32 + 26 * i], 26);
    Check(r);
}

TEST_F(Moves, TheWayOutWritesExactlyTheBlock) {
    for (uint64_t n = 1; n < 70; ++n) {
        isa::Record r = Record(Opcode::data_move_pad, false, DataType::kInt8, 5, 0);
        std::iota(ub_.begin(), ub_.end(), static_cast<uint8_t>(n));
        expected_ub_ = ub_;
        r.As<isa::Blocks>().block_count = 4;
        r.As<isa::Blocks>().block_bytes = n;
        r.As<isa::Blocks>().src_pitch = (n + 31) / 32 * 32 + 32;
        r.As<isa::Blocks>().dst_pitch = n + 3;
        for (uint64_t i = 0; i < 4; ++i)
            std::memcpy(&expected_gm_[5 + r.As<isa::Blocks>().dst_pitch * i], &ub_[r.As<isa::Blocks>().src_pitch * i],
                        n);
        Check(r);
    }
}

TEST_F(Moves, ScalarStoreWritesOneElement) {
    for (DataType type : {DataType::kInt8, DataType::kHalf, DataType::kFloat, DataType::kInt64}) {
        isa::Record r = Record(Opcode::scalar_store, true, type, 0, 40 + 16 * BitsOf(type));
        r.operand_count = 1;
        r.immediate = 0x8877665544332211;
        std::memcpy(&expected_ub_[40 + 16 * BitsOf(type)], &r.immediate, BitsOf(type) / 8);
        Check(r);
    }
}

}  // namespace
}  // namespace sfumato::testing
