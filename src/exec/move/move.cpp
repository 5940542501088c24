// SPDX-License-Identifier: Apache-2.0
// Moves of blocks between memories, padded or not (framework.md 3.3 and 3.4), and stores of the scalar unit.
#include "exec/meaning.h"

#include <cstring>

#include "exec/blocks.h"
#include "exec/cube/cube.h"
#include "hwy/cache_control.h"
#include "isa/geometry.h"
#include "isa/racy.h"
#include "isa/rank_block.h"

namespace sfumato::exec {
namespace {

// What undefined pad bytes hold, as unwritten memory does.
constexpr uint64_t kPoison = kPoisonByte * 0x0101010101010101ull;

// An allocation of this size does not stay in a cache until it is read again.
constexpr uint64_t kBeyondCaches = uint64_t{32} << 20;

// `bytes` bytes of a repeated element; a whole number of elements.
void FillElements(uint8_t* to, uint64_t element, size_t element_bytes, size_t bytes) {
    for (size_t i = 0; i < bytes; i += element_bytes) std::memcpy(to + i, &element, element_bytes);
}

// Blocks one after the other through step(to, from).
template <class Step>
bool EachBlock(const isa::Blocks& m, uint8_t* dst, const uint8_t* src, Step step) {
    bool replaced = false;
    for (uint32_t i = 0; i < m.block_count; ++i, dst += m.dst_pitch, src += m.src_pitch) replaced |= step(dst, src);
    return replaced;
}

// Bias on its way into the table, whose entries have 4 bytes (cube.md 4).
bool Widens(const isa::Record& r) {
    return r.dst().memory == isa::Memory::kBt && r.dst().type == DataType::kFloat && BitsOf(r.src0().type) == 16;
}

bool MoveWidened(const isa::Record& record, const isa::Blocks& m, uint8_t* dst, const uint8_t* src) {
    const Conversion conversion{.src = record.src0().type, .dst = DataType::kFloat};
    const size_t n = m.block_bytes / BytesOf(conversion.src, 1);
    return EachBlock(m, dst, src, [&](uint8_t* to, const uint8_t* from) { return Convert(conversion, from, to, n); });
}

}  // namespace

bool Execute(const isa::Record& record, const isa::Blocks& m, const MemoryMap& memory) {
    uint8_t* dst = memory.Address(record.dst());
    const uint8_t* src = memory.Address(record.src0());
    if (Widens(record)) return MoveWidened(record, m, dst, src);
    if (isa::IsAtomic(record)) {
        return EachBlock(m, dst, src, [&](uint8_t* to, const uint8_t* from) {
            return StoreAtomic(record.control, to, from, m.block_bytes);
        });
    }
    if (m.block_count == 1 || (m.src_pitch == m.block_bytes && m.dst_pitch == m.block_bytes)) {
        const size_t bytes = m.block_count * m.block_bytes;
        // What a core of another rank waits for may be stored while it looks.
        if (isa::kRacesAreTold && record.src0().memory == isa::Memory::kGm && bytes <= isa::kRankBlock) {
            isa::CopyRacy(dst, src, bytes);
            return false;
        }
        const bool out = record.src0().memory == isa::Memory::kUb && record.dst().memory == isa::Memory::kGm;
        if (out && record.dst().limit >= kBeyondCaches) {
            Blocks().stream(dst, src, bytes);
        } else {
            std::memmove(dst, src, bytes);
        }
        return false;
    }
    return EachBlock(m, dst, src, [&](uint8_t* to, const uint8_t* from) {
        std::memmove(to, from, m.block_bytes);
        return false;
    });
}

void Publish() { hwy::FlushStream(); }

bool Execute(const isa::Record& record, const isa::MovePad& m, const MemoryMap& memory) {
    const isa::Blocks& blocks = m;
    if (record.dst().memory == isa::Memory::kGm || m.block_bytes == 0) return Execute(record, blocks, memory);
    const size_t element = BytesOf(record.dst().type, 1);
    if (m.compact) {
        const bool replaced = Execute(record, blocks, memory);
        const size_t last = m.block_count - 1;
        uint64_t fill = 0;  // as behind a block without pads
        std::memcpy(&fill, memory.Address(record.src0()) + last * m.src_pitch, element);
        FillElements(memory.Address(record.dst()) + (last + 1) * m.block_bytes, fill, element,
                     isa::CompactFiller(record, m));
        return replaced;
    }
    const size_t left = m.left * element;
    const size_t right = m.right * element;
    const size_t whole = isa::PaddedBlockBytes(record, m);
    const size_t filler = whole - left - m.block_bytes - right;
    if (left + right + filler == 0) return Execute(record, blocks, memory);
    const uint64_t pad = m.pad_defined ? m.pad_value : kPoison;
    const bool repeats_first = left + right == 0;  // without pads the filler is the block's first element
    return EachBlock(m, memory.Address(record.dst()), memory.Address(record.src0()),
                     [&](uint8_t* to, const uint8_t* from) {
                         uint64_t fill = pad;
                         if (repeats_first) std::memcpy(&fill, from, element);
                         FillElements(to, pad, element, left);
                         std::memcpy(to + left, from, m.block_bytes);
                         FillElements(to + left + m.block_bytes, fill, element, right + filler);
                         return false;
                     });
}

bool Execute(const isa::Record& r, const isa::ScalarStore&, const MemoryMap& m) {
    if (BitsOf(r.dst().type) < 8) Refuse(r, "stores whole bytes; int4b_t elements are half a byte.");
    std::memcpy(m.Address(r.dst()), &r.immediate, BytesOf(r.dst().type, 1));
    return false;
}

}  // namespace sfumato::exec
