// SPDX-License-Identifier: Apache-2.0
// What the cube programs of this folder share: a product of a tile, and where it goes.
#pragma once

#include "programs.h"

namespace programs {

// A matrix in global memory: its first element and elements from row to row.
template <class T>
struct Matrix {
    GlobalTensor<T> data;
    uint32_t row;
    __aicore__ inline Matrix At(uint32_t i, uint32_t j) const { return {data[uint64_t(i) * row + j], row}; }
};
template <class T>
__aicore__ inline Matrix<T> MatrixAt(GM_ADDR p, uint32_t rows, uint32_t columns) {
    return {Gm<T>(p, uint64_t(rows) * columns), columns};
}

// Products of tiles of at most kSide x kSide, k in steps of kStep.
template <class T, class Acc>
class Cube {
public:
    static constexpr uint32_t kSide = 128, kStep = 64;

    __aicore__ inline explicit Cube(TPipe& pipe) {
        pipe.InitBuffer(a1_, 2, kSide * kStep * sizeof(T));
        pipe.InitBuffer(b1_, 2, kSide * kStep * sizeof(T));
        pipe.InitBuffer(a2_, 2, kSide * kStep * sizeof(T));
        pipe.InitBuffer(b2_, 2, kSide * kStep * sizeof(T));
        pipe.InitBuffer(co1_, 1, kSide * kSide * sizeof(Acc));
    }

    // c = a x b, of rows x columns, sums of `depth` products; with trans_b b has a row for each column.
    template <bool trans_b, QuantMode_t mode = NoQuant, class C>
    __aicore__ inline void Multiply(const Matrix<C>& c, const Matrix<T>& a, const Matrix<T>& b, uint32_t rows,
                                    uint32_t columns, uint32_t depth) {
        auto co1 = co1_.template AllocTensor<Acc>();
        for (uint32_t k = 0; k < depth; k += kStep) {
            const uint32_t step = Least(kStep, depth - k);
            Load<trans_b>(a.At(0, k), trans_b ? b.At(0, k) : b.At(k, 0), rows, columns, step);
            Step(co1, rows, columns, step, k == 0);
        }
        co1_.EnQue(co1);
        co1 = co1_.template DeQue<Acc>();
        FixpipeParamsV220 p;
        p.nSize = columns;
        p.mSize = rows;
        p.srcStride = Align(rows, 16);
        p.dstStride = c.row;
        p.quantPre = mode;
        Fixpipe<C, Acc>(c.data, co1, p);
        co1_.FreeTensor(co1);
    }

private:
    template <bool trans_b>
    __aicore__ inline void Load(const Matrix<T>& a, const Matrix<T>& b, uint32_t rows, uint32_t columns,
                                uint32_t step) {
        auto a1 = a1_.template AllocTensor<T>(), b1 = b1_.template AllocTensor<T>();
        matmul::CopyToL1(a1, a.data, rows, step, a.row, matmul::PitchOfA(rows));
        const uint32_t pitch = trans_b ? Align(columns, 16) : Align(step, matmul::kSquare<T>);
        matmul::CopyToL1(b1, b.data, trans_b ? columns : step, trans_b ? step : columns, b.row, pitch);
        a1_.EnQue(a1);
        b1_.EnQue(b1);
        a1 = a1_.template DeQue<T>();
        b1 = b1_.template DeQue<T>();
        auto a2 = a2_.template AllocTensor<T>(), b2 = b2_.template AllocTensor<T>();
        matmul::LoadA(a2, a1, rows, 0, step);
        if constexpr (trans_b) {
            matmul::LoadTransposedB(b2, b1, 0, step, columns);
        } else {
            matmul::LoadB(b2, b1, pitch, 0, step, columns);
        }
        a2_.EnQue(a2);
        b2_.EnQue(b2);
        a1_.FreeTensor(a1);
        b1_.FreeTensor(b1);
    }
    __aicore__ inline void Step(const LocalTensor<Acc>& co1, uint32_t rows, uint32_t columns, uint32_t step,
                                bool first) {
        auto a2 = a2_.template DeQue<T>(), b2 = b2_.template DeQue<T>();
        MmadParams p;
        p.m = rows;
        p.n = sizeof(T) == 1 ? Align(columns, 32) : columns;
        p.k = step;
        matmul::Multiply<T>(co1, a2, b2, p, first);
        a2_.FreeTensor(a2);
        b2_.FreeTensor(b2);
    }

    TQue<TPosition::A1, 2> a1_;
    TQue<TPosition::B1, 2> b1_;
    TQue<TPosition::A2, 2> a2_;
    TQue<TPosition::B2, 2> b2_;
    TQue<TPosition::CO1, 1> co1_;
};

// visit(row, column, rows, columns) on the tiles of a matrix that fall to `block`.
template <class Visit>
__aicore__ inline void EachTile(uint32_t rows, uint32_t columns, uint32_t side, uint32_t block, uint32_t blocks,
                                const Visit& visit) {
    const uint32_t across = CeilDiv(columns, side), tiles = CeilDiv(rows, side) * across;
    for (uint32_t i = block; i < tiles; i += blocks) {
        const uint32_t row = i / across * side, column = i % across * side;
        visit(row, column, Least(side, rows - row), Least(side, columns - column));
    }
}

}  // namespace programs
