// SPDX-License-Identifier: Apache-2.0
// Which results may move, and where to. Values are doubles: their quotients and products of two floats decide exactly
// what a unit of float asks.
#include "exec/vector/last_bits.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "isa/geometry.h"
#include "sfumato/half.h"

namespace sfumato::exec {
namespace {

using Move = isa::LastBits::Move;

// How far from a midpoint a quotient may lie that a board rounds to the other side, in units; and of those the share
// that does, 244 of 2,119 (docs/last-bits.md).
constexpr double kWindow = 0.27;
constexpr uint32_t kShare = static_cast<uint32_t>(244.0 / 2119.0 * 4294967296.0);

struct Format {
    int fraction_bits, least_exponent;
    uint32_t magnitude, inf;
};
constexpr Format kHalf{10, -14, 0x7FFF, 0x7C00}, kFloat{23, -126, 0x7FFFFFFF, 0x7F800000};

struct Lane {
    uint32_t bits;
    double value;
};

Lane LaneAt(const uint8_t* from, DataType type) {
    if (type == DataType::kHalf) {
        uint16_t bits;
        std::memcpy(&bits, from, sizeof bits);
        return {bits, static_cast<double>(static_cast<float>(half::FromBits(bits)))};
    }
    uint32_t bits;
    std::memcpy(&bits, from, sizeof bits);
    return {bits, static_cast<double>(std::bit_cast<float>(bits))};
}

uint32_t Mixed(uint32_t seed, uint32_t a, uint32_t b) {
    uint64_t x = (uint64_t{a} << 32 | b) + (uint64_t{seed} + 1) * 0x9E3779B97F4A7C15u;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return static_cast<uint32_t>((x ^ x >> 31) >> 32);
}

// Whether the result is the function's value itself.
bool IsExact(isa::Opcode op, double a, double b, double result) {
    switch (op) {
        case isa::Opcode::vdiv: return result * b == a;
        case isa::Opcode::vsqrt: return result * result == a;
        case isa::Opcode::vexp: return a == 0;
        case isa::Opcode::vln: return a == 1;
        default: return false;
    }
}

// +1: away from zero; -1: toward it; 0: stays.
int DirectionOf(const Moved& moved, const Format& format, const Lane& a, const Lane& b, const Lane& result) {
    if (IsExact(moved.op, a.value, b.value, result.value)) return 0;
    const uint32_t drawn = moved.bits.move == Move::kSeed ? Mixed(moved.bits.seed, a.bits, b.bits) : 0;
    if (moved.op != isa::Opcode::vdiv) {
        if (moved.bits.move == Move::kSeed) return static_cast<int>(drawn % 3) - 1;
        return moved.bits.move == Move::kAway ? 1 : -1;
    }
    const int binade = std::max(std::ilogb(result.value), format.least_exponent);
    const double beyond =
        std::ldexp(std::fabs(a.value / b.value) - std::fabs(result.value), format.fraction_bits - binade);
    if (std::fabs(beyond) < 0.5 - kWindow) return 0;
    const int other_side = beyond > 0 ? 1 : -1;
    if (moved.bits.move == Move::kSeed) return drawn < kShare ? other_side : 0;
    return (moved.bits.move == Move::kAway) == (other_side > 0) ? other_side : 0;
}

}  // namespace

bool LookUp(const RunArgs& args) {
    const auto* from = static_cast<const uint8_t*>(args.src0);
    auto* to = static_cast<uint8_t*>(args.dst);
    for (size_t i = 0; i < args.n; ++i) {
        uint16_t bits;
        std::memcpy(&bits, from + 2 * i, sizeof bits);
        std::memcpy(to + 2 * i, &args.moved->table[bits], sizeof bits);
    }
    return false;
}

bool RunMoved(const RunArgs& args) {
    const Moved& moved = *args.moved;
    const Format& format = moved.type == DataType::kHalf ? kHalf : kFloat;
    const size_t size = BitsOf(moved.type) / 8;
    constexpr size_t kBytes = isa::kRepeatBytes;
    const size_t step = kBytes / size;
    bool changed = false;
    alignas(64) uint8_t first[kBytes] = {}, second[kBytes] = {}, results[kBytes];
    const auto* src0 = static_cast<const uint8_t*>(args.src0);
    const auto* src1 = static_cast<const uint8_t*>(args.src1);
    for (size_t done = 0; done < args.n; done += step) {
        RunArgs part = args;
        part.n = std::min(step, args.n - done);
        std::memcpy(first, src0 + done * size, part.n * size);
        // The block that stands for all lasts for a vector of 256 bytes.
        if (src1) std::memcpy(second, args.same_block ? src1 : src1 + done * size, part.n * size);
        part.dst = results;
        part.src0 = first;
        part.src1 = second;
        part.same_block = false;
        changed |= moved.run(part);
        for (size_t i = 0; i < part.n; ++i) {
            const Lane result = LaneAt(results + i * size, moved.type);
            const uint32_t magnitude = result.bits & format.magnitude;
            if (magnitude == 0 || magnitude >= format.inf - 1) continue;
            const int direction = DirectionOf(moved, format, LaneAt(first + i * size, moved.type),
                                              LaneAt(second + i * size, moved.type), result);
            const uint32_t bits = result.bits + static_cast<uint32_t>(direction);
            std::memcpy(results + i * size, &bits, size);
        }
        std::memcpy(static_cast<uint8_t*>(args.dst) + done * size, results, part.n * size);
    }
    return changed;
}

}  // namespace sfumato::exec
