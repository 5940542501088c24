// SPDX-License-Identifier: Apache-2.0
// Packed int4: element e is in byte e / 2, even e in the low nibble. The conversion itself works on one element a byte.
#include <algorithm>
#include <cstring>

#include "exec/convert/convert.h"
#include "exec/runs.h"

namespace sfumato::exec {
namespace {

constexpr size_t kInt4Chunk = 256;  // elements, a multiple of 16

// 8 bytes, each with an element in its low nibble, to 4 bytes and back.
uint32_t Pack(uint64_t bytes) {
    uint64_t v = bytes & 0x0F0F0F0F0F0F0F0Full;
    v = (v | v >> 4) & 0x00FF00FF00FF00FFull;
    v = (v | v >> 8) & 0x0000FFFF0000FFFFull;
    return static_cast<uint32_t>(v | v >> 16);
}

uint64_t Unpack(uint32_t packed) {
    uint64_t v = packed;
    v = (v | v << 16) & 0x0000FFFF0000FFFFull;
    v = (v | v << 8) & 0x00FF00FF00FF00FFull;
    v = (v | v << 4) & 0x0F0F0F0F0F0F0F0Full;
    // Sign extension: flipping bit 3 and taking 8 away borrows no further than the byte, which has 0x80 to lend.
    v ^= 0x0808080808080808ull;
    return ((v | 0x8080808080808080ull) - 0x0808080808080808ull) ^ 0x8080808080808080ull;
}

// An odd last element leaves the other nibble of its byte alone.
bool ToInt4(const RunArgs& args, RunFn to_bytes) {
    const auto* src = static_cast<const uint16_t*>(args.src0);
    auto* dst = static_cast<uint8_t*>(args.dst);
    RunArgs part = args;
    for (size_t i = 0; i < args.n; i += kInt4Chunk) {
        alignas(64) uint8_t bytes[kInt4Chunk];
        alignas(64) uint8_t packed[kInt4Chunk / 2];
        part.n = std::min(kInt4Chunk, args.n - i);
        part.src0 = src + i;
        part.dst = bytes;
        to_bytes(part);
        if (part.n % 2 != 0) bytes[part.n] = dst[(i + part.n) / 2] >> 4;
        for (size_t k = 0; k < part.n; k += 8) {
            uint64_t eight = 0;
            std::memcpy(&eight, bytes + k, std::min<size_t>(8, part.n + part.n % 2 - k));
            const uint32_t four = Pack(eight);
            std::memcpy(packed + k / 2, &four, sizeof(four));
        }
        std::memcpy(dst + i / 2, packed, (part.n + 1) / 2);
    }
    return false;
}

bool FromInt4(const RunArgs& args, RunFn from_bytes) {
    const auto* src = static_cast<const uint8_t*>(args.src0);
    auto* dst = static_cast<uint16_t*>(args.dst);
    RunArgs part = args;
    for (size_t i = 0; i < args.n; i += kInt4Chunk) {
        alignas(64) uint8_t bytes[kInt4Chunk];
        alignas(64) uint8_t packed[kInt4Chunk / 2] = {};
        part.n = std::min(kInt4Chunk, args.n - i);
        std::memcpy(packed, src + i / 2, (part.n + 1) / 2);
        for (size_t k = 0; k < part.n; k += 8) {
            uint32_t four;
            std::memcpy(&four, packed + k / 2, sizeof(four));
            const uint64_t eight = Unpack(four);
            std::memcpy(bytes + k, &eight, sizeof(eight));
        }
        part.src0 = bytes;
        part.dst = dst + i;
        from_bytes(part);
    }
    return false;
}

struct HalfToInt4 {
    template <Rounding R>
    static bool Run(const RunArgs& args) {
        return ToInt4(args, FindersInForce().to_int({.src = DataType::kHalf, .dst = DataType::kInt4, .rounding = R}));
    }
};

template <DataType kDst>
bool Int4ToFloating(const RunArgs& args) {
    return FromInt4(args, FindersInForce().to_half({.src = DataType::kInt4, .dst = kDst}));
}

bool Int4ToInt16(const RunArgs& args) {
    return FromInt4(args, FindConvertingRun(isa::Opcode::vcbd, DataType::kInt16, DataType::kInt8));
}

// Saturated, one a byte.
bool Int16ToInt4Bytes(const RunArgs& args) {
    const auto* src = static_cast<const uint8_t*>(args.src0);
    auto* dst = static_cast<int8_t*>(args.dst);
    for (size_t i = 0; i < args.n; ++i) {
        int16_t value;
        std::memcpy(&value, src + i * sizeof(value), sizeof(value));
        dst[i] = static_cast<int8_t>(std::clamp<int16_t>(value, -8, 7));
    }
    return false;
}
bool Int16ToInt4(const RunArgs& args) { return ToInt4(args, Int16ToInt4Bytes); }

}  // namespace

RunFn FindConvertInt4(const Conversion& c) {
    if (c.deq != isa::DeqScale::kNone) return nullptr;
    if (c.src == DataType::kInt4) {
        switch (c.dst) {
            case DataType::kHalf: return &Int4ToFloating<DataType::kHalf>;
            case DataType::kBfloat16: return &Int4ToFloating<DataType::kBfloat16>;
            case DataType::kInt16: return &Int4ToInt16;
            default: return nullptr;
        }
    }
    if (c.src == DataType::kInt16) return &Int16ToInt4;
    return c.src == DataType::kHalf ? ForRounding<HalfToInt4>(c.rounding) : nullptr;
}

}  // namespace sfumato::exec
