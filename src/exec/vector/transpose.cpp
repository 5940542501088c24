// SPDX-License-Identifier: Apache-2.0
// Transposes (vector_instructions.md 6). Each repeat reads all its elements before it writes.
#include <cstring>

#include "exec/reduce/reduce.h"
#include "isa/spans.h"

namespace sfumato::exec {
namespace {

constexpr size_t kSide = 16;  // rows and columns

template <typename T>
using Square = T[kSide][kSide];

// One repeat of lists: out[i][k] of elements of 16 bits; 32-bit sources come in two halves of 8 rows.
void Blocks16(const uint8_t (&in)[kSide][isa::kBlockBytes], uint8_t (&out)[kSide][isa::kBlockBytes]) {
    for (size_t i = 0; i < kSide; ++i) {
        for (size_t k = 0; k < kSide; ++k) std::memcpy(out[i] + 2 * k, in[k] + 2 * i, 2);
    }
}
void Blocks32(const uint8_t (&in)[kSide][isa::kBlockBytes], uint8_t (&out)[kSide][isa::kBlockBytes]) {
    for (size_t j = 0; j < 8; ++j) {
        for (size_t k = 0; k < kSide; ++k) std::memcpy(out[2 * j + k / 8] + 4 * (k % 8), in[k] + 4 * j, 4);
    }
}
void Blocks8(const uint8_t (&in)[kSide][isa::kBlockBytes], size_t from, uint8_t (&out)[kSide][isa::kBlockBytes]) {
    for (size_t i = 0; i < kSide; ++i) {
        for (size_t k = 0; k < kSide; ++k) out[i][k] = in[k][from + i];
    }
}

template <size_t kBytes>
void Planes(const uint8_t* src, uint8_t* dst, size_t rows, size_t columns) {
    for (size_t i = 0; i < rows; ++i) {
        for (size_t j = 0; j < columns; ++j) {
            std::memcpy(dst + (j * rows + i) * kBytes, src + (i * columns + j) * kBytes, kBytes);
        }
    }
}

}  // namespace

bool Execute(const isa::Record& record, const isa::TransposeSquares& p, const MemoryMap& memory) {
    const uint8_t* src = memory.Address(record.src0());
    uint8_t* dst = memory.Address(record.dst());
    for (uint32_t r = 0; r < p.repeats; ++r) {
        Square<uint16_t> in, out;
        std::memcpy(in, src, sizeof(in));
        for (size_t i = 0; i < kSide; ++i) {
            for (size_t j = 0; j < kSide; ++j) out[j][i] = in[i][j];
        }
        std::memcpy(dst, out, sizeof(out));
        src += p.src_stride * isa::kFractalBytes;
        dst += p.dst_stride * isa::kFractalBytes;
    }
    return false;
}

bool Execute(const isa::Record& record, const isa::TransposeBlocks& p, const MemoryMap& memory) {
    uint8_t* base = memory.base[static_cast<int>(isa::Memory::kUb)];
    const uint32_t bits = BitsOf(record.dst().type);
    for (uint64_t r = 0; r < p.repeats; ++r) {
        const uint64_t step = (p.FirstStep() + r) * isa::kBlockBytes;
        uint8_t in[kSide][isa::kBlockBytes], out[kSide][isa::kBlockBytes];
        for (size_t k = 0; k < kSide; ++k) std::memcpy(in[k], base + p.src[k] + step * p.src_stride, sizeof(in[k]));
        if (bits == 8) {
            Blocks8(in, p.src_high ? kSide : 0, out);
        } else {
            bits == 16 ? Blocks16(in, out) : Blocks32(in, out);
        }
        const size_t bytes = bits == 8 ? kSide : isa::kBlockBytes, at = bits == 8 && p.dst_high ? kSide : 0;
        for (size_t i = 0; i < kSide; ++i) std::memcpy(base + p.dst[i] + step * p.dst_stride + at, out[i], bytes);
    }
    return false;
}

bool Execute(const isa::Record& record, const isa::TransposeChannels& p, const MemoryMap& memory) {
    const size_t bytes = BytesOf(record.dst().type, 1);
    const size_t rows = p.to_last ? p.channels : p.pixels, columns = p.to_last ? p.pixels : p.channels;
    const auto planes = bytes == 1 ? Planes<1> : bytes == 2 ? Planes<2> : Planes<4>;
    const uint8_t* src = memory.Address(record.src0());
    uint8_t* dst = memory.Address(record.dst());
    for (uint32_t n = 0; n < p.n; ++n)
        planes(src + n * rows * columns * bytes, dst + n * rows * columns * bytes, rows, columns);
    return false;
}

}  // namespace sfumato::exec
