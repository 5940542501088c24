// SPDX-License-Identifier: Apache-2.0
// Which accesses meet, byte by byte, and what records touch, against their elements one by one.
#include "events/conflict.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <tuple>

#include "check/touched_shapes.h"

namespace sfumato::events {
namespace {

using isa::Memory;

// (core, memory, allocation, byte); what a memory does not have is 0.
std::set<std::tuple<uint64_t, Memory, uint32_t, uint64_t>> BytesOf(uint64_t core, const Access& a) {
    std::set<std::tuple<uint64_t, Memory, uint32_t, uint64_t>> bytes;
    const bool gm = a.memory == Memory::kGm;
    for (uint64_t at = a.bytes.begin; at < a.bytes.end; ++at)
        bytes.emplace(gm ? 0 : core, a.memory, gm ? a.allocation : 0, at);
    return bytes;
}

TEST(Conflict, IsACommonByteThatOneWrites) {
    std::mt19937 random(3);
    const auto below = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
    int met = 0;
    for (int n = 0; n < 20000; ++n) {
        const auto draw = [&] {
            constexpr Memory kMemories[] = {Memory::kGm, Memory::kUb, Memory::kRegister};
            const uint64_t begin = below(8);
            return Access{kMemories[below(3)], below(2), {begin, begin + 1 + below(4)}, below(2) == 0};
        };
        const Access a = draw(), b = draw();
        const uint64_t core = below(2), other = below(2);
        const auto common = [](const auto& x, const auto& y) {
            return std::ranges::any_of(x, [&](const auto& byte) { return y.contains(byte); });
        };
        EXPECT_EQ(Meet(core, a, other, b), common(BytesOf(core, a), BytesOf(other, b)));
        EXPECT_EQ(Meet(a, b), common(BytesOf(0, a), BytesOf(0, b)));
        EXPECT_EQ(Conflict(a, b), (a.write || b.write) && Meet(a, b));
        met += Meet(a, b);
    }
    EXPECT_GT(met, 2000);
}

// Every operand that touches something is there, as its hull; what is written comes first.
void ExpectOperands(const isa::Record& r, int operand, const isa::Bytes& bytes) {
    const Accesses accesses(r);
    const auto found = std::ranges::find(accesses, operand, &Access::operand);
    ASSERT_EQ(found == accesses.end(), bytes.empty()) << operand << " of " << isa::Print(r);
    if (bytes.empty()) return;
    const isa::Operand& o = r.operand[static_cast<size_t>(operand)];
    EXPECT_EQ(found->memory, o.memory);
    EXPECT_EQ(found->allocation, o.allocation);
    const bool work = r.If<isa::ReduceTensor>() && operand == 2;
    EXPECT_EQ(found->write, operand == 0 || work) << isa::Print(r);
    EXPECT_LE(found->bytes.begin, *bytes.begin()) << isa::Print(r);
    EXPECT_GT(found->bytes.end, *bytes.rbegin()) << isa::Print(r);
    EXPECT_TRUE(std::ranges::is_partitioned(accesses, &Access::write)) << isa::Print(r);
}

TEST(Accesses, AreThoseOfEveryOperand) {
    isa::RandomRecords random(7);
    for (int n = 0; n < 1000; ++n) {
        for (auto* draw : {isa::RandomShaped, isa::RandomLanes, isa::RandomReduction, isa::RandomSort}) {
            isa::Record r = draw(random);
            if (r.If<isa::Load2D>() || r.If<isa::LoadTransposed>()) r.operand[1].offset = 1 << 16;
            for (int i = 0; i < r.operand_count; ++i) ExpectOperands(r, i, isa::TouchedByShape(r, i));
        }
        const isa::Record vector = random.Vector();
        for (int i = 0; i < vector.operand_count; ++i) {
            isa::Bytes all;
            for (const isa::Bytes& repeat : isa::Touched(vector, i)) all.insert(repeat.begin(), repeat.end());
            ExpectOperands(vector, i, all);
        }
    }
}

isa::Record Convert(uint64_t dst, uint64_t src) {
    isa::Record r(isa::Opcode::vconv_deq);
    r.operand_count = 2;
    r.operand[0] = {Memory::kUb, DataType::kHalf, 0, dst};
    r.operand[1] = {Memory::kUb, DataType::kInt32, 0, src};
    r.mask.count = 64;
    return r;
}

TEST(Accesses, HaveTheWordsThatNoOperandNames) {
    isa::Record convert = Convert(0, 4096);
    EXPECT_EQ(Accesses(convert).size(), 2u);
    convert.control.deq = isa::DeqScale::kVector;
    convert.control.deq_word = 8192;
    const Accesses accesses(convert);
    ASSERT_EQ(accesses.size(), 3u);
    EXPECT_EQ(accesses[2].bytes.begin, 8192u);
    EXPECT_EQ(accesses[2].bytes.end, 8192u + 16 * 8);
    EXPECT_FALSE(accesses[2].write);
    // Its writer is one it waits for, its readers are not.
    EXPECT_TRUE(accesses.Conflicts(Accesses(Convert(8192 + 120, 16384))));
    EXPECT_FALSE(accesses.Conflicts(Accesses(Convert(8192 + 128, 8192))));
}

TEST(Accesses, AreNoneOfControl) {
    EXPECT_EQ(Accesses(isa::Record(isa::Opcode::set_flag)).size(), 0u);
    EXPECT_EQ(Accesses(isa::Record(isa::Opcode::pipe_barrier)).size(), 0u);
}

}  // namespace
}  // namespace sfumato::events
