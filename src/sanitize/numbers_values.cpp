// SPDX-License-Identifier: Apache-2.0
// Scans and words for elements.
#include "sanitize/numbers_values.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>

#include "numeric/convert.h"

namespace sfumato::sanitize {
namespace {

constexpr uint64_t Everywhere(DataType t, uint64_t bits) {
    return BitsOf(t) == 32 ? bits * 0x0000000100000001 : bits * 0x0001000100010001;
}

// 16 bytes at once, which every host computes with.
using Words __attribute__((vector_size(16))) = uint64_t;

template <class Word>
Word LoadOf(const uint8_t* from) {
    Word word;
    std::memcpy(&word, from, sizeof(word));
    return word;
}

// Whether step(words) sets the sign bit of an element anywhere. step takes Words, and single words for the rest.
template <class Step>
bool AnySign(DataType t, const uint8_t* from, uint64_t bytes, const Step& step) {
    constexpr uint64_t kBatch = 8 * sizeof(Words);  // between two looks
    const uint64_t signs = Everywhere(t, MagnitudeOf(t) + 1);
    uint64_t at = 0;
    for (; at + kBatch <= bytes; at += kBatch) {
        const auto words = [&](uint64_t i) { return step(LoadOf<Words>(from + at + i * sizeof(Words))); };
        const Words found =
            (words(0) | words(1)) | (words(2) | words(3)) | (words(4) | words(5)) | (words(6) | words(7));
        if ((found[0] | found[1]) & signs) return true;
    }
    uint64_t found = 0;
    for (; at + sizeof(uint64_t) <= bytes; at += sizeof(uint64_t)) found |= step(LoadOf<uint64_t>(from + at));
    if (at < bytes) {
        uint64_t last = 0x3C3C3C3C3C3C3C3C;  // finite and not 0 in every type
        std::memcpy(&last, from + at, bytes - at);
        found |= step(last);
    }
    return (found & signs) != 0;
}

}  // namespace

bool AnyAtLeast(DataType t, const uint8_t* from, uint64_t bytes, uint64_t least) {
    // What is at least that large carries into the sign.
    const uint64_t magnitude = Everywhere(t, MagnitudeOf(t)), rest = Everywhere(t, MagnitudeOf(t) + 1 - least);
    return AnySign(t, from, bytes, [=](auto words) { return (words & magnitude) + rest; });
}

bool AnyZero(DataType t, const uint8_t* from, uint64_t bytes) {
    const uint64_t magnitude = Everywhere(t, MagnitudeOf(t)), signs = Everywhere(t, MagnitudeOf(t) + 1);
    return AnySign(t, from, bytes, [=](auto words) { return signs - (words & magnitude); });
}

int64_t IntegerOf(DataType t, uint64_t bits) {
    switch (t) {
        case DataType::kInt4: return static_cast<int64_t>(bits << 60) >> 60;
        case DataType::kInt8: return static_cast<int8_t>(bits);
        case DataType::kInt16: return static_cast<int16_t>(bits);
        case DataType::kInt32: return static_cast<int32_t>(bits);
        default: return static_cast<int64_t>(bits);
    }
}

double ValueOf(DataType t, uint64_t bits) {
    if (t == DataType::kUint64) return static_cast<double>(bits);
    if (!IsFloating(t)) return static_cast<double>(IntegerOf(t, bits));
    if (t == DataType::kHalf) {
        bits = numeric::Convert(DataType::kHalf, DataType::kFloat, Rounding::kNone, Overflow::kInfNan, bits).bits;
    } else if (t == DataType::kBfloat16) {
        bits <<= 16;
    }
    return std::bit_cast<float>(static_cast<uint32_t>(bits));
}

std::string Show(DataType t, uint64_t bits) {
    if (t == DataType::kUint64) return fmt::format("{}", bits);
    if (!IsFloating(t)) return fmt::format("{}", IntegerOf(t, bits));
    const auto value = static_cast<float>(ValueOf(t, bits));
    return std::isnan(value) ? "nan" : fmt::format("{}", value);
}

std::string LargestOf(DataType t) { return Show(t, InfinityOf(t) - 1); }

}  // namespace sfumato::sanitize
