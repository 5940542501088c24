// SPDX-License-Identifier: Apache-2.0
// What the kernels of this folder that multiply matrices share: a product cut into base blocks, whose sizes come from
// the row's description.
#pragma once

#include "kernel_operator.h"
using namespace AscendC;

// C[m, n] = A[m, k] x B[k, n]. A core has single_m x single_n of it for each pass; base blocks of K are copied to L1
// step_a and step_b at once.
struct Cut {
    uint32_t m, n, k, base_m, base_n, base_k, step_a, step_b, cores_n, single_m, single_n, passes;
    uint32_t flags;
};
enum : uint32_t {
    kTransposedB = 1,  // B lies as [n, k]
    kUnit = 2,         // Mmad and Fixpipe with unit flag
    kOneBuffer = 4,    // of A and B in L1, else two
    kStagger = 8,      // each core begins at another part of K
    kFractalB = 16,    // B of int8 lies in fractals, column strips of 32
    kLoad3dB = 32,     // B that lies as [n, k] goes to L0B by LoadData 3D, as S6 says: its time, but no product
};

struct Tile {
    uint32_t row, column, rows, columns;
    uint64_t from_b = 0;  // first element of B
};

__aicore__ inline uint32_t Up(uint32_t x, uint32_t to) { return (x + to - 1) / to * to; }
__aicore__ inline uint32_t Least(uint32_t x, uint32_t y) { return x < y ? x : y; }

// The order of the base blocks of a core in its part of C: downwards first.
struct Walk {
    uint32_t row0, column0, rows, columns, down, across, base_m, base_n, stride;
    __aicore__ inline Walk(const Cut& cut, uint32_t core) {
        const uint32_t cores_m = GetBlockNum() / cut.cores_n;
        row0 = core / cut.cores_n * cut.single_m, column0 = core % cut.cores_n * cut.single_n;
        rows = row0 < cut.m ? Least(cut.single_m, cut.m - row0) : 0;
        columns = column0 < cut.n ? Least(cut.single_n, cut.n - column0) : 0;
        base_m = cut.base_m, base_n = cut.base_n, stride = cores_m * cut.single_m;
        down = Up(rows, base_m) / base_m, across = Up(columns, base_n) / base_n;
    }
    __aicore__ inline uint32_t Count(const Cut& cut) const { return down * across * cut.passes; }
    __aicore__ inline Tile operator()(uint32_t i) const {
        const uint32_t row = i % down * base_m, column = i / down % across * base_n;
        return {i / (down * across) * stride + row0 + row, column0 + column, Least(base_m, rows - row),
                Least(base_n, columns - column)};
    }
};

// Where a product works, so that two can be under way: first byte of L1, of L0A and L0B and of L0C, bytes of a half of
// L0A and L0B, parts of L0C (0: as many as fit), first event.
struct Place {
    uint32_t l1 = 0, l0 = 0, l0_half = 32768, l0_c = 0;
    int32_t parts_c = 0, event = 0;
};

// Loads of the next step are issued after the Mmad, B first. What lies in L1 already is not loaded again.
template <class In, class Acc>
class Product {
public:
    __aicore__ inline Product(const Cut& cut, GM_ADDR a, GM_ADDR b, uint64_t elements_b, const Place& place = {})
        : cut_(cut), place_(place) {
        from_a_.SetGlobalBuffer(reinterpret_cast<__gm__ In*>(a), uint64_t(cut.m) * cut.k);
        from_b_.SetGlobalBuffer(reinterpret_cast<__gm__ In*>(b), elements_b);
        steps_ = cut.k / cut.base_k;
        const uint32_t step = cut.step_a > cut.step_b ? cut.step_a : cut.step_b;
        shift_ = cut.flags & kStagger ? GetBlockIdx() * step % steps_ : 0;
        bytes_a_ = Up(cut.base_m, 16) * cut.base_k * cut.step_a * sizeof(In);
        bytes_b_ = Up(cut.base_n, 16) * cut.base_k * cut.step_b * sizeof(In);
        halves_ = cut.flags & kOneBuffer ? 1 : 2;
        halves_c_ = place.parts_c ? place.parts_c : cut.base_m * cut.base_n * sizeof(Acc) <= 65536 ? 2 : 1;
        Begin();
    }

