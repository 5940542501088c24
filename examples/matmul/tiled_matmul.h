// SPDX-License-Identifier: Apache-2.0
// C = A x B of any shape in tiles, with double buffering in L1, L0A, L0B and L0C. Tiles of C are shared between the
// blocks. How C leaves the cube unit is the business of Out: fixpipe_out.h on Ascend910B, ub_out.h on Ascend310P.
#pragma once

#include <type_traits>

#include "fractal_loads.h"

// All in elements. base_m: a multiple of 16; base_n: of 32; base_k: of 64. Two tiles of each have to fit in L0A, L0B
// and L0C, two blocks of step_k tiles of A and B in L1.
struct MatmulTiling {
    uint32_t m, n, k;
    uint32_t base_m, base_n, base_k;
    uint32_t step_k;  // tiles in a block of L1
};

namespace matmul {

// Tile of C.
struct Tile {
    uint32_t m, n;  // first element
    uint32_t rows, columns;
};

// T: of A and B. Acc: of L0C. trans_a: A is stored as k rows of m; trans_b: B as n rows of k. Bias, unless void: a row
// of this type, of n rounded up to 16 elements, is added to every row of C; half becomes float on its way (Ascend910B).
template <class T, class Acc, class Out, bool trans_a = false, bool trans_b = false, class Bias = void>
class TiledMatmul {
    using S = typename Element<T>::Stored;
    static constexpr uint32_t kPacked = Element<T>::kPacked;
    static_assert(trans_b || kPacked == 1, "int4b_t: pairs lie along k");
    static_assert(!trans_a || sizeof(S) != 1, "8-bit types: the fractals of A cannot be turned");
    static constexpr bool kBias = !std::is_void_v<Bias>;
    using BiasType = std::conditional_t<kBias, Bias, Acc>;

public:
    __aicore__ inline TiledMatmul(TPipe& pipe, const MatmulTiling& tiling, Out& out)
        : pipe_(pipe), t_(tiling), depth_(CeilDiv(tiling.k, kPacked)), base_k_(tiling.base_k / kPacked), out_(out) {
        const uint32_t block = base_k_ * t_.step_k;
        pipe.InitBuffer(a1_queue_, 2, t_.base_m * block * sizeof(S));
        pipe.InitBuffer(b1_queue_, 2, block * t_.base_n * sizeof(S));
        pipe.InitBuffer(a2_queue_, 2, t_.base_m * base_k_ * sizeof(S));
        pipe.InitBuffer(b2_queue_, 2, base_k_ * t_.base_n * sizeof(S));
        pipe.InitBuffer(co1_queue_, 2, t_.base_m * t_.base_n * sizeof(Acc));
    }

    __aicore__ inline void Process(GM_ADDR a, GM_ADDR b, [[maybe_unused]] GM_ADDR bias = nullptr) {
        if constexpr (kBias) CopyInBias(bias);
        a_.SetGlobalBuffer((__gm__ S*)a, t_.m * depth_);
        b_.SetGlobalBuffer((__gm__ S*)b, depth_ * t_.n);
        const uint32_t across = CeilDiv(t_.n, t_.base_n), tiles = CeilDiv(t_.m, t_.base_m) * across;
        for (uint32_t i = GetBlockIdx(); i < tiles; i += GetBlockNum()) {
            Tile tile{i / across * t_.base_m, i % across * t_.base_n, 0, 0};
            tile.rows = Least(t_.base_m, t_.m - tile.m);
            tile.columns = Least(t_.base_n, t_.n - tile.n);
            ProcessTile(tile);
        }
        if constexpr (kBias) c1_queue_.FreeTensor(c1_);
    }

private:
    // The whole row stays in L1: the bias table holds 256 elements, the parts of two tiles.
    __aicore__ inline void CopyInBias(GM_ADDR bias) {
        const uint32_t count = Align(t_.n, 16);
        GlobalTensor<BiasType> row;
        row.SetGlobalBuffer((__gm__ BiasType*)bias, count);
        pipe_.InitBuffer(c1_queue_, 1, count * sizeof(BiasType));
        pipe_.InitBuffer(c2_queue_, 2, t_.base_n * sizeof(Acc));
        c1_ = c1_queue_.template AllocTensor<BiasType>();
        DataCopy(c1_, row, count);
        c1_queue_.EnQue(c1_);
        c1_ = c1_queue_.template DeQue<BiasType>();
    }

    __aicore__ inline LocalTensor<Acc> LoadBias(const Tile& tile) {
        LocalTensor<Acc> c2 = c2_queue_.template AllocTensor<Acc>();
        DataCopyParams p;
        p.blockLen = static_cast<uint16_t>(Align(tile.columns, 16) * sizeof(Acc) / 64);
        DataCopy(c2, c1_[tile.n], p);
        c2_queue_.EnQue(c2);
        return c2_queue_.template DeQue<Acc>();
    }

