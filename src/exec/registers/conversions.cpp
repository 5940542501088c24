// SPDX-License-Identifier: Apache-2.0
// Cast, ExpSub and MulsCast (arch950.md 2.7, 2.8): the pairs, what decides how they treat what is too large, and their
// clear form.
#include "exec/registers/conversions.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "exec/registers/cast_lanes.h"
#include "exec/registers/fast_casts.h"
#include "exec/registers/table.h"
#include "numeric/functions.h"

namespace sfumato::exec {
namespace {

using casts::ActiveLanes;
using casts::CastBits;
using casts::CastLanes;
using casts::How;
using casts::KnownResults;
using enum DataType;

uint64_t WordAt(const VectorRegister* registers, uint32_t count, uint32_t i) {
    uint32_t words[2] = {};
    for (uint32_t r = 0; r < count; ++r) std::memcpy(&words[r], registers[r].bytes.data() + 4 * i, 4);
    return words[0] | static_cast<uint64_t>(words[1]) << 32;
}

// Under RegTraitNumTwo: 64 elements of 32 or 64 bits, lane by lane; those of 64 bits have their high words in a second
// register.
template <uint32_t kFrom, uint32_t kTo, class F>
void CastWords(const RegisterCall& c, F f) {
    constexpr uint32_t kSources = kFrom / 4, kResults = kTo / 4, kLanes = kRegisterBytes / 4;
    const CastLanes lanes(4, 4, 0);
    const masks::ByteBits on = ActiveLanes(c.mask, lanes);
    alignas(64) uint32_t out[2][kLanes];
    masks::ByteBits source = c.src0[0].known, bytes = on;
    for (size_t i = 0; i < on.size(); ++i) {
        if (kSources == 2) source[i] &= c.src0[1].known[i];
        bytes[i] *= 15;
    }
    for (uint32_t i = 0; i < kLanes; ++i) {
        const uint64_t result = f(WordAt(c.src0, kSources, i));
        out[0][i] = static_cast<uint32_t>(result);
        out[1][i] = static_cast<uint32_t>(result >> 32);
    }
    const masks::ByteBits known = KnownResults(source, on, lanes);
    for (uint32_t r = 0; r < kResults; ++r) {
        masks::Store(reinterpret_cast<const uint8_t*>(out[r]), known, bytes, false, c.dst + r);
    }
}

// Which conversions to floats have two ways to treat what is too large, inf and NaN: those docs/spec/reg_cast.tsv lists
// with saturation modes. half to bfloat16, and all that widen, keep inf and NaN always (docs/spec/reg_edge_values.tsv).
constexpr bool MaySaturate(DataType from, DataType to) {
    return to == kHifloat8 || to == kFp8E4m3 || to == kFp8E5m2 ||
           (from == kFloat && (to == kHalf || to == kBfloat16)) || (from == kBfloat16 && to == kHalf);
}
// half to int16 and int16 to uint32 clamp always (docs/spec/reg_edge_values.tsv).
constexpr bool MayKeepLowBits(DataType from, DataType to) {
    return !(from == kHalf && to == kInt16) && !(from == kInt16 && to == kUint32);
}

How HowTo(DataType from, DataType to, const RegisterCall& c, const RegisterControl& control) {
    constexpr uint8_t kNoSat = 0;  // SatMode UNKNOWN saturates (decided)
    How how;
    how.rounding = c.rounding == Rounding::kNone ? Rounding::kRint : c.rounding;
    how.hybrid = c.mode == 1;
    how.keeps_nan = control.keeps_nan;
    how.saturates = MaySaturate(from, to) && (control.decides ? !control.ieee : c.saturate != kNoSat);
    how.low_bits = MayKeepLowBits(from, to) && (control.decides ? control.low_bits : c.saturate == kNoSat);
    return how;
}

// Element by element, by exact numbers.
template <class S, class D, class F>
void CastEach(const RegisterCall& c, const F& element) {
    casts::CastRegister<S, D>(c, [&](const auto* in, auto* out, uint32_t source_at, uint32_t result_at) {
        using W = casts::WiderOf<S, D>;
        for (size_t i = 0; i < kRegisterBytes / sizeof(W); ++i) {
            out[i] = static_cast<W>(static_cast<W>(static_cast<D>(element(static_cast<S>(in[i] >> source_at))))
                                    << result_at);
        }
    });
}

template <DataType From, DataType To>
void CastPair(const RegisterCall& c, const RegisterControl& control) {
    const How how = HowTo(From, To, c, control);
    const auto element = [&](uint64_t bits) { return casts::ElementOrPair<From, To>(how, bits); };
    if constexpr (BitsOf(From) == 64 || BitsOf(To) == 64) {
        if (c.registers == 2) return CastWords<BitsOf(From) / 8, BitsOf(To) / 8>(c, element);
    }
    const FastCast fast = FastCasts().run[static_cast<int>(From)][static_cast<int>(To)];
    if (fast == nullptr || !fast(c, how)) CastEach<CastBits<From, To>, CastBits<To, From>>(c, element);
}

using CastFn = void (*)(const RegisterCall&, const RegisterControl&);

constexpr int kTypes = static_cast<int>(kEnd);
struct CastTable {
    CastFn run[kTypes][kTypes]{};

