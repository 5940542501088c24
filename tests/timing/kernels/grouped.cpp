// SPDX-License-Identifier: Apache-2.0
// A grouped matmul of int8 with what follows it (rows qgmm and g_gmm of tests/timing/timing_fit.csv): a cube core
// takes pieces of 128 x 1024 in turn and stores base blocks to slots of its workspace; its vector cores multiply by the
// scales of the columns and of the rows, apply FasterGelu and store halves.
#include "cube.h"

// group_rows: of A that a group has; slots: of the workspace of a cube core.
struct Groups {
    uint32_t group_rows, slots;
};
enum Flag : uint16_t { kProduct = 0, kFree = 1 };
constexpr uint32_t kRows = 32;  // of a tile of a vector core

struct Part {
    GM_ADDR x;
    GM_ADDR weight;
    GM_ADDR column_scale;
    GM_ADDR row_scale;
    GM_ADDR workspace;
    GM_ADDR out;
};

__aicore__ inline void Grouped(const Part& at, const Cut& cut, const Groups& groups, uint32_t vectors) {
    const uint32_t block = GetBlockIdx() / (g_coreType == AIV ? vectors : 1);
    const uint32_t down = groups.group_rows / cut.base_m, across = cut.n / cut.single_n;
    const uint32_t pieces = cut.m / cut.base_m * across, in_piece = cut.single_n / cut.base_n;
    const uint32_t count = (pieces / GetBlockNum() + (block < pieces % GetBlockNum() ? 1 : 0)) * in_piece;
    const auto group_of = [&](uint32_t i) { return (block + i / in_piece * GetBlockNum()) / (down * across); };
    const auto tile_of = [&](uint32_t i) {
        const uint32_t piece = (block + i / in_piece * GetBlockNum()) % (down * across), group = group_of(i);
        return Tile{group * groups.group_rows + piece % down * cut.base_m,
                    piece / down * cut.single_n + i % in_piece * cut.base_n, cut.base_m, cut.base_n,
                    uint64_t(group) * cut.k * cut.n};
    };
    const uint32_t slot = cut.base_m * cut.base_n;
    GlobalTensor<int32_t> product;
    product.SetGlobalBuffer(reinterpret_cast<__gm__ int32_t*>(at.workspace) + uint64_t(block) * groups.slots * slot,
                            groups.slots * slot);
    if ASCEND_IS_AIC {
        Product<int8_t, int32_t> cube(cut, at.x, at.weight, uint64_t(cut.m / groups.group_rows) * cut.k * cut.n);
        uint32_t stored = 0;
        cube.Run(count, tile_of, [&](const Tile& tile, const LocalTensor<int32_t>& part, uint8_t unit_flag) {
            if (stored >= groups.slots) CrossCoreWaitFlag(kFree);
            Store<int32_t>(product[stored % groups.slots * slot], part, tile, cut.base_n, unit_flag);
            CrossCoreSetFlag<2, PIPE_FIX>(kProduct);
            ++stored;
        });
        cube.Finish();
        for (uint32_t i = 0; i < Least(count, groups.slots); ++i) CrossCoreWaitFlag(kFree);
    }
    if ASCEND_IS_AIV {
        const uint32_t mine = cut.base_m / vectors, size = kRows * cut.base_n;
        GlobalTensor<float> column_scales, row_scales;
        GlobalTensor<half> out;
        column_scales.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(at.column_scale),
                                      uint64_t(cut.m / groups.group_rows) * cut.n);
        row_scales.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(at.row_scale), cut.m);
        out.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(at.out), uint64_t(cut.m) * cut.n);
        LocalTensor<float> wide(TPosition::VECCALC, 2 * size * 4, size), scales(TPosition::VECIN, 5 * size * 4, 512);
        LocalTensor<uint8_t> work(TPosition::VECCALC, 3 * size * 4, size * 4);
        for (int32_t b = 0; b < 2; ++b) {
            SetFlag<HardEvent::V_MTE2>(b);
            SetFlag<HardEvent::MTE3_V>(b);
        }
        int32_t b = 0;
        for (uint32_t i = 0; i < count; ++i) {
            const Tile tile = tile_of(i);
            CrossCoreWaitFlag(kProduct);
            for (uint32_t row = GetSubBlockIdx() * mine; row < (GetSubBlockIdx() + 1) * mine; row += kRows) {
                LocalTensor<int32_t> in(TPosition::VECIN, b * size * 4, size);
                LocalTensor<half> narrow(TPosition::VECOUT, 4 * size * 4 + b * size * 2, size);
                const auto scale = scales[b * 256];
                WaitFlag<HardEvent::V_MTE2>(b);
                DataCopy(scale, column_scales[uint64_t(group_of(i)) * cut.n + tile.column], cut.base_n);
                DataCopy(in, product[i % groups.slots * slot + row * cut.base_n], size);
                if (row + kRows == (GetSubBlockIdx() + 1) * mine) CrossCoreSetFlag<2, PIPE_MTE2>(kFree);
                SetFlag<HardEvent::MTE2_V>(b);
                WaitFlag<HardEvent::MTE2_V>(b);
                Cast(wide, in, RoundMode::CAST_RINT, size);
                PipeBarrier<PIPE_V>();
                const uint8_t pitch = cut.base_n / 8;
                for (uint32_t column = 0; column < cut.base_n; column += 64)
                    Mul(wide[column], wide[column], scale[column], 64, kRows, {1, 1, 1, pitch, pitch, 0});
                PipeBarrier<PIPE_V>();
                for (uint32_t r = 0; r < kRows; ++r) {
                    Muls(wide[r * cut.base_n], wide[r * cut.base_n], row_scales.GetValue(tile.row + row + r),
                         cut.base_n);
                }
                PipeBarrier<PIPE_V>();
                // In place of the sums of int32.
                const auto result = in.ReinterpretCast<float>();
                FasterGelu(result, wide, work, size);
                PipeBarrier<PIPE_V>();
                WaitFlag<HardEvent::MTE3_V>(b);
                Cast(narrow, result, RoundMode::CAST_RINT, size);
                SetFlag<HardEvent::V_MTE2>(b);
                SetFlag<HardEvent::V_MTE3>(b);
                WaitFlag<HardEvent::V_MTE3>(b);
                DataCopy(out[uint64_t(tile.row + row) * cut.n + tile.column], narrow,
                         DataCopyParams{kRows, uint16_t(cut.base_n / 16), 0, uint16_t((cut.n - cut.base_n) / 16)});
                SetFlag<HardEvent::MTE3_V>(b);
                b = 1 - b;
            }
        }
        for (b = 0; b < 2; ++b) {
            WaitFlag<HardEvent::V_MTE2>(b);
            WaitFlag<HardEvent::MTE3_V>(b);
        }
    }
}

#define GROUPED(name, type, vectors)                                                                                 \
    extern "C" __global__ __aicore__ void name(GM_ADDR x, GM_ADDR weight, GM_ADDR column_scale, GM_ADDR row_scale,   \
                                               GM_ADDR workspace, GM_ADDR out, const Cut cut, const Groups groups) { \
        TPipe pipe;                                                                                                  \
        KERNEL_TASK_TYPE_DEFAULT(type);                                                                              \
        Grouped({x, weight, column_scale, row_scale, workspace, out}, cut, groups, vectors);                         \
    }
GROUPED(one_vector_core, KERNEL_TYPE_MIX_AIC_1_1, 1)
GROUPED(two_vector_cores, KERNEL_TYPE_MIX_AIC_1_2, 2)
