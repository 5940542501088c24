// SPDX-License-Identifier: Apache-2.0
// Operations element by element, comparisons and choices: all types, masks, aliases and bytes that are not known,
// against exact integers.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "exec/exec.h"
#include "exec/registers/lane_oracle.h"
#include "exec/registers/register_fixture.h"

namespace sfumato::exec {
namespace {

using enum DataType;

struct Row {
    RegisterOp op;
    std::vector<DataType> types;
    int sources = 2;
    bool reads_dst = false;
};
const std::vector<DataType> kIntegers{kInt8, kUint8, kInt16, kUint16, kInt32, kUint32, kInt64, kUint64};
const std::vector<DataType> kAll{kInt8,  kUint8,  kInt16, kUint16, kHalf,  kBfloat16,
                                 kInt32, kUint32, kFloat, kInt64,  kUint64};
const Row kRows[] = {
    {RegisterOp::kAdd, kAll},
    {RegisterOp::kSub, kAll},
    {RegisterOp::kMul, {kInt16, kUint16, kHalf, kBfloat16, kInt32, kUint32, kFloat, kInt64, kUint64}},
    {RegisterOp::kDiv, {kInt16, kUint16, kHalf, kInt32, kUint32, kFloat, kInt64, kUint64}},
    {RegisterOp::kMax, kAll},
    {RegisterOp::kMin, kAll},
    {RegisterOp::kAbsSub, {kHalf, kFloat, kInt64}},
    {RegisterOp::kPrelu, {kHalf, kFloat}},
    {RegisterOp::kAnd, kIntegers},
    {RegisterOp::kOr, kIntegers},
    {RegisterOp::kXor, kIntegers},
    {RegisterOp::kShiftLeft, kIntegers},
    {RegisterOp::kShiftRight, kIntegers},
    {RegisterOp::kMulAddDst, {kInt16, kUint16, kHalf, kBfloat16, kInt32, kUint32, kFloat, kInt64, kUint64}, 2, true},
    {RegisterOp::kMulDstAdd, {kHalf, kBfloat16, kFloat}, 2, true},
    {RegisterOp::kAxpy, {kHalf, kFloat, kInt64, kUint64}, 2, true},
    {RegisterOp::kAbs, {kInt8, kInt16, kHalf, kInt32, kFloat, kInt64}, 1},
    {RegisterOp::kNeg, {kInt8, kInt16, kHalf, kInt32, kFloat, kInt64}, 1},
    {RegisterOp::kNot, {kInt8, kUint8, kInt16, kUint16, kHalf, kInt32, kUint32, kFloat, kInt64, kUint64}, 1},
    {RegisterOp::kRelu, {kHalf, kInt32, kFloat, kInt64}, 1},
    {RegisterOp::kTruncate, {kHalf, kBfloat16, kFloat}, 1},
};

// Any bits, numbers near each other, and special values.
uint64_t RandomElement(std::mt19937_64& random, DataType t) {
    const uint64_t ones = lane_oracle::OnesOf(t), any = random();
    switch (random() % 4) {
        case 0: return any & ones;
        case 1: {
            if (IsFloating(t)) {
                const uint64_t inf = lane_oracle::InfOf(t), normal = t == kHalf ? 0x400 : t == kFloat ? 0x800000 : 0x80;
                const uint64_t specials[] = {0, 1, normal - 1, normal, inf - 1, inf, inf + 1, 2 * inf - 1};
                return (specials[any % 8] & (ones >> 1)) | (any & lane_oracle::SignOf(t));
            }
            const uint64_t specials[] = {0, 1, 2, ones >> 1, (ones >> 1) + 1, ones, ones - 1, BitsOf(t)};
            return specials[any % 8];
        }
        case 2: {  // floats of few bits, about 1; small integers
            if (!IsFloating(t)) return (any % 80 - 8) & ones;
            const uint64_t one = t == kHalf ? 0x3C00 : t == kFloat ? 0x3F800000 : 0x3F80;
            const int fraction = t == kHalf ? 10 : t == kFloat ? 23 : 7;
            const uint64_t bits = one + ((any % 17 - 8) << fraction) + ((any >> 8 & 15) << (fraction - 4));
            return bits | (any >> 20 & 1 ? lane_oracle::SignOf(t) : 0);
        }
        default: {  // floats with a last bit far below
            if (!IsFloating(t)) return any & ones;
            const uint64_t one = t == kHalf ? 0x3C00 : t == kFloat ? 0x3F800000 : 0x3F80;
            return (one + (any % 5) - 2) | (any >> 20 & 1 ? lane_oracle::SignOf(t) : 0);
        }
    }
}

RegisterControl RandomControl(std::mt19937_64& random) {
    RegisterControl control;
    control.ieee = random() % 2;
    control.clamps = random() % 2;
    control.decides = random() % 4;
    return control;
}

// Operands in three pairs of registers, of which the call's operands are any, the same too.
struct Trial {
    RegisterPair pairs[3];
    RegisterCall call;
    MaskRegister mask;
    int of_dst, of_src0, of_src1;