    // A and B have been written since they were loaded.
    __aicore__ inline void Forget() { held_a_[0] = held_a_[1] = held_b_[0] = held_b_[1] = 0; }

    // store(tile, C in L0C, unit flag) for each of `count` tiles. Finish() after the last.
    template <class TileOf, class Store>
    __aicore__ inline void Run(uint32_t count, const TileOf& tile_of, const Store& store) {
        if (halves_ == 2 && count > 0) {
            LoadB(tile_of(0), 0);
            LoadA(tile_of(0), 0);
        }
        for (uint32_t t = 0; t < count; ++t) {
            const Tile tile = tile_of(t);
            // The tile and the step of K that a copy after step s brings.
            const auto next = [&](uint32_t s, uint32_t step, const auto& load) {
                if (s + step < steps_) {
                    load(tile, s + step);
                } else if (t + 1 < count) {
                    load(tile_of(t + 1), 0u);
                }
            };
            const LocalTensor<Acc> c(TPosition::CO1, place_.l0_c + half_c_ * 65536, cut_.base_m * Up(cut_.base_n, 16));
            for (uint32_t s = 0; s < steps_; ++s) {
                const bool new_a = s % cut_.step_a == 0, new_b = s % cut_.step_b == 0;
                if (halves_ == 1 && new_b) LoadB(tile, s);
                if (halves_ == 1 && new_a) LoadA(tile, s);
                Step(tile, s, c, new_a, new_b);
                if (halves_ == 2 && new_b) next(s, cut_.step_b, [&](const Tile& at, uint32_t k) { LoadB(at, k); });
                if (halves_ == 2 && new_a) next(s, cut_.step_a, [&](const Tile& at, uint32_t k) { LoadA(at, k); });
            }
            if (cut_.flags & kUnit) {
                store(tile, c, 3);
            } else {
                SetFlag<HardEvent::M_FIX>(Event(half_c_));
                WaitFlag<HardEvent::M_FIX>(Event(half_c_));
                store(tile, c, 0);
                SetFlag<HardEvent::FIX_M>(Event(half_c_));
            }
            half_c_ = (half_c_ + 1) % halves_c_;
        }
    }

    __aicore__ inline void Finish() {
        for (int32_t i = 0; i < 4; ++i) WaitFlag<HardEvent::MTE1_MTE2>(Event(i));
        for (int32_t i = 0; i < 2; ++i) WaitFlag<HardEvent::M_MTE1>(Event(i));
        if (!(cut_.flags & kUnit)) {
            for (int32_t i = 0; i < halves_c_; ++i) WaitFlag<HardEvent::FIX_M>(Event(i));
        }
    }

private:
    // Events: 0 and 1 of MTE1_MTE2 and MTE2_MTE1 are A, 2 and 3 B; of M_MTE1 and MTE1_M halves of L0; of FIX_M of L0C.
    __aicore__ inline int32_t Event(int32_t i) const { return place_.event + i; }
    __aicore__ inline void Begin() {
        for (int32_t i = 0; i < 4; ++i) SetFlag<HardEvent::MTE1_MTE2>(Event(i));
        for (int32_t i = 0; i < 2; ++i) SetFlag<HardEvent::M_MTE1>(Event(i));
        if (!(cut_.flags & kUnit)) {
            for (int32_t i = 0; i < halves_c_; ++i) SetFlag<HardEvent::FIX_M>(Event(i));
        }
    }
    // First element of K of step s, and how many the copy of `step` base blocks brings.
    __aicore__ inline uint32_t At(uint32_t s) const { return (s + shift_) % steps_ * cut_.base_k; }
    __aicore__ inline uint32_t Depth(uint32_t s, uint32_t step) const {
        return Least(step, steps_ - s / step * step) * cut_.base_k;
    }

