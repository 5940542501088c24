// SPDX-License-Identifier: Apache-2.0
// Mmad by plain loops: its memories with drawn values, where elements lie in them (cube.md 2), and an element of C.
#pragma once
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "exec/exec.h"
#include "isa/record.h"
#include "numeric/convert.h"

namespace sfumato::testing {

using isa::Matmul;
using isa::Memory;
using Order = isa::Accumulation::Kind;
using enum DataType;

constexpr size_t kL0Bytes = 65536, kL0CBytes = 262144, kBtBytes = 4096;
constexpr size_t kOffset = 1024, kBiasOffset = 64, kBiasInL0C = 196608;
constexpr uint32_t kNan = 0x7FC00000;

struct Types {
    DataType a, b, c;
};
constexpr Types kTypes[] = {{kHalf, kHalf, kFloat},   {kHalf, kHalf, kHalf},     {kBfloat16, kBfloat16, kFloat},
                            {kFloat, kFloat, kFloat}, {kInt8, kInt8, kInt32},    {kUint8, kUint8, kInt32},
                            {kUint8, kInt8, kInt32},  {kUint8, kUint8, kUint32}, {kInt4, kInt4, kInt32}};

struct Sizes {
    uint32_t m, n, k;
};
constexpr Sizes kSizes[] = {{1, 1, 1},    {16, 16, 16}, {17, 33, 5},   {31, 20, 70},   {29, 64, 130},
                            {3, 9, 300},  {13, 24, 64}, {15, 241, 34}, {100, 47, 66},  {6, 16, 513},
                            {14, 32, 31}, {28, 40, 1},  {64, 96, 62},  {16, 16, 1000}, {130, 7, 18}};

inline size_t CeilDiv(size_t a, size_t b) { return (a + b - 1) / b; }
inline size_t K0(DataType t) { return 256 / BitsOf(t); }

inline uint64_t Get(const std::vector<uint8_t>& memory, size_t start, DataType t, size_t i) {
    uint64_t v = 0;
    if (t == kInt4) return memory[start + i / 2] >> (i % 2 * 4) & 15;
    std::memcpy(&v, &memory[start + i * BytesOf(t, 1)], BytesOf(t, 1));
    return v;
}

inline void Put(std::vector<uint8_t>& memory, size_t start, DataType t, size_t i, uint64_t v) {
    if (t != kInt4) return void(std::memcpy(&memory[start + i * BytesOf(t, 1)], &v, BytesOf(t, 1)));
    uint8_t& byte = memory[start + i / 2];
    byte = static_cast<uint8_t>(i % 2 ? (byte & 15) | (v & 15) << 4 : (byte & 0xF0) | (v & 15));
}

inline float AsFloat(DataType t, uint64_t bits) {
    if (t == kBfloat16) bits <<= 16;
    if (t == kHalf) bits = numeric::Convert(kHalf, kFloat, Rounding::kNone, Overflow::kInfNan, bits).bits;
    return std::bit_cast<float>(static_cast<uint32_t>(bits));
}

inline int64_t AsInteger(DataType t, uint64_t bits) {
    switch (t) {
        case kInt4: return static_cast<int64_t>(bits << 60) >> 60;
        case kInt8: return static_cast<int8_t>(bits);
        case kInt32: return static_cast<int32_t>(bits);
        default: return static_cast<int64_t>(bits);
    }
}

// Mantissa bits of float that are kept, from the definition of the nearest multiple.
inline float RoundHf32(float v, Matmul::Hf32 mode) {
    if (mode == Matmul::Hf32::kOff || !std::isfinite(v) || v == 0) return v;
    int exponent;
    std::frexp(v, &exponent);
    const double unit = std::ldexp(1.0, std::max(exponent - 12, -126 - 11));
    const double scaled = double{v} / unit;
    const double whole = mode == Matmul::Hf32::kNearestEven ? std::nearbyint(scaled) : std::round(scaled);
    return static_cast<float>(whole * unit);
}

enum class Values { kOrdinary, kWide, kSpecial, kNans, kInfinities };

class Machine {
public:
    explicit Machine(unsigned seed) : random_(seed) {
        for (auto* memory : {&l0a, &l0b, &l0c, &bt}) {
            for (size_t i = 0; i < memory->size(); i += 8) {
                const uint64_t bits = random_();
                std::memcpy(&(*memory)[i], &bits, 8);
            }
        }
    }

    uint64_t Random(DataType t, Values values) {
        const uint64_t bits = random_();
        if (!IsFloating(t)) {
            if (BitsOf(t) < 32 || bits % 3) return bits;
            const uint32_t limit = t == kInt32 ? 0x7FFFFFFFu : 0xFFFFFFFFu;
            const uint32_t near = limit - static_cast<uint32_t>(random_() % 100000);
            return t == kInt32 && bits % 2 ? ~near : near;
        }
        const unsigned pick = static_cast<unsigned>(random_() % 64);
        if (pick == 0) return 0;
        const int mantissa = t == kHalf ? 10 : t == kBfloat16 ? 7 : 23;
        const uint64_t field = t == kHalf ? 31 : 255, bias = field / 2;
        uint64_t exponent = bias - 4 + random_() % 8;
        if (values != Values::kOrdinary && pick < 20) exponent = random_() % field;
        if (values == Values::kSpecial && pick < 4) {
            const uint64_t inf = field << mantissa;
            return (pick == 1 ? inf | (bits & 3) : inf) | (bits >> 8 & 1) << (BitsOf(t) - 1);
        }
        const uint64_t sign = (bits & 1) << (BitsOf(t) - 1);
        // Half of the elements; and zeros of both signs.
        if (values >= Values::kNans && pick < 36) {
            if (pick < 4) return sign;
            return sign | field << mantissa | (values == Values::kNans || pick < 12 ? 1 : 0);
        }
        return sign | exponent << mantissa | (bits >> 1 & ((uint64_t{1} << mantissa) - 1));
    }

