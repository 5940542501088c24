// SPDX-License-Identifier: Apache-2.0
// Rows of GM to fractals of L1 and back, and fills (cube.md 6, framework.md 3.9).
#include <algorithm>
#include <cstring>

#include "exec/cube/cube.h"
#include "exec/cube/fractal.h"

namespace sfumato::exec {
namespace {

// Rows and C0 columns of Nd2Nz done together: pitches are often multiples of a page, where more rows than the ways of
// a cache evict each other.
constexpr size_t kTileRows = 8;
constexpr size_t kTileColumns = 4;

// Bytes between pieces, in the outer and the inner loop.
struct Pitches {
    size_t outer, inner;
};

template <size_t kPiece>
void CopyPieces(const uint8_t* src, Pitches src_pitch, uint8_t* dst, Pitches dst_pitch, size_t outer, size_t inner) {
    for (size_t i = 0; i < outer; ++i, src += src_pitch.outer, dst += dst_pitch.outer) {
        const uint8_t* from = src;
        uint8_t* to = dst;
        for (size_t j = 0; j < inner; ++j, from += src_pitch.inner, to += dst_pitch.inner) {
            std::memcpy(to, from, kPiece);
        }
    }
}

template <size_t kBytes>
void CopyEnds(uint8_t* to, const uint8_t* from, size_t n) {
    uint8_t last[kBytes];
    std::memcpy(last, from + n - kBytes, kBytes);
    std::memcpy(to, from, kBytes);
    std::memcpy(to + n - kBytes, last, kBytes);
}

// n of 32 bytes, 0 < n < 32, and zeros.
void CopyTail(uint8_t* to, const uint8_t* from, size_t n) {
    std::memset(to, 0, kRowBytes);
    if (n >= 16) return CopyEnds<16>(to, from, n);
    if (n >= 8) return CopyEnds<8>(to, from, n);
    if (n >= 4) return CopyEnds<4>(to, from, n);
    if (n >= 2) return CopyEnds<2>(to, from, n);
    *to = *from;
}

}  // namespace

bool Execute(const isa::Record& record, const isa::Nd2Nz& p, const MemoryMap& memory) {
    const size_t element = BytesOf(record.dst().type, 1);
    const Pitches src_pitch = {kRowBytes, p.src_d * element};
    const Pitches dst_pitch = {p.dst_c0_stride * kRowBytes, p.dst_n_stride * kRowBytes};
    const size_t columns = p.d * element / kRowBytes;
    const size_t tail = p.d * element % kRowBytes;
    const uint8_t* src = memory.Address(record.src0());
    uint8_t* dst = memory.Address(record.dst());
    for (uint32_t q = 0; q < p.nd_count; ++q, src += p.src_nd_stride * element, dst += p.dst_nd_stride * element) {
        for (size_t n = 0; n < p.n; n += kTileRows) {
            const size_t rows = std::min<size_t>(kTileRows, p.n - n);
            const uint8_t* from = src + n * src_pitch.inner;
            uint8_t* to = dst + n * dst_pitch.inner;
            for (size_t c = 0; c < columns; c += kTileColumns) {
                CopyPieces<kRowBytes>(from + c * src_pitch.outer, src_pitch, to + c * dst_pitch.outer, dst_pitch,
                                      std::min(kTileColumns, columns - c), rows);
            }
            if (tail == 0) continue;
            for (size_t i = 0; i < rows; ++i) {
                CopyTail(to + columns * dst_pitch.outer + i * dst_pitch.inner,
                         from + columns * src_pitch.outer + i * src_pitch.inner, tail);
            }
        }
    }
    return false;
}

bool Execute(const isa::Record& record, const isa::Dn2Nz& p, const MemoryMap& memory) {
    const size_t element = BytesOf(record.dst().type, 1);
    const size_t c0 = kRowBytes / element;
    const uint8_t* src = memory.Address(record.src0());
    uint8_t* dst = memory.Address(record.dst());
    for (uint32_t q = 0; q < p.dn_count; ++q, src += p.src_dn_stride * element, dst += p.dst_dn_stride * element) {
        for (size_t first = 0; first < p.d; first += c0) {
            const size_t columns = std::min(c0, p.d - first);
            const uint8_t* from = src + first * p.src_d * element;
            uint8_t* to = dst + first / c0 * p.dst_c0_stride * kRowBytes;
            for (size_t n = 0; n < p.n; ++n, from += element, to += p.dst_n_stride * kRowBytes) {
                uint8_t row[kRowBytes] = {};
                for (size_t d = 0; d < columns; ++d)
                    std::memcpy(row + d * element, from + d * p.src_d * element, element);
                std::memcpy(to, row, kRowBytes);
            }
        }
    }
    return false;
}

bool Execute(const isa::Record& record, const isa::Nz2Nd& p, const MemoryMap& memory) {
    constexpr size_t kColumn = 16;  // elements, of every width
    const size_t element = BytesOf(record.dst().type, 1);
    const size_t piece = kColumn * element;
    const size_t columns = p.d / kColumn;
    const Pitches src_pitch = {piece, p.src_n_stride * piece};
    const Pitches dst_pitch = {p.dst_d_stride * element, piece};
    const uint8_t* src = memory.Address(record.src0());
    uint8_t* dst = memory.Address(record.dst());
    bool replaced = false;
    for (uint32_t q = 0; q < p.nd_count; ++q) {
        if (isa::IsAtomic(record)) {
            for (size_t n = 0; n < p.n; ++n) {
                for (size_t c = 0; c < columns; ++c) {
                    replaced |= StoreAtomic(record.control, dst + n * dst_pitch.outer + c * piece,
                                            src + n * piece + c * src_pitch.inner, piece);
                }
            }
        } else {
            const auto copy = element == 4 ? CopyPieces<64> : element == 2 ? CopyPieces<32> : CopyPieces<16>;
            copy(src, src_pitch, dst, dst_pitch, p.n, columns);
        }
        src += p.src_nd_stride * kColumn * piece;
        dst += p.dst_nd_stride * element;
    }
    return replaced;
}

bool Execute(const isa::Record& record, const isa::BlockFill& p, const MemoryMap& memory) {
    const size_t element = BytesOf(record.dst().type, 1);
    const size_t unit = record.dst().memory == isa::Memory::kL1 ? isa::kBlockBytes : kFractalBytes;
    uint8_t block[isa::kBlockBytes];
    for (size_t i = 0; i < sizeof(block); i += element) std::memcpy(block + i, &record.immediate, element);
    uint8_t* dst = memory.Address(record.dst());
    for (uint32_t i = 0; i < p.repeats; ++i, dst += (size_t{p.blocks} + p.dst_gap) * unit) {
        for (size_t at = 0; at < p.blocks * unit; at += sizeof(block)) std::memcpy(dst + at, block, sizeof(block));
    }
    return false;
}

}  // namespace sfumato::exec
