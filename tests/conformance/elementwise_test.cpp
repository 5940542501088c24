// SPDX-License-Identifier: Apache-2.0
// Elementwise instructions against the oracle on every SIMD target: all inputs of 16 bits, strata of wider ones, and
// the corners of those of two and three inputs.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "conformance/comparison.h"
#include "conformance/cube_runner.h"
#include "conformance/expect.h"
#include "numeric/functions.h"
#include "oracle/elementwise_oracle.h"

namespace sfumato::conformance {
namespace {

using isa::Opcode;
using oracle::Elementwise;

constexpr DataType kHalf = DataType::kHalf, kFloat = DataType::kFloat;

// Elements of the operands as bit patterns: as many as a has.
struct Inputs {
    std::vector<uint64_t> a, b, old;
};

void Store(std::vector<uint8_t>& bytes, DataType t, const std::vector<uint64_t>& values, size_t n) {
    const size_t size = BitsOf(t) / 8;
    for (size_t i = 0; i < n; ++i) std::memcpy(&bytes[i * size], &values[i], size);
}

// Runs one instruction on all elements, `step` at a time, on every target, and compares results and flags.
void Compare(Elementwise e, const Inputs& in, uint64_t scalar = 0, size_t step = SIZE_MAX) {
    const size_t n = in.a.size(), src_size = BitsOf(e.src) / 8, dst_size = BitsOf(e.dst) / 8;
    const isa::Form form = isa::Info(e.op).form;
    const bool two = form == isa::Form::kBinary || form == isa::Form::kConvertTwo;
    std::vector<uint8_t> a(n * 8 + 64), b(n * 8 + 64), start(n * 8 + 64, 0xA5);
    Store(a, e.src, in.a, n);
    if (two) Store(b, e.src, in.b, n);
    if (Has(e.op, isa::kReadsDst)) Store(start, e.dst, in.old, n);
    step = std::min(step, n);
    const bool both = e.dst == kHalf || !IsFloating(e.dst);
    for (const Overflow overflow : {Overflow::kSaturate, Overflow::kInfNan}) {
        if (overflow == Overflow::kSaturate && !both) continue;
        e.overflow = overflow;
        std::vector<uint64_t> expected(n);
        std::vector<bool> changed(n);
        for (size_t i = 0; i < n; ++i) {
            bool flag = false;
            expected[i] = oracle::ExpectElement(e, in.a[i], two ? in.b[i] : scalar,
                                                Has(e.op, isa::kReadsDst) ? in.old[i] : 0, &flag);
            changed[i] = flag;
        }
        for (const std::string& target : exec::Targets()) {
            ASSERT_TRUE(exec::ForceTarget(target));
            std::vector<uint8_t> dst = start;
            Differences differences;
            for (size_t begin = 0; begin < n; begin += step) {
                const size_t count = std::min(step, n - begin);
                isa::Record r;
                r.Become(e.op);
                r.control.overflow = e.overflow;
                r.rounding = e.rounds ? Rounding::kRound : Rounding::kNone;
                r.immediate = scalar;
                r.control.deq_word = e.scale;
                r.last_bits.base = e.exact ? isa::LastBits::Base::kExact : isa::LastBits::Base::kBoard;
                r.operand_count = two ? 3 : 2;
                r.mask = {isa::MaskMode::kCount, count, {}};
                const uint8_t* bytes[] = {dst.data() + begin * dst_size, a.data() + begin * src_size,
                                          b.data() + begin * src_size};
                for (uint32_t i = 0; i < r.operand_count; ++i) {
                    r.operand[i].memory = isa::Memory::kUb;
                    r.operand[i].type = i == 0 ? e.dst : e.src;
                    r.operand[i].offset = reinterpret_cast<uintptr_t>(bytes[i]);
                }
                const bool flagged = exec::Execute(r, {});
                const bool any = std::find(changed.begin() + static_cast<long>(begin),
                                           changed.begin() + static_cast<long>(begin + count),
                                           true) != changed.begin() + static_cast<long>(begin + count);
                if (flagged != any) differences.AddWrongFlag(count, any);
            }
            for (size_t i = 0; i < n; ++i) {
                uint64_t found = 0;
                std::memcpy(&found, &dst[i * dst_size], dst_size);
                if (found != expected[i]) differences.Add(in.a[i], expected[i], found);
            }
            for (size_t i = n * dst_size; i < dst.size(); ++i) {
                if (dst[i] != start[i]) differences.Add(i, start[i], dst[i], " behind the results");
            }
            exec::ForceTarget("");
            char what[160];
            std::snprintf(what, sizeof what, "%s %s to %s, scalar %#llx, %s, %s", isa::Info(e.op).opcode, CName(e.src),
                          CName(e.dst), static_cast<unsigned long long>(scalar), Name(overflow), target.c_str());
            ExpectNoDifference(differences.Text(what));
            if (testing::Test::HasFailure()) return;
        }
    }
}

std::vector<uint64_t> All16() {
    std::vector<uint64_t> all(65536);
    for (size_t i = 0; i < all.size(); ++i) all[i] = i;
    return all;
}

std::vector<uint64_t> Corners(DataType t) {
    if (t == kHalf) {
        return {0,      0x8000, 1,      0x8001, 0x03FF, 0x0400, 0x83FF, 0x8400, 0x3C00, 0xBC00, 0x3BFF, 0x3C01,
                0x3800, 0x5555, 0x7BFF, 0xFBFF, 0x7BFE, 0x7C00, 0xFC00, 0x7C01, 0x7E00, 0xFE00, 0xFFFF, 0x4248};
    }
    if (t == kFloat) {
        return {0,          0x80000000, 1,          0x80000001, 0x007FFFFF, 0x00800000, 0x807FFFFF, 0x80800000,
                0x3F800000, 0xBF800000, 0x3F7FFFFF, 0x3F800001, 0x3F000000, 0x5F123456, 0x7F7FFFFF, 0xFF7FFFFF,
                0x7F7FFFFE, 0x7F800000, 0xFF800000, 0x7F800001, 0x7FC00000, 0xFFC00000, 0xFFFFFFFF, 0x34000000};
    }
    const uint64_t mask = (uint64_t{1} << BitsOf(t)) - 1, top = uint64_t{1} << (BitsOf(t) - 1);
    return {0,          1,         2, mask, mask - 1, top, top - 1, top + 1, 0x55555555 & mask, 0xAAAAAAAA & mask,
            255 & mask, 181 & mask};
}

// A bit pattern: mostly ordinary values, whose operations meet, and any.
uint64_t Draw(Random& random, DataType t) {
    const uint64_t mask = (uint64_t{1} << BitsOf(t)) - 1, bits = random.Bits();
    if (random.Chance(10)) {
        const std::vector<uint64_t> corners = Corners(t);
        return corners[bits % corners.size()];
    }
    if (t == kFloat && random.Chance(70)) return (bits & 0x807FFFFF) | (110 + bits % 36) << 23;
    if (t == kHalf && random.Chance(50)) return (bits & 0x83FF) | (8 + bits % 16) << 10;
    if (!IsFloating(t) && random.Chance(50)) return (bits % 400 - 200) & mask;
    return bits & mask;
}

// Every triple of corners, then drawn ones.
Inputs Triples(DataType dst, DataType src, size_t drawn) {
    Inputs in;
    for (const uint64_t a : Corners(src)) {
        for (const uint64_t b : Corners(src)) {
            for (const uint64_t old : Corners(dst)) {
                in.a.push_back(a);
                in.b.push_back(b);
                in.old.push_back(old);
            }
        }
    }
    Random random("triples");
    for (size_t i = 0; i < drawn; ++i) {
        in.a.push_back(Draw(random, src));
        in.b.push_back(Draw(random, src));
        in.old.push_back(Draw(random, dst));
    }
    return in;
}

// Every 2^kStep-th float from a varying place, and the neighbours of what decides.
std::vector<uint64_t> Strata(uint32_t step_bits) {
    std::vector<uint64_t> strata = Corners(kFloat);
    Random random("strata");
    for (uint64_t base = 0; base < uint64_t{1} << 32; base += kSample << step_bits) {
        strata.push_back(base | (random.Bits() & ((uint64_t{1} << step_bits) - 1)));
    }
    // Limits of Exp (overflow, subnormal, 0, 1), of Ln (1), of a reciprocal (subnormal results).
    for (const float x : {88.72284f, -87.33655f, -103.27893f, -103.97208f, 0x1p-24f, -0x1p-25f, 0x1p-25f, 1.0f,
                          0x1p126f, 0x1p-126f, 0x1p-149f, 2.0f, 0x1.62e42fep-1f}) {
        const uint32_t bits = std::bit_cast<uint32_t>(x);
        for (uint32_t i = 0; i < 2000; ++i) strata.push_back(bits + i - 1000);
    }
    for (uint64_t& bits : strata) bits &= 0xFFFFFFFF;
    return strata;
}

constexpr Opcode kFunctions[] = {Opcode::vabs, Opcode::vrelu, Opcode::vrec,  Opcode::vsqrt,
                                 Opcode::vexp, Opcode::vln,   Opcode::vrsqrt};

TEST(Elementwise, FunctionsOfEveryHalf) {
    for (const Opcode op : kFunctions) {
        const Inputs in{All16(), {}, {}};
        Compare({op, kHalf, kHalf}, in);
        Compare({op, kHalf, kHalf}, in, 0, 1);
        Compare({op, kHalf, kHalf}, in, 0, 13);
    }
    for (const Opcode op : {Opcode::vrec, Opcode::vrsqrt})
        Compare({.op = op, .dst = kHalf, .src = kHalf, .exact = true}, {All16(), {}, {}});
}

TEST(Elementwise, Expm1OfEveryHalf) {
    const Inputs in{All16(), {}, {}};
    for (const size_t step : {SIZE_MAX, size_t{1}, size_t{13}}) Compare({Opcode::vexpm1, kHalf, kHalf}, in, 0, step);
}

TEST(Elementwise, CopiesAndDepths) {
    for (const DataType t : {DataType::kInt16, kHalf, DataType::kUint32, kFloat}) {
        Compare({Opcode::vcopy, t, t}, Triples(t, t, 5000), 0, 37);
    }
    const DataType integers[] = {DataType::kInt8,   DataType::kUint8, DataType::kInt16,
                                 DataType::kUint16, DataType::kInt32, DataType::kUint32};
    for (const DataType src : integers) {
        for (const DataType dst : integers) {
            if (dst != src) Compare({Opcode::vcbd, dst, src}, Triples(dst, src, 5000), 0, 101);
        }
    }
}

TEST(Elementwise, ConversionsBehindProductsAndSums) {
    for (const DataType dst : {DataType::kInt8, DataType::kUint8}) {
        Inputs in = Triples(dst, kHalf, 200000);
        // Products near the limits of 8 bits and near ties.
        Random random("small products");
        for (uint64_t a = 0; a < 65536; ++a) {
            in.a.push_back(a);
            in.b.push_back(0x3800 + random.Bits() % 0x1000);
            in.old.push_back(0);
        }
        Compare({Opcode::vmulconv, dst, kHalf}, in);
        Compare({Opcode::vmulconv, dst, kHalf}, {{in.a.begin(), in.a.begin() + 20000}, in.b, in.old}, 0, 13);
    }
    for (const auto& [dst, src] :
         {std::pair{DataType::kInt8, kHalf}, {kHalf, kFloat}, {DataType::kInt8, DataType::kInt16}}) {
        for (const Opcode op : {Opcode::vaddreluconv, Opcode::vsubreluconv}) {
            Compare({op, dst, src}, Triples(dst, src, 100000), 0, 37);
        }
    }
    const Inputs in = Triples(kHalf, DataType::kInt32, 20000);
    for (const uint64_t scale : Corners(kHalf)) {
        Compare({.op = Opcode::vadddeqrelu, .dst = kHalf, .src = DataType::kInt32, .scale = scale}, in, 0, 1000);
    }
}

TEST(Elementwise, FunctionsOfFloats) {
    const Inputs in{Strata(12), {}, {}};
    for (const Opcode op : kFunctions) Compare({op, kFloat, kFloat}, in);
    for (const Opcode op : {Opcode::vrec, Opcode::vrsqrt})
        Compare({.op = op, .dst = kFloat, .src = kFloat, .exact = true}, in);
}

TEST(Elementwise, ScalarsWithEveryHalf) {
    Inputs in{All16(), {}, {}};
    Random random("scalars");
    for (size_t i = 0; i < in.a.size(); ++i) in.old.push_back(Draw(random, kHalf));
    for (const Opcode op : {Opcode::vmaxs, Opcode::vmins, Opcode::vlrelu, Opcode::vaxpy}) {
        for (const uint64_t scalar : Corners(kHalf)) Compare({op, kHalf, kHalf}, in, scalar);
        Compare({op, kHalf, kHalf}, in, 0x4248, 1);
    }
    for (uint64_t& old : in.old) old = Draw(random, kFloat);
    for (const uint64_t scalar : Corners(kHalf)) Compare({Opcode::vaxpy, kFloat, kHalf}, in, scalar);
}

TEST(Elementwise, ScalarsWithFloats) {
    const Inputs in = Triples(kFloat, kFloat, 20000);
    for (const Opcode op : {Opcode::vmaxs, Opcode::vmins, Opcode::vlrelu, Opcode::vaxpy}) {
        for (const uint64_t scalar : Corners(kFloat)) Compare({op, kFloat, kFloat}, in, scalar);
    }
}

TEST(Elementwise, TwoSourcesAndDst) {
    for (const DataType t : {kHalf, kFloat}) {
        const Inputs in = Triples(t, t, 200000);
        for (const Opcode op :
             {Opcode::vdiv, Opcode::vmla, Opcode::vmadd, Opcode::vmaddrelu, Opcode::vaddrelu, Opcode::vsubrelu}) {
            Compare({op, t, t}, in);
            if (t == kHalf) Compare({op, t, t}, {{in.a.begin(), in.a.begin() + 20000}, in.b, in.old}, 0, 1);
        }
    }
    Compare({Opcode::vmla, kFloat, kHalf}, Triples(kFloat, kHalf, 200000));
}

// The quotient of two significands of 11 bits decides its rounding: all of them, and with a subnormal result.
TEST(Elementwise, EveryQuotientOfHalves) {
    Inputs in;
    for (uint64_t a = 0; a < 1024; ++a) {
        for (uint64_t b = 0; b < 1024; ++b) {
            in.a.push_back(0x3C00 | a);
            in.b.push_back(0x3C00 | b);
            in.a.push_back(0x0400 | a);
            in.b.push_back(((20 + a % 10) << 10) | b);
        }
    }
    Compare({Opcode::vdiv, kHalf, kHalf}, in);
}

TEST(Elementwise, Integers) {
    const Inputs in16{All16(), {}, {}};
    Compare({Opcode::vabs, DataType::kInt16, DataType::kInt16}, in16, 0, 1);
    Compare({Opcode::vabs, DataType::kInt32, DataType::kInt32}, Triples(DataType::kInt32, DataType::kInt32, 100000), 0,
            1);
    for (const DataType t : {DataType::kInt8, DataType::kUint8, DataType::kInt16, DataType::kUint16}) {
        const Inputs in = Triples(t, t, 50000);
        for (const Opcode op : {Opcode::vnot, Opcode::vand, Opcode::vor}) Compare({op, t, t}, in);
    }
    for (const DataType t : {DataType::kInt16, DataType::kUint16, DataType::kInt32, DataType::kUint32}) {
        const Inputs in = Triples(t, t, 100000);
        Compare({Opcode::vmla, t, t}, in);
        Compare({Opcode::vmla, t, t}, in, 0, 7);
        const bool is_signed = t == DataType::kInt16 || t == DataType::kInt32;
        for (uint64_t distance = 0; distance <= BitsOf(t); ++distance) {
            const Inputs& values = BitsOf(t) == 16 ? in16 : in;
            Compare({Opcode::vshl, t, t}, values, distance);
            Compare({Opcode::vshr, t, t}, values, distance);
            if (is_signed) Compare({Opcode::vshr, t, t, Overflow::kSaturate, true}, values, distance);
        }
        if (!is_signed) continue;
        for (const uint64_t scalar : Corners(t)) {
            Compare({Opcode::vmaxs, t, t}, in, scalar);
            Compare({Opcode::vmins, t, t}, in, scalar);
        }
    }
    Compare({Opcode::vrelu, DataType::kInt32, DataType::kInt32}, Triples(DataType::kInt32, DataType::kInt32, 50000));
    const Inputs in = Triples(DataType::kInt16, DataType::kInt16, 100000);
    for (const Opcode op : {Opcode::vaddrelu, Opcode::vsubrelu}) {
        Compare({op, DataType::kInt16, DataType::kInt16}, in);
        Compare({op, DataType::kInt16, DataType::kInt16}, in, 0, 7);
    }
}

// The results two significands and both parities of the exponent can have: the square of the middle below and above
// each result, times the argument, lies below and above a power of two.
TEST(Elementwise, RsqrtOfEverySignificandOfFloat) {
    constexpr uint32_t kCount = 1 << 24;
    std::vector<uint32_t> in(kCount), out(kCount);
    for (uint32_t i = 0; i < kCount; ++i) in[i] = 0x3F800000 + i;  // [1, 4)
    isa::Record r;
    r.Become(Opcode::vrsqrt);
    r.last_bits.base = isa::LastBits::Base::kExact;
    r.operand_count = 2;
    r.mask = {isa::MaskMode::kCount, kCount, {}};
    const void* bytes[] = {out.data(), in.data()};
    for (uint32_t i = 0; i < 2; ++i) {
        r.operand[i].memory = isa::Memory::kUb;
        r.operand[i].type = kFloat;
        r.operand[i].offset = reinterpret_cast<uintptr_t>(bytes[i]);
    }
    for (const std::string& target : exec::Targets()) {
        ASSERT_TRUE(exec::ForceTarget(target));
        exec::Execute(r, {});
        exec::ForceTarget("");
        __extension__ using Wide = unsigned __int128;
        uint64_t wrong = 0;
        for (uint32_t i = 0; i < kCount; ++i) {
            // x = m * 2^-23 * (1 or 2), y = n * 2^-24 (or, of 1, 2^-23).
            const Wide x = static_cast<Wide>((in[i] & 0x7FFFFF) | 0x800000) << (in[i] >> 23 == 127 ? 0 : 1);
            const bool one = out[i] == 0x3F800000;
            wrong += !one && out[i] >> 23 != 126;
            const Wide n = one ? 1u << 24 : (out[i] & 0x7FFFFF) | 0x800000;
            const Wide below = 2 * n - 1, above = 2 * n + 1;  // in units of 2^-25
            const Wide power = Wide{1} << (23 + 50);
            wrong += below * below * x > power || above * above * x < power;
        }
        EXPECT_EQ(wrong, 0u) << target;
    }
}

// The integer forms of Exp and Ln, which only arguments too close to call reach.
TEST(Elementwise, ExactFunctions) {
    for (const uint64_t bits : Strata(14)) {
        const float x = std::bit_cast<float>(static_cast<uint32_t>(bits));
        bool changed = false;
        if (!std::isfinite(x)) continue;
        EXPECT_EQ(std::bit_cast<uint32_t>(numeric::Exp(x)),
                  oracle::ExpectElement({Opcode::vexp, kFloat, kFloat}, bits, 0, 0, &changed))
            << x;
        if (x <= 0) continue;
        EXPECT_EQ(std::bit_cast<uint32_t>(numeric::Ln(x)),
                  oracle::ExpectElement({Opcode::vln, kFloat, kFloat}, bits, 0, 0, &changed))
            << x;
    }
}

}  // namespace
}  // namespace sfumato::conformance
