// SPDX-License-Identifier: Apache-2.0
// Parameters of the cube unit's instructions and of the moves that change a layout (cube.md 3 to 6). Counts and strides
// keep the unit the programmer gave them; a fractal is 512 bytes.
#pragma once

#include <array>
#include <cstdint>

#include "isa/accumulation.h"
#include "sfumato/data_type.h"

namespace sfumato::isa {

// Load2D (cube.md 3.1).
struct Load2D {
    uint32_t start = 0;       // fractal of the source
    uint32_t repeats = 0;     // fractals moved
    uint32_t src_stride = 0;  // fractals, start to start
    uint32_t dst_gap = 0;     // fractals, end to start
    bool transpose = false;
    bool decrement = false;    // addrMode 1: the source address falls
    uint32_t ignored_gap = 0;  // dst_gap as the program gave it, on a chip that has none
};

// LoadDataWithTranspose (cube.md 3.2): squares of Q x Q elements.
struct LoadTransposed {
    uint32_t start = 0;       // square of the source
    uint32_t repeats = 0;     // squares moved
    uint32_t src_stride = 0;  // squares, start to start
    uint32_t dst_gap = 0;     // fractals, from the end of a repeat's first fractal to the start of the next repeat's
    uint32_t dst_fractal_gap = 0;  // fractals, end to start, inside a square
    bool decrement = false;
};

// What SetFmatrix or a Load3D call puts in the feature-map register.
struct FeatureMap {
    uint32_t height = 0, width = 0;
    uint8_t left = 0, right = 0, top = 0, bottom = 0;  // padding, pixels
};

struct Filter {
    uint32_t stride_w = 1, stride_h = 1;
    uint32_t width = 1, height = 1;  // taps; up to 511 where the extension bit exists
    uint32_t dilation_w = 1, dilation_h = 1;
};

// Load3Dv1 (cube.md 3.4).
struct Load3Dv1 {
    FeatureMap map;
    Filter filter;
    uint32_t c1_index = 0;
    uint32_t fetch_w = 0, fetch_h = 0;       // first tap
    int32_t left_top_w = 0, left_top_h = 0;  // first window, feature-map coordinates
    uint32_t jump_stride = 1;                // fractals of dst, start to start
    uint32_t repeat_mode = 0;
    uint32_t repeats = 0;
    bool small_channels = false;  // cSize: 4 (16-bit) or 8 (8-bit) channels a pixel
    uint32_t boundary = 0;        // bytes: L1 addresses wrap there; 0 = they do not
    uint64_t pad_value = 0;       // bit pattern of one element
};

// Load3Dv2 (cube.md 3.5).
struct Load3Dv2 {
    FeatureMap map;
    Filter filter;
    uint32_t channels = 0;
    uint32_t k_start = 0, m_start = 0, k_extension = 0, m_extension = 0;
    bool transpose = false;
    uint32_t repeats = 1, repeat_stride = 0, repeat_mode = 0;  // SetLoadDataRepeat
    uint32_t boundary = 0;
    uint64_t pad_value = 0;
};

// Mmad (cube.md 4). Operands: C, A, B, and the bias row where `initial` is kBias.
struct Matmul {
    enum class Initial : uint8_t { kZero, kAccumulate, kBias };
    enum class Hf32 : uint8_t { kOff, kNearestEven, kNearestAway };
    uint32_t m = 0, n = 0, k = 0;
    Initial initial = Initial::kZero;
    Hf32 hf32 = Hf32::kOff;
    Accumulation order;  // as the launch has it; of real numbers
    bool k_direction_align = false;
    bool vector_a = false;  // m is 1 and the chip reads A as a plain vector (GEMV)
    uint8_t unit_flag = 0;  // 0, 2, 3; no effect on values
};

// Conversions on the way out of L0C (cube.md 5.2, 5.4). The V modes take one word a column.
enum class Quant : uint8_t {
    kNone,
    kF322F16,
    kF322BF16,
    kDeqF16,
    kVDeqF16,
    kQF322B8,
    kVQF322B8,
    kReq8,
    kVReq8,
    kCount
};
constexpr bool IsVectorQuant(Quant q) { return q == Quant::kVDeqF16 || q == Quant::kVQF322B8 || q == Quant::kVReq8; }
constexpr const char* Name(Quant q) {
    constexpr const char* kNames[] = {"NoQuant",     "F322F16",      "F322BF16", "DEQF16", "VDEQF16",
                                      "QF322B8_PRE", "VQF322B8_PRE", "REQ8",     "VREQ8"};
    return q < Quant::kCount ? kNames[static_cast<int>(q)] : "?";
}

// Fixpipe (cube.md 5.1). Operands: dst, src (L0C), and the words of a V mode (L1 or FB).
struct Fixpipe {
    uint32_t n = 0, m = 0;
    uint32_t src_stride = 0;  // 16 elements of L0C, between column blocks
    uint32_t dst_stride = 0;  // row major: elements; NZ: 32 bytes
    bool row_major = true;    // else NZ
    bool channel_split = false;
    bool relu = false;
    Quant quant = Quant::kNone;
    uint64_t word = 0;                                            // scalar modes
    uint32_t nd_count = 1, src_nd_stride = 0, dst_nd_stride = 0;  // 256 elements of L0C, elements
    uint8_t unit_flag = 0;
    uint16_t clip = 0;  // with relu: bits of the largest half of a result of half or float; 0: none
};

// DataCopy between CO1 and UB on chips without Fixpipe (cube.md 5.4), in both directions. BroadCastVecToMM is
// kBroadcast and nothing else: rows of 16 elements of UB, each to all rows of its fractal.
struct MatrixMove {
    enum class Block : uint8_t { kMatrix, kVector, kBroadcast };
    enum class Deq : uint8_t { kNone, kDeq, kVDeq, kDeq8, kVDeq8, kDeq16, kVDeq16, kCount };
    Block block = Block::kMatrix;
    uint32_t block_count = 1;
    uint32_t block_len = 0;             // fractals, or first rows of fractals, of L0C
    uint32_t src_gap = 0, dst_gap = 0;  // end to start: units of block_len on the L0C side, 32 bytes in UB
    Deq deq = Deq::kNone;
    bool relu = false;
    uint8_t sid_store_mode = 0;  // 0 low half, 1 high half, 2 whole rows of 32 bytes
    uint64_t word = 0;  // kDeq: half bits; kDeq8, kDeq16: 64-bit word; V modes: byte offset in UB of 16 words a block
};
constexpr const char* Name(MatrixMove::Block b) {
    constexpr const char* kNames[] = {"matrix", "vector", "broadcast"};
    return b <= MatrixMove::Block::kBroadcast ? kNames[static_cast<int>(b)] : "?";
}
constexpr bool IsVectorDeq(MatrixMove::Deq d) {
    return d == MatrixMove::Deq::kVDeq || d == MatrixMove::Deq::kVDeq8 || d == MatrixMove::Deq::kVDeq16;
}
constexpr const char* DeqName(MatrixMove::Deq d) {
    constexpr const char* kNames[] = {"none", "deq", "vdeq", "deq8", "vdeq8", "deq16", "vdeq16"};
    return d < MatrixMove::Deq::kCount ? kNames[static_cast<int>(d)] : "?";
}

// GM to L1, rows to fractals (cube.md 6).
struct Nd2Nz {
    uint32_t nd_count = 0, n = 0, d = 0;
    uint32_t src_nd_stride = 0, src_d = 0;                            // elements, head to head
    uint32_t dst_c0_stride = 0, dst_n_stride = 0, dst_nd_stride = 0;  // 32 bytes, 32 bytes, elements
};

// GM to L1, columns to fractals (arch950.md 1.3): what Nd2Nz makes of a matrix whose columns lie together.
struct Dn2Nz {
    uint32_t dn_count = 0, n = 0, d = 0;
    uint64_t src_dn_stride = 0, src_d = 0;  // elements, head to head; src_d: from column to column
    uint32_t dst_c0_stride = 0, dst_n_stride = 0, dst_dn_stride = 0;  // 32 bytes, 32 bytes, elements
};

// GM to UB, a box of up to five dimensions with pads around it, the innermost dimension first (arch950.md 1.3).
struct NdDma {
    struct Loop {
        uint64_t src_stride = 0;  // elements, as dst_stride
        uint32_t dst_stride = 0;
        uint32_t size = 0;
        uint16_t before = 0, behind = 0;  // pads
        constexpr uint64_t places() const { return uint64_t{before} + size + behind; }
    };
    static constexpr uint32_t kMostLoops = 5;
    uint32_t count = 0;
    std::array<Loop, kMostLoops> loops{};
    bool nearest = false;    // pads hold the nearest element of the box: else pad_value
    uint64_t pad_value = 0;  // bit pattern of one element
};

// UB to GM, fractals to rows (cube.md 6).
struct Nz2Nd {
    uint32_t nd_count = 0, n = 0, d = 0;
    uint32_t src_nd_stride = 0, src_n_stride = 0;  // 256 elements, 16 elements
    uint32_t dst_d_stride = 0, dst_nd_stride = 0;  // elements
};

// Fill of L1 (blocks of 32 bytes), L0A or L0B (fractals) with Record::immediate (framework.md 3.9).
struct BlockFill {
    uint32_t repeats = 0, blocks = 0;
    uint32_t dst_gap = 0;  // blocks, end to start
};

// Compare (vector_instructions.md 2). Operands: dst (UB, or CMPMASK), src0, src1; vcmpvs: dst, src.
struct Compare {
    enum class Mode : uint8_t { kLt, kGt, kEq, kLe, kGe, kNe };  // CMPMODE
    Mode mode = Mode::kLt;
};
constexpr const char* Name(Compare::Mode mode) {
    constexpr const char* kNames[] = {"LT", "GT", "EQ", "LE", "GE", "NE"};
    return mode <= Compare::Mode::kNe ? kNames[static_cast<int>(mode)] : "?";
}

// Select (vector_instructions.md 3). Operands: dst, src0, src1 unless a scalar (Record::immediate), the bits (UB, or
// CMPMASK in the first mode).
struct Select {
    enum class Mode : uint8_t { kCmpMask, kTensorScalar, kTensorTensor };  // SELMODE
    Mode mode = Mode::kCmpMask;
};

// A vector function, which runs at once (arch950.md 5.1): the bytes of UB that it wrote, and read from before, as runs
// in ascending order that live as long as the core; of those it wrote, those that it made of nothing defined.
struct Span;
struct VectorFunction {
    struct Runs {
        const Span* runs = nullptr;
        uint32_t count = 0;
    };
    Runs written, read, undefined;
};

// CMPMASK and 16 bytes of UB; without a source, Record::immediate to its low 64 bits.
struct RegisterMove {};

// Brcb (vector_instructions.md 4.2). Operands: dst with its strides, src.
struct Broadcast {};

// VectorPadding (vector_instructions.md 4.4). Operands: dst and src with their strides.
struct Padding {
    uint32_t mode = 0;  // 0: the element at the side, 1: mirrored, 2: mirrored without the element at the side
    bool right = false;
};

// Gather, Gatherb, Scatter (vector_instructions.md 5). Operands: dst, src, offsets in bytes.
struct Offsets {
    uint64_t base = 0;  // bytes, added to every offset
};
struct Gather : Offsets {};        // elements from the offsets
struct GatherBlocks : Offsets {};  // blocks of 32 bytes
struct Scatter : Offsets {};       // elements to the offsets

// BilinearInterpolation (vector_instructions.md 12). Operands: dst with its strides, src0, offsets, src1. A repeat of
// the record is a vertical one.
struct Interpolate {
    uint32_t vertical = 1, horizontal = 1;
    uint32_t block_weights = 0;    // 1: a weight for each block, 0: for all eight
    uint32_t vertical_offset = 0;  // elements of dst from one vertical repeat to the next
};

// GatherMask (vector_instructions.md 5.4). Operands: dst, src0, and the bits where pattern is 0. Record::mask is the
// elements of a repeat (kContinuous, may exceed 256 bytes) or of the whole call (kCounter).
struct GatherMask {
    uint8_t pattern = 0;  // 1 to 7: fixed
};

}  // namespace sfumato::isa
