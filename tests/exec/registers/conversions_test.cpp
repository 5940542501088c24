// SPDX-License-Identifier: Apache-2.0
// Cast of registers, all pairs of docs/spec/reg_cast.tsv: values against the order of all values of a format, lanes by
// the formulas of arch950.md 2.8.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "exec/exec.h"
#include "exec/registers/conversions.h"
#include "exec/registers/register_fixture.h"
#include "numeric/format_values.h"

namespace sfumato::exec {
namespace {

using enum DataType;
using format_values::ValueOf;

struct CastPairOf {
    DataType from, to;
    bool saturation_modes;
    const char* modes;  // of RINT ROUND FLOOR CEIL TRUNC ODD, H for hybrid; "": any gives the same
};
// docs/spec/reg_cast.tsv, line by line.
constexpr CastPairOf kPairs[] = {
    {kHalf, kInt4, true, "RAFCT"},
    {kHalf, kInt8, true, "RAFCT"},
    {kHalf, kUint8, true, "RAFCT"},
    {kHalf, kInt16, false, "RAFCT"},
    {kHalf, kInt32, false, "RAFCT"},
    {kBfloat16, kInt32, true, "RAFCT"},
    {kFloat, kInt16, true, "RAFCT"},
    {kFloat, kInt32, true, "RAFCT"},
    {kFloat, kInt64, true, "RAFCT"},
    {kHifloat8, kHalf, false, ""},
    {kHifloat8, kFloat, false, ""},
    {kFp8E4m3, kFloat, false, ""},
    {kFp8E5m2, kFloat, false, ""},
    {kFp8E8m0, kBfloat16, false, ""},
    {kFp4E2m1, kBfloat16, false, ""},
    {kFp4E1m2, kBfloat16, false, ""},
    {kHalf, kHifloat8, true, "AH"},
    {kHalf, kBfloat16, false, "RAFCT"},
    {kBfloat16, kHalf, true, "RAFCT"},
    {kBfloat16, kFp4E2m1, false, "RAFCT"},
    {kBfloat16, kFp4E1m2, false, "RAFCT"},
    {kBfloat16, kFp8E8m0, false, ""},
    {kBfloat16, kFloat, false, ""},
    {kFloat, kHifloat8, true, "AH"},
    {kFloat, kFp8E4m3, true, "R"},
    {kFloat, kFp8E5m2, true, "R"},
    {kFloat, kHalf, true, "RAFCTO"},
    {kFloat, kBfloat16, true, "RAFCT"},
    {kInt4, kHalf, false, ""},
    {kInt4, kBfloat16, false, ""},
    {kInt8, kHalf, false, ""},
    {kUint8, kHalf, false, ""},
    {kInt16, kHalf, false, "RAFCT"},
    {kInt16, kFloat, false, ""},
    {kInt32, kFloat, false, "RAFCT"},
    {kInt64, kFloat, false, "RAFCT"},
    {kInt4, kInt16, false, ""},
    {kInt8, kInt16, false, ""},
    {kInt8, kInt32, false, ""},
    {kUint8, kUint16, false, ""},
    {kUint8, kUint32, false, ""},
    {kInt16, kInt4, true, ""},
    {kInt16, kUint8, true, ""},
    {kInt16, kInt32, false, ""},
    {kInt16, kUint32, false, ""},
    {kUint16, kUint8, true, ""},
    {kUint16, kUint32, false, ""},
    {kInt32, kUint8, true, ""},
    {kInt32, kInt16, true, ""},
    {kInt32, kUint16, true, ""},
    {kInt32, kInt64, false, ""},
    {kUint32, kUint8, true, ""},
    {kUint32, kInt16, true, ""},
    {kUint32, kUint16, true, ""},
    {kInt64, kInt32, true, ""},
    {kHalf, kFloat, false, ""},
};

bool IsUnsigned(DataType t) { return t == kUint8 || t == kUint16 || t == kUint32; }
bool IsInteger(DataType t) { return t < kCount && !IsFloating(t); }

struct CastWay {
    Rounding rounding = Rounding::kRint;
    bool hybrid = false, no_saturation = false, keeps_nan = false;
};

// One element, by definition.
uint64_t Expected(const CastPairOf& p, const CastWay& way, uint64_t bits) {
    if (p.from == kInt64 || p.to == kInt64) {
        if (p.to == kFloat) return format_values::ToFloat(static_cast<int64_t>(bits), way.rounding);
        const auto v = static_cast<int64_t>(bits);
        if (p.from == kInt32) return static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(bits)));
        if (p.to == kInt32) {
            if (way.no_saturation) return bits & 0xFFFFFFFF;
            return static_cast<uint32_t>(
                static_cast<int32_t>(std::min<int64_t>(std::max<int64_t>(v, INT32_MIN), INT32_MAX)));
        }
    }
    const double v = ValueOf(p.from, bits);
    if (IsInteger(p.to)) {
        const bool low_bits = p.saturation_modes && way.no_saturation;
        return format_values::ToInteger(BitsOf(p.to), !IsUnsigned(p.to), v, way.rounding, low_bits);
    }
    if (p.to == kFloat) return format_values::ToFloat(v, way.rounding);
    if (p.to == kFp8E8m0) return bits >> 7 & 0xFF;
    const bool saturates = p.saturation_modes && !way.no_saturation;
    return format_values::ToFormat(p.to, v, way.rounding, saturates, way.keeps_nan, way.hybrid, p.from, bits);
}

