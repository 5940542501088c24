// SPDX-License-Identifier: Apache-2.0
// Operations on registers that move lanes, count them or make them of nothing (arch950.md 2.11): by element numbers,
// with partial masks, unknown bytes, and operands in each other's place.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "exec/registers/register_fixture.h"
#include "numeric/format_values.h"

namespace sfumato::exec {
namespace {

using enum DataType;

constexpr int kRounds = 60;

// Copies an element with what is known of each of its bytes.
void Copy(const RegisterPair& from, uint32_t i, RegisterPair* to, uint32_t k, uint32_t bits, uint32_t registers = 1) {
    to->Set(bits, k, from.Get(bits, i, registers), registers);
    const uint32_t part = bits / registers / 8;
    for (uint32_t r = 0; r < registers; ++r) {
        for (uint32_t byte = 0; byte < part; ++byte) to->SetKnown(k * part + byte, from.Known(i * part + byte, r), r);
    }
}

struct ShuffleCase {
    DataType type;
    uint8_t registers;
    uint32_t bits, lanes;
};
std::vector<ShuffleCase> CasesOf(std::vector<DataType> types, std::vector<DataType> doubles = {}) {
    std::vector<ShuffleCase> cases;
    for (const DataType t : types) cases.push_back({t, 1, std::max(BitsOf(t), 8u), 2048 / std::max(BitsOf(t), 8u)});
    for (const DataType t : doubles) cases.push_back({t, 2, BitsOf(t), 4096 / BitsOf(t)});
    return cases;
}
uint32_t MaskBitAt(const ShuffleCase& c, uint32_t i) { return i * c.bits / 8 / c.registers; }

TEST(RegisterShuffles, SqueezeAndUnsqueeze) {
    std::mt19937_64 random(1);
    for (const ShuffleCase& c : CasesOf({kInt8, kUint8, kInt16, kUint16, kHalf, kInt32, kUint32, kFloat})) {
        for (int round = 0; round < kRounds; ++round) {
            RegisterPair src(random), dst(random);
            if (round & 1) src.Forget(random);
            const MaskRegister some = RandomMask(random), none;
            const MaskRegister* mask = round % 5 == 0 ? nullptr : round % 5 == 1 ? &none : &some;
            RegisterPair expected = round & 2 ? src : dst, counts = dst;
            expected.Fill(0, 1), counts.Fill(0, 1);
            uint32_t count = 0;
            for (uint32_t i = 0; i < c.lanes; ++i) {
                counts.Set(c.bits, i, count);
                if (MaskBit(mask, MaskBitAt(c, i))) Copy(src, i, &expected, count++, c.bits);
            }
            if (c.type != kHalf && c.type != kFloat) {
                RegisterPair unsqueezed = dst;
                unsqueezed.r[0].known.fill(0);  // what dst held counts for nothing
                RunCall({.op = RegisterOp::kUnsqueeze,
                         .type = c.type,
                         .to = c.type,
                         .dst = unsqueezed.data(),
                         .mask = mask});
                ASSERT_TRUE(unsqueezed == counts) << CName(c.type);
            }
            RegisterPair* result = round & 2 ? &src : &dst;
            const uint32_t active = RunCall({.op = RegisterOp::kSqueeze,
                                             .type = c.type,
                                             .to = c.type,
                                             .dst = result->data(),
                                             .src0 = src.data(),
                                             .mask = mask});
            ASSERT_EQ(active, count);
            ASSERT_TRUE(*result == expected) << CName(c.type);
        }
    }
}

TEST(RegisterShuffles, InterleaveAndDeInterleave) {
    std::mt19937_64 random(2);
    const std::vector<DataType> types = {kInt8, kUint8, kInt16, kUint16, kHalf, kBfloat16, kInt32, kUint32, kFloat};
    for (const ShuffleCase& c : CasesOf(types, {kInt64, kUint64})) {
        for (int round = 0; round < kRounds; ++round) {
            RegisterPair a(random), b(random), low, high;
            if (round & 1) a.Forget(random), b.Forget(random);
            // All sources and results apart, in each other's place, or one source twice.
            RegisterPair* const places[][4] = {
                {&a, &b, &low, &high}, {&a, &b, &a, &b}, {&a, &b, &b, &a}, {&a, &a, &low, &a}};
            RegisterPair* const* at = places[round / 2 % 4];
            const RegisterPair x = *at[0], y = *at[1];
            const bool splits = round & 8;
            RegisterPair r0 = *at[2], r1 = *at[3];
            for (uint32_t i = 0; i < 2 * c.lanes; ++i) {
                if (splits) {  // element i of x and y in a row
                    Copy(i < c.lanes ? x : y, i % c.lanes, i % 2 == 0 ? &r0 : &r1, i / 2, c.bits, c.registers);
                } else {
                    Copy(i % 2 == 0 ? x : y, i / 2, i < c.lanes ? &r0 : &r1, i % c.lanes, c.bits, c.registers);
                }
            }
            RunCall({.op = splits ? RegisterOp::kDeInterleave : RegisterOp::kInterleave,
                     .type = c.type,
                     .to = c.type,
                     .registers = c.registers,
                     .dst = at[2]->data(),
                     .dst1 = at[3]->data(),
                     .src0 = at[0]->data(),
                     .src1 = at[1]->data()});
            ASSERT_TRUE(*at[2] == r0) << CName(c.type) << " " << round;
            ASSERT_TRUE(*at[3] == r1) << CName(c.type) << " " << round;
        }
    }
}

TEST(RegisterShuffles, Gather) {
    std::mt19937_64 random(3);
    for (const ShuffleCase& c : CasesOf({kInt8, kUint8, kFp8E4m3, kInt16, kHalf, kBfloat16, kInt32, kUint32, kFloat})) {
        for (int round = 0; round < kRounds; ++round) {
            RegisterPair src(random), index(random), dst;
            if (round & 1) src.Forget(random);
            if (round & 2) index.Forget(random);
            RegisterPair* const places[] = {&dst, &src, &index};
            RegisterPair* result = places[round % 3];
            RegisterPair expected = *result;
            for (uint32_t i = 0; i < c.lanes; ++i) {
                Copy(src, static_cast<uint32_t>(index.Get(c.bits, i) % c.lanes), &expected, i, c.bits);
                if (!index.ElementKnown(c.bits, i)) expected.SetElementKnown(c.bits, i, false);
            }
            RunCall({.op = RegisterOp::kGather,
                     .type = c.type,
                     .to = c.type,
                     .dst = result->data(),
                     .src0 = src.data(),
                     .src1 = index.data()});
            ASSERT_TRUE(*result == expected) << CName(c.type);
        }
    }
}

TEST(RegisterShuffles, MoveAndDuplicate) {
    std::mt19937_64 random(4);
    const std::vector<DataType> types = {kInt8,    kUint8, kHifloat8, kFp8E4m3,   kFp8E5m2,  kFp8E8m0, kFp4E2m1,
                                         kFp4E1m2, kInt16, kUint16,   kHalf,      kBfloat16, kInt32,   kUint32,
                                         kFloat,   kInt64, kUint64,   kComplex32, kComplex64};
    for (const ShuffleCase& c : CasesOf(types, {kInt64, kUint64, kComplex32, kComplex64})) {
        for (int round = 0; round < kRounds; ++round) {
            RegisterPair src(random), dst(random);
            if (round & 1) src.Forget(random), dst.Forget(random);
            const MaskRegister some = RandomMask(random);
            const MaskRegister* mask = round % 3 == 0 ? nullptr : &some;
            const bool merging = round & 2, moves = round & 4, scalar = round & 8, last = round & 16,
                       in_place = round & 32;
            const uint64_t value = random();
            RegisterPair* result = in_place ? &src : &dst;
            RegisterPair expected = *result;
            for (uint32_t i = 0; i < c.lanes; ++i) {
                if (!MaskBit(mask, MaskBitAt(c, i))) {
                    if (merging) continue;
                    expected.Set(c.bits, i, 0, c.registers);
                    expected.SetElementKnown(c.bits, i, true, c.registers);
                } else if (moves) {
                    Copy(src, i, &expected, i, c.bits, c.registers);
                } else if (scalar) {
                    expected.Set(c.bits, i, value, c.registers);
                    expected.SetElementKnown(c.bits, i, true, c.registers);
                } else {
                    Copy(src, last ? c.lanes - 1 : 0, &expected, i, c.bits, c.registers);
                }
            }
            RunCall({.op = moves ? RegisterOp::kMove : RegisterOp::kDuplicate,
                     .type = c.type,
                     .to = c.type,
                     .registers = c.registers,
                     .dst = result->data(),
                     .src0 = !moves && scalar ? nullptr : src.data(),
                     .scalar = value,
                     .mask = mask,
                     .merging = merging,
                     .mode = !moves && last});
            ASSERT_TRUE(*result == expected) << CName(c.type) << " " << int{c.registers} << " " << round;
        }
    }
}

TEST(RegisterShuffles, PackAndUnPack) {
    std::mt19937_64 random(5);
    for (const ShuffleCase& c : CasesOf({kInt16, kUint16, kInt32, kUint32, kInt64, kUint64}, {kInt64, kUint64})) {
        const bool is_signed = c.type == kInt16 || c.type == kInt32 || c.type == kInt64;
        const DataType narrow = c.bits == 16   ? (is_signed ? kInt8 : kUint8)
                                : c.bits == 32 ? (is_signed ? kInt16 : kUint16)
                                               : (is_signed ? kInt32 : kUint32);
        const uint32_t half = c.bits / 2, half_bytes = half / 8;
        for (int round = 0; round < kRounds; ++round) {
            RegisterPair src(random), dst(random);
            if (round & 1) src.Forget(random);
            const bool unpacks = round & 2, high = c.registers == 1 && (round & 4), in_place = round & 8;
            RegisterPair* result = in_place ? &src : &dst;
            RegisterPair expected = *result;
            expected.Fill(0, unpacks ? c.registers : 1);
            for (uint32_t i = 0; i < c.lanes; ++i) {
                const uint32_t k = i + (high ? c.lanes : 0);  // of the narrow elements
                if (unpacks) {
                    const uint64_t v = src.Get(half, k), sign = is_signed ? v >> (half - 1) : 0;
                    expected.Set(c.bits, i, v | (0 - sign) << half, c.registers);
                    for (uint32_t byte = 0; byte < 2 * half_bytes; ++byte) {
                        const uint32_t from = std::min(byte, half_bytes - 1);
                        const bool known = src.Known(k * half_bytes + from) || (!is_signed && byte >= half_bytes);
                        const uint32_t r = c.registers == 2 ? byte / half_bytes : 0;
                        const uint32_t at =
                            c.registers == 2 ? i * half_bytes + byte % half_bytes : i * 2 * half_bytes + byte;
                        expected.SetKnown(at, known, r);
                    }
                } else {
                    expected.Set(half, k, src.Get(c.bits, i, c.registers));
                    for (uint32_t byte = 0; byte < half_bytes; ++byte) {
                        const uint32_t from = i * c.bits / 8 / c.registers + byte;
                        expected.SetKnown(k * half_bytes + byte, src.Known(from));
                    }
                }
            }
            RunCall({.op = unpacks ? RegisterOp::kUnPack : RegisterOp::kPack,
                     .type = unpacks ? narrow : c.type,
                     .to = unpacks ? c.type : narrow,
                     .registers = c.registers,
                     .dst = result->data(),
                     .src0 = src.data(),
                     .mode = high});
            ASSERT_TRUE(*result == expected) << CName(c.type) << " " << int{c.registers} << " " << round;
        }
    }
}

TEST(RegisterShuffles, Histograms) {
    std::mt19937_64 random(6);
    for (int round = 0; round < 200; ++round) {
        RegisterPair src(random), dst(random);
        if (round % 7 == 0) src.Fill(77, 1);
        const bool forgets = round & 1, high = round & 2, accumulates = round & 4, masked = round & 8;
        if (forgets) dst.Forget(random);
        const bool unknown = round % 16 == 15;
        if (unknown) src.Forget(random);
        const MaskRegister some = RandomMask(random);
        const MaskRegister* mask = masked ? &some : nullptr;
        RegisterPair expected = dst;
        bool known = true;
        for (uint32_t i = 0; i < 256; ++i) known = known && (!MaskBit(mask, i) || src.Known(i));
        for (uint32_t n = 0; n < 128; ++n) {
            const uint32_t value = n + (high ? 128 : 0);
            uint32_t count = 0;
            for (uint32_t i = 0; i < 256; ++i) {
                const uint64_t v = src.Get(8, i);
                count += MaskBit(mask, i) && (accumulates ? v <= value : v == value) ? 1 : 0;
            }
            expected.Set(16, n, dst.Get(16, n) + count);
            expected.SetElementKnown(16, n, known && dst.ElementKnown(16, n));
        }
        RunCall({.op = RegisterOp::kHistogram,
                 .type = kUint8,
                 .to = kUint16,
                 .dst = dst.data(),
                 .src0 = src.data(),
                 .mask = mask,
                 .mode = high,
                 .accumulates = accumulates});
        ASSERT_TRUE(dst == expected) << round;
    }
}

void CheckArange(const ShuffleCase& c, uint64_t start, bool decreasing, bool saturates) {
    RegisterPair dst;
    dst.r[0].known.fill(0);
    RunCall({.op = RegisterOp::kArange,
             .type = c.type,
             .to = c.type,
             .registers = c.registers,
             .dst = dst.data(),
             .scalar = start,
             .mode = decreasing},
            {.ieee = !saturates});
    ASSERT_TRUE(dst.r[0].known == RegisterPair().r[0].known);
    for (uint32_t i = 0; i < c.lanes; ++i) {
        const uint32_t index = decreasing ? c.lanes - 1 - i : i;
        uint64_t expected = (start + index) & (~uint64_t{0} >> (64 - c.bits));
        if (IsFloating(c.type)) {
            const double sum = format_values::ValueOf(c.type, start) + index + 0.0;  // no negative zero
            // Ties upward: those of negative numbers go towards zero, as a hair above them would.
            const bool tie_down = sum < 0 && c.type == kHalf;
            const double nudged = tie_down ? sum + 0x1p-26 : sum;
            expected = c.type == kHalf ? format_values::ToFormat(kHalf, nudged, Rounding::kRound, saturates, false)
                                       : format_values::ToFloat(
                                             format_values::ValueOf(kFloat, start) + static_cast<long double>(index),
                                             Rounding::kRint);
        }
        ASSERT_EQ(dst.Get(c.bits, i, c.registers), expected)
            << CName(c.type) << std::hex << " from " << start << " at " << i;
    }
}

TEST(RegisterShuffles, Arange) {
    std::mt19937_64 random(7);
    for (const ShuffleCase& c : CasesOf({kInt8, kInt16, kInt32, kInt64, kHalf, kFloat}, {kInt64})) {
        for (uint32_t round = 0; round < (c.type == kHalf ? 65536u : 2000u); ++round) {
            uint64_t start = c.type == kHalf ? round : random() >> (64 - c.bits);
            if (c.type == kFloat && round % 2 == 0) start = (start & 0x807FFFFF) | (120 + random() % 40) << 23;
            CheckArange(c, start, false, round % 3 == 0);
            if (round % 8 == 0) CheckArange(c, start, true, round % 3 == 0);
            if (HasFatalFailure()) return;
        }
    }
}

}  // namespace
}  // namespace sfumato::exec
