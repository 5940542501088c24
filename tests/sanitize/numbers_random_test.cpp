// SPDX-License-Identifier: Apache-2.0
// Random instructions on random numbers, special ones among them, against an oracle that walks masks and strides by
// itself and looks at every element before and after. What `saturate` hides, it sees in a second run without.
#include <cmath>
#include <limits>
#include <random>

#include "runtime/cores/core.h"
#include "sanitize/launches.h"

namespace sfumato::sanitize_test {
namespace {

constexpr uint32_t kUbBytes = 24 << 10, kDst = 0, kSrc0 = 8 << 10, kSrc1 = 16 << 10;

struct Shape {
    uint64_t mask[2];
    uint8_t repeats, dst_block, src0_block, src1_block, dst_repeat, src0_repeat, src1_repeat;
    int op;
    bool in_place;
    uint32_t seed;
};

template <class T>
bool IsFinite(const uint8_t* at) {
    T value;
    std::memcpy(static_cast<void*>(&value), at, sizeof(T));
    return std::isfinite(static_cast<float>(value));
}

template <class T>
bool IsNan(const uint8_t* at) {
    T value;
    std::memcpy(static_cast<void*>(&value), at, sizeof(T));
    return std::isnan(static_cast<float>(value));
}

enum Operands { kOne = 1, kTwo = 2 };
constexpr int kOps = 11;
constexpr Operands kSources[kOps] = {kTwo, kTwo, kTwo, kTwo, kTwo, kOne, kOne, kOne, kOne, kOne, kOne};
constexpr bool ReadsDst(int op) { return op == 4 || op == 10; }

template <class T>
void RunOne(const Shape& s) {
    auto dst = Ub<T>(kDst, 8192 / sizeof(T)), a = s.in_place ? dst : Ub<T>(kSrc0, 8192 / sizeof(T)),
         b = Ub<T>(kSrc1, 8192 / sizeof(T));
    uint64_t mask[2] = {s.mask[0], s.mask[1]};
    const BinaryRepeatParams two(s.dst_block, s.src0_block, s.src1_block, s.dst_repeat, s.src0_repeat, s.src1_repeat);
    const UnaryRepeatParams one(s.dst_block, s.src0_block, s.dst_repeat, s.src0_repeat);
    switch (s.op) {
        case 0: return Add(dst, a, b, mask, s.repeats, two);
        case 1: return Sub(dst, a, b, mask, s.repeats, two);
        case 2: return Mul(dst, a, b, mask, s.repeats, two);
        case 3: return Div(dst, a, b, mask, s.repeats, two);
        case 4: return MulAddDst(dst, a, b, mask, s.repeats, two);
        case 5: return Muls(dst, a, T(1000.0f), mask, s.repeats, one);
        case 6: return Adds(dst, a, T(60000.0f), mask, s.repeats, one);
        case 7: return Exp(dst, a, mask, s.repeats, one);
        case 8: return Ln(dst, a, mask, s.repeats, one);
        case 9: return Reciprocal(dst, a, mask, s.repeats, one);
        default: return Axpy(dst, a, T(300.0f), mask, s.repeats, one);
    }
}

template <class T>
void FillAtRandom(uint8_t* ub, uint32_t seed) {
    std::mt19937 random(seed);
    const float special[] = {0.0f, -0.0f, std::numeric_limits<float>::infinity(), std::nanf(""), 65504.0f, -65504.0f};
    const uint32_t rare = seed % 3 == 0 ? 1000000 : seed % 3 == 1 ? 40 : 4;
    for (uint32_t at = 0; at < kUbBytes; at += sizeof(T)) {
        const uint32_t word = random();
        float value = static_cast<float>(static_cast<int32_t>(word)) / (1u << 26);
        if (word % rare == 0) value = special[random() % 6];
        const T element(value);
        std::memcpy(ub + at, static_cast<const void*>(&element), sizeof(T));
    }
}

struct Seen {
    std::vector<uint8_t> before, after;
    std::vector<Report> findings;
};

template <class T>
Seen Launched(const Shape& s, Overflow overflow) {
    Seen seen;
    Bench b("numbers");
    b.options.overflow = overflow;
    b.Run(1, [&] {
        uint8_t* ub = runtime::CurrentCore()->MemoryBase(isa::Memory::kUb);
        Duplicate(Ub<int32_t>(0, kUbBytes / 4), 0, kUbBytes / 4);  // all of it is somebody's
        PipeBarrier<PIPE_ALL>();
        FillAtRandom<T>(ub, s.seed);
        seen.before.assign(ub, ub + kUbBytes);
        RunOne<T>(s);
        PipeBarrier<PIPE_ALL>();
        seen.after.assign(ub, ub + kUbBytes);
    });
    seen.findings = b.result.findings;
    return seen;
}

struct Tally {
    uint64_t count = 0, first = 0;
    void Add(uint64_t element) { first = count++ == 0 ? element : first; }
};

// visit(byte offset of dst, sources finite).
template <class T, class Visit>
void ForEachLane(const Shape& s, const std::vector<uint8_t>& before, const Visit& visit) {
    const uint32_t lanes = 256 / sizeof(T), per_block = 32 / sizeof(T);
    const uint32_t src0 = s.in_place ? kDst : kSrc0;
    for (uint32_t repeat = 0; repeat < s.repeats; ++repeat) {
        for (uint32_t lane = 0; lane < lanes; ++lane) {
            if (!((s.mask[lane / 64] >> (lane % 64)) & 1)) continue;
            const auto at = [&](uint32_t start, uint32_t block_stride, uint32_t repeat_stride) {
                return start + 32 * (repeat * repeat_stride + lane / per_block * block_stride) +
                       lane % per_block * static_cast<uint32_t>(sizeof(T));
            };
            const uint32_t dst = at(kDst, s.dst_block, s.dst_repeat);
            bool finite = IsFinite<T>(&before[at(src0, s.src0_block, s.src0_repeat)]);
            if (kSources[s.op] == kTwo) finite = finite && IsFinite<T>(&before[at(kSrc1, s.src1_block, s.src1_repeat)]);
            if (ReadsDst(s.op)) finite = finite && IsFinite<T>(&before[dst]);
            visit(dst, finite);
        }
    }
}

// "element 3 ...; 12 elements of 1 instruction at this line".
void ExpectTally(const std::vector<Report>& findings, const char* rule, const Tally& tally, const Shape& s) {
    const auto at = std::find_if(findings.begin(), findings.end(), [&](const Report& r) { return r.rule == rule; });
    ASSERT_EQ(at != findings.end(), tally.count != 0) << rule << " op " << s.op << " seed " << s.seed;
    if (tally.count == 0) return;
    EXPECT_TRUE(at->found.starts_with("element " + std::to_string(tally.first) + " is ")) << at->found << s.seed;
    const std::string count = "; " + std::to_string(tally.count) + " elements of 1 instruction at this line";
    EXPECT_EQ(at->found.ends_with(count), tally.count > 1) << at->found << " for " << tally.count << " seed " << s.seed;
}

template <class T>
Shape ShapeAtRandom(uint32_t seed) {
    std::mt19937_64 random(seed);
    const auto within = [&](uint64_t low, uint64_t high) {
        return static_cast<uint8_t>(low + random() % (high - low + 1));
    };
    Shape s{};
    s.seed = seed;
    s.mask[0] = random() | 1;
    s.mask[1] = sizeof(T) == 2 ? random() : 0;
    if (random() % 3 == 0) s.mask[0] = ~0ull, s.mask[1] = sizeof(T) == 2 ? ~0ull : 0;
    s.repeats = within(1, 5);
    s.op = static_cast<int>(random() % kOps);
    s.dst_block = within(1, 3), s.src0_block = within(1, 3), s.src1_block = within(1, 3);
    // A repeat lies behind the one before it.
    s.dst_repeat = static_cast<uint8_t>(s.dst_block * 8 + within(0, 9));
    s.src0_repeat = within(0, 40), s.src1_repeat = within(0, 40);
    s.in_place = random() % 3 == 0;
    if (s.in_place) s.src0_block = s.dst_block, s.src0_repeat = s.dst_repeat;
    return s;
}

template <class T>
void Births(uint32_t seeds) {
    uint64_t births = 0;
    for (uint32_t seed = 0; seed < seeds; ++seed) {
        const Shape s = ShapeAtRandom<T>(seed);
        const Seen seen = Launched<T>(s, Overflow::kInfNan);
        Tally nans, infinities;
        ForEachLane<T>(s, seen.before, [&](uint32_t dst, bool finite) {
            if (IsFinite<T>(&seen.after[dst]) || !finite) return;
            (IsNan<T>(&seen.after[dst]) ? nans : infinities).Add(dst / sizeof(T));
        });
        ExpectTally(seen.findings, "nan-born", nans, s);
        ExpectTally(seen.findings, "inf-born", infinities, s);
        births += nans.count + infinities.count;
        if (testing::Test::HasFailure()) return;
    }
    EXPECT_GT(births, seeds);
}

TEST(Numbers, BirthsOfHalfAreWhatTheOracleSays) { Births<half>(600); }
TEST(Numbers, BirthsOfFloatAreWhatTheOracleSays) { Births<float>(600); }

TEST(Numbers, WhatSaturationHidesIsWhatTheOracleSays) {
    uint64_t hidden = 0;
    for (uint32_t seed = 0; seed < 600; ++seed) {
        const Shape s = ShapeAtRandom<half>(seed);
        const Seen limited = Launched<half>(s, Overflow::kSaturate), plain = Launched<half>(s, Overflow::kInfNan);
        ASSERT_EQ(limited.before, plain.before);
        Tally tally;
        ForEachLane<half>(s, plain.before, [&](uint32_t dst, bool) {
            if (!IsFinite<half>(&plain.after[dst]) && IsFinite<half>(&limited.after[dst]))
                tally.Add(dst / sizeof(half));
        });
        ExpectTally(limited.findings, "saturation-hidden", tally, s);
        hidden += tally.count;
        if (testing::Test::HasFailure()) return;
        // The check changes nothing.
        Bench b("none");
        std::vector<uint8_t> unwatched;
        b.Run(1, [&] {
            uint8_t* ub = runtime::CurrentCore()->MemoryBase(isa::Memory::kUb);
            FillAtRandom<half>(ub, s.seed);
            RunOne<half>(s);
            PipeBarrier<PIPE_ALL>();
            unwatched.assign(ub, ub + kUbBytes);
        });
        ASSERT_EQ(unwatched, limited.after);
    }
    EXPECT_GT(hidden, 600u);
}

// Sums and differences of whole numbers, in 64 bits.
template <class T>
void Overflows() {
    uint64_t all = 0;
    for (uint32_t seed = 0; seed < 400; ++seed) {
        std::mt19937 random(seed);
        const uint32_t count = 1 + random() % 200;
        std::vector<T> a(count), b(count);
        const int shift = static_cast<int>(random() % (8 * sizeof(T) - 1));
        for (T& x : a) x = static_cast<T>(static_cast<T>(random()) >> shift);
        for (T& x : b) x = static_cast<T>(static_cast<T>(random()) >> (random() % 2 ? shift : 1));
        const uint32_t op = random() % 3;
        Tally tally;
        for (uint32_t i = 0; i < count; ++i) {
            const int64_t x = a[i], y = b[i], exact = op == 0 ? x + y : op == 1 ? x - y : x * y;
            if (exact > std::numeric_limits<T>::max() || exact < std::numeric_limits<T>::min()) tally.Add(i);
        }
        Bench bench("numbers");
        bench.options.overflow = seed % 2 ? Overflow::kSaturate : Overflow::kInfNan;
        bench.Run(1, [&] {
            Duplicate(Ub<int32_t>(0, 2048), 0, 2048);  // all of it is somebody's
            PipeBarrier<PIPE_ALL>();
            uint8_t* ub = runtime::CurrentCore()->MemoryBase(isa::Memory::kUb);
            std::memcpy(ub, a.data(), count * sizeof(T));
            std::memcpy(ub + 4096, b.data(), count * sizeof(T));
            auto x = Ub<T>(0, 1024), y = Ub<T>(4096, 1024);
            op == 0 ? Add(x, x, y, count) : op == 1 ? Sub(y, x, y, count) : Mul(x, x, y, count);
        });
        ExpectTally(bench.result.findings, "integer-overflow", tally, Shape{});
        all += tally.count;
        if (testing::Test::HasFailure()) return;
    }
    EXPECT_GT(all, 1000u);
}

TEST(Numbers, IntegersOf16BitsOverflowWhereTheOracleSays) { Overflows<int16_t>(); }
TEST(Numbers, IntegersOf32BitsOverflowWhereTheOracleSays) { Overflows<int32_t>(); }

}  // namespace
}  // namespace sfumato::sanitize_test