std::vector<uint64_t> Sources(DataType t, std::mt19937_64& random) {
    std::vector<uint64_t> all;
    const uint32_t bits = BitsOf(t);
    if (bits <= 16) {
        for (uint64_t i = 0; i < 1ull << bits; ++i) all.push_back(i);
    } else if (t == kFloat) {
        for (uint64_t top = 0; top < 512; ++top) {
            for (uint64_t at = 0; at < 24; ++at) {  // a one anywhere, alone, with the last bit, and ones below it
                const uint64_t one = at == 23 ? 0 : uint64_t{1} << at;
                for (const uint64_t m : {one, one | 1, one - (one != 0 ? 1 : 0), 0x7FFFFF ^ one}) {
                    all.push_back(top << 23 | m);
                }
            }
            for (int i = 0; i < 8; ++i) all.push_back(top << 23 | (random() & 0x7FFFFF));
        }
    } else {
        for (uint32_t at = 0; at < bits; ++at) {
            for (int64_t d = -2; d <= 2; ++d) {
                all.push_back((uint64_t{1} << at) + static_cast<uint64_t>(d));
                all.push_back(0 - (uint64_t{1} << at) + static_cast<uint64_t>(d));
            }
            for (int i = 0; i < 100; ++i) all.push_back(random() >> (64 - bits) >> (random() % bits));
            for (int i = 0; i < 100; ++i) all.push_back(0 - (random() >> (64 - bits) >> (random() % bits)));
        }
        for (uint64_t& v : all) v &= ~uint64_t{0} >> (64 - bits);
    }
    return all;
}

