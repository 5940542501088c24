// SPDX-License-Identifier: Apache-2.0
// Compare, Select and CMPMASK (vector_instructions.md 2 and 3). Bits are packed from bit 0 of the first byte on.
#include <cstring>

#include "exec/blocks.h"
#include "exec/vector/lanes.h"
#include "exec/meaning.h"
#include "isa/vector_registers.h"

namespace sfumato::exec {
namespace {

using isa::kBlockBytes;
using isa::kRepeatBytes;
using isa::Record;

constexpr size_t kSelectRoom = kRepeatBytes + 64;  // of a repeat and what a vector may read past it

uint8_t* CmpMask(const MemoryMap& memory) {
    return memory.base[static_cast<int>(isa::Memory::kRegister)] + isa::kCmpMask.at;
}

// One operand's repeats, packed.
struct Source {
    isa::Walk walk;
    uint8_t* at = nullptr;

    Source(const Record& r, const MemoryMap& memory, int operand, uint32_t shift)
        : walk(isa::WalkOf(r, operand, shift)), at(memory.Address(r.operand[static_cast<size_t>(operand)])) {}
    BlockPlaces Places(uint64_t repeat) const {
        return {at + repeat * walk.repeat_pitch, walk.block_pitch, walk.repeat_pitch, kBlockBytes};
    }
    // The first `bytes` bytes of a repeat: where they lie when they are packed there, else copied to `room`.
    const uint8_t* Packed(const BlockKernels& blocks, uint64_t repeat, size_t bytes, uint8_t* room) const {
        if (walk.block_pitch == kBlockBytes || bytes <= kBlockBytes) return at + repeat * walk.repeat_pitch;
        blocks.gather(Places(repeat), room, bytes, bytes, 1);
        return room;
    }
};

void FillWith(uint64_t bits, DataType type, uint8_t* room) {
    const size_t size = BytesOf(type, 1);
    for (size_t at = 0; at < kRepeatBytes; at += size) std::memcpy(room + at, &bits, size);
}

}  // namespace

bool Execute(const isa::Record& r, const isa::Compare& p, const MemoryMap& memory) {
    const DataType type = r.src0().type;
    const CompareRun run = FindCompareRun(p.mode, type);
    if (run == nullptr) Refuse(r, std::string("does not compare elements of type ") + CName(type) + ".");
    const uint32_t shift = isa::LanesShift(r), lanes = 1u << shift;
    const bool to_register = r.op == isa::Opcode::vcmp, scalar = r.op == isa::Opcode::vcmpvs;
    const BlockKernels& blocks = Blocks();
    uint8_t room[2][kSelectRoom];
    if (scalar) FillWith(r.immediate, type, room[1]);
    const Source a(r, memory, 1, shift), b(r, memory, scalar ? 1 : 2, shift);
    const ActiveLanes active(r.mask, r.mask.mode == isa::MaskMode::kContinuous
                                         ? static_cast<uint32_t>(std::min<uint64_t>(r.mask.count, lanes))
                                         : lanes);
    const uint64_t repeats = to_register ? 1 : isa::CompareRepeats(r);
    uint8_t* dst = to_register ? CmpMask(memory) : memory.Address(r.dst());
    for (uint64_t repeat = 0; repeat < repeats; ++repeat, dst += lanes / 8) {
        uint64_t bits[4] = {}, kept[4] = {};
        const uint8_t* x = a.Packed(blocks, repeat, kRepeatBytes, room[0]);
        run(x, scalar ? room[1] : b.Packed(blocks, repeat, kRepeatBytes, room[1]), lanes,
            reinterpret_cast<uint8_t*>(bits));
        // The register keeps the bits of lanes that are not active; in memory they become 0.
        if (to_register) std::memcpy(kept, dst, lanes / 8);
        for (int i = 0; i < 4; ++i) bits[i] = (bits[i] & active.bits[i]) | (kept[i] & ~active.bits[i]);
        std::memcpy(dst, bits, lanes / 8);
    }
    return false;
}

bool Execute(const isa::Record& r, const isa::Select& p, const MemoryMap& memory) {
    const auto mode = p.mode;
    const uint32_t shift = isa::LanesShift(r);
    const isa::Lanes lanes = isa::LanesOf(r, shift);
    if (lanes.repeats == 0) return false;
    const DataType type = r.dst().type;
    const uint32_t log2_bits = isa::Log2Bits(type);
    const bool scalar = r.operand_count == 3;
    const BlockKernels& blocks = Blocks();
    uint8_t room[2][kSelectRoom], result[kSelectRoom], chosen[320], stored[320];
    if (scalar) FillWith(r.immediate, type, room[1]);
    const Source dst(r, memory, 0, shift), a(r, memory, 1, shift), b(r, memory, scalar ? 1 : 2, shift);
    const isa::Operand& sel = r.operand[r.operand_count - 1u];
    const uint8_t* bits_at = memory.Address(sel);
    const bool same_bits = mode == isa::Select::Mode::kCmpMask;
    if (same_bits && sel.memory != isa::Memory::kRegister) {
        // The bits go through the register, and stay there.
        std::memcpy(CmpMask(memory), bits_at, (lanes.end + 7) / 8);
        bits_at = CmpMask(memory);
    }
    for (uint64_t repeat = 0; repeat < lanes.repeats; ++repeat) {
        const uint32_t end = repeat + 1 == lanes.repeats ? lanes.last_end : lanes.end;
        const size_t bytes = (size_t{end} << log2_bits) / 8;
        uint64_t bits[4] = {};
        std::memcpy(bits, bits_at + (same_bits ? 0 : (repeat << shift) / 8), (end + 7) / 8);
        blocks.expand(bits, log2_bits, bytes, chosen);
        const uint8_t* x = a.Packed(blocks, repeat, bytes, room[0]);
        const uint8_t* y = scalar ? room[1] : b.Packed(blocks, repeat, bytes, room[1]);
        for (size_t i = 0; i < bytes; ++i) {
            result[i] = static_cast<uint8_t>((x[i] & chosen[i]) | (y[i] & ~chosen[i]));
        }
        if (r.mask.mode == isa::MaskMode::kBits) blocks.expand(ActiveLanes(r.mask, end).bits, log2_bits, bytes, stored);
        blocks.scatter(dst.Places(repeat), result, bytes, bytes, 1,
                       r.mask.mode == isa::MaskMode::kBits ? stored : nullptr);
    }
    return false;
}

bool Execute(const isa::Record& r, const isa::RegisterMove&, const MemoryMap& memory) {
    if (r.operand_count == 1) {
        std::memset(CmpMask(memory), 0, isa::kCmpMask.bytes);
        std::memcpy(CmpMask(memory), &r.immediate, sizeof(r.immediate));
        return false;
    }
    std::memmove(memory.Address(r.dst()), memory.Address(r.src0()), isa::kCmpMaskMoved);
    return false;
}

}  // namespace sfumato::exec
