// SPDX-License-Identifier: Apache-2.0
// Moves of blocks between memories, padded or not (framework.md 3.3 and 3.4).
#include "exec/move.h"

#include <cstring>

#include "exec/blocks.h"
#include "hwy/cache_control.h"
#include "isa/geometry.h"

namespace sfumato::exec {
namespace {

// What undefined pad bytes hold, as unwritten memory does.
constexpr uint64_t kPoison = 0xFEFEFEFEFEFEFEFEull;

// An allocation of this size does not stay in a cache until it is read again.
constexpr uint64_t kBeyondCaches = uint64_t{32} << 20;

// `bytes` bytes of a repeated element; a whole number of elements.
void FillElements(uint8_t* to, uint64_t element, size_t element_bytes, size_t bytes) {
    for (size_t i = 0; i < bytes; i += element_bytes) std::memcpy(to + i, &element, element_bytes);
}

}  // namespace

void Move(const isa::Record& record, const MemoryMap& memory) {
    const isa::MoveShape& m = record.move;
    uint8_t* dst = memory.Address(record.dst());
    const uint8_t* src = memory.Address(record.src0());
    if (m.block_count == 1 || (m.src_pitch == m.block_bytes && m.dst_pitch == m.block_bytes)) {
        const size_t bytes = m.block_count * m.block_bytes;
        const bool out = record.src0().memory == isa::Memory::kUb && record.dst().memory == isa::Memory::kGm;
        if (out && record.dst().limit >= kBeyondCaches) return Blocks().stream(dst, src, bytes);
        std::memmove(dst, src, bytes);
        return;
    }
    for (uint32_t i = 0; i < m.block_count; ++i, dst += m.dst_pitch, src += m.src_pitch) {
        std::memmove(dst, src, m.block_bytes);
    }
}

void Publish() { hwy::FlushStream(); }

void MovePad(const isa::Record& record, const MemoryMap& memory) {
    const isa::MoveShape& m = record.move;
    if (record.dst().memory == isa::Memory::kGm || m.block_bytes == 0) return Move(record, memory);
    const size_t element = BytesOf(record.dst().type, 1);
    const size_t left = m.left * element;
    const size_t right = m.right * element;
    const size_t whole = isa::PaddedBlockBytes(record);
    const size_t filler = whole - left - m.block_bytes - right;
    if (left + right + filler == 0) return Move(record, memory);
    const uint64_t pad = m.pad_defined ? m.pad_value : kPoison;
    const bool repeats_first = left + right == 0;  // without pads the filler is the block's first element
    uint8_t* dst = memory.Address(record.dst());
    const uint8_t* src = memory.Address(record.src0());
    for (uint32_t i = 0; i < m.block_count; ++i, dst += m.dst_pitch, src += m.src_pitch) {
        uint64_t fill = pad;
        if (repeats_first) std::memcpy(&fill, src, element);
        FillElements(dst, pad, element, left);
        std::memcpy(dst + left, src, m.block_bytes);
        FillElements(dst + left + m.block_bytes, fill, element, right + filler);
    }
}

}  // namespace sfumato::exec