    __aicore__ inline void ProcessTile(const Tile& tile) {
        LocalTensor<Acc> co1 = co1_queue_.template AllocTensor<Acc>();
        const uint32_t block = base_k_ * t_.step_k;
        for (uint32_t k = 0; k < depth_; k += block) {
            const uint32_t in_l1 = Least(block, depth_ - k);
            CopyIn(tile, k, in_l1);
            LocalTensor<S> a1 = a1_queue_.template DeQue<S>();
            LocalTensor<S> b1 = b1_queue_.template DeQue<S>();
            for (uint32_t at = 0; at < in_l1; at += base_k_) {
                const uint32_t depth = Least(base_k_, in_l1 - at);
                Split(a1, b1, tile, in_l1, at, depth);
                Compute(co1, tile, depth, k + at == 0);
            }
            a1_queue_.FreeTensor(a1);
            b1_queue_.FreeTensor(b1);
        }
        co1_queue_.EnQue(co1);
        co1 = co1_queue_.template DeQue<Acc>();
        out_.CopyOut(co1, tile);
        co1_queue_.FreeTensor(co1);
    }

    __aicore__ inline void CopyIn(const Tile& tile, uint32_t k, uint32_t in_l1) {
        LocalTensor<S> a1 = a1_queue_.template AllocTensor<S>();
        LocalTensor<S> b1 = b1_queue_.template AllocTensor<S>();
        if constexpr (trans_a) {
            CopyToL1(a1, a_[k * t_.m + tile.m], in_l1, tile.rows, t_.m, Align(in_l1, 16));
        } else {
            CopyToL1(a1, a_[tile.m * depth_ + k], tile.rows, in_l1, depth_, PitchOfA(tile.rows));
        }
        if constexpr (trans_b) {
            CopyToL1(b1, b_[tile.n * depth_ + k], tile.columns, in_l1, depth_, Align(tile.columns, 16));
        } else {
            CopyToL1(b1, b_[k * t_.n + tile.n], in_l1, tile.columns, t_.n, Align(in_l1, kSquare<S>));
        }
        a1_queue_.EnQue(a1);
        b1_queue_.EnQue(b1);
    }

    __aicore__ inline void Split(const LocalTensor<S>& a1, const LocalTensor<S>& b1, const Tile& tile, uint32_t in_l1,
                                 uint32_t at, uint32_t depth) {
        LocalTensor<S> a2 = a2_queue_.template AllocTensor<S>();
        LocalTensor<S> b2 = b2_queue_.template AllocTensor<S>();
        if constexpr (trans_a) {
            LoadTransposedA(a2, a1, tile.rows, Align(in_l1, 16), at, depth);
        } else {
            LoadA(a2, a1, tile.rows, at, depth);
        }
        if constexpr (trans_b) {
            LoadTransposedB(b2, b1, at, depth, tile.columns);
        } else {
            LoadB(b2, b1, Align(in_l1, kSquare<S>), at, depth, tile.columns);
        }
        a2_queue_.EnQue(a2);
        b2_queue_.EnQue(b2);
    }

    __aicore__ inline void Compute(const LocalTensor<Acc>& co1, const Tile& tile, uint32_t depth, bool first) {
        LocalTensor<S> a2 = a2_queue_.template DeQue<S>();
        LocalTensor<S> b2 = b2_queue_.template DeQue<S>();
        MmadParams p;
        // A single row that was transposed is a fractal, no vector: a second row of zeros makes Mmad read it so.
        p.m = static_cast<uint16_t>(trans_a ? Most(tile.rows, 2) : tile.rows);
        // Whole squares of B were turned, and Mmad counts its fractals by n.
        p.n = static_cast<uint16_t>(!trans_b && sizeof(S) == 1 ? Align(tile.columns, kSquare<S>) : tile.columns);
        p.k = static_cast<uint16_t>(depth * kPacked);
        p.kDirectionAlign = trans_a && sizeof(S) == 4;
        if (kBias && first) {
            LocalTensor<Acc> c2 = LoadBias(tile);
            p.cmatrixInitVal = false;
            Mmad(co1, a2.template ReinterpretCast<T>(), b2.template ReinterpretCast<T>(), c2, p);
            c2_queue_.FreeTensor(c2);
        } else {
            Multiply<T>(co1, a2, b2, p, first);
        }
        a2_queue_.FreeTensor(a2);
        b2_queue_.FreeTensor(b2);
    }

    TPipe& pipe_;
    const MatmulTiling t_;
    const uint32_t depth_, base_k_;  // k and base_k in stored elements
    Out& out_;
    GlobalTensor<S> a_, b_;
    TQue<TPosition::A1, 2> a1_queue_;
    TQue<TPosition::B1, 2> b1_queue_;
    TQue<TPosition::A2, 2> a2_queue_;
    TQue<TPosition::B2, 2> b2_queue_;
    TQue<TPosition::CO1, 2> co1_queue_;
    TQue<TPosition::C1, 1> c1_queue_;
    TQue<TPosition::C2, 2> c2_queue_;
    LocalTensor<BiasType> c1_;
};

}  // namespace matmul