    template <DataType From, DataType... To>
    constexpr void Add() {
        ((run[static_cast<int>(From)][static_cast<int>(To)] = &CastPair<From, To>), ...);
    }
};

constexpr CastTable MakeCasts() {
    CastTable t;
    AddCasts(t);
    return t;
}
constexpr CastTable kCasts = MakeCasts();

uint32_t RunCast(const RegisterCall& call, const RegisterControl& control) {
    if (const CastFn cast = kCasts.run[static_cast<int>(call.type)][static_cast<int>(call.to)]) cast(call, control);
    return 0;
}

// e^x rounded once. The C library's last bits decide nothing: a result near the middle of two floats is computed again.
uint32_t ExpBits(float x, bool keeps_subnormals) {
    constexpr double kDoubt = 0x1p-50;
    constexpr float kLargest = 89.0f, kLeast = -104.0f;  // beyond them every result is inf or 0
    if (x != x) return casts::kNan;
    if (x > kLargest) return casts::kInf;
    if (x < kLeast) return 0;
    const double e = std::exp(static_cast<double>(x));
    const auto low = static_cast<float>(e * (1 - kDoubt)), high = static_cast<float>(e * (1 + kDoubt));
    const float result = low == high ? low : numeric::Exp(x);
    return !keeps_subnormals && result < std::numeric_limits<float>::min() ? 0 : casts::BitsOfFloat(result);
}

// The difference is rounded to float, then its exponential.
template <DataType From>
uint32_t RunExpSub(const RegisterCall& c, const RegisterControl&) {
    using S = CastBits<From, From>;
    constexpr uint32_t kLanes = kRegisterBytes / 4;
    const CastLanes lanes(sizeof(S), 4, c.layout);
    const masks::ByteBits on = ActiveLanes(c.mask, lanes);
    alignas(64) uint32_t x[kLanes], y[kLanes], out[kLanes] = {};
    std::memcpy(x, c.src0->bytes.data(), kRegisterBytes);
    masks::ByteBits source = c.src0->known, bytes = on;
    if (c.src1 != nullptr) {
        std::memcpy(y, c.src1->bytes.data(), kRegisterBytes);
        for (size_t i = 0; i < source.size(); ++i) source[i] &= c.src1->known[i];
    } else {
        std::fill(y, y + kLanes, static_cast<uint32_t>(c.scalar) << 8 * lanes.SourceAt());
    }
    const auto value = [&](uint32_t lane) {
        return casts::FloatOf(From == kHalf ? casts::HalfToFloat(static_cast<uint16_t>(lane >> 8 * lanes.SourceAt()))
                                            : lane);
    };
    for (uint32_t i = 0; i < kLanes; ++i) {
        if (masks::BitAt(on, 4 * i)) out[i] = ExpBits(value(x[i]) - value(y[i]), c.keeps_subnormals);
    }
    for (uint64_t& word : bytes) word *= 15;
    const masks::ByteBits known = KnownResults(source, on, lanes);
    masks::Store(reinterpret_cast<const uint8_t*>(out), known, bytes, false, c.dst);
    return 0;
}

// The product is rounded to float, then to half, half away from zero.
uint32_t RunMulsCast(const RegisterCall& c, const RegisterControl& control) {
    FastMulsCast(c, control.decides && !control.ieee);
    return 0;
}

}  // namespace

bool CastsRegisters(DataType type, DataType to) {
    return kCasts.run[static_cast<int>(type)][static_cast<int>(to)] != nullptr;
}

void AddConversions(RegisterTable& table) {
    for (int type = 0; type < kTypes; ++type) {
        const auto any = [](CastFn cast) { return cast != nullptr; };
        if (std::any_of(kCasts.run[type], kCasts.run[type] + kTypes, any)) {
            table.At(RegisterOp::kCast, static_cast<DataType>(type)) = &RunCast;
        }
    }
    table.At(RegisterOp::kExpSub, kHalf) = &RunExpSub<kHalf>;
    table.At(RegisterOp::kExpSub, kFloat) = &RunExpSub<kFloat>;
    table.At(RegisterOp::kMulsCast, kFloat) = &RunMulsCast;
}

}  // namespace sfumato::exec
