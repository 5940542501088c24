// SPDX-License-Identifier: Apache-2.0
// vci: first + i, rounded once (vector_instructions.md 4.3). Results rise with i, so the last active lane tells whether
// the policy `saturate` changed one.
#include <cstring>
#include <limits>

#include "exec/blocks.h"
#include "exec/vector/lanes.h"
#include "exec/meaning.h"
#include "numeric/convert.h"

namespace sfumato::exec {
namespace {

using isa::Record;

constexpr size_t kIndexRoom = isa::kRepeatBytes + 64;  // of a repeat and what a vector may read past it

// Writes `n` elements from element `i` on; returns as Execute.
using IndexRun = bool (*)(uint64_t first, uint64_t i, uint32_t n, Overflow overflow, uint8_t* out);

template <typename T>
bool Integers(uint64_t first, uint64_t i, uint32_t n, Overflow overflow, uint8_t* out) {
    const int64_t start = int64_t{static_cast<T>(first)} + static_cast<int64_t>(i),
                  most = std::numeric_limits<T>::max();
    const int64_t limit = overflow == Overflow::kSaturate ? most : std::numeric_limits<int64_t>::max();
    T elements[isa::kRepeatBytes / sizeof(T)];
    for (uint32_t k = 0; k < n; ++k) elements[k] = static_cast<T>(std::min(start + k, limit));
    std::memcpy(out, elements, n * sizeof(T));
    return start + n - 1 > limit;
}

bool Floats(uint64_t first, uint64_t i, uint32_t n, Overflow, uint8_t* out) {
    // i is exact in float: no memory holds 2^24 elements.
    const float start = __builtin_bit_cast(float, static_cast<uint32_t>(first));
    float elements[isa::kRepeatBytes / sizeof(float)];
    for (uint32_t k = 0; k < n; ++k) elements[k] = start + static_cast<float>(static_cast<int32_t>(i + k));
    if (start != start) std::fill_n(elements, n, std::numeric_limits<float>::quiet_NaN());
    std::memcpy(out, elements, n * sizeof(float));
    return false;
}

// The float next to an exact sum on the side of an odd last bit: rounding it again is the only rounding.
float ToOdd(double sum) {
    const float near = static_cast<float>(sum);
    const double error = static_cast<double>(near) - sum;
    uint32_t word = __builtin_bit_cast(uint32_t, near);
    if (error != 0 && !(word & 1)) word = (error > 0) == (near > 0) ? word - 1 : word + 1;
    return __builtin_bit_cast(float, word);
}

bool Halves(uint64_t first, uint64_t i, uint32_t n, Overflow overflow, uint8_t* out) {
    const uint64_t wide =
        numeric::Convert(DataType::kHalf, DataType::kFloat, Rounding::kNone, Overflow::kInfNan, first).bits;
    const float start = __builtin_bit_cast(float, static_cast<uint32_t>(wide));
    const bool finite = start - start == 0;
    float sums[isa::kRepeatBytes / 2];
    for (uint32_t k = 0; k < n; ++k) {
        sums[k] = finite ? ToOdd(static_cast<double>(start) + static_cast<double>(i + k)) : start;
    }
    Conversion conversion;
    conversion.src = DataType::kFloat;
    conversion.dst = DataType::kHalf;
    conversion.rounding = Rounding::kRint;
    conversion.overflow = overflow;
    return Convert(conversion, sums, out, n);
}

IndexRun FindIndexRun(DataType type) {
    switch (type) {
        case DataType::kInt16: return Integers<int16_t>;
        case DataType::kInt32: return Integers<int32_t>;
        case DataType::kFloat: return Floats;
        case DataType::kHalf: return Halves;
        default: return nullptr;
    }
}

}  // namespace

bool Execute(const isa::Record& r, const isa::Index&, const MemoryMap& memory) {
    const IndexRun run = FindIndexRun(r.dst().type);
    if (run == nullptr) Refuse(r, std::string("has no meaning for elements of type ") + CName(r.dst().type) + ".");
    const uint32_t shift = isa::LanesShift(r), log2_bits = isa::Log2Bits(r.dst().type);
    const isa::Lanes lanes = isa::LanesOf(r, shift);
    const isa::Walk walk = isa::WalkOf(r, 0, shift);
    const BlockKernels& blocks = Blocks();
    const bool bits = r.mask.mode == isa::MaskMode::kBits;
    uint8_t elements[kIndexRoom], stored[320];
    uint8_t* dst = memory.Address(r.dst());
    bool saturated = false;
    for (uint64_t repeat = 0; repeat < lanes.repeats; ++repeat, dst += walk.repeat_pitch) {
        const uint32_t end = repeat + 1 == lanes.repeats ? lanes.last_end : lanes.end;
        const size_t bytes = (size_t{end} << log2_bits) / 8;
        saturated |= run(r.immediate, repeat << shift, end, r.control.overflow, elements);
        if (bits) blocks.expand(ActiveLanes(r.mask, end).bits, log2_bits, bytes, stored);
        blocks.scatter({dst, walk.block_pitch, walk.repeat_pitch, isa::kBlockBytes}, elements, bytes, bytes, 1,
                       bits ? stored : nullptr);
    }
    return saturated;
}

}  // namespace sfumato::exec