// All sources through a pair in a way, as many a call as there are lanes; layout ZERO.
uint64_t CheckValues(const CastPairOf& p, const CastWay& way, const RegisterControl& control, uint8_t saturate,
                     const std::vector<uint64_t>& sources) {
    const uint32_t from = BitsOf(p.from), to = BitsOf(p.to);
    const bool pairs = from == 4 || to == 4;
    const uint32_t lanes = pairs ? 128 : 2048 / std::max(from, to);
    for (size_t first = 0; first < sources.size(); first += lanes) {
        RegisterPair src, dst;
        const auto source = [&](uint32_t i) { return sources[(first + i) % sources.size()]; };
        // Of pairs, byte 4 j holds elements 2 j and 2 j + 1.
        const auto place = [&](uint32_t bits, uint32_t i) {
            return pairs ? (bits == 4 ? 8 * (i / 2) + i % 2 : i) : i * (std::max(from, to) / bits);
        };
        for (uint32_t i = 0; i < lanes; ++i) src.Set(from, place(from, i), source(i));
        RunCall({.op = RegisterOp::kCast,
                 .type = p.from,
                 .to = p.to,
                 .dst = dst.data(),
                 .src0 = src.data(),
                 .rounding = way.rounding,
                 .saturate = saturate,
                 .mode = way.hybrid},
                control);
        for (uint32_t i = 0; i < lanes; ++i) {
            const uint64_t actual = dst.Get(to, place(to, i)), expected = Expected(p, way, source(i));
            if (actual == expected) continue;
            ADD_FAILURE() << CName(p.from) << " to " << CName(p.to) << " " << Name(way.rounding)
                          << (way.hybrid ? " H" : "") << (way.no_saturation ? " NO_SAT" : "") << std::hex << ": "
                          << source(i) << " gives " << actual << ", not " << expected;
            return sources.size();
        }
    }
    return sources.size();
}

std::vector<CastWay> WaysOf(const CastPairOf& p) {
    std::vector<CastWay> ways;
    for (const char c : std::string(p.modes)) {
        ways.push_back({c == 'A'   ? Rounding::kRound
                        : c == 'F' ? Rounding::kFloor
                        : c == 'C' ? Rounding::kCeil
                        : c == 'T' ? Rounding::kTrunc
                        : c == 'O' ? Rounding::kOdd
                                   : Rounding::kRint,
                        c == 'H'});
    }
    ways.push_back({Rounding::kNone});
    return ways;
}

uint64_t CheckEveryPair(bool all_sources) {
    std::mt19937_64 random(1);
    uint64_t checked = 0;
    for (const CastPairOf& p : kPairs) {
        std::vector<uint64_t> sources = Sources(p.from, random);
        if (!all_sources) {
            std::shuffle(sources.begin(), sources.end(), random);
            sources.resize(std::min<size_t>(sources.size(), 4096));
        }
        bool unknown = false;
        for (CastWay way : WaysOf(p)) {
            unknown = !unknown;
            const bool has_ctrl = p.to == kFp8E4m3 || p.to == kFp8E5m2;
            for (int flags = 0; flags < (has_ctrl ? 8 : 4); flags += p.saturation_modes ? 1 : 3) {
                const bool decides = flags & 1;
                way.no_saturation = flags & 2, way.keeps_nan = flags & 4;
                const RegisterControl control{.ieee = decides == way.no_saturation,
                                              .keeps_nan = way.keeps_nan,
                                              .low_bits = decides == way.no_saturation,
                                              .decides = decides};
                // What does not decide says the opposite.
                const uint8_t saturate = decides == way.no_saturation ? unknown ? 2 : 1 : 0;
                checked += CheckValues(p, way, control, saturate, sources);
            }
        }
    }
    return checked;
}

TEST(RegisterCast, ValuesOfEveryPairAndMode) {
    for (const CastPairOf& p : kPairs) ASSERT_TRUE(CastsRegisters(p.from, p.to));
    EXPECT_FALSE(CastsRegisters(kHalf, kUint16));
    EXPECT_GT(CheckEveryPair(true), 5'000'000u);
}

TEST(RegisterCast, EveryTargetGivesTheSame) {
    for (const std::string& target : Targets()) {
        ASSERT_TRUE(ForceTarget(target));
        SCOPED_TRACE(target);
        CheckEveryPair(false);
    }
    ForceTarget("");
}

