// SPDX-License-Identifier: Apache-2.0
// The mathematical functions of the high-level calls (adv.md 5) on every SIMD target: every half, 10^7 floats by
// strata, pairs by strata; and their form of 512 bits, which decides what a double cannot.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "conformance/comparison.h"
#include "conformance/cube_runner.h"
#include "conformance/expect.h"
#include "conformance/real_values.h"
#include "exec/exec.h"
#include "numeric/convert.h"
#include "numeric/real_functions.h"
#include "oracle/elementwise_oracle.h"

namespace sfumato::conformance {
namespace {

using isa::Opcode;

constexpr DataType kHalf = DataType::kHalf, kFloat = DataType::kFloat;

struct Pairs {
    std::vector<uint64_t> a, b;
    void Add(uint64_t x, uint64_t y) {
        a.push_back(x);
        b.push_back(y);
    }
};

uint64_t BitsOfReal(DataType t, double x) {
    const uint32_t bits = std::bit_cast<uint32_t>(static_cast<float>(x));
    return t == kFloat ? bits : numeric::Convert(kFloat, kHalf, Rounding::kRint, Overflow::kInfNan, bits).bits;
}

// Executes on all elements, `step` at a time. True: something was saturated.
template <class T>
bool Execute(Opcode op, DataType type, Overflow overflow, const std::vector<T>& a, const std::vector<T>& b,
             uint64_t scalar, size_t step, std::vector<T>* out) {
    bool flagged = false;
    for (size_t begin = 0; begin < a.size(); begin += step) {
        isa::Record r;
        r.Become(op);
        r.control.overflow = overflow;
        r.immediate = scalar;
        r.operand_count = isa::Info(isa::Info(op).form).operands;
        r.mask = {isa::MaskMode::kCount, std::min(step, a.size() - begin), {}};
        const T* places[] = {out->data() + begin, a.data() + begin, b.data() + begin};
        for (uint32_t i = 0; i < r.operand_count; ++i) {
            r.operand[i].memory = isa::Memory::kUb;
            r.operand[i].type = type;
            r.operand[i].offset = reinterpret_cast<uintptr_t>(places[i]);
        }
        flagged |= exec::Execute(r, {});
    }
    return flagged;
}

template <class T>
void CompareAs(Opcode op, DataType type, const Pairs& in, size_t step) {
    const bool by_scalar = isa::Info(op).form == isa::Form::kScalar;
    std::vector<uint64_t> expected(in.a.size());
    uint64_t close = 0;
    for (size_t i = 0; i < expected.size(); ++i)
        expected[i] = ExpectReal(op, type, in.a[i], in.b.empty() ? 0 : in.b[by_scalar ? 0 : i], &close);
    const std::vector<T> a(in.a.begin(), in.a.end()), b(in.b.begin(), in.b.end());  // of two
    const uint64_t inf = type == kHalf ? 0x7C00 : 0x7F800000, sign = type == kHalf ? 0x8000 : 0x80000000;
    for (const Overflow overflow : {Overflow::kInfNan, Overflow::kSaturate}) {
        const bool limits = overflow == Overflow::kSaturate;
        if (limits && type != kHalf) continue;
        bool saturated = false;
        for (uint64_t& bits : expected) {
            const uint64_t magnitude = bits & (sign - 1);
            if (!limits || magnitude < inf) continue;
            saturated = true;
            bits = magnitude > inf ? 0 : bits - 1;
        }
        for (const std::string& target : exec::Targets()) {
            ASSERT_TRUE(exec::ForceTarget(target));
            std::vector<T> out(a.size());
            EXPECT_EQ(Execute(op, type, overflow, a, b, in.b.empty() ? 0 : in.b[0], std::min(step, a.size()), &out),
                      saturated)
                << isa::Info(op).opcode << " on " << target;
            exec::ForceTarget("");
            Differences differences;
            for (size_t i = 0; i < out.size(); ++i) {
                if (out[i] != expected[i]) differences.Add(in.a[i], expected[i], out[i]);
            }
            ExpectNoDifference(differences.Text(std::string(isa::Info(op).opcode) + " " + CName(type) + " " +
                                                Name(overflow) + " " + target));
            if (testing::Test::HasFailure()) return;
        }
    }
}
void Compare(Opcode op, DataType type, const Pairs& in, size_t step = SIZE_MAX) {
    type == kHalf ? CompareAs<uint16_t>(op, type, in, step) : CompareAs<uint32_t>(op, type, in, step);
}

class OfOne : public testing::TestWithParam<Opcode> {};
INSTANTIATE_TEST_SUITE_P(Functions, OfOne, testing::ValuesIn(kRealFunctions),
                         [](const auto& op) { return isa::Info(op.param).opcode; });

TEST_P(OfOne, EveryHalf) {
    Pairs in;
    for (uint64_t i = 0; i < 65536; ++i) in.a.push_back(i);
    for (const size_t step : {SIZE_MAX, size_t{1}, size_t{13}}) Compare(GetParam(), kHalf, in, step);
}

// 1100 of each exponent and sign, and the neighbours of what decides: 0, 1, poles, overflow, underflow, multiples of
// pi/2 and their halves.
std::vector<uint64_t> Strata() {
    std::vector<uint64_t> strata = {0, 0x80000000, 0x7F800000, 0xFF800000, 0x7FC00000, 0xFF800001, 1, 0x7F7FFFFF};
    Random random("functions");
    for (uint64_t field = 0; field < 512; ++field) {
        for (int i = 0; i < 1100; ++i) strata.push_back(field << 23 | (random.Bits() & 0x7FFFFF));
    }
    const auto around = [&](double x, uint32_t reach) {
        const auto bits = std::bit_cast<uint32_t>(static_cast<float>(x));
        for (uint32_t i = 0; i <= 2 * reach; ++i) strata.push_back((bits + i - reach) & 0xFFFFFFFF);
    };
    for (const double x :
         {1.0, -1.0, 2.0, 0x1p-12, -0x1p-12, 89.4159, -89.4159, 88.7228, 9.0109, 10.0545, 3.9192, 65504.0, 1.46163214,
          -0.504083, -2.457024738, -2.747682646, 4.08500e36, 524288.0, 600000.0}) {
        around(x, 2000);
    }
    for (int i = 1; i < 20; ++i) around(-i, 200), around(i * 0x1.921fb54442d18p-1, 100), around(std::exp2(i * 6), 20);
    for (int i = 0; i < 20000; ++i) around(0x1.921fb54442d18p+0 * static_cast<double>(random.Bits() % 50000), 0);
    around(16367173.0 * 0x1p72, 10);
    return strata;
}

TEST_P(OfOne, TenMillionFloatsOverAll) {
    Pairs in;
    in.a = Strata();
    ASSERT_GT(in.a.size() * std::size(kRealFunctions), 10'000'000u);
    for (size_t i = 0; i * kSample < in.a.size(); ++i) in.a[i] = in.a[i * kSample];
    in.a.resize((in.a.size() - 1) / kSample + 1);
    Compare(GetParam(), kFloat, in);
}

Pairs PairsFor(DataType t, Opcode op) {
    Pairs in;
    const std::vector<double> corners = {0.0,   -0.0,     1.0,       -1.0, 0.5,      -0.5,    2.0,
                                         -2.0,  3.0,      -3.0,      4.0,  1e-7,     -1e-7,   1e5,
                                         -1e5,  INFINITY, -INFINITY, NAN,  2.5,      -2.5,    7.0,
                                         65504, 16777216, 16777217,  1e38, 0x1p-149, 0x1p-24, 1.0009765625};
    for (const double x : corners) {
        for (const double y : corners) in.Add(BitsOfReal(t, x), BitsOfReal(t, y));
    }
    Random random("pairs of functions");
    const uint64_t all = t == kHalf ? 0xFFFF : 0xFFFFFFFF;
    const auto any = [&] { return RealOf(t, random.Bits() & all); };
    const auto from = [&](double low, double high) {
        return low + (high - low) * static_cast<double>(random.Bits() % 1'000'003) / 1'000'003;
    };
    const auto add = [&](double x, double y) {
        op == Opcode::vspower ? in.Add(BitsOfReal(t, y), BitsOfReal(t, x)) : in.Add(BitsOfReal(t, x), BitsOfReal(t, y));
    };
    for (int i = 0; i < 100'000; ++i) {
        in.Add(random.Bits() & all, random.Bits() & all);
        const double x = any();
        add(x, from(-170, 140) / std::log2(std::abs(x)));     // results of every exponent
        add(1 + from(-0x1p-8, 0x1p-8), from(-20000, 20000));  // near 1
        add(static_cast<double>(random.Bits() % 20000), static_cast<double>(random.Bits() % 12));  // exact, and ties
        add(std::ldexp(static_cast<double>(random.Bits() % 8192), static_cast<int>(random.Bits() % 40) - 20), 2);
        add(std::ldexp(static_cast<double>(random.Bits() % 4096) * static_cast<double>(random.Bits() % 4096), -12),
            0.5);
        add(-std::floor(from(0, 300)), std::floor(from(-40, 40)));
        add(x, x * from(0x1p-13, 1));  // of Hypot: what one side adds to the other
    }
    // Of Hypot: right triangles, whose third side may lie between two floats.
    for (int m = 2; m < 120; ++m) {
        for (int n = 1; n < m; ++n) {
            for (const double scale : {1.0, 1025.0, 0.25, 3001.0})
                in.Add(BitsOfReal(t, (m * m - n * n) * scale), BitsOfReal(t, 2 * m * n * scale));
        }
    }
    return in;
}

TEST(OfTwo, PairsByStrata) {
    for (const DataType t : {kHalf, kFloat}) {
        for (const Opcode op : {Opcode::vpower, Opcode::vfmod, Opcode::vhypot}) {
            const Pairs in = PairsFor(t, op);
            Compare(op, t, in);
            Compare(op, t, {{in.a.begin(), in.a.begin() + 3000}, {in.b.begin(), in.b.begin() + 3000}}, 7);
        }
    }
}

TEST(OfTwo, Scalars) {
    for (const DataType t : {kHalf, kFloat}) {
        const Pairs in = PairsFor(t, Opcode::vpower);
        for (const double scalar : {0.0, 1.0, 2.0, 3.0, 0.5, -1.0, -0.5, 10.0, 1.5, -2.0, 100.0}) {
            std::vector<uint64_t> some;
            for (size_t i = 0; i < in.a.size(); i += 53) some.push_back(in.a[i]), some.push_back(in.b[i]);
            Compare(Opcode::vpowers, t, {some, {BitsOfReal(t, scalar)}});
            Compare(Opcode::vspower, t, {some, {BitsOfReal(t, scalar)}}, 13);
        }
    }
}

TEST(OfTwo, PowersOfIntegers) {
    std::vector<uint32_t> x, y;
    Random random("integer powers");
    for (int a = -40; a <= 40; ++a) {
        for (int b = -5; b <= 45; ++b) x.push_back(static_cast<uint32_t>(a)), y.push_back(static_cast<uint32_t>(b));
    }
    for (int i = 0; i < 20000; ++i) {
        x.push_back(static_cast<uint32_t>(random.Bits()));
        y.push_back(static_cast<uint32_t>(random.Bits() >> (random.Bits() % 32)));
    }
    for (const Opcode op : {Opcode::vpower, Opcode::vpowers, Opcode::vspower}) {
        for (const std::string& target : exec::Targets()) {
            ASSERT_TRUE(exec::ForceTarget(target));
            std::vector<uint32_t> out(x.size());
            const bool scalar = op != Opcode::vpower;
            const uint32_t other = op == Opcode::vspower ? static_cast<uint32_t>(-3) : 5;
            Execute(op, DataType::kInt32, Overflow::kSaturate, x, y, other, x.size(), &out);
            exec::ForceTarget("");
            bool changed = false;
            for (size_t i = 0; i < x.size(); ++i) {
                ASSERT_EQ(out[i], oracle::ExpectElement({op, DataType::kInt32, DataType::kInt32}, x[i],
                                                        scalar ? other : y[i], 0, &changed))
                    << isa::Info(op).opcode << " " << static_cast<int32_t>(x[i]) << " " << static_cast<int32_t>(y[i]);
            }
        }
    }
}

// The form of 512 bits alone, which the tests above reach a few times only.
TEST(Exact, FunctionsOfOne) {
    struct Row {
        Opcode op;
        double (*function)(double);
    };
    using namespace numeric;
    const Row rows[] = {{Opcode::vsin, Sin},     {Opcode::vcos, Cos},         {Opcode::vtan, Tan},
                        {Opcode::vasin, Asin},   {Opcode::vacos, Acos},       {Opcode::vatan, Atan},
                        {Opcode::vsinh, Sinh},   {Opcode::vcosh, Cosh},       {Opcode::vtanh, Tanh},
                        {Opcode::vasinh, Asinh}, {Opcode::vacosh, Acosh},     {Opcode::vatanh, Atanh},
                        {Opcode::verf, Erf},     {Opcode::verfc, Erfc},       {Opcode::vlgamma, Lgamma},
                        {Opcode::vlog2, Log2},   {Opcode::vdigamma, Digamma}, {Opcode::vlog10, Log10}};
    std::vector<uint64_t> in = Strata();
    Random random("exact");
    for (const Row& row : rows) {
        for (int i = 0; i < 250; ++i) {
            const uint64_t bits = in[random.Bits() % in.size()];
            bool changed = false;
            const uint64_t expected = oracle::ExpectElement({row.op, kFloat, kFloat}, bits, 0, 0, &changed);
            const double x = RealOf(kFloat, bits);
            if (!std::isfinite(x) || (expected & 0x7F800000) == 0x7F800000) continue;
            const auto found = static_cast<float>(row.function(x));
            if (found == 0 && x == 0) continue;  // the sign of 0 is the double's affair
            EXPECT_EQ(std::bit_cast<uint32_t>(found), expected) << isa::Info(row.op).opcode << " of " << x;
        }
    }
}

TEST(Exact, FunctionsOfTwo) {
    for (const Opcode op : {Opcode::vpower, Opcode::vhypot}) {
        const Pairs in = PairsFor(kFloat, op);
        for (size_t i = 0; i < in.a.size(); i += 1013) {
            const double x = RealOf(kFloat, in.a[i]), y = RealOf(kFloat, in.b[i]);
            bool changed = false;
            const uint64_t expected = oracle::ExpectElement({op, kFloat, kFloat}, in.a[i], in.b[i], 0, &changed);
            if (!std::isfinite(x) || !std::isfinite(y) || x == 0 || (expected & 0x7F800000) == 0x7F800000) continue;
            const double found = op == Opcode::vpower ? numeric::Power(x, y) : numeric::Hypot(x, y);
            EXPECT_EQ(std::bit_cast<uint32_t>(static_cast<float>(found)), expected)
                << isa::Info(op).opcode << " " << x << " " << y;
        }
    }
}

}  // namespace
}  // namespace sfumato::conformance