    __aicore__ inline void LoadA(const Tile& tile, uint32_t s) {
        const uint32_t depth = Depth(s, cut_.step_a);
        const uint64_t from = uint64_t(tile.row) * cut_.k + At(s);
        const LocalTensor<In> l1(TPosition::A1, place_.l1 + load_a_ * bytes_a_, bytes_a_ / sizeof(In));
        WaitFlag<HardEvent::MTE1_MTE2>(Event(load_a_));
        if (held_a_[load_a_] != from + 1) {
            DataCopy(l1, from_a_[from],
                     Nd2NzParams{1, uint16_t(tile.rows), uint16_t(depth), 0, uint16_t(cut_.k),
                                 uint16_t(Up(tile.rows, 16)), 1, 0});
        }
        held_a_[load_a_] = from + 1;
        SetFlag<HardEvent::MTE2_MTE1>(Event(load_a_));
        load_a_ = (load_a_ + 1) % halves_;
    }
    __aicore__ inline void LoadB(const Tile& tile, uint32_t s) {
        const uint32_t depth = Depth(s, cut_.step_b), k = At(s), columns = tile.columns;
        const LocalTensor<In> l1(TPosition::B1, place_.l1 + 2 * bytes_a_ + load_b_ * bytes_b_, bytes_b_ / sizeof(In));
        const uint64_t from = tile.from_b + (cut_.flags & kFractalB      ? uint64_t(tile.column) * cut_.k + k * 32
                                             : cut_.flags & kTransposedB ? uint64_t(tile.column) * cut_.k + k
                                                                         : uint64_t(k) * cut_.n + tile.column);
        WaitFlag<HardEvent::MTE1_MTE2>(Event(2 + load_b_));
        if (held_b_[load_b_] == from + 1) {
        } else if (cut_.flags & kFractalB) {
            DataCopy(l1, from_b_[from],
                     DataCopyParams{uint16_t(columns / 32), uint16_t(depth), uint16_t(cut_.k - depth), 0});
        } else if (cut_.flags & kTransposedB) {
            DataCopy(l1, from_b_[from],
                     Nd2NzParams{1, uint16_t(columns), uint16_t(depth), 0, uint16_t(cut_.k), uint16_t(Up(columns, 16)),
                                 1, 0});
        } else {
            DataCopy(l1, from_b_[from],
                     Nd2NzParams{1, uint16_t(depth), uint16_t(columns), 0, uint16_t(cut_.n), uint16_t(depth), 1, 0});
        }
        held_b_[load_b_] = from + 1;
        SetFlag<HardEvent::MTE2_MTE1>(Event(2 + load_b_));
        load_b_ = (load_b_ + 1) % halves_;
    }

    // A plain part of a matrix in L1, of `height` rows and `width` columns.
    __aicore__ inline void Load(const LocalTensor<In>& l0, const LocalTensor<In>& l1, uint32_t height, uint32_t width,
                                uint32_t row, uint32_t rows, uint32_t column, uint32_t columns) {
        LoadData3DParamsV2<In> p;
        p.l1H = 1;
        p.l1W = height;
        p.channelSize = width;
        p.mStartPt = row;
        p.mExtension = rows;
        p.kStartPt = column;
        p.kExtension = columns;
        p.strideW = p.strideH = p.filterW = p.filterH = p.dilationFilterW = p.dilationFilterH = 1;
        LoadData(l0, l1, p);
    }