    Trial(std::mt19937_64& random, RegisterOp op, DataType type, int sources) {
        const uint32_t bits = BitsOf(type);
        call.op = op;
        call.type = call.to = type;
        call.registers = bits == 64 && random() % 2 ? 2 : 1;
        for (RegisterPair& pair : pairs) {
            for (uint32_t i = 0; i < LanesOf(type, call.registers); ++i) {
                pair.Set(bits, i, RandomElement(random, type), call.registers);
            }
            if (random() % 2) pair.Forget(random);
        }
        of_dst = static_cast<int>(random() % 3);
        of_src0 = static_cast<int>(random() % 3);
        of_src1 = static_cast<int>(random() % 3);
        call.dst = pairs[of_dst].data();
        call.src0 = pairs[of_src0].data();
        call.src1 = sources == 1 || random() % 3 == 0 ? nullptr : pairs[of_src1].data();
        call.scalar = RandomElement(random, type);
        mask = RandomMask(random);
        if (random() % 3) call.mask = &mask;
        call.merging = random() % 3 == 0;
        constexpr Rounding kModes[] = {Rounding::kNone,  Rounding::kRint, Rounding::kRound,
                                       Rounding::kFloor, Rounding::kCeil, Rounding::kTrunc};
        call.rounding = kModes[random() % 6];
        call.keeps_subnormals = random() % 2;
    }
    bool IsOn(uint32_t i) const { return MaskBit(call.mask, MaskBitOf(call.type, call.registers, i)); }
};

void CheckElements(const Row& row, DataType type, uint64_t seed) {
    std::mt19937_64 random(seed);
    Trial trial(random, row.op, type, row.sources);
    const RegisterControl control = RandomControl(random);
    const RegisterCall& call = trial.call;
    if (row.op == RegisterOp::kShiftLeft || row.op == RegisterOp::kShiftRight) {
        trial.call.scalar = static_cast<uint16_t>(random() % 80 - 4);
    }
    const uint32_t bits = BitsOf(type), n = LanesOf(type, call.registers);
    RegisterPair expected = trial.pairs[trial.of_dst];
    for (uint32_t i = 0; i < n; ++i) {
        const auto get = [&](int of) { return trial.pairs[of].Get(bits, i, call.registers); };
        const auto known = [&](int of) { return trial.pairs[of].ElementKnown(bits, i, call.registers); };
        if (!trial.IsOn(i)) {
            if (call.merging) continue;
            expected.Set(bits, i, 0, call.registers);
            expected.SetElementKnown(bits, i, true, call.registers);
            continue;
        }
        const uint64_t second = call.src1 ? get(trial.of_src1) : call.scalar;
        expected.Set(bits, i, lane_oracle::Element(call, control, get(trial.of_src0), second, get(trial.of_dst)),
                     call.registers);
        const bool all = known(trial.of_src0) && (row.sources == 1 || !call.src1 || known(trial.of_src1)) &&
                         (!row.reads_dst || known(trial.of_dst));
        expected.SetElementKnown(bits, i, all, call.registers);
    }
    const Trial before = trial;
    ASSERT_TRUE(Runs(call.op, type, type));
    exec::Run(call, control);
    if (trial.pairs[trial.of_dst] == expected) return;
    for (uint32_t i = 0; i < n; ++i) {
        const uint64_t got = trial.pairs[trial.of_dst].Get(bits, i, call.registers);
        const auto get = [&](int of) { return before.pairs[of].Get(bits, i, call.registers); };
        ASSERT_EQ(got, expected.Get(bits, i, call.registers))
            << "operation " << static_cast<int>(row.op) << " of " << CName(type) << ", element " << i << std::hex
            << ": " << get(before.of_src0) << ", " << (call.src1 ? get(before.of_src1) : call.scalar) << ", "
            << get(before.of_dst) << ", ieee " << control.ieee << ", seed " << std::dec << seed;
    }
    FAIL() << "known bytes: operation " << static_cast<int>(row.op) << " of " << CName(type) << ", seed " << seed;
}

TEST(RegisterArithmetic, EveryOperationAndType) {
    for (const std::string& target : Targets()) {
        ASSERT_TRUE(ForceTarget(target));
        SCOPED_TRACE(target);
        for (const Row& row : kRows) {
            for (DataType type : row.types) {
                for (uint64_t seed = 0; seed < 150; ++seed) {
                    CheckElements(row, type, seed);
                    if (HasFatalFailure()) return;
                }
            }
        }
    }
    ForceTarget("");
}

// All triples of halves that are few bits, ends of ranges, or next to each other.
TEST(RegisterArithmetic, FusedHalvesRoundOnce) {
    const uint16_t kValues[] = {0x0000, 0x8000, 0x0001, 0x0002, 0x03FF, 0x0400, 0x0401, 0x8001, 0x83FF,
                                0x1400, 0x1401, 0x17FF, 0x2C00, 0x3BFF, 0x3C00, 0x3C01, 0x3C02, 0x3C03,
                                0xBC00, 0xBC01, 0x3E00, 0x4000, 0x4401, 0x5555, 0x6800, 0x7001, 0x77FF,
                                0x7BFF, 0xFBFF, 0x7C00, 0xFC00, 0x7E00, 0x6BFF, 0x0801, 0x0C00, 0x9001};
    std::vector<uint16_t> x, y, z;
    for (uint16_t a : kValues) {
        for (uint16_t b : kValues) {
            for (uint16_t c : kValues) {
                x.push_back(a);
                y.push_back(b);
                z.push_back(c);
            }
        }
    }
    std::mt19937_64 random(7);
    while (x.size() < 600'000 || x.size() % 128) {
        x.push_back(static_cast<uint16_t>(random()));
        y.push_back(static_cast<uint16_t>(random()));
        // About as large as the product, or its last bits.
        const uint64_t product = lane_oracle::MulAdd(kHalf, x.back(), y.back(), 0, false);
        z.push_back(static_cast<uint16_t>(product ^ (random() & (random() % 2 ? 0x83FF : 0xBFFF))));
    }
    for (const std::string& target : Targets()) {
        ASSERT_TRUE(ForceTarget(target));
        for (size_t at = 0; at < x.size(); at += 128) {
            RegisterPair a, b, dst;
            std::memcpy(a.r[0].bytes.data(), &x[at], 256);
            std::memcpy(b.r[0].bytes.data(), &y[at], 256);
            std::memcpy(dst.r[0].bytes.data(), &z[at], 256);
            RegisterCall call{.op = RegisterOp::kMulAddDst, .type = kHalf, .to = kHalf};
            call.dst = dst.data();
            call.src0 = a.data();
            call.src1 = b.data();
            exec::Run(call, {});
            for (uint32_t i = 0; i < 128; ++i) {
                ASSERT_EQ(dst.Get(16, i), lane_oracle::Element(call, {}, x[at + i], y[at + i], z[at + i]))
                    << std::hex << x[at + i] << " * " << y[at + i] << " + " << z[at + i] << ", " << target;
            }
        }
    }
    ForceTarget("");
}

TEST(RegisterComparisons, EveryModeAndType) {
    for (DataType type : kAll) {
        for (uint64_t seed = 0; seed < 600; ++seed) {
            std::mt19937_64 random(seed);
            Trial trial(random, RegisterOp::kCompare, type, 2);
            RegisterCall& call = trial.call;
            call.mode = static_cast<uint8_t>(random() % 6);
            MaskRegister result;
            call.result = random() % 2 && call.mask ? &trial.mask : &result;
            MaskRegister expected;
            for (uint32_t i = 0; i < LanesOf(type, call.registers); ++i) {
                const uint32_t bit = MaskBitOf(type, call.registers, i), bits = BitsOf(type);
                const uint64_t a = trial.pairs[trial.of_src0].Get(bits, i, call.registers);
                const uint64_t b = call.src1 ? trial.pairs[trial.of_src1].Get(bits, i, call.registers) : call.scalar;
                const bool holds = trial.IsOn(i) && lane_oracle::Compares(type, call.mode, a, b);
                expected.bits[bit / 64] |= static_cast<uint64_t>(holds) << bit % 64;
            }
            exec::Run(call, {});
            ASSERT_EQ(call.result->bits, expected.bits) << CName(type) << ", mode " << int{call.mode};
            ASSERT_TRUE(call.result->set);
        }
    }
}

TEST(RegisterSelect, TakesBytesOfEither) {
    for (DataType type : kAll) {
        for (uint64_t seed = 0; seed < 200; ++seed) {
            std::mt19937_64 random(seed);
            Trial trial(random, RegisterOp::kSelect, type, 2);
            const RegisterCall& call = trial.call;
            const uint32_t bits = BitsOf(type), part = bits / call.registers / 8;
            RegisterPair expected = trial.pairs[trial.of_dst];
            for (uint32_t i = 0; i < LanesOf(type, call.registers); ++i) {
                const RegisterPair& from = trial.pairs[trial.IsOn(i) ? trial.of_src0 : trial.of_src1];
                const bool scalar = !trial.IsOn(i) && !call.src1;
                expected.Set(bits, i, scalar ? call.scalar : from.Get(bits, i, call.registers), call.registers);
                for (uint32_t r = 0; r < call.registers; ++r) {
                    for (uint32_t k = i * part; k < (i + 1) * part; ++k) {
                        expected.SetKnown(k, scalar || from.Known(k, r), r);
                    }
                }
            }
            exec::Run(call, {});
            ASSERT_TRUE(trial.pairs[trial.of_dst] == expected) << CName(type) << ", seed " << seed;
        }
    }
}

TEST(RegisterCarries, SumsDifferencesAndProducts) {
    for (DataType type : {kInt32, kUint32}) {
        for (uint64_t seed = 0; seed < 900; ++seed) {
            std::mt19937_64 random(seed);
            const RegisterOp op = seed % 3 == 0   ? RegisterOp::kAddCarry
                                  : seed % 3 == 1 ? RegisterOp::kSubCarry
                                                  : RegisterOp::kMull;
            Trial trial(random, op, type, 2);
            RegisterCall& call = trial.call;
            call.merging = false;
            MaskRegister carry = RandomMask(random), result;
            if (random() % 2) call.carry = &carry;
            call.result = random() % 2 ? &carry : &result;
            RegisterPair high;
            call.dst1 = high.data();
            RegisterPair low = trial.pairs[trial.of_dst], expected_high = high;
            MaskRegister carries;
            for (uint32_t i = 0; i < 64; ++i) {
                const uint64_t a = trial.pairs[trial.of_src0].Get(32, i);
                const uint64_t b = call.src1 ? trial.pairs[trial.of_src1].Get(32, i) : call.scalar;
                uint64_t all = a + b + (call.carry && MaskBit(&carry, 4 * i));
                if (op == RegisterOp::kSubCarry)
                    all = a + (~b & 0xFFFFFFFF) + (call.carry ? MaskBit(&carry, 4 * i) : 1);
                if (op == RegisterOp::kMull) {
                    all = static_cast<uint64_t>(lane_oracle::IntegerOf(type, a) * lane_oracle::IntegerOf(type, b));
                }
                const bool on = trial.IsOn(i);
                const bool known = trial.pairs[trial.of_src0].ElementKnown(32, i) &&
                                   (!call.src1 || trial.pairs[trial.of_src1].ElementKnown(32, i));
                low.Set(32, i, on ? all & 0xFFFFFFFF : 0);
                low.SetElementKnown(32, i, known || !on);
                expected_high.Set(32, i, on ? all >> 32 : 0);
                expected_high.SetElementKnown(32, i, known || !on);
                carries.bits[i / 16] |= (on ? all >> 32 & 1 : 0) << i % 16 * 4;
            }
            exec::Run(call, {});
            ASSERT_TRUE(trial.pairs[trial.of_dst] == low) << static_cast<int>(op) << ", seed " << seed;
            if (op == RegisterOp::kMull) {
                ASSERT_TRUE(high == expected_high) << "seed " << seed;
            } else {
                ASSERT_EQ(call.result->bits, carries.bits) << static_cast<int>(op) << ", seed " << seed;
            }
        }
    }
}

}  // namespace
}  // namespace sfumato::exec
