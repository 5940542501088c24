// SPDX-License-Identifier: Apache-2.0
// Boundaries and strata of the conversion tests.
#include "oracle/conversion_inputs.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace sfumato::oracle {
namespace {

uint64_t Mix(uint64_t x) {  // splitmix64
    x += 0x9E3779B97F4A7C15;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
    return x ^ (x >> 31);
}

constexpr int64_t kNear = 3;  // patterns on each side of a boundary

void AddFloatNear(float x, std::vector<uint64_t>* out) {
    const int64_t bits = std::bit_cast<uint32_t>(std::fabs(x));
    for (int64_t b = std::max<int64_t>(bits - kNear, 0); b <= std::min<int64_t>(bits + kNear, 0x7FFFFFFF); ++b) {
        out->push_back(static_cast<uint64_t>(b));
        out->push_back(static_cast<uint64_t>(b) | 0x80000000);
    }
}

// Points and midpoints of a 16-bit float grid, as the patterns of the float it is a prefix of.
void AddNarrowFloatGrid(DataType dst, std::vector<uint64_t>* out) {
    const uint32_t infinity = dst == DataType::kHalf ? 0x7C00 : 0x7F80;
    for (uint32_t k = 0; k <= infinity; ++k) {
        if (dst == DataType::kBfloat16) {
            AddFloatNear(std::bit_cast<float>(k << 16), out);
            AddFloatNear(std::bit_cast<float>(k << 16 | 0x8000), out);
        } else {
            // A half's bits moved to a float's exponent and fraction fields denote the value times 2^-112.
            AddFloatNear(std::bit_cast<float>(k << 13) * 0x1p112f, out);
            AddFloatNear(std::bit_cast<float>(k << 13 | 0x1000) * 0x1p112f, out);
        }
    }
}

// Integers and half-integers near zero, near powers of two and so near every integer type's limits.
void AddIntegerGrid(std::vector<uint64_t>* out) {
    for (int k = 0; k <= 1024; ++k) {
        AddFloatNear(static_cast<float>(k), out);
        AddFloatNear(static_cast<float>(k) + 0.5f, out);
    }
    for (int p = 10; p <= 64; ++p) {
        for (int half_steps = -8; half_steps <= 8; ++half_steps) {
            AddFloatNear(static_cast<float>(std::ldexp(1.0, p) + 0.5 * half_steps), out);
        }
    }
}

std::vector<uint64_t> FloatBoundaries(DataType dst) {
    std::vector<uint64_t> out;
    for (uint32_t exponent = 0; exponent < 256; ++exponent) AddFloatNear(std::bit_cast<float>(exponent << 23), &out);
    for (uint32_t bit = 0; bit < 23; ++bit) {  // subnormals and NaN payloads
        for (uint32_t base : {0u, 0x7F800000u, 0x7FC00000u}) {
            out.push_back(base | 1u << bit);
            out.push_back(base | 1u << bit | 0x80000000u);
        }
    }
    for (uint64_t nan : {0x7FFFFFFFu, 0xFFFFFFFFu, 0x7FC00001u, 0xFFC00000u, 0x7FBFFFFFu, 0xFFBFFFFFu}) {
        out.push_back(nan);
    }
    if (IsFloating(dst) && dst != DataType::kFloat) {
        AddNarrowFloatGrid(dst, &out);
    } else {
        AddIntegerGrid(&out);
    }
    return out;
}

std::vector<uint64_t> IntegerBoundaries(DataType src) {
    const int bits = static_cast<int>(BitsOf(src));
    const uint64_t mask = bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
    std::vector<uint64_t> out;
    const auto add_near = [&](uint64_t x) {
        for (int64_t d = -kNear; d <= kNear; ++d) {
            out.push_back((x + static_cast<uint64_t>(d)) & mask);
            out.push_back((0 - x - static_cast<uint64_t>(d)) & mask);
        }
    };
    for (uint64_t k = 0; k <= 70000; k += 7) add_near(k);
    for (int p = 0; p < bits; ++p) {
        add_near(uint64_t{1} << p);
        // Midpoints of grids of 11 and 24 bits within this binade: first and last few steps and some between.
        for (int precision : {11, 24}) {
            const int step = p + 1 - precision;
            if (step < 1) continue;
            for (uint64_t i = 0; i < 24; ++i) {
                const uint64_t last = (uint64_t{1} << (precision - 1)) - 1;
                const uint64_t n = i < 8 ? i : i < 16 ? last - (i - 8) : Mix(i + 64 * static_cast<uint64_t>(p)) & last;
                const uint64_t point = (uint64_t{1} << p) + (n << step);
                add_near(point);
                add_near(point + (uint64_t{1} << (step - 1)));
            }
        }
    }
    return out;
}

}  // namespace

std::vector<uint64_t> Boundaries(DataType src, DataType dst) {
    std::vector<uint64_t> out;
    if (src == DataType::kInt4) {  // every byte of two elements
        for (uint64_t b = 0; b < 256; ++b) out.insert(out.end(), {b & 15, b >> 4});
    } else if (BitsOf(src) <= 16) {
        for (uint64_t b = 0; b < uint64_t{1} << BitsOf(src); ++b) out.push_back(b);
    } else {
        out = src == DataType::kFloat ? FloatBoundaries(dst) : IntegerBoundaries(src);
    }
    return out;
}

uint64_t Stratum(DataType src, uint64_t index) {
    const uint64_t r = Mix(index);
    const uint64_t form = r >> 60;  // 0-3: leading bits, then a midpoint or a neighbour of it
    const bool negative = r >> 59 & 1;
    if (src == DataType::kFloat) {
        uint64_t fraction = r & 0x7FFFFF;
        if (form < 4) {
            const uint64_t half = uint64_t{1} << ((r >> 32) % 23);
            fraction = ((fraction & ~(2 * half - 1)) | half) + form - 1;  // form 1 is the midpoint itself
        }
        return (uint64_t{negative} << 31) | ((index & 255) << 23) | (fraction & 0x7FFFFF);
    }
    const uint64_t bits = BitsOf(src);
    const uint64_t length = index % bits;  // significant bits of the magnitude
    const uint64_t top = length == 0 ? 0 : uint64_t{1} << (length - 1);
    uint64_t magnitude = top | (Mix(r) & (top - (top != 0)));
    if (form < 4 && length > 1) {
        const uint64_t half = uint64_t{1} << ((r >> 32) % (length - 1));
        magnitude = ((magnitude & ~(2 * half - 1)) | half) + form - 1;
    }
    const uint64_t value = negative ? 0 - magnitude : magnitude;
    return bits == 64 ? value : value & 0xFFFFFFFF;
}

void Store(DataType type, const uint64_t* patterns, size_t n, void* elements) {
    auto* out = static_cast<uint8_t*>(elements);
    if (type == DataType::kInt4) {
        for (size_t i = 0; i < n; i += 2) out[i / 2] = static_cast<uint8_t>(patterns[i] | patterns[i + 1] << 4);
        return;
    }
    const size_t bytes = BitsOf(type) / 8;  // the host is little endian, as the chips are
    for (size_t i = 0; i < n; ++i) std::memcpy(out + i * bytes, &patterns[i], bytes);
}

uint64_t Load(DataType type, const void* elements, size_t index) {
    const auto* in = static_cast<const uint8_t*>(elements);
    if (type == DataType::kInt4) return in[index / 2] >> (index % 2 * 4) & 15;
    uint64_t pattern = 0;
    const size_t bytes = BitsOf(type) / 8;
    std::memcpy(&pattern, in + index * bytes, bytes);
    return pattern;
}

}  // namespace sfumato::oracle
