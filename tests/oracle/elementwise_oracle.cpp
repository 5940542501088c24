// SPDX-License-Identifier: Apache-2.0
// Elementwise instructions by MPFR: sums, products, quotients and roots are exact or rounded once at a precision that
// cannot hide a tie; Exp and Ln have 200 bits, far more than any of their values needs to be told from a tie.
#include "oracle/elementwise_oracle.h"

#include <gmp.h>
#include <mpfr.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "oracle/estimate_oracle.h"

namespace sfumato::oracle {
namespace {

using isa::Opcode;

constexpr mpfr_prec_t kPrecision = 640;  // holds any float plus any product of two floats
constexpr mpfr_prec_t kFunctionPrecision = 200;

class Real {
public:
    explicit Real(mpfr_prec_t precision = kPrecision) { mpfr_init2(x_, precision); }
    ~Real() { mpfr_clear(x_); }
    Real(const Real&) = delete;
    Real& operator=(const Real&) = delete;
    operator mpfr_ptr() { return x_; }

private:
    mpfr_t x_;
};

struct Format {
    int bits, fraction_bits;
    long last;  // exponent of the smallest subnormal
    uint64_t Infinity() const { return ((uint64_t{1} << (bits - 1 - fraction_bits)) - 1) << fraction_bits; }
    uint64_t Sign() const { return uint64_t{1} << (bits - 1); }
};
Format FormatOf(DataType t) {
    if (t == DataType::kHalf) return {16, 10, -24};
    if (t == DataType::kBfloat16) return {16, 7, -133};
    return {32, 23, -149};
}

[[noreturn]] void NoOracle(Opcode op) { throw std::logic_error(std::string("no oracle for ") + isa::Info(op).opcode); }

void Decode(DataType t, uint64_t bits, mpfr_ptr out) {
    const Format f = FormatOf(t);
    const uint64_t magnitude = bits & (f.Sign() - 1), hidden = uint64_t{1} << f.fraction_bits;
    const int sign = bits & f.Sign() ? -1 : 1;
    if (magnitude > f.Infinity()) return mpfr_set_nan(out);
    if (magnitude == f.Infinity()) return mpfr_set_inf(out, sign);
    if (magnitude == 0) return mpfr_set_zero(out, sign);
    const long field = static_cast<long>(magnitude >> f.fraction_bits);
    const uint64_t fraction = magnitude & (hidden - 1);
    mpfr_set_ui_2exp(out, field ? fraction | hidden : fraction, f.last + std::max(field, 1L) - 1, MPFR_RNDN);
    if (sign < 0) mpfr_neg(out, out, MPFR_RNDN);
}

// Nearest even, then the policy.
uint64_t Encode(DataType t, mpfr_ptr x, Overflow overflow, bool* changed) {
    const Format f = FormatOf(t);
    const bool limit = t != DataType::kFloat && overflow == Overflow::kSaturate;
    if (mpfr_nan_p(x)) {
        *changed |= limit;
        return limit ? 0 : f.Infinity() | uint64_t{1} << (f.fraction_bits - 1);
    }
    uint64_t magnitude = f.Infinity();
    if (mpfr_zero_p(x)) magnitude = 0;
    if (mpfr_regular_p(x)) {
        const long last = std::max(static_cast<long>(mpfr_get_exp(x)) - f.fraction_bits - 1, f.last);
        thread_local Real steps;
        mpfr_mul_2si(steps, x, -last, MPFR_RNDN);
        mpfr_abs(steps, steps, MPFR_RNDN);
        mpfr_rint(steps, steps, MPFR_RNDN);
        // A step more carries into the exponent field; a huge value has many fields.
        if (last - f.last < 1000) {
            magnitude = (static_cast<uint64_t>(last - f.last) << f.fraction_bits) + mpfr_get_uj(steps, MPFR_RNDN);
        }
        magnitude = std::min(magnitude, f.Infinity());
    }
    if (magnitude == f.Infinity() && limit) {
        *changed = true;
        --magnitude;
    }
    return magnitude | (mpfr_signbit(x) ? f.Sign() : 0);
}

// Where NaN reaches Max, Min and Relu, the result is NaN; -0 is below +0.
bool Less(mpfr_ptr a, mpfr_ptr b) {
    return mpfr_cmp(a, b) < 0 || (mpfr_zero_p(a) && mpfr_zero_p(b) && mpfr_signbit(a) && !mpfr_signbit(b));
}

uint64_t OfReals(const Elementwise& e, uint64_t a_bits, uint64_t b_bits, uint64_t old_bits, bool* changed) {
    const DataType t = e.dst;
    thread_local Real a, b, old, r, f(kFunctionPrecision);
    Decode(e.src, a_bits, a);
    Decode(e.src, b_bits, b);
    Decode(t, old_bits, old);
    const auto encode = [&](mpfr_ptr x) { return Encode(t, x, e.overflow, changed); };
    // A step of two: its result in the format of dst, then as a number again.
    const auto product = [&](mpfr_ptr x, mpfr_ptr y) {
        mpfr_mul(r, x, y, MPFR_RNDN);
        Decode(t, encode(r), r);
    };
    const auto sum = [&](mpfr_ptr x, mpfr_ptr y) {
        mpfr_add(r, x, y, MPFR_RNDN);
        return encode(r);
    };
    const auto relu = [&](uint64_t bits) { return bits & FormatOf(t).Sign() ? 0 : bits; };
    const auto choose = [&](bool first) {
        if (mpfr_nan_p(a) || mpfr_nan_p(b))
            mpfr_set_nan(r);
        else
            mpfr_set(r, first ? a : b, MPFR_RNDN);
        return encode(r);
    };
    const auto difference = [&] {
        mpfr_sub(r, a, b, MPFR_RNDN);
        return encode(r);
    };
    if ((e.op == Opcode::vrec || e.op == Opcode::vrsqrt) && !e.exact) {
        Decode(t, EstimateOf(e.op, t, a_bits), r);
        return encode(r);
    }
    switch (e.op) {
        case Opcode::vadd:
        case Opcode::vadds: return sum(a, b);
        case Opcode::vsub: return difference();
        case Opcode::vmul:
        case Opcode::vmuls: mpfr_mul(r, a, b, MPFR_RNDN); return encode(r);
        case Opcode::vmax:
        case Opcode::vmaxs: return choose(Less(b, a));
        case Opcode::vmin:
        case Opcode::vmins: return choose(Less(a, b));
        case Opcode::vabs: mpfr_abs(r, a, MPFR_RNDN); return encode(r);
        case Opcode::vexp: mpfr_exp(f, a, MPFR_RNDN); return encode(f);
        case Opcode::vexpm1: mpfr_expm1(f, a, MPFR_RNDN); return encode(f);
        case Opcode::vln: mpfr_log(f, a, MPFR_RNDN); return encode(f);
        case Opcode::vsin: mpfr_sin(f, a, MPFR_RNDN); return encode(f);
        case Opcode::vcos: mpfr_cos(f, a, MPFR_RNDN); return encode(f);
        case Opcode::vtan: mpfr_tan(f, a, MPFR_RNDN); return encode(f);
        case Opcode::vasin: mpfr_asin(f, a, MPFR_RNDN); return encode(f);
        case Opcode::vacos: mpfr_acos(f, a, MPFR_RNDN); return encode(f);
        case Opcode::vatan: mpfr_atan(f, a, MPFR_RNDN); return encode(f);
        case Opcode::vsinh: mpfr_sinh(f, a, MPFR_RNDN); return encode(f);
        case Opcode::vcosh: mpfr_cosh(f, a, MPFR_RNDN); return encode(f);
        case Opcode::vtanh: mpfr_tanh(f, a, MPFR_RNDN); return encode(f);
        case Opcode::vasinh: mpfr_asinh(f, a, MPFR_RNDN); return encode(f);
        case Opcode::vacosh: mpfr_acosh(f, a, MPFR_RNDN); return encode(f);
        case Opcode::vatanh: mpfr_atanh(f, a, MPFR_RNDN); return encode(f);
        case Opcode::verf: mpfr_erf(f, a, MPFR_RNDN); return encode(f);
        case Opcode::verfc: mpfr_erfc(f, a, MPFR_RNDN); return encode(f);
        case Opcode::vdigamma: mpfr_digamma(f, a, MPFR_RNDN); return encode(f);
        case Opcode::vlog2: mpfr_log2(f, a, MPFR_RNDN); return encode(f);
        case Opcode::vlog10: mpfr_log10(f, a, MPFR_RNDN); return encode(f);
        case Opcode::vlgamma: {
            int sign;
            mpfr_lgamma(f, &sign, a, MPFR_RNDN);
            return encode(f);
        }
        case Opcode::vpower:
        case Opcode::vpowers: mpfr_pow(f, a, b, MPFR_RNDN); return encode(f);
        case Opcode::vspower: mpfr_pow(f, b, a, MPFR_RNDN); return encode(f);
        case Opcode::vfmod: mpfr_fmod(r, a, b, MPFR_RNDN); return encode(r);
        case Opcode::vhypot: mpfr_hypot(r, a, b, MPFR_RNDN); return encode(r);
        case Opcode::vrec: mpfr_ui_div(r, 1, a, MPFR_RNDN); return encode(r);
        case Opcode::vsqrt: mpfr_sqrt(r, a, MPFR_RNDN); return encode(r);
        case Opcode::vrsqrt:
            mpfr_rec_sqrt(f, a, MPFR_RNDN);
            if (mpfr_zero_p(static_cast<mpfr_ptr>(a))) mpfr_set_inf(f, mpfr_signbit(static_cast<mpfr_ptr>(a)) ? -1 : 1);
            return encode(f);
        case Opcode::vrelu:
            if (mpfr_nan_p(a) || mpfr_sgn(static_cast<mpfr_ptr>(a)) > 0) return encode(a);
            return 0;
        case Opcode::vlrelu:
            if (!(a_bits & FormatOf(t).Sign())) return encode(a);
            mpfr_mul(r, a, b, MPFR_RNDN);
            return encode(r);
        case Opcode::vdiv: mpfr_div(r, a, b, MPFR_RNDN); return encode(r);
        case Opcode::vaxpy:
        case Opcode::vmla: product(a, b); return sum(r, old);
        case Opcode::vmadd: product(a, old); return sum(r, b);
        case Opcode::vmaddrelu: product(a, old); return relu(sum(r, b));
        case Opcode::vaddrelu: return relu(sum(a, b));
        case Opcode::vsubrelu: return relu(difference());
        default: NoOracle(e.op);
    }
}

__extension__ using Wide = __int128;

bool IsSigned(DataType t) { return t == DataType::kInt8 || t == DataType::kInt16 || t == DataType::kInt32; }

Wide Value(DataType t, uint64_t bits) {
    const Wide v = bits & ((uint64_t{1} << BitsOf(t)) - 1);
    return IsSigned(t) && v >> (BitsOf(t) - 1) ? v - (Wide{1} << BitsOf(t)) : v;
}

// floor(v / 2^n)
Wide Floor(Wide v, uint64_t n) {
    const Wide unit = Wide{1} << n;
    return (v - ((v % unit) + unit) % unit) / unit;
}

// The exact power modulo 2^32; with a negative exponent 0, but for 1 and -1.
uint64_t IntegerPower(Wide x, Wide y) {
    mpz_t result, modulus, base;
    mpz_init_set_ui(modulus, 1);
    mpz_mul_2exp(modulus, modulus, 32);
    mpz_init_set_si(base, static_cast<long>(x));
    mpz_init(result);
    const bool unit = x == 1 || x == -1;
    if (y >= 0 || unit) mpz_powm_ui(result, base, static_cast<unsigned long>(y < 0 ? -y : y), modulus);
    const uint64_t bits = mpz_get_ui(result);
    mpz_clears(result, modulus, base, nullptr);
    return bits & 0xFFFFFFFF;
}

uint64_t OfIntegers(const Elementwise& e, uint64_t a_bits, uint64_t b_bits, uint64_t old_bits, bool* changed) {
    const DataType t = e.dst;
    const uint32_t width = BitsOf(t);
    const Wide a = Value(t, a_bits), b = Value(t, b_bits), old = Value(t, old_bits);
    const Wide high = (Wide{1} << (IsSigned(t) ? width - 1 : width)) - 1, low = IsSigned(t) ? -high - 1 : 0;
    const auto step = [&](Wide exact) {
        const Wide limited = std::clamp(exact, low, high);
        if (limited == exact) return exact;
        if (e.overflow == Overflow::kSaturate) {
            *changed = true;
            return limited;
        }
        return Value(t, static_cast<uint64_t>(exact));
    };
    Wide r = 0;
    switch (e.op) {
        case Opcode::vadd:
        case Opcode::vadds: r = step(a + b); break;
        case Opcode::vsub: r = step(a - b); break;
        case Opcode::vmul:
        case Opcode::vmuls: r = step(a * b); break;
        case Opcode::vmax:
        case Opcode::vmaxs: r = a > b ? a : b; break;
        case Opcode::vmin:
        case Opcode::vmins: r = a < b ? a : b; break;
        case Opcode::vabs: r = step(a < 0 ? -a : a); break;
        case Opcode::vrelu: r = a < 0 ? 0 : a; break;
        case Opcode::vpower:
        case Opcode::vpowers: return IntegerPower(a, b);
        case Opcode::vspower: return IntegerPower(b, a);
        case Opcode::vnot: r = -a - 1; break;
        case Opcode::vand: r = static_cast<Wide>(a_bits & b_bits); break;
        case Opcode::vor: r = static_cast<Wide>(a_bits | b_bits); break;
        case Opcode::vmla: r = step(step(a * b) + old); break;
        case Opcode::vaddrelu: r = std::max<Wide>(step(a + b), 0); break;
        case Opcode::vsubrelu: r = std::max<Wide>(step(a - b), 0); break;
        case Opcode::vshl:
            // Signed: all bits but the sign move, and what leaves their field is lost.
            r = IsSigned(t) ? ((a & high) << b & high) | (a < 0 ? low : 0) : a << b & high;
            break;
        case Opcode::vshr:
            r = Floor(a, static_cast<uint64_t>(b)) +
                (e.rounds && b > 0 ? Floor(a, static_cast<uint64_t>(b) - 1) & 1 : 0);
            break;
        default: NoOracle(e.op);
    }
    return static_cast<uint64_t>(r) & ((uint64_t{1} << width) - 1);
}

// Saturated, and no flag: conversions to integers have no policy.
uint64_t OfDepth(const Elementwise& e, uint64_t bits) {
    const uint32_t width = BitsOf(e.dst);
    const bool is_signed = IsSigned(e.dst);
    const Wide high = (Wide{1} << (is_signed ? width - 1 : width)) - 1, low = is_signed ? -high - 1 : 0;
    return static_cast<uint64_t>(std::clamp(Value(e.src, bits), low, high)) & ((uint64_t{1} << width) - 1);
}

// Bits of src to the nearest number of dst, a half, or integer of 8 bits, where NaN gives 0; ties to even.
uint64_t OfNearest(const Elementwise& e, uint64_t bits, bool* changed) {
    if (!IsFloating(e.src)) return OfDepth(e, bits);
    thread_local Real r;
    Decode(e.src, bits, r);
    if (IsFloating(e.dst)) return Encode(e.dst, r, e.overflow, changed);
    if (mpfr_nan_p(static_cast<mpfr_ptr>(r))) return 0;
    mpfr_rint(r, r, MPFR_RNDN);
    const long low = IsSigned(e.dst) ? -128 : 0, high = IsSigned(e.dst) ? 127 : 255;
    return static_cast<uint64_t>(std::clamp(mpfr_get_si(r, MPFR_RNDN), low, high)) & 0xFF;
}

// An operation of the sources' type, then the conversion.
uint64_t OfConverted(Opcode first, const Elementwise& e, uint64_t a, uint64_t b, bool* changed) {
    return OfNearest(e, ExpectElement({first, e.src, e.src, e.overflow}, a, b, 0, changed), changed);
}

// max(0, sum x scale): the sum under the policy, the exact product rounded once.
uint64_t OfScaledSum(const Elementwise& e, uint64_t a_bits, uint64_t b_bits, bool* changed) {
    const Wide exact = Value(e.src, a_bits) + Value(e.src, b_bits);
    Wide sum = std::clamp<Wide>(exact, INT32_MIN, INT32_MAX);
    if (sum != exact && e.overflow == Overflow::kSaturate) *changed = true;
    if (e.overflow == Overflow::kInfNan) sum = Value(e.src, static_cast<uint64_t>(exact));
    thread_local Real scale, r;
    Decode(e.dst, e.scale, scale);
    mpfr_mul_si(r, scale, static_cast<long>(sum), MPFR_RNDN);
    const uint64_t bits = Encode(e.dst, r, e.overflow, changed);
    return bits & FormatOf(e.dst).Sign() ? 0 : bits;
}

}  // namespace

uint64_t ExpectElement(const Elementwise& e, uint64_t a, uint64_t b, uint64_t old, bool* changed) {
    if (e.op == Opcode::vcopy) return a;
    if (e.op == Opcode::vector_dup) return b;
    if (e.op == Opcode::vcbd) return OfDepth(e, a);
    if (e.op == Opcode::vmulconv) return OfConverted(Opcode::vmul, e, a, b, changed);
    if (e.op == Opcode::vaddreluconv) return OfConverted(Opcode::vaddrelu, e, a, b, changed);
    if (e.op == Opcode::vsubreluconv) return OfConverted(Opcode::vsubrelu, e, a, b, changed);
    if (e.op == Opcode::vadddeqrelu) return OfScaledSum(e, a, b, changed);
    return IsFloating(e.dst) ? OfReals(e, a, b, old, changed) : OfIntegers(e, a, b, old, changed);
}

}  // namespace sfumato::oracle