// Which elements meet and which bit of the mask decides, by the formulas; then all but those lanes are 0.
void CheckLanes(const CastPairOf& p, uint8_t layout, uint32_t registers, std::mt19937_64& random, bool masked,
                bool in_place) {
    RegisterPair src(random), dst(random);
    if (masked) src.Forget(random);
    const MaskRegister some = RandomMask(random);
    const MaskRegister* mask = masked ? &some : nullptr;
    const uint32_t from = BitsOf(p.from), to = BitsOf(p.to);
    const uint32_t from_regs = from == 64 ? registers : 1, to_regs = to == 64 ? registers : 1;
    RegisterPair expected = in_place ? src : dst;
    expected.Fill(0, to_regs);
    const auto meet = [&](uint32_t i, uint32_t k, uint32_t bit) {
        if (!MaskBit(mask, bit)) return;
        const uint64_t v = src.Get(from, i, from_regs);
        expected.Set(to, k, Expected(p, {}, v), to_regs);
    };
    const auto know = [&](uint32_t i, uint32_t k, uint32_t bit) {
        if (!MaskBit(mask, bit) || src.ElementKnown(from, i, from_regs)) return;
        expected.SetElementKnown(to, k, false, to_regs);
    };
    const auto both = [&](uint32_t i, uint32_t k, uint32_t bit) { meet(i, k, bit), know(i, k, bit); };
    if (registers == 2) {
        for (uint32_t i = 0; i < 64; ++i) both(i, i, 4 * i);
    } else if (from == 4 || to == 4) {
        for (uint32_t j = 0; j < 64; ++j) {
            const uint32_t byte = 4 * j + layout, bit = from == 4 ? byte : 4 * j;
            for (uint32_t half = 0; half < 2; ++half) {
                const uint32_t narrow = 2 * byte + half, wide = 2 * j + half;
                from == 4 ? both(narrow, wide, bit) : both(wide, narrow, bit);
            }
        }
    } else if (from < to) {
        const uint32_t ratio = to / from;
        for (uint32_t i = 0; i < 2048 / to; ++i) both(ratio * i + layout, i, from / 8 * (ratio * i + layout));
    } else {
        const uint32_t ratio = from / to;
        for (uint32_t i = 0; i < 2048 / from; ++i) both(i, ratio * i + (ratio == 1 ? 0 : layout), from / 8 * i);
    }
    RegisterPair* result = in_place ? &src : &dst;
    RunCall({.op = RegisterOp::kCast,
             .type = p.from,
             .to = p.to,
             .registers = static_cast<uint8_t>(registers),
             .dst = result->data(),
             .src0 = src.data(),
             .mask = mask,
             .layout = layout},
            {.ieee = true, .low_bits = false});
    ASSERT_EQ(*result == expected, true) << CName(p.from) << " to " << CName(p.to) << ", layout " << int{layout};
}

TEST(RegisterCast, LanesMasksAndWhatIsKnown) {
    std::mt19937_64 random(2);
    for (CastPairOf p : kPairs) {
        const uint32_t from = std::max(BitsOf(p.from), BitsOf(p.to)), to = std::min(BitsOf(p.from), BitsOf(p.to));
        // Of the values themselves the other test speaks; here floats keep inf, integers clamp.
        const bool narrows_float = !IsInteger(p.to);
        if (!narrows_float) p.saturation_modes = false;
        for (uint8_t layout = 0; layout < from / to; ++layout) {
            for (int round = 0; round < 12; ++round) {
                CheckLanes({p.from, p.to, narrows_float ? false : p.saturation_modes, ""}, layout, 1, random,
                           round % 3 != 0, round % 2 != 0);
                if (from == 64) CheckLanes({p.from, p.to, false, ""}, 0, 2, random, round % 3 != 0, round % 2 != 0);
            }
        }
    }
}

TEST(RegisterCast, EqualWidthsIgnoreTheLayout) {
    std::mt19937_64 random(3);
    for (const uint8_t layout : {0, 1, 2, 3}) CheckLanes({kHalf, kInt16, false, ""}, layout, 1, random, true, false);
}

}  // namespace
}  // namespace sfumato::exec
