// SPDX-License-Identifier: Apache-2.0
// Stores under an atomic mode (framework.md 3.10), and bias on its way to the bias table.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "exec/cube/cube.h"
#include "exec/exec.h"

namespace sfumato::testing {
namespace {

using isa::Atomic;
using isa::Memory;

constexpr uint8_t kGuard = 0xA5;

// One element in GM and one stored onto it, and what is there afterwards under `saturate` and under `infnan`.
struct Case {
    DataType type;
    Atomic atomic;
    uint64_t there, stored;
    uint64_t saturate, infnan;
};

constexpr Case kCases[] = {
    {DataType::kHalf, Atomic::kAdd, 0x7BFF, 0x7BFF, 0x7BFF, 0x7C00},
    {DataType::kHalf, Atomic::kAdd, 0x7C00, 0xFC00, 0x0000, 0x7E00},
    {DataType::kHalf, Atomic::kAdd, 0x8000, 0x8000, 0x8000, 0x8000},
    {DataType::kHalf, Atomic::kAdd, 0x0000, 0x8000, 0x0000, 0x0000},
    {DataType::kHalf, Atomic::kAdd, 0x6800, 0x3C00, 0x6800, 0x6800},  // 2048 + 1: to even
    {DataType::kHalf, Atomic::kAdd, 0x6801, 0x3C00, 0x6802, 0x6802},
    {DataType::kHalf, Atomic::kMax, 0x7E01, 0x3C00, 0x0000, 0x7E00},
    {DataType::kHalf, Atomic::kMax, 0x8000, 0x0000, 0x0000, 0x0000},
    {DataType::kHalf, Atomic::kMax, 0x3C00, 0xC000, 0x3C00, 0x3C00},
    {DataType::kHalf, Atomic::kMin, 0x0000, 0x8000, 0x8000, 0x8000},
    {DataType::kHalf, Atomic::kMin, 0x3C00, 0xC000, 0xC000, 0xC000},
    {DataType::kBfloat16, Atomic::kAdd, 0x3F80, 0x3F80, 0x4000, 0x4000},
    {DataType::kBfloat16, Atomic::kAdd, 0x7F7F, 0x7F7F, 0x7F7F, 0x7F80},
    {DataType::kBfloat16, Atomic::kMin, 0x7FC1, 0x3F80, 0x0000, 0x7FC0},
    {DataType::kFloat, Atomic::kAdd, 0x4B800000, 0x3F800000, 0x4B800000, 0x4B800000},  // 2^24 + 1
    {DataType::kFloat, Atomic::kAdd, 0x7F7FFFFF, 0x7F7FFFFF, 0x7F800000, 0x7F800000},
    {DataType::kFloat, Atomic::kMax, 0xFFC12345, 0x3F800000, 0x7FC00000, 0x7FC00000},
    {DataType::kFloat, Atomic::kMin, 0x00000000, 0x80000000, 0x80000000, 0x80000000},
    {DataType::kInt8, Atomic::kAdd, 0x7F, 0x02, 0x7F, 0x81},
    {DataType::kInt8, Atomic::kMax, 0xFF, 0x01, 0x01, 0x01},
    {DataType::kInt16, Atomic::kAdd, 0x8000, 0xFFFF, 0x8000, 0x7FFF},
    {DataType::kInt16, Atomic::kMin, 0x0005, 0xFFFB, 0xFFFB, 0xFFFB},
    {DataType::kInt32, Atomic::kAdd, 0x7FFFFFFF, 0x00000001, 0x7FFFFFFF, 0x80000000},
    {DataType::kInt32, Atomic::kMax, 0x80000000, 0x00000007, 0x00000007, 0x00000007},
};

TEST(AtomicStore, EdgesOfEveryType) {
    for (const std::string& target : exec::Targets()) {
        ASSERT_TRUE(exec::ForceTarget(target));
        for (const Case& c : kCases) {
            for (Overflow overflow : {Overflow::kSaturate, Overflow::kInfNan}) {
                const size_t size = BytesOf(c.type, 1);
                // More elements than a vector holds, at odd addresses.
                for (size_t n : {size_t{1}, size_t{3}, size_t{77}}) {
                    std::vector<uint8_t> gm(n * size + 2, kGuard), from(n * size), expected(n * size + 2, kGuard);
                    const uint64_t result = overflow == Overflow::kSaturate ? c.saturate : c.infnan;
                    for (size_t i = 0; i < n; ++i) {
                        std::memcpy(&gm[1 + i * size], &c.there, size);
                        std::memcpy(&from[i * size], &c.stored, size);
                        std::memcpy(&expected[1 + i * size], &result, size);
                    }
                    isa::Control control;
                    control.atomic = c.atomic;
                    control.atomic_type = c.type;
                    control.overflow = overflow;
                    const bool replaced = exec::StoreAtomic(control, gm.data() + 1, from.data(), from.size());
                    EXPECT_EQ(replaced, overflow == Overflow::kSaturate && c.saturate != c.infnan) << CName(c.type);
                    EXPECT_EQ(gm, expected) << CName(c.type) << " case " << &c - kCases << " on " << target;
                }
            }
        }
    }
    exec::ForceTarget("");
}

TEST(AtomicStore, RefusesOtherTypes) {
    isa::Control control;
    control.atomic = Atomic::kAdd;
    control.atomic_type = DataType::kInt64;
    uint8_t bytes[16] = {};
    EXPECT_THROW(exec::StoreAtomic(control, bytes, bytes + 8, 8), std::logic_error);
}

struct Memories {
    Memories() : gm(1024, kGuard), ub(1024, kGuard) {
        allocations[0] = gm.data();
        map.gm = allocations;
        map.base[static_cast<int>(Memory::kUb)] = map.base[static_cast<int>(Memory::kL1)] = ub.data();
        map.base[static_cast<int>(Memory::kBt)] = gm.data();
    }
    isa::Record Record(isa::Opcode op, Memory from, DataType src, Memory to, DataType dst) {
        isa::Record r;
        r.Become(op);
        r.operand_count = 2;
        r.operand[0].memory = to;
        r.operand[0].type = dst;
        r.operand[1].memory = from;
        r.operand[1].type = src;
        return r;
    }
    std::vector<uint8_t> gm, ub;
    uint8_t* allocations[1] = {};
    exec::MemoryMap map;
};

TEST(AtomicStore, MovesAddBlockByBlock) {
    for (isa::Opcode op : {isa::Opcode::data_move, isa::Opcode::data_move_pad}) {
        Memories m;
        isa::Record r = m.Record(op, Memory::kUb, DataType::kInt16, Memory::kGm, DataType::kInt16);
        r.control.atomic = Atomic::kAdd;
        r.control.atomic_type = DataType::kInt16;
        r.operand[0].offset = 3;
        r.operand[0].limit = uint64_t{64} << 20;  // large enough to be streamed otherwise
        r.As<isa::Blocks>().block_count = 3;
        r.As<isa::Blocks>().block_bytes = op == isa::Opcode::data_move ? 64 : 38;
        r.As<isa::Blocks>().src_pitch = 96;
        r.As<isa::Blocks>().dst_pitch = r.As<isa::Blocks>().block_bytes + 5;
        std::vector<uint8_t> expected = m.gm;
        for (size_t b = 0; b < 3; ++b) {
            for (size_t i = 0; i < r.As<isa::Blocks>().block_bytes / 2; ++i) {
                const auto there = static_cast<int16_t>(100 * b), add = static_cast<int16_t>(i - 7);
                const auto sum = static_cast<int16_t>(there + add);
                std::memcpy(&m.gm[3 + b * r.As<isa::Blocks>().dst_pitch + 2 * i], &there, 2);
                std::memcpy(&m.ub[b * 96 + 2 * i], &add, 2);
                std::memcpy(&expected[3 + b * r.As<isa::Blocks>().dst_pitch + 2 * i], &sum, 2);
            }
        }
        EXPECT_FALSE(exec::Execute(r, m.map));
        EXPECT_EQ(m.gm, expected);
        r.As<isa::Blocks>().block_count = 1;
        const int16_t more[2] = {1, -1};
        std::memcpy(m.ub.data(), more, 4);
        r.As<isa::Blocks>().block_bytes = 4;
        for (size_t i = 0; i < 2; ++i) {
            int16_t v;
            std::memcpy(&v, &expected[3 + 2 * i], 2);
            v = static_cast<int16_t>(v + more[i]);
            std::memcpy(&expected[3 + 2 * i], &v, 2);
        }
        EXPECT_FALSE(exec::Execute(r, m.map));
        EXPECT_EQ(m.gm, expected);
    }
}

TEST(AtomicStore, OnlyGmIsAtomic) {
    Memories m;
    isa::Record r = m.Record(isa::Opcode::data_move, Memory::kGm, DataType::kHalf, Memory::kUb, DataType::kHalf);
    r.control.atomic = Atomic::kAdd;
    r.control.atomic_type = DataType::kHalf;
    r.As<isa::Blocks>().block_bytes = 64;
    std::fill(m.gm.begin(), m.gm.begin() + 64, uint8_t{1});
    EXPECT_FALSE(exec::Execute(r, m.map));
    EXPECT_EQ(m.ub[63], 1);
    EXPECT_EQ(m.ub[64], kGuard);
}

TEST(BiasTable, HalfEntriesBecomeFloats) {
    constexpr uint16_t kIn[] = {0x3C00, 0xC000, 0x0001, 0x7C00, 0x7E01, 0x8000, 0x3555, 0x7BFF};
    constexpr uint32_t kOut[] = {0x3F800000, 0xC0000000, 0x33800000, 0x7F800000,
                                 0x7FC00000, 0x80000000, 0x3EAAA000, 0x477FE000};
    for (const std::string& target : exec::Targets()) {
        ASSERT_TRUE(exec::ForceTarget(target));
        Memories m;
        isa::Record r = m.Record(isa::Opcode::data_move, Memory::kL1, DataType::kHalf, Memory::kBt, DataType::kFloat);
        r.operand[0].offset = 64;
        r.As<isa::Blocks>().block_count = 2;
        r.As<isa::Blocks>().block_bytes = 32;
        r.As<isa::Blocks>().src_pitch = 64;
        r.As<isa::Blocks>().dst_pitch = 128;
        std::vector<uint8_t> expected = m.gm;
        for (size_t b = 0; b < 2; ++b) {
            for (size_t i = 0; i < 16; ++i) {
                const size_t j = (i + b) % 8;
                std::memcpy(&m.ub[64 * b + 2 * i], &kIn[j], 2);
                std::memcpy(&expected[64 + 128 * b + 4 * i], &kOut[j], 4);
            }
        }
        EXPECT_FALSE(exec::Execute(r, m.map));
        EXPECT_EQ(m.gm, expected) << target;
    }
    exec::ForceTarget("");
}

TEST(BiasTable, FourByteEntriesAreCopied) {
    Memories m;
    isa::Record r = m.Record(isa::Opcode::data_move, Memory::kL1, DataType::kFloat, Memory::kBt, DataType::kFloat);
    r.As<isa::Blocks>().block_bytes = r.As<isa::Blocks>().src_pitch = r.As<isa::Blocks>().dst_pitch = 64;
    std::fill(m.ub.begin(), m.ub.end(), uint8_t{7});
    EXPECT_FALSE(exec::Execute(r, m.map));
    EXPECT_EQ(m.gm[63], 7);
    EXPECT_EQ(m.gm[64], kGuard);
}

}  // namespace
}  // namespace sfumato::testing
