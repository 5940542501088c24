// SPDX-License-Identifier: Apache-2.0
// Sums, largest and smallest elements of registers, blocks and pairs: trees and searches element by element.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "exec/exec.h"
#include "exec/registers/lane_oracle.h"
#include "exec/registers/register_fixture.h"

namespace sfumato::exec {
namespace {

using enum DataType;

struct Result {
    uint64_t bits = 0;
    bool known = true;
};

uint64_t NodeOf(DataType t, const RegisterControl& control, uint64_t a, uint64_t b) {
    RegisterCall add{.op = RegisterOp::kAdd, .type = t, .to = t};
    add.src1 = add.src0;
    return lane_oracle::Element(add, control, a, b, 0);
}

// One result of elements [from, from + count), which are adjacent: the sum of two halves.
Result TreeOf(DataType t, const RegisterControl& control, const std::vector<Result>& v, size_t from, size_t count) {
    if (count == 1) return v[from];
    const Result a = TreeOf(t, control, v, from, count / 2), b = TreeOf(t, control, v, from + count / 2, count / 2);
    return {NodeOf(t, control, a.bits, b.bits), a.known && b.known};
}

// Value and place.
std::pair<Result, uint32_t> SearchOf(DataType t, const RegisterControl& control, const std::vector<Result>& v,
                                     size_t from, size_t count, bool largest) {
    size_t best = from;
    bool known = true;
    for (size_t i = from; i < from + count; ++i) known = known && v[i].known;
    for (size_t i = from; i < from + count; ++i) {
        if (IsFloating(t) && lane_oracle::IsNan(t, v[i].bits)) {
            return {{lane_oracle::Finish(t, v[i].bits, control), known}, static_cast<uint32_t>(i - from)};
        }
    }
    for (size_t i = from + 1; i < from + count; ++i) {
        const uint64_t a = v[best].bits, b = v[i].bits;
        if (a == b) continue;
        if (IsFloating(t)) {
            if (lane_oracle::Choose(t, a, b, largest) == b) best = i;
        } else if ((lane_oracle::IntegerOf(t, b) > lane_oracle::IntegerOf(t, a)) == largest) {
            best = i;
        }
    }
    const uint64_t bits = IsFloating(t) ? lane_oracle::Finish(t, v[best].bits, control) : v[best].bits;
    return {{bits, known}, static_cast<uint32_t>(best - from)};
}

uint64_t OffValue(RegisterOp op, DataType t) {
    const bool largest = op == RegisterOp::kLargest || op == RegisterOp::kBlockLargest;
    if (!largest && op != RegisterOp::kSmallest && op != RegisterOp::kBlockSmallest) return 0;
    if (IsFloating(t)) return lane_oracle::InfOf(t) | (largest ? lane_oracle::SignOf(t) : 0);
    const uint64_t ones = lane_oracle::OnesOf(t);
    if (lane_oracle::IsSigned(t)) return largest ? (ones >> 1) + 1 : ones >> 1;
    return largest ? 0 : ones;
}

DataType ResultType(RegisterOp op, DataType t) {
    if (op != RegisterOp::kSum && op != RegisterOp::kBlockSum) return t;
    return t == kInt16 ? kInt32 : t == kUint16 ? kUint32 : t;
}

uint64_t RandomOf(std::mt19937_64& random, DataType t, int kind) {
    const uint64_t any = random(), ones = lane_oracle::OnesOf(t);
    if (!IsFloating(t)) return (kind == 0 ? any : any % 3 - 1) & ones;
    if (kind == 0) return any & ones;
    if (kind == 1) {
        const uint64_t inf = lane_oracle::InfOf(t), values[] = {0, inf - 1, 1, inf};
        return values[any % (any % 8 ? 3 : 4)] | (any >> 40 & 1 ? lane_oracle::SignOf(t) : 0);
    }
    const uint64_t one = t == kHalf ? 0x3C00 : 0x3F800000;
    return (one + (any % 4 << (t == kHalf ? 10 : 23)) + (any >> 8 & 0xFF)) |
           (any >> 40 & 1 ? lane_oracle::SignOf(t) : 0);
}

void CheckReduction(RegisterOp op, DataType type, uint64_t seed) {
    std::mt19937_64 random(seed);
    const uint32_t bits = BitsOf(type);
    const DataType to = ResultType(op, type);
    RegisterCall call{.op = op, .type = type, .to = to};
    call.registers = bits == 64 && seed % 2 ? 2 : 1;
    RegisterControl control;
    control.ieee = random() % 2;
    control.clamps = random() % 2;
    MaskRegister mask = RandomMask(random);
    if (random() % 3 == 0) mask.bits.fill(0);
    if (random() % 3) call.mask = &mask;
    RegisterPair source, dst;
    const int kind = static_cast<int>(random() % 3);
    const uint32_t n = LanesOf(type, call.registers);
    for (uint32_t i = 0; i < n; ++i) source.Set(bits, i, RandomOf(random, type, kind), call.registers);
    if (random() % 2) {
        for (int i = 0; i < 3; ++i) source.SetKnown(static_cast<uint32_t>(random() % 256), false, call.registers - 1);
    }
    std::vector<Result> v(n);
    for (uint32_t i = 0; i < n; ++i) {
        const bool on = MaskBit(call.mask, MaskBitOf(type, call.registers, i));
        v[i] = {on ? source.Get(bits, i, call.registers) : OffValue(op, type),
                !on || source.ElementKnown(bits, i, call.registers)};
        if (to != type) v[i].bits = static_cast<uint64_t>(lane_oracle::IntegerOf(type, v[i].bits)) & 0xFFFFFFFF;
    }
    const bool search = op == RegisterOp::kLargest || op == RegisterOp::kSmallest || op == RegisterOp::kBlockLargest ||
                        op == RegisterOp::kBlockSmallest;
    const bool largest = op == RegisterOp::kLargest || op == RegisterOp::kBlockLargest;
    const bool blocks =
        op == RegisterOp::kBlockSum || op == RegisterOp::kBlockLargest || op == RegisterOp::kBlockSmallest;
    const uint32_t results = op == RegisterOp::kPairSum ? n / 2 : blocks ? 8 : 1, part = n / results;
    RegisterPair expected;
    expected.Fill(0, call.registers);
    for (uint32_t i = 0; i < results; ++i) {
        uint32_t index = 0;
        Result result;
        if (search) {
            std::tie(result, index) = SearchOf(type, control, v, i * part, part, largest);
        } else {
            result = TreeOf(to, control, v, i * part, part);
        }
        expected.Set(BitsOf(to), i, result.bits, call.registers);
        expected.SetElementKnown(BitsOf(to), i, result.known, call.registers);
        if (search && !blocks) {
            expected.Set(bits, 1, index, call.registers);
            expected.SetElementKnown(bits, 1, result.known, call.registers);
        }
    }
    call.src0 = source.data();
    call.dst = random() % 2 ? source.data() : dst.data();
    RegisterPair& given = call.dst == dst.data() ? dst : source;
    for (uint32_t r = call.registers; r < 2; ++r) expected.r[r] = given.r[r];
    ASSERT_TRUE(Runs(op, type, to));
    Run(call, control);
    for (uint32_t i = 0; i < LanesOf(to, call.registers); ++i) {
        ASSERT_EQ(given.Get(BitsOf(to), i, call.registers), expected.Get(BitsOf(to), i, call.registers))
            << "operation " << static_cast<int>(op) << " of " << CName(type) << ", lane " << i << ", seed " << seed;
    }
    ASSERT_TRUE(given == expected) << "known bytes: operation " << static_cast<int>(op) << " of " << CName(type)
                                   << ", seed " << seed;
}

TEST(RegisterReductions, EveryOperationAndType) {
    struct Row {
        RegisterOp op;
        std::vector<DataType> types;
    };
    const std::vector<DataType> extremes{kInt16, kUint16, kHalf, kInt32, kUint32, kFloat};
    const std::vector<DataType> whole{kInt16, kUint16, kHalf, kInt32, kUint32, kFloat, kInt64, kUint64};
    const Row rows[] = {
        {RegisterOp::kSum, whole},
        {RegisterOp::kLargest, whole},
        {RegisterOp::kSmallest, whole},
        {RegisterOp::kBlockSum, extremes},
        {RegisterOp::kBlockLargest, extremes},
        {RegisterOp::kBlockSmallest, extremes},
        {RegisterOp::kPairSum, {kHalf, kFloat}},
    };
    for (const std::string& target : Targets()) {
        ASSERT_TRUE(ForceTarget(target));
        SCOPED_TRACE(target);
        for (const Row& row : rows) {
            for (DataType type : row.types) {
                for (uint64_t seed = 0; seed < 400; ++seed) {
                    CheckReduction(row.op, type, seed);
                    if (HasFatalFailure()) return;
                }
            }
        }
    }
    ForceTarget("");
}

}  // namespace
}  // namespace sfumato::exec
