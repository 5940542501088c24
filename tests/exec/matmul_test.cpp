// SPDX-License-Identifier: Apache-2.0
// Mmad: every combination of types x shape x start x SIMD target against plain loops (cube.md 2, 4); the whole L0C is
// compared, and whatever a call must not read is garbage.
#include <gtest/gtest.h>

#include <string>

#include "exec/matmul_reference.h"

namespace sfumato::testing {
namespace {

// Every SIMD target of this build in turn.
template <typename F>
void OnEveryTarget(F f) {
    for (const std::string& target : exec::Targets()) {
        SCOPED_TRACE(target);
        ASSERT_TRUE(exec::ForceTarget(target));
        f();
    }
    exec::ForceTarget("");
}

void Check(const Case& c, unsigned seed) {
    const Matmul& s = c.shape;
    const Types& t = c.types;
    const isa::Record record = RecordOf(c);
    Machine machine(seed);
    std::vector<Line> rows(s.m), columns(s.n);
    bool undefined = false;  // no flag then: UndefinedDataSetsNoFlag
    const auto fill = [&](std::vector<uint8_t>& memory, DataType type, size_t place, Line& line) {
        const uint64_t ones = ~uint64_t{0} >> (64 - BitsOf(type));
        const uint64_t bits = machine.Random(type, c.values) & ones;
        undefined |= bits == (0xFEFEFEFEFEFEFEFE & ones);
        Put(memory, kOffset, type, place, bits);
        line.Add(type, bits, s.hf32);
    };
    for (size_t k = 0; k < s.k; ++k) {
        for (size_t m = 0; m < s.m; ++m) fill(machine.l0a, t.a, PlaceA(s, t.a, m, k), rows[m]);
        for (size_t n = 0; n < s.n; ++n) fill(machine.l0b, t.b, PlaceB(s, t.b, k, n), columns[n]);
    }
    const bool in_l0c = c.bias == Memory::kL0C;
    std::vector<uint8_t>& bias = in_l0c ? machine.l0c : machine.bt;
    const auto bias_place = [&](size_t n) { return in_l0c ? n / 16 * 256 + n % 16 : n; };
    const isa::Operand& bias_operand = record.operand[3];
    for (size_t n = 0; n < s.n; ++n) {
        Put(bias, bias_operand.offset, bias_operand.type, bias_place(n), machine.Random(bias_operand.type, c.values));
        for (size_t m = 0; m < s.m; ++m) {
            Put(machine.l0c, kOffset, t.c, PlaceC(s, m, n), machine.Random(t.c, c.values));
        }
    }

    Expected expected(c);
    std::vector<uint8_t> l0c = machine.l0c;
    for (size_t m = 0; m < s.m; ++m) {
        for (size_t n = 0; n < s.n; ++n) {
            uint64_t initial = 0;
            DataType initial_type = t.c;
            if (s.initial == Matmul::Initial::kAccumulate) initial = Get(l0c, kOffset, t.c, PlaceC(s, m, n));
            if (s.initial == Matmul::Initial::kBias) {
                initial = Get(bias, bias_operand.offset, bias_operand.type, bias_place(n));
                initial_type = bias_operand.type;
            }
            const uint32_t bits =
                IsFloating(t.c)
                    ? expected.Float(rows[m].floats, columns[n].floats, AsFloat(initial_type, initial))
                    : expected.Integer(rows[m].integers, columns[n].integers, AsInteger(initial_type, initial));
            Put(l0c, kOffset, t.c, PlaceC(s, m, n), bits);
        }
    }
    const std::vector<uint8_t> before = machine.l0c;
    OnEveryTarget([&] {
        machine.l0c = before;
        const bool saturated = machine.Execute(record);
        ASSERT_EQ(saturated, expected.saturated && !undefined);
        if (machine.l0c == l0c) return;
        for (size_t m = 0; m < s.m; ++m) {
            for (size_t n = 0; n < s.n; ++n) {
                const size_t at = PlaceC(s, m, n);
                ASSERT_EQ(Get(machine.l0c, kOffset, t.c, at), Get(l0c, kOffset, t.c, at)) << "at " << m << ", " << n;
            }
        }
        FAIL() << "bytes outside the m x n result were written";
    });
}

// A and B stay inside L0.
bool Fits(const Case& c) {
    const Matmul& s = c.shape;
    const size_t k1 = s.k_direction_align ? 2 * CeilDiv(s.k, 16) : CeilDiv(s.k, K0(c.types.a));
    return CeilDiv(s.m, 16) * k1 * 512 <= kL0Bytes - kOffset &&
           CeilDiv(s.n, 16) * CeilDiv(s.k, K0(c.types.b)) * 512 <= kL0Bytes - kOffset;
}

void CheckShapes(Case c) {
    unsigned seed = 1;
    for (const Types& types : kTypes) {
        for (const Sizes& sizes : kSizes) {
            for (auto initial : {Matmul::Initial::kZero, Matmul::Initial::kAccumulate, Matmul::Initial::kBias}) {
                c.types = types;
                c.shape.m = sizes.m;
                c.shape.n = sizes.n;
                c.shape.k = sizes.k;
                c.shape.initial = initial;
                if (!Fits(c)) continue;
                SCOPED_TRACE(std::string(CName(types.a)) + " x " + CName(types.b) + " -> " + CName(types.c) + " " +
                             std::to_string(sizes.m) + "x" + std::to_string(sizes.n) + "x" + std::to_string(sizes.k) +
                             " start " + std::to_string(static_cast<int>(initial)));
                Check(c, seed++);
                if (::testing::Test::HasFatalFailure()) return;
            }
        }
    }
}

TEST(Matmul, OrdinaryValues) { CheckShapes({}); }

TEST(Matmul, EveryExponent) { CheckShapes({.values = Values::kWide}); }

TEST(Matmul, InfAndNan) { CheckShapes({.values = Values::kSpecial}); }

TEST(Matmul, Saturate) {
    CheckShapes({.values = Values::kWide, .overflow = Overflow::kSaturate});
    CheckShapes({.values = Values::kSpecial, .overflow = Overflow::kSaturate});
    CheckShapes({.values = Values::kNans, .overflow = Overflow::kSaturate});
    CheckShapes({.values = Values::kInfinities, .overflow = Overflow::kSaturate});
}

// Overflow is worth a note where the kernel's own data overflowed, not where it reads the fill pattern.
TEST(Matmul, UndefinedDataSetsNoFlag) {
    for (const bool undefined : {false, true}) {
        isa::Record record = RecordOf({.types = {kHalf, kHalf, kFloat}, .shape = {.m = 16, .n = 16, .k = 16}});
        record.control.overflow = Overflow::kSaturate;
        Machine machine(1);
        for (size_t i = 0; i < 256; ++i) {
            Put(machine.l0a, kOffset, kHalf, i, i == 0 ? 0x7C00 : 0x3C00);
            Put(machine.l0b, kOffset, kHalf, i, 0x3C00);
        }
        if (undefined) Put(machine.l0a, kOffset, kHalf, 255, 0xFEFE);
        OnEveryTarget([&] {
            EXPECT_EQ(machine.Execute(record), !undefined);
            EXPECT_EQ(Get(machine.l0c, kOffset, kFloat, 0), 0x7F7FFFFFu);
            EXPECT_EQ(Get(machine.l0c, kOffset, kFloat, 255), undefined ? 0x41700000u : 0x41800000u);
        });
    }
}

TEST(Matmul, BiasInL0C) { CheckShapes({.bias = Memory::kL0C}); }

TEST(Matmul, VectorA) {
    unsigned seed = 1;
    for (const Types& types : kTypes) {
        for (uint32_t k : {1u, 15u, 64u, 130u, 1000u}) {
            const Case c{.types = types, .shape = {.m = 1, .n = 17, .k = k, .vector_a = true}};
            SCOPED_TRACE(std::string(CName(types.a)) + " k " + std::to_string(k));
            if (!Fits(c)) continue;
            ASSERT_NO_FATAL_FAILURE(Check(c, seed++));
        }
    }
}

TEST(Matmul, KDirectionAlign) {
    for (uint32_t k : {1u, 8u, 9u, 17u, 24u, 40u}) {
        const Matmul shape{.m = 50, .n = 20, .k = k, .k_direction_align = true};
        SCOPED_TRACE(k);
        ASSERT_NO_FATAL_FAILURE(Check({.types = {kFloat, kFloat, kFloat}, .shape = shape}, k));
    }
}

TEST(Matmul, Hf32) {
    for (auto mode : {Matmul::Hf32::kNearestEven, Matmul::Hf32::kNearestAway}) {
        for (Values values : {Values::kOrdinary, Values::kWide, Values::kSpecial}) {
            const Matmul shape{.m = 20, .n = 36, .k = 29, .hf32 = mode};
            ASSERT_NO_FATAL_FAILURE(Check({{kFloat, kFloat, kFloat}, shape, values}, 7));
        }
    }
}

// What the two modes do with a tie, and with numbers at the ends of the range.
TEST(Matmul, Hf32Ties) {
    struct Row {
        uint32_t in, even, away;
    };
    constexpr Row kRows[] = {{0x3F800800, 0x3F800000, 0x3F801000}, {0x3F801800, 0x3F802000, 0x3F802000},
                             {0x3F8007FF, 0x3F800000, 0x3F800000}, {0xBF800800, 0xBF800000, 0xBF801000},
                             {0x7F7FFFFF, 0x7F800000, 0x7F800000}, {0x00000800, 0x00000000, 0x00001000},
                             {0x7F800000, 0x7F800000, 0x7F800000}, {0x7FFFFFFF, kNan, kNan}};
    OnEveryTarget([&] {
        for (const Row& row : kRows) {
            for (auto mode : {Matmul::Hf32::kNearestEven, Matmul::Hf32::kNearestAway}) {
                Machine machine(1);
                const Case c{{kFloat, kFloat, kFloat}, {.m = 1, .n = 1, .k = 1, .hf32 = mode}};
                Put(machine.l0a, kOffset, kFloat, 0, row.in);
                Put(machine.l0b, kOffset, kFloat, 0, 0x3F800000);
                machine.Execute(RecordOf(c));
                const uint32_t expected = mode == Matmul::Hf32::kNearestEven ? row.even : row.away;
                ASSERT_EQ(Get(machine.l0c, kOffset, kFloat, 0), expected) << std::hex << row.in;
            }
        }
    });
}

TEST(Matmul, SumOfEachK0) {
    for (DataType c : {kFloat, kHalf}) {
        for (uint32_t k : {3u, 16u, 50u}) {
            for (auto initial : {Matmul::Initial::kZero, Matmul::Initial::kAccumulate, Matmul::Initial::kBias}) {
                const Matmul shape{.m = 18, .n = 19, .k = k, .initial = initial, .order = {Order::kK0Block}};
                ASSERT_NO_FATAL_FAILURE(Check({.types = {kHalf, kHalf, c}, .shape = shape}, k));
            }
        }
    }
    const Matmul integers{.m = 18, .n = 19, .k = 70, .order = {Order::kK0Block}};
    ASSERT_NO_FATAL_FAILURE(Check({.types = {kInt8, kInt8, kInt32}, .shape = integers}, 3));
}

// What has no fast kernel does what the fast one does, where both add in one way.
TEST(Matmul, SlowSumsOfOneProduct) {
    const Matmul shape{.order = {Order::kSequentialRounded}};
    CheckShapes({.shape = shape});
    CheckShapes({.shape = shape, .values = Values::kSpecial, .overflow = Overflow::kSaturate});
}

// The two orders differ: 2^24 + 1 - 2^24, and the k0 block is 8 wide for floats.
TEST(Matmul, OrderIsPartOfTheResult) {
    OnEveryTarget([] {
        for (auto order : {Order::kSequential, Order::kK0Block}) {
            Machine machine(1);
            const Case c{{kFloat, kFloat, kFloat}, {.m = 1, .n = 1, .k = 11, .order = {order}}};
            const float a[] = {0x1p24f, 1, -0x1p24f, 0, 0, 0, 0, 0x1p24f, 1, 1, 0};
            for (size_t k = 0; k < std::size(a); ++k) {
                Put(machine.l0a, kOffset, kFloat, PlaceA(c.shape, kFloat, 0, k), std::bit_cast<uint32_t>(a[k]));
                Put(machine.l0b, kOffset, kFloat, PlaceB(c.shape, kFloat, k, 0), 0x3F800000);
            }
            machine.Execute(RecordOf(c));
            const float sum = std::bit_cast<float>(static_cast<uint32_t>(Get(machine.l0c, kOffset, kFloat, 0)));
            // In blocks: 2^24 + 1 is a tie and gives 2^24; then 2.
            EXPECT_EQ(sum, order == Order::kSequential ? 0x1p24f : 0x1p24f + 2);
        }
    });
}

TEST(Matmul, LargestIntegerSums) {
    OnEveryTarget([] {
        for (const Types& t : kTypes) {
            if (IsFloating(t.c)) continue;
            Machine machine(1);
            const Case c{t, {.m = 1, .n = 1, .k = 4095}};
            const bool is_signed = t.a != kUint8;
            const uint64_t extreme = is_signed ? uint64_t{1} << (BitsOf(t.a) - 1) : 255;
            const uint64_t b = t.b == kUint8 ? 255 : uint64_t{1} << (BitsOf(t.b) - 1);
            machine.l0a.resize(2 * kOffset + 16 * BytesOf(t.a, 4096));
            machine.l0b.resize(2 * kOffset + 16 * BytesOf(t.b, 4096));
            for (size_t k = 0; k < 4095; ++k) {
                Put(machine.l0a, kOffset, t.a, PlaceA(c.shape, t.a, 0, k), extreme);
                Put(machine.l0b, kOffset, t.b, PlaceB(c.shape, t.b, k, 0), b);
            }
            machine.Execute(RecordOf(c));
            ASSERT_EQ(AsInteger(t.c, Get(machine.l0c, kOffset, t.c, 0)),
                      4095 * AsInteger(t.a, extreme) * AsInteger(t.b, b));
        }
    });
}

TEST(Matmul, EmptyIsNothing) {
    for (const Sizes& sizes : {Sizes{0, 16, 16}, Sizes{16, 0, 16}, Sizes{16, 16, 0}}) {
        Machine machine(1);
        const std::vector<uint8_t> before = machine.l0c;
        EXPECT_FALSE(machine.Execute(RecordOf({{kHalf, kHalf, kFloat}, {.m = sizes.m, .n = sizes.n, .k = sizes.k}})));
        EXPECT_EQ(machine.l0c, before);
    }
}

}  // namespace
}  // namespace sfumato::testing