    __aicore__ inline void Step(const Tile& tile, uint32_t s, const LocalTensor<Acc>& c, bool new_a, bool new_b) {
        const uint32_t depth_a = Depth(s, cut_.step_a), depth_b = Depth(s, cut_.step_b), k = cut_.base_k;
        const uint32_t rows = Up(tile.rows, 16), columns = Up(tile.columns, 16);
        if (new_b) WaitFlag<HardEvent::MTE2_MTE1>(Event(2 + use_b_));
        if (new_a) WaitFlag<HardEvent::MTE2_MTE1>(Event(use_a_));
        const LocalTensor<In> l1_a(TPosition::A1, place_.l1 + use_a_ * bytes_a_, bytes_a_ / sizeof(In)),
            l1_b(TPosition::B1, place_.l1 + 2 * bytes_a_ + use_b_ * bytes_b_, bytes_b_ / sizeof(In));
        const LocalTensor<In> a(TPosition::A2, place_.l0 + half_ * place_.l0_half, rows * k),
            b(TPosition::B2, place_.l0 + half_ * place_.l0_half, k * columns);
        WaitFlag<HardEvent::M_MTE1>(Event(half_));
        const uint32_t in_a = s % cut_.step_a * k, in_b = s % cut_.step_b * k;
        if constexpr (sizeof(In) == 1) {
            // 8 bits reach L0B in squares of 32 x 32: a call for each 32 of K.
            for (uint32_t at = 0; at < k; at += 32) {
                LoadDataWithTranspose(b[at * columns], l1_b,
                                      LoadData2dTransposeParams(uint16_t((in_b + at) / 32), uint8_t(columns / 32),
                                                                uint16_t(depth_b / 32), 1, 0));
            }
        } else if (cut_.flags & kLoad3dB) {
            Load(b, l1_b, columns, depth_b, 0, columns, in_b, k);
        } else if (cut_.flags & kTransposedB) {
            // Fractals lie in L1 as L0B wants them.
            const uint32_t c0 = 32 / sizeof(In), fractals = k / c0 * (columns / 16);
            LoadData(b, l1_b[in_b * columns], LoadData2DParams{0, uint8_t(fractals), 1, 0, 0, false, 0});
        } else {
            Load(b, l1_b, depth_b, columns, in_b, k, 0, columns);
        }
        Load(a, l1_a, rows, depth_a, 0, rows, in_a, k);
        if (s % cut_.step_b == cut_.step_b - 1 || s == steps_ - 1) {
            SetFlag<HardEvent::MTE1_MTE2>(Event(2 + use_b_));
            use_b_ = (use_b_ + 1) % halves_;
        }
        if (s % cut_.step_a == cut_.step_a - 1 || s == steps_ - 1) {
            SetFlag<HardEvent::MTE1_MTE2>(Event(use_a_));
            use_a_ = (use_a_ + 1) % halves_;
        }
        SetFlag<HardEvent::MTE1_M>(Event(half_));
        WaitFlag<HardEvent::MTE1_M>(Event(half_));
        if (s == 0 && !(cut_.flags & kUnit)) WaitFlag<HardEvent::FIX_M>(Event(half_c_));
        MmadParams mmad;
        mmad.m = tile.rows;
        mmad.n = columns;
        mmad.k = k;
        mmad.cmatrixInitVal = s == 0;
        if (cut_.flags & kUnit) mmad.unitFlag = s == steps_ - 1 ? 3 : 2;
        Mmad(c, a, b, mmad);
        SetFlag<HardEvent::M_MTE1>(Event(half_));
        half_ = 1 - half_;
    }

    const Cut cut_;
    const Place place_;
    GlobalTensor<In> from_a_, from_b_;
    uint32_t steps_, shift_, bytes_a_, bytes_b_;
    int32_t halves_, halves_c_, load_a_ = 0, load_b_ = 0, use_a_ = 0, use_b_ = 0, half_ = 0, half_c_ = 0;
    uint64_t held_a_[2] = {}, held_b_[2] = {};  // first element in each half of L1, plus one
};

// A base block from L0C to rows of `to` that are `pitch` elements apart.
template <class Out, class Acc>
__aicore__ inline void Store(const GlobalTensor<Out>& to, const LocalTensor<Acc>& c, const Tile& tile, uint32_t pitch,
                             uint8_t unit_flag) {
    FixpipeParamsV220 p;
    p.nSize = tile.columns;
    p.mSize = tile.rows;
    p.srcStride = Up(tile.rows, 16);
    p.dstStride = pitch;
    p.ndNum = 1;
    p.srcNdStride = p.dstNdStride = 0;
    p.quantPre = sizeof(Out) == 2 ? QuantMode_t::F322F16 : QuantMode_t::NoQuant;
    p.unitFlag = unit_flag;
    Fixpipe<Out, Acc, CFG_ROW_MAJOR>(to, c, p);
}