    bool Execute(const isa::Record& record) {
        exec::MemoryMap map;
        map.base[static_cast<int>(Memory::kL0A)] = l0a.data();
        map.base[static_cast<int>(Memory::kL0B)] = l0b.data();
        map.base[static_cast<int>(Memory::kL0C)] = l0c.data();
        map.base[static_cast<int>(Memory::kBt)] = bt.data();
        return exec::Execute(record, map);
    }

    std::vector<uint8_t> l0a = std::vector<uint8_t>(kL0Bytes), l0b = l0a;
    std::vector<uint8_t> l0c = std::vector<uint8_t>(kL0CBytes), bt = std::vector<uint8_t>(kBtBytes);

private:
    std::mt19937_64 random_;
};

// Element offsets of cube.md 2.
inline size_t PlaceA(const Matmul& s, DataType t, size_t m, size_t k) {
    const size_t k0 = K0(t);
    if (s.vector_a) return k;
    const size_t k1 = s.k_direction_align ? 2 * CeilDiv(s.k, 16) : CeilDiv(s.k, k0);
    return (m / 16 * k1 + k / k0) * 16 * k0 + m % 16 * k0 + k % k0;
}
inline size_t PlaceB(const Matmul& s, DataType t, size_t k, size_t n) {
    const size_t k0 = K0(t);
    return (k / k0 * CeilDiv(s.n, 16) + n / 16) * 16 * k0 + n % 16 * k0 + k % k0;
}
inline size_t PlaceC(const Matmul& s, size_t m, size_t n) {
    return (n / 16 * CeilDiv(s.m, 16) + m / 16) * 256 + m % 16 * 16 + n % 16;
}

struct Case {
    Types types;
    Matmul shape;
    Values values = Values::kOrdinary;
    Overflow overflow = Overflow::kInfNan;
    Memory bias = Memory::kBt;
};

inline isa::Record RecordOf(const Case& c) {
    isa::Record r;
    r.Become(isa::Opcode::mmad);
    r.operand_count = c.shape.initial == Matmul::Initial::kBias ? 4 : 3;
    r.control.overflow = c.overflow;
    const Memory memories[] = {Memory::kL0C, Memory::kL0A, Memory::kL0B, c.bias};
    const DataType types[] = {c.types.c, c.types.a, c.types.b, c.types.c};
    for (size_t i = 0; i < 4; ++i) {
        r.operand[i].memory = memories[i];
        r.operand[i].type = types[i];
        r.operand[i].offset = kOffset;
    }
    r.operand[3].offset = c.bias == Memory::kBt ? kBiasOffset : kBiasInL0C;
    if (c.bias == Memory::kBt && c.types.c == kHalf) r.operand[3].type = kFloat;
    r.Set(c.shape);
    return r;
}

// One element of C from A's row and B's column.
class Expected {
public:
    explicit Expected(const Case& c) : c_(c) {}
    bool saturated = false;

    uint32_t Float(const std::vector<float>& a, const std::vector<float>& b, float sum) {
        if (c_.shape.order.kind != Order::kK0Block) {
            for (size_t k = 0; k < a.size(); ++k) sum = Kept(sum + Kept(a[k] * b[k]));
        } else {
            for (size_t first = 0; first < a.size(); first += K0(c_.types.a)) {
                double block = 0;  // exact for ordinary halves
                for (size_t k = first; k < std::min(a.size(), first + K0(c_.types.a)); ++k) {
                    block += double{a[k]} * double{b[k]};
                }
                sum = Kept(sum + Kept(static_cast<float>(block)));
            }
        }
        const uint32_t bits = std::isnan(sum) ? kNan : std::bit_cast<uint32_t>(sum);
        if (c_.types.c == kFloat) return bits;
        const auto half = numeric::Convert(kFloat, kHalf, Rounding::kRint, c_.overflow, bits);
        saturated |= half.saturated;
        return static_cast<uint32_t>(half.bits);
    }

    uint32_t Integer(const std::vector<int>& a, const std::vector<int>& b, int64_t sum) const {
        for (size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
        const bool is_signed = c_.types.c == kInt32;
        const int64_t low = is_signed ? INT32_MIN : 0, high = is_signed ? INT32_MAX : UINT32_MAX;
        return static_cast<uint32_t>(std::clamp(sum, low, high));
    }

private:
    float Kept(float x) {
        if (c_.overflow != Overflow::kSaturate || std::isfinite(x)) return x;
        saturated = true;
        return std::isnan(x) ? 0.0f : std::copysign(std::numeric_limits<float>::max(), x);
    }
    const Case& c_;
};

// A row of A or a column of B.
struct Line {
    std::vector<float> floats;
    std::vector<int> integers;
    void Add(DataType t, uint64_t bits, Matmul::Hf32 mode) {
        if (IsFloating(t)) {
            floats.push_back(RoundHf32(AsFloat(t, bits), mode));
        } else {
            integers.push_back(static_cast<int>(AsInteger(t, bits)));
        }
    }
};

}  // namespace sfumato::testing
