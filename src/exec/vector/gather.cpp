// SPDX-License-Identifier: Apache-2.0
// Brcb, VectorPadding, Gather, Gatherb, Scatter and GatherMask (vector_instructions.md 4 and 5): elements move as bits.
#include <cstring>

#include "exec/vector/lanes.h"
#include "isa/vector_registers.h"

namespace sfumato::exec {
namespace {

using isa::kBlockBytes;
using isa::kBlocksPerRepeat;
using isa::Record;

template <typename T>
T Load(const uint8_t* at) {
    T value;
    std::memcpy(&value, at, sizeof(T));
    return value;
}

template <typename T>
void Store(uint8_t* at, T value) {
    std::memcpy(at, &value, sizeof(T));
}

// 0 is read as 1 (vector_instructions.md 4.2, 5.2).
uint64_t BlockPitch(const isa::Operand& o) { return uint64_t{std::max(o.block_stride, 1u)} * kBlockBytes; }

// Byte of block b of repeat r of a destination written block by block.
uint64_t BlockAt(const isa::Operand& o, uint64_t repeat, uint64_t block) {
    return repeat * o.repeat_stride * kBlockBytes + block * BlockPitch(o);
}

}  // namespace

bool Execute(const isa::Record& r, const isa::Broadcast&, const MemoryMap& memory) {
    uint8_t* dst = memory.Address(r.dst());
    const uint8_t* src = memory.Address(r.src0());
    WithWidth(BitsOf(r.dst().type), [&](auto width) {
        using T = decltype(width);
        for (uint64_t repeat = 0; repeat < r.repeat; ++repeat) {
            for (uint64_t block = 0; block < kBlocksPerRepeat; ++block, src += sizeof(T)) {
                uint8_t* to = dst + BlockAt(r.dst(), repeat, block);
                const T value = Load<T>(src);
                for (size_t i = 0; i < kBlockBytes; i += sizeof(T)) Store(to + i, value);
            }
        }
    });
    return false;
}

bool Execute(const isa::Record& r, const isa::Padding& p, const MemoryMap& memory) {
    const uint32_t shift = isa::LanesShift(r);
    const isa::Walk to = isa::WalkOf(r, 0, shift), from = isa::WalkOf(r, 1, shift);
    uint8_t* dst = memory.Address(r.dst());
    const uint8_t* src = memory.Address(r.src0());
    WithWidth(BitsOf(r.dst().type), [&](auto width) {
        using T = decltype(width);
        constexpr int kElements = static_cast<int>(kBlockBytes / sizeof(T)), kLast = kElements - 1;
        T block[kElements];  // dst may be src: a block is read before it is written
        uint64_t held = ~uint64_t{0};
        ForEachLane(r, shift, [&](uint64_t repeat, uint32_t lane) {
            const uint32_t k = lane % kElements;
            const uint64_t number = repeat * kBlocksPerRepeat + lane / kElements;
            if (number != held) std::memcpy(block, src + repeat * from.repeat_pitch + from.LaneBegin(lane - k), 32);
            held = number;
            // Element i of the block that lies beside the source's, seen from the side.
            const int i = p.right ? static_cast<int>(k) : kLast - static_cast<int>(k);
            const int taken = p.mode == 0 ? 0 : p.mode == 1 ? i : i + 1;
            const T value = taken > kLast ? T{0} : block[p.right ? kLast - taken : taken];
            Store(dst + repeat * to.repeat_pitch + to.LaneBegin(lane), value);
        });
    });
    return false;
}

bool Execute(const isa::Record& r, const isa::Gather& p, const MemoryMap& memory) {
    const uint32_t shift = isa::LanesShift(r);
    const isa::Walk walk = isa::WalkOf(r, 0, shift);
    uint8_t* dst = memory.Address(r.dst());
    const uint8_t* src = memory.Address(r.src0()) + p.base;
    const uint8_t* offsets = memory.Address(r.src1());
    WithWidth(BitsOf(r.dst().type), [&](auto width) {
        using T = decltype(width);
        ForEachLane(r, shift, [&](uint64_t repeat, uint32_t lane) {
            const auto offset = Load<uint32_t>(offsets + ((repeat << shift) + lane) * sizeof(uint32_t));
            Store(dst + repeat * walk.repeat_pitch + walk.LaneBegin(lane), Load<T>(src + offset));
        });
    });
    return false;
}

bool Execute(const isa::Record& r, const isa::GatherBlocks& p, const MemoryMap& memory) {
    uint8_t* dst = memory.Address(r.dst());
    const uint8_t* src = memory.Address(r.src0()) + p.base;
    const uint8_t* offsets = memory.Address(r.src1());
    for (uint64_t repeat = 0; repeat < r.repeat; ++repeat) {
        for (uint64_t block = 0; block < kBlocksPerRepeat; ++block, offsets += sizeof(uint32_t)) {
            std::memmove(dst + BlockAt(r.dst(), repeat, block), src + Load<uint32_t>(offsets), kBlockBytes);
        }
    }
    return false;
}

bool Execute(const isa::Record& r, const isa::Scatter& p, const MemoryMap& memory) {
    const uint32_t shift = isa::LanesShift(r);
    const isa::Walk walk = isa::WalkOf(r, 1, shift);
    uint8_t* dst = memory.Address(r.dst()) + p.base;
    const uint8_t* src = memory.Address(r.src0());
    const uint8_t* offsets = memory.Address(r.src1());
    WithWidth(BitsOf(r.dst().type), [&](auto width) {
        using T = decltype(width);
        ForEachLane(r, shift, [&](uint64_t repeat, uint32_t lane) {
            const auto offset = Load<uint32_t>(offsets + ((repeat << shift) + lane) * sizeof(uint32_t));
            Store(dst + offset, Load<T>(src + repeat * walk.repeat_pitch + walk.LaneBegin(lane)));
        });
    });
    return false;
}

bool Execute(const isa::Record& r, const isa::GatherMask& p, const MemoryMap& memory) {
    const uint8_t pattern = p.pattern;
    const isa::Squeeze squeeze = isa::SqueezeOf(r);
    const isa::Walk walk = isa::WalkOf(r, 1, isa::LanesShift(r));
    uint8_t* dst = memory.Address(r.dst());
    const uint8_t* src = memory.Address(r.src0());
    const uint8_t* bits = pattern == 0 ? memory.Address(r.src1()) : nullptr;
    uint64_t kept = 0;
    WithWidth(BitsOf(r.dst().type), [&](auto width) {
        using T = decltype(width);
        // dst may be src0: an element is read before anything is written where it lies.
        for (uint64_t repeat = 0; repeat < squeeze.repeats; ++repeat) {
            const uint64_t lanes = repeat + 1 == squeeze.repeats ? squeeze.last : squeeze.lanes;
            for (uint64_t lane = 0; lane < lanes; ++lane) {
                const bool keep = pattern ? isa::IsKept(pattern, lane) : (bits[lane / 8] >> (lane % 8)) & 1;
                if (!keep) continue;
                Store(dst + kept * sizeof(T), Load<T>(src + walk.LaneBegin(static_cast<uint32_t>(lane))));
                ++kept;
            }
            src += walk.repeat_pitch;
            if (bits) bits += uint64_t{r.src1().repeat_stride} * kBlockBytes;
        }
    });
    std::memcpy(memory.base[static_cast<int>(isa::Memory::kRegister)] + isa::kRsvdCount.at, &kept, sizeof(kept));
    return false;
}

}  // namespace sfumato::exec
