// SPDX-License-Identifier: Apache-2.0
// Programs about moves: tiling from the host, gaps between blocks, padding and unaligned tails.
#include <algorithm>

#include "frontends/kernels.h"

namespace sfumato::frontends_test {
namespace {

using namespace AscendC;

struct ScaleTiling {
    uint32_t blocks_of_16;  // all data, in units of 16 halfs
    uint32_t tile;          // units a tile holds
    float scale;
};

// Cores with a smaller number get one unit more; the last tile of a core is shorter.
__global__ __aicore__ void scale_by_tiling(GM_ADDR x, GM_ADDR y, GM_ADDR tiling) {
    GET_TILING_DATA_WITH_STRUCT(ScaleTiling, data, tiling);
    constexpr uint32_t kUnit = 16;
    const uint32_t cores = static_cast<uint32_t>(GetBlockNum()), core = static_cast<uint32_t>(GetBlockIdx());
    const uint32_t base = data.blocks_of_16 / cores, extra = data.blocks_of_16 % cores;
    const uint32_t units = base + (core < extra ? 1 : 0), first = core * base + std::min(core, extra);
    GlobalTensor<half> xg, yg;
    xg.SetGlobalBuffer((__gm__ half*)x + first * kUnit, units * kUnit);
    yg.SetGlobalBuffer((__gm__ half*)y + first * kUnit, units * kUnit);
    TPipe pipe;
    TQue<TPosition::VECIN, 2> in_queue;
    TQue<TPosition::VECOUT, 2> out_queue;
    pipe.InitBuffer(in_queue, 2, data.tile * kUnit * sizeof(half));
    pipe.InitBuffer(out_queue, 2, data.tile * kUnit * sizeof(half));
    for (uint32_t at = 0; at < units; at += data.tile) {
        const uint32_t length = std::min(data.tile, units - at) * kUnit;
        LocalTensor<half> in = in_queue.AllocTensor<half>();
        DataCopy(in, xg[at * kUnit], length);
        in_queue.EnQue(in);
        in = in_queue.DeQue<half>();
        LocalTensor<half> out = out_queue.AllocTensor<half>();
        Muls(out, in, static_cast<half>(data.scale), length);
        out_queue.EnQue(out);
        in_queue.FreeTensor(in);
        out = out_queue.DeQue<half>();
        DataCopy(yg[at * kUnit], out, length);
        out_queue.FreeTensor(out);
    }
}

// The left half of a matrix of 8 rows a core moves next to untouched columns of a wider one.
constexpr uint32_t kRows = 32, kColumns = 64, kWide = 96;  // halfs
__global__ __aicore__ void left_half(GM_ADDR x, GM_ADDR y) {
    constexpr uint16_t kBlock = 16;  // halfs in 32 bytes
    const uint32_t rows = kRows / static_cast<uint32_t>(GetBlockNum()),
                   first = rows * static_cast<uint32_t>(GetBlockIdx());
    GlobalTensor<half> xg, yg;
    xg.SetGlobalBuffer((__gm__ half*)x + first * kColumns, rows * kColumns);
    yg.SetGlobalBuffer((__gm__ half*)y + first * kWide, rows * kWide);
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
    pipe.InitBuffer(queue, 1, rows * kColumns / 2 * sizeof(half));
    LocalTensor<half> rows_left = queue.AllocTensor<half>();
    DataCopyParams load(static_cast<uint16_t>(rows), kColumns / 2 / kBlock, kColumns / 2 / kBlock, 0);
    DataCopy(rows_left, xg, load, {});  // enhanced parameters as they are by default
    queue.EnQue(rows_left);
    rows_left = queue.DeQue<half>();
    DataCopyParams store;
    store.blockCount = static_cast<uint16_t>(rows);
    store.blockLen = kColumns / 2 / kBlock;
    store.dstStride = (kWide - kColumns / 2) / kBlock;
    DataCopy(yg[kBlock], rows_left, store);
    queue.FreeTensor(rows_left);
}

// Rows of 13 halfs, each padded to 16 in UB; the padded rows go to y, the first 5 of each row to z.
constexpr uint32_t kShort = 13, kLeft = 2, kRight = 1, kKept = 5, kGap = 3;
__global__ __aicore__ void pad_rows(GM_ADDR x, GM_ADDR y, GM_ADDR z) {
    const uint32_t rows = kRows / static_cast<uint32_t>(GetBlockNum()),
                   first = rows * static_cast<uint32_t>(GetBlockIdx());
    GlobalTensor<half> xg, yg, zg;
    xg.SetGlobalBuffer((__gm__ half*)x + first * kShort, rows * kShort);
    yg.SetGlobalBuffer((__gm__ half*)y + first * 16, rows * 16);
    zg.SetGlobalBuffer((__gm__ half*)z + first * (kKept + kGap), rows * (kKept + kGap));
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in_queue;
    TQue<TPosition::VECOUT, 1> out_queue;
    pipe.InitBuffer(in_queue, 1, rows * 32);
    pipe.InitBuffer(out_queue, 1, rows * 32);
    LocalTensor<half> in = in_queue.AllocTensor<half>();
    DataCopyExtParams load{static_cast<uint16_t>(rows), kShort * sizeof(half), 0, 0, 0};
    DataCopyPadExtParams<half> pad{true, kLeft, kRight, static_cast<half>(-8)};
    DataCopyPad(in, xg, load, pad);
    in_queue.EnQue(in);
    in = in_queue.DeQue<half>();
    LocalTensor<half> out = out_queue.AllocTensor<half>();
    Adds(out, in, static_cast<half>(1), static_cast<int32_t>(rows * 16));
    out_queue.EnQue(out);
    in_queue.FreeTensor(in);
    out = out_queue.DeQue<half>();
    DataCopy(yg, out, rows * 16);
    DataCopyExtParams store{static_cast<uint16_t>(rows), kKept * sizeof(half), 0, kGap * sizeof(half), 0};
    DataCopyPad(zg, out, store);
    out_queue.FreeTensor(out);
}

// 77 int32 in tiles of 24: DataCopyPad moves the tail that DataCopy cannot.
constexpr uint32_t kTailTotal = 77;
__global__ __aicore__ void pad_tail(GM_ADDR x, GM_ADDR y) {
    constexpr uint32_t kTile = 24;
    GlobalTensor<int32_t> xg, yg;
    xg.SetGlobalBuffer((__gm__ int32_t*)x, kTailTotal);
    yg.SetGlobalBuffer((__gm__ int32_t*)y, kTailTotal);
    TPipe pipe;
    TQue<TPosition::VECIN, 2> in_queue;
    TQue<TPosition::VECOUT, 2> out_queue;
    pipe.InitBuffer(in_queue, 2, kTile * sizeof(int32_t));
    pipe.InitBuffer(out_queue, 2, kTile * sizeof(int32_t));
    for (uint32_t at = kTile * static_cast<uint32_t>(GetBlockIdx()); at < kTailTotal;
         at += kTile * static_cast<uint32_t>(GetBlockNum())) {
        const uint32_t length = std::min(kTile, kTailTotal - at);
        const DataCopyExtParams shape{1, length * static_cast<uint32_t>(sizeof(int32_t)), 0, 0, 0};
        LocalTensor<int32_t> in = in_queue.AllocTensor<int32_t>();
        DataCopyPad(in, xg[at], shape, {false, 0, 0, 0});
        in_queue.EnQue(in);
        in = in_queue.DeQue<int32_t>();
        LocalTensor<int32_t> out = out_queue.AllocTensor<int32_t>();
        Adds(out, in, 1000, static_cast<int32_t>(length));
        out_queue.EnQue(out);
        in_queue.FreeTensor(in);
        out = out_queue.DeQue<int32_t>();
        DataCopyPad(yg[at], out, shape);
        out_queue.FreeTensor(out);
    }
}

constexpr uint16_t kUntouched = kFill << 8 | kFill;

}  // namespace

std::vector<Program> MovePrograms() {
    std::vector<Program> programs;

    constexpr ScaleTiling kTiling = {37, 5, 0.5f};
    const auto scaled = Halves(kTiling.blocks_of_16 * 16, -900, 900, 0.37, 31);
    std::vector<uint16_t> halved;
    for (const uint16_t bits : scaled) halved.push_back(HalfBits(HalfValue(bits) * kTiling.scale));
    programs.push_back({"scale_by_tiling",
                        kAllChips,
                        {In(scaled), Out(halved), In(std::vector<ScaleTiling>{kTiling})},
                        [](uint8_t* const* gm) { scale_by_tiling(gm[0], gm[1], gm[2]); }});

    const auto matrix = Halves(kRows * kColumns, -900, 900, 0.37, 32);
    std::vector<uint16_t> wide(kRows * kWide, kUntouched);
    for (uint32_t row = 0; row < kRows; ++row)
        std::copy_n(&matrix[row * kColumns], kColumns / 2, &wide[row * kWide + 16]);
    programs.push_back(
        {"left_half", kAllChips, {In(matrix), Out(wide)}, [](uint8_t* const* gm) { left_half(gm[0], gm[1]); }});

    const auto rows = Halves(kRows * kShort, -900, 900, 0.37, 33);
    std::vector<uint16_t> padded(kRows * 16, HalfBits(-7)), kept(kRows * (kKept + kGap), kUntouched);
    for (uint32_t row = 0; row < kRows; ++row) {
        for (uint32_t i = 0; i < kShort; ++i)
            padded[row * 16 + kLeft + i] = HalfBits(HalfValue(rows[row * kShort + i]) + 1);
        std::copy_n(&padded[row * 16], kKept, &kept[row * (kKept + kGap)]);
    }
    programs.push_back({"pad_rows", kWithPad, {In(rows), Out(padded), Out(kept)}, [](uint8_t* const* gm) {
                            pad_rows(gm[0], gm[1], gm[2]);
                        }});

    const auto tail = Integers<int32_t>(kTailTotal, -100000, 100000, 34);
    std::vector<int32_t> more;
    for (const int32_t v : tail) more.push_back(v + 1000);
    programs.push_back(
        {"pad_tail", kWithPad, {In(tail), Out(more)}, [](uint8_t* const* gm) { pad_tail(gm[0], gm[1]); }});
    return programs;
}

}  // namespace sfumato::frontends_test
