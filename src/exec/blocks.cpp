// SPDX-License-Identifier: Apache-2.0
// Blocks of a repeat into a dense buffer and back.
#include "exec/blocks.h"

#include <algorithm>
#include <cstring>

#include "exec/targets.h"

#ifndef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/blocks.cpp"
#endif
#include "hwy/foreach_target.h"
#include "hwy/cache_control.h"
#include "hwy/highway.h"

#include "exec/half-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sfumato::exec {
namespace HWY_NAMESPACE {

template <typename T>
void ExpandAs(const uint64_t* bits, size_t bytes, uint8_t* mask) {
    const hn::CappedTag<T, 64> d;  // a word of bits at a time
    const size_t lanes = hn::Lanes(d);
    for (size_t i = 0; i * sizeof(T) < bytes; i += lanes) {
        const uint64_t word = bits[i / 64] >> (i % 64);
        const auto v = hn::VecFromMask(d, hn::LoadMaskBits(d, reinterpret_cast<const uint8_t*>(&word)));
        hn::StoreU(v, d, reinterpret_cast<T*>(mask + i * sizeof(T)));
    }
}

void Expand(const uint64_t* bits, uint32_t log2_bits, size_t bytes, uint8_t* mask) {
    switch (log2_bits) {
        case 2: {
            uint64_t even[4] = {};
            for (size_t i = 0; i < 128; ++i) even[i / 64] |= ((bits[i / 32] >> (2 * i % 64)) & 1) << (i % 64);
            return ExpandAs<uint8_t>(even, bytes, mask);
        }
        case 3: return ExpandAs<uint8_t>(bits, bytes, mask);
        case 4: return ExpandAs<uint16_t>(bits, bytes, mask);
        case 5: return ExpandAs<uint32_t>(bits, bytes, mask);
        default: return ExpandAs<uint64_t>(bits, bytes, mask);
    }
}

// Columns of a batch are done one after the other: the loop over the repeats has nothing to decide, and a mask is
// loaded once for all of them.
void Gather(const BlockPlaces& from, uint8_t* to, size_t pitch, size_t bytes, size_t count) {
    size_t at = 0;
    const uint8_t* block = from.at;
    // Two blocks a store where vectors are that long, so that the run can load what was stored.
    const hn::CappedTag<uint8_t, 64> d64;
    if constexpr (hn::MaxLanes(d64) == 64) {
        const hn::Half<decltype(d64)> d32;
        for (; bytes - at >= 64; at += 64, block += 2 * from.block_pitch) {
            for (size_t repeat = 0; repeat < count; ++repeat) {
                const uint8_t* source = block + repeat * from.repeat_pitch;
                const auto pair = hn::Combine(d64, hn::LoadU(d32, source + from.block_pitch), hn::LoadU(d32, source));
                hn::StoreU(pair, d64, to + repeat * pitch + at);
            }
        }
    }
    const hn::CappedTag<uint8_t, 32> d;
    for (; bytes - at >= 32; at += 32, block += from.block_pitch) {
        for (size_t repeat = 0; repeat < count; ++repeat) {
            const uint8_t* source = block + repeat * from.repeat_pitch;
            uint8_t* dense = to + repeat * pitch + at;
            for (size_t i = 0; i < 32; i += hn::Lanes(d)) hn::StoreU(hn::LoadU(d, source + i), d, dense + i);
        }
    }
    if (at == bytes) return;
    for (size_t repeat = 0; repeat < count; ++repeat) {
        CopySmall(to + repeat * pitch + at, block + repeat * from.repeat_pitch, bytes - at);
    }
}

// Repeats that do not overlap, in blocks of kChunk bytes.
template <size_t kChunk>
HWY_INLINE void ScatterBlocks(const BlockPlaces& to, const uint8_t* from, size_t pitch, size_t bytes, size_t count,
                              const uint8_t* mask) {
    const hn::CappedTag<uint8_t, kChunk> d;
    const size_t step = hn::Lanes(d);
    size_t at = 0;
    uint8_t* block = to.at;
    for (; bytes - at >= kChunk; at += kChunk, block += to.block_pitch) {
        for (size_t i = 0; i < kChunk; i += step) {
            uint8_t* column = block + i;
            const uint8_t* dense = from + at + i;
            if (mask) {
                const auto active = hn::LoadU(d, mask + at + i);
                for (size_t repeat = 0; repeat < count; ++repeat, column += to.repeat_pitch, dense += pitch) {
#if SFUMATO_NATIVE_MASK
                    hn::BlendedStore(hn::LoadU(d, dense), hn::MaskFromVec(active), d, column);
#else
                    hn::StoreU(hn::IfVecThenElse(active, hn::LoadU(d, dense), hn::LoadU(d, column)), d, column);
#endif
                }
            } else {
                for (size_t repeat = 0; repeat < count; ++repeat, column += to.repeat_pitch, dense += pitch) {
                    hn::StoreU(hn::LoadU(d, dense), d, column);
                }
            }
        }
    }
    if (at == bytes) return;
    // What is left of the last block, byte-exactly.
    for (size_t repeat = 0; repeat < count; ++repeat, block += to.repeat_pitch) {
        HWY_ALIGN uint8_t part[64] = {};
        CopySmall(part, block, bytes - at);
        for (size_t i = 0; at + i < bytes; i += step) {
            auto v = hn::LoadU(d, from + repeat * pitch + at + i);
            if (mask) v = hn::IfVecThenElse(hn::LoadU(d, mask + at + i), v, hn::LoadU(d, part + i));
            hn::StoreU(v, d, part + i);
        }
        CopySmall(block, part, bytes - at);
    }
}

void Scatter(const BlockPlaces& to, const uint8_t* from, size_t pitch, size_t bytes, size_t count,
             const uint8_t* mask) {
    const size_t extent = (bytes - 1) / to.chunk * to.block_pitch + to.chunk;
    if (count > 1 && to.repeat_pitch < extent) {
        // Later repeats write over earlier ones.
        BlockPlaces one = to;
        for (size_t repeat = 0; repeat < count; ++repeat, one.at += to.repeat_pitch) {
            Scatter(one, from + repeat * pitch, pitch, bytes, 1, mask);
        }
        return;
    }
    if (to.chunk == 16) return ScatterBlocks<16>(to, from, pitch, bytes, count, mask);
    // Blocks that follow each other are one.
    constexpr size_t kWide = 64;
    if (to.block_pitch == to.chunk && bytes % kWide == 0) {
        const BlockPlaces wide{to.at, kWide, to.repeat_pitch, kWide};
        return ScatterBlocks<kWide>(wide, from, pitch, bytes, count, mask);
    }
    ScatterBlocks<32>(to, from, pitch, bytes, count, mask);
}

void Replace(uint8_t* bytes, const uint8_t* mask, uint32_t pattern, size_t count) {
    const hn::ScalableTag<uint8_t> d;
    const auto other = hn::BitCast(d, hn::Set(hn::ScalableTag<uint32_t>(), pattern));
    const size_t step = hn::Lanes(d);
    size_t i = 0;
    for (; i + step <= count; i += step) {
        const auto kept = hn::LoadU(d, mask + i);
        const auto both = hn::Or(hn::And(kept, hn::LoadU(d, bytes + i)), hn::AndNot(kept, other));
        hn::StoreU(both, d, bytes + i);
    }
    for (; i < count; ++i) {
        bytes[i] = static_cast<uint8_t>((bytes[i] & mask[i]) | (pattern >> (i % 4 * 8) & ~mask[i]));
    }
}

void Stream(uint8_t* to, const uint8_t* from, size_t bytes) {
    const hn::ScalableTag<uint8_t> d;
    const size_t step = hn::Lanes(d);
    size_t at = std::min(bytes, (0 - reinterpret_cast<uintptr_t>(to)) % 64);
    std::memcpy(to, from, at);
    for (; bytes - at >= 64; at += 64) {
        for (size_t i = at; i < at + 64; i += step) hn::Stream(hn::LoadU(d, from + i), d, to + i);
    }
    std::memcpy(to + at, from + at, bytes - at);
}

const BlockKernels* Kernels() {
    static constexpr BlockKernels kKernels = {Expand, Gather, Scatter, Replace, Stream};
    return &kKernels;
}

}  // namespace HWY_NAMESPACE
}  // namespace sfumato::exec
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sfumato::exec {

namespace {
PerTarget<BlockKernels> blocks([]() -> const void* { return SFUMATO_FOR_TARGET(Kernels)(); });
}  // namespace

const BlockKernels& Blocks() { return blocks.Get(); }

}  // namespace sfumato::exec
#endif
