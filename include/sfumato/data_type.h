// SPDX-License-Identifier: Apache-2.0
// The element types of the chips, the rounding modes and the overflow policies: the words every layer shares.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sfumato/api.h"

namespace sfumato {

enum class DataType : uint8_t {
    kInt4,  // two elements a byte, element 2k in the low nibble
    kInt8,
    kUint8,
    kInt16,
    kUint16,
    kHalf,
    kBfloat16,
    kInt32,
    kUint32,
    kFloat,
    kInt64,
    kUint64,
    kCount,  // those above are of records; those below, of vector registers and scalars alone (arch950.md 1.8)
    kHifloat8 = kCount,
    kFp8E4m3,
    kFp8E5m2,
    kFp8E8m0,
    kFp4E2m1,  // two elements a byte, as int4
    kFp4E1m2,
    kComplex32,  // two halves: the real part first
    kComplex64,  // two floats
    kEnd
};

constexpr int kDataTypeCount = static_cast<int>(DataType::kCount);

// Bits of one element; 4 for int4.
SFUMATO_CONSTEXPR uint32_t BitsOf(DataType t) {
    switch (t) {
        case DataType::kFp4E2m1:
        case DataType::kFp4E1m2:
        case DataType::kInt4: return 4;
        case DataType::kHifloat8:
        case DataType::kFp8E4m3:
        case DataType::kFp8E5m2:
        case DataType::kFp8E8m0:
        case DataType::kInt8:
        case DataType::kUint8: return 8;
        case DataType::kInt16:
        case DataType::kUint16:
        case DataType::kHalf:
        case DataType::kBfloat16: return 16;
        case DataType::kInt32:
        case DataType::kUint32:
        case DataType::kComplex32:
        case DataType::kFloat: return 32;
        default: return 64;
    }
}

// Bytes that n elements occupy; an odd count of int4 is rounded up.
SFUMATO_CONSTEXPR uint64_t BytesOf(DataType t, uint64_t n) { return (n * BitsOf(t) + 7) / 8; }

constexpr bool IsFloating(DataType t) {
    return t == DataType::kHalf || t == DataType::kBfloat16 || t == DataType::kFloat;
}

// The Ascend C spelling: "half", "bfloat16_t", "float", "int4b_t", "int8_t" ...
SFUMATO_CONSTEXPR const char* CName(DataType t) {
    constexpr const char* kNames[] = {"int4b_t",    "int8_t",       "uint8_t",      "int16_t",      "uint16_t",
                                      "half",       "bfloat16_t",   "int32_t",      "uint32_t",     "float",
                                      "int64_t",    "uint64_t",     "hifloat8_t",   "fp8_e4m3fn_t", "fp8_e5m2_t",
                                      "fp8_e8m0_t", "fp4x2_e2m1_t", "fp4x2_e1m2_t", "complex32",    "complex64"};
    return t < DataType::kEnd ? kNames[static_cast<int>(t)] : "?";
}

// The NumPy and TIK spelling: "float16", "bfloat16", "float32", "int4", "int8" ...
SFUMATO_CONSTEXPR const char* NumpyName(DataType t) {
    constexpr const char* kNames[] = {"int4",     "int8",  "uint8",  "int16",   "uint16", "float16",
                                      "bfloat16", "int32", "uint32", "float32", "int64",  "uint64"};
    return static_cast<int>(t) < kDataTypeCount ? kNames[static_cast<int>(t)] : "?";
}

// How an inexact result is rounded to the destination's grid (conversions.md, "Round modes").
// kAway is the directed reading of CAST_ROUND on Ascend910: any fraction moves away from zero.
enum class Rounding : uint8_t { kNone, kRint, kFloor, kCeil, kRound, kTrunc, kOdd, kAway, kCount };

SFUMATO_CONSTEXPR const char* Name(Rounding r) {
    constexpr const char* kNames[] = {"CAST_NONE",  "CAST_RINT", "CAST_FLOOR",           "CAST_CEIL",  "CAST_ROUND",
                                      "CAST_TRUNC", "CAST_ODD",  "CAST_ROUND(directed)", "CAST_HYBRID"};
    return static_cast<size_t>(r) < sizeof(kNames) / sizeof(kNames[0]) ? kNames[static_cast<int>(r)] : "?";
}

// What a float16 or bfloat16 result does when it is inf or NaN (conversions.md, "Destination range").
enum class Overflow : uint8_t {
    kSaturate,  // inf becomes the largest finite value, NaN becomes +0
    kInfNan,    // IEEE
    kBoard      // what the chip's runtime sets by default; resolved to one of the others at launch
};

}  // namespace sfumato
