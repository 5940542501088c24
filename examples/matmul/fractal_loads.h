// SPDX-License-Identifier: Apache-2.0
// Steps every matrix kernel of this folder takes: rows of global memory to fractals in L1, and fractals of L1 to L0A
// and L0B, whatever the element type. Sizes and positions are in stored elements: of int4b_t a byte holds two.
#pragma once

#include "kernel_operator.h"

namespace matmul {

using namespace AscendC;

constexpr uint32_t CeilDiv(uint32_t a, uint32_t b) { return (a + b - 1) / b; }
constexpr uint32_t Align(uint32_t a, uint32_t unit) { return CeilDiv(a, unit) * unit; }
constexpr uint32_t Least(uint32_t a, uint32_t b) { return a < b ? a : b; }
constexpr uint32_t Most(uint32_t a, uint32_t b) { return a < b ? b : a; }

// int4b_t moves as bytes, two elements each; only Mmad sees it as what it is.
template <class T>
struct Element {
    using Stored = T;
    static constexpr uint32_t kPacked = 1;
};
template <>
struct Element<int4b_t> {
    using Stored = int8_t;
    static constexpr uint32_t kPacked = 2;
};

template <class S>
constexpr uint32_t kC0 = 32 / sizeof(S);  // stored elements in a row of a fractal
template <class S>
constexpr uint32_t kFractal = 16 * kC0<S>;
// Rows and columns of the smallest part of B that can be transposed.
template <class S>
constexpr uint32_t kSquare = sizeof(S) == 1 ? 32 : 16;

// Matrices one after another in L1 and, in elements, how far apart.
struct Batch {
    uint32_t count = 1;
    uint32_t src_step = 0, dst_step = 0;
};

// A part of a matrix in global memory goes to L1 as Nz; `pitch` rows lie between its columns of fractals.
template <class S>
__aicore__ inline void CopyToL1(const LocalTensor<S>& dst, const GlobalTensor<S>& src, uint32_t rows, uint32_t columns,
                                uint32_t row_elements, uint32_t pitch, const Batch& batch = {}) {
    Nd2NzParams p;
    p.ndNum = static_cast<uint16_t>(batch.count);
    p.nValue = static_cast<uint16_t>(rows);
    p.dValue = static_cast<uint16_t>(columns);
    p.srcNdMatrixStride = static_cast<uint16_t>(batch.src_step);
    p.srcDValue = static_cast<uint16_t>(row_elements);
    p.dstNzC0Stride = static_cast<uint16_t>(pitch);
    p.dstNzNStride = 1;
    p.dstNzMatrixStride = static_cast<uint16_t>(batch.dst_step);
    DataCopy(dst, src, p);
}

// Mmad reads a single row as a plain vector; a pitch of 1 lays it out so.
constexpr uint32_t PitchOfA(uint32_t rows) { return rows == 1 ? 1 : Align(rows, 16); }

// rows x depth of A from L1, where it has PitchOfA(rows); from column k on.
template <class S>
__aicore__ inline void LoadA(const LocalTensor<S>& dst, const LocalTensor<S>& src, uint32_t rows, uint32_t k,
                             uint32_t depth) {
    LoadData2DParams p;
    if (rows == 1) {
        p.repeatTimes = static_cast<uint8_t>(CeilDiv(depth, kFractal<S>));
        p.srcStride = 1;
        LoadData(dst, src[k], p);
        return;
    }
    const uint32_t down = CeilDiv(rows, 16), across = CeilDiv(depth, kC0<S>);
    p.repeatTimes = static_cast<uint8_t>(across);
    p.srcStride = static_cast<uint16_t>(down);
    for (uint32_t i = 0; i < down; ++i) {
        p.startIndex = static_cast<uint16_t>(k / kC0<S> * down + i);
        LoadData(dst[i * across * kFractal<S>], src, p);
    }
}

// A window of a matrix with `pitch` rows that lies in L1 as Nz, by Load3Dv2: a feature map of one line and a filter of
// one tap. To L0A the window arrives transposed, to L0B as the fractals Mmad wants there.
template <class S>
__aicore__ inline void LoadWindow(const LocalTensor<S>& dst, const LocalTensor<S>& src, uint32_t pitch, uint32_t first,
                                  uint32_t rows, uint32_t columns) {
    LoadData3DParamsV2<S> p;
    p.l1H = 1;
    p.l1W = static_cast<uint16_t>(pitch);
    p.channelSize = static_cast<uint16_t>(columns);
    p.kExtension = static_cast<uint16_t>(columns);
    p.mExtension = static_cast<uint16_t>(rows);
    p.mStartPt = static_cast<uint16_t>(first);
    p.enTranspose = true;
    LoadData(dst, src, p);
}

// A that was stored as k rows of m: its part from row k on, transposed. 16- and 32-bit types.
template <class S>
__aicore__ inline void LoadTransposedA(const LocalTensor<S>& dst, const LocalTensor<S>& src, uint32_t rows,
                                       uint32_t pitch, uint32_t k, uint32_t depth) {
    LoadWindow(dst, src, pitch, k, Align(depth, 16), Align(rows, 16));
}

// depth x columns of B from L1, where its rows have `pitch`; from row k on. Fractals turn on the way: by Load2D for
// 16-bit types, in squares of two fractals for 8-bit types, by Load3Dv2 for 32-bit types.
template <class S>
__aicore__ inline void LoadB(const LocalTensor<S>& dst, const LocalTensor<S>& src, uint32_t pitch, uint32_t k,
                             uint32_t depth, uint32_t columns) {
    const uint32_t down = CeilDiv(depth, kSquare<S>), across = CeilDiv(columns, kSquare<S>);
    if constexpr (sizeof(S) == 1) {
        LoadData2dTransposeParams p;
        p.repeatTimes = static_cast<uint8_t>(across);
        p.srcStride = static_cast<uint16_t>(pitch / kSquare<S>);
        p.dstGap = 1;  // the second fractal of the square lies between
        for (uint32_t i = 0; i < down; ++i) {
            p.startIndex = static_cast<uint16_t>(k / kSquare<S> + i);
            LoadDataWithTranspose(dst[i * across * 2 * kFractal<S>], src, p);
        }
    } else if constexpr (sizeof(S) == 2) {
        LoadData2DParams p;
        p.repeatTimes = static_cast<uint8_t>(across);
        p.srcStride = static_cast<uint16_t>(pitch / 16);
        p.ifTranspose = true;
        for (uint32_t i = 0; i < down; ++i) {
            p.startIndex = static_cast<uint16_t>(k / 16 + i);
            LoadData(dst[i * across * kFractal<S>], src, p);
        }
    } else {
        LoadWindow(dst, src, pitch, k, down * 16, Align(columns, kC0<S>));
    }
}

// B that was stored as n rows of k lies in L1 as L0B wants it: its part from k on.
template <class S>
__aicore__ inline void LoadTransposedB(const LocalTensor<S>& dst, const LocalTensor<S>& src, uint32_t k, uint32_t depth,
                                       uint32_t columns) {
    const uint32_t down = CeilDiv(depth, kC0<S>), across = CeilDiv(columns, 16);
    LoadData2DParams p;
    p.repeatTimes = static_cast<uint8_t>(across);
    p.srcStride = 1;
    for (uint32_t i = 0; i < down; ++i) {
        p.startIndex = static_cast<uint16_t>((k / kC0<S> + i) * across);
        LoadData(dst[i * across * kFractal<S>], src, p);
    }
}

// C = A x B, or C += A x B.
template <class T, class Acc, class S>
__aicore__ inline void Multiply(const LocalTensor<Acc>& c, const LocalTensor<S>& a, const LocalTensor<S>& b,
                                MmadParams p, bool first) {
    p.cmatrixInitVal = first;
    // The unit orders products on one C by itself only if they are large.
    if (!first && CeilDiv(p.m, 16) * CeilDiv(p.n, 16) < 10) PipeBarrier<PIPE_M>();
    Mmad(c, a.template ReinterpretCast<T>(), b.template ReinterpretCast<T>(), p);
}

}  // namespace matmul
