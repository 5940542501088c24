// SPDX-License-Identifier: Apache-2.0
// Whole kernels with loops and double buffers, and one step of each left out or misplaced.
#include "sanitize/pairs/cube_tiles.h"
#include "sanitize/pairs/queues.h"

namespace sfumato::pairs {
namespace {

enum class Slip {
    kNone,
    kEnQueEarly,  // before the last instruction that writes the tile
    kSumsEarly,   // row sums stored before V has made them
    kGammaEarly,  // coefficients used before they have come
    kGammaAgain,  // and loaded again while they are used
    kNoMte1Mte2,  // reverse flag of L1
    kNoMMte1,     // reverse flag of L0
    kMMte1Early,  // set before the product that reads
    kNoBarrier,   // between products that add up
    kNoMFix,
    kOneStore,  // the reverse flag of one store in two
    kNoMte2Mte3
};

constexpr uint32_t kRows = 6;

// Softmax of rows of 64, two blocks a queue; the compiler orders V with V and with S. The sums of the rows are a second
// result.
__aicore__ void softmax(GM_ADDR* gm, Slip slip) {
    Queues q(gm, 2, kRows);
    TBuf<> work_buffer, sums_buffer;
    q.pipe.InitBuffer(work_buffer, 32);
    q.pipe.InitBuffer(sums_buffer, kRows * 8 * sizeof(float));
    LocalTensor<float> work = work_buffer.Get<float>(), sums = sums_buffer.Get<float>();
    for (uint32_t row = 0; row < kRows; ++row) {
        auto a = q.Load(row);
        auto b = q.out.AllocTensor<float>();
        WholeReduceMax(work, a, kTile, 1, 1, 1, 8, ReduceOrder::ORDER_VALUE_INDEX);
        Adds(b, a, -work.GetValue(0), kTile);
        q.in.FreeTensor(a);
        Exp(b, b, kTile);
        WholeReduceSum(work, b, kTile, 1, 1, 1, 8);
        const float sum = work.GetValue(0);
        if (slip == Slip::kEnQueEarly) q.out.EnQue(b);
        Muls(b, b, 1.0f / sum, kTile);
        if (slip != Slip::kEnQueEarly) q.out.EnQue(b);
        b = q.out.DeQue<float>();
        DataCopy(q.z[row * kTile], b, kTile);
        q.out.FreeTensor(b);
        Duplicate(sums[row * 8], sum, 8);
    }
    if (slip != Slip::kSumsEarly) Sync<HardEvent::V_MTE3>();
    DataCopy(Gm<float>(gm[2], kRows * 8), sums, kRows * 8);
}

// Rows times coefficients that stay in UB: loaded once, and once more for the second half of the rows.
__aicore__ void scaled_rows(GM_ADDR* gm, Slip slip) {
    Queues q(gm, 2, kRows);
    TBuf<> gamma_buffer;
    q.pipe.InitBuffer(gamma_buffer, kTile * sizeof(float));
    LocalTensor<float> gamma = gamma_buffer.Get<float>();
    auto gammas = Gm<float>(gm[2], 2 * kTile);
    for (uint32_t row = 0; row < kRows; ++row) {
        auto a = q.Load(row);
        if (row % (kRows / 2) == 0) {
            if (slip != Slip::kGammaAgain) Sync<HardEvent::V_MTE2>();
            DataCopy(gamma, gammas[row == 0 ? 0 : kTile], kTile);
            if (slip != Slip::kGammaEarly) Sync<HardEvent::MTE2_V>();
        }
        auto b = q.out.AllocTensor<float>();
        Mul(b, a, gamma, kTile);
        q.in.FreeTensor(a);
        Adds(b, b, 1.0f, kTile);
        q.Store(b, row);
    }
}

// A product over k in steps of one fractal, with two buffers in L1 and in L0; x has a fractal of each matrix a step.
__aicore__ void product_over_k(GM_ADDR* gm, Slip slip) {
    constexpr uint32_t kSteps = 4;
    CubeTiles t(gm);
    auto both = Gm<half>(gm[0], 2 * kSteps * kFractal);
    TBuf<TPosition::A1> l1_buffer;
    t.pipe.InitBuffer(l1_buffer, 4 * kFractal * sizeof(half));
    for (int32_t turn = 0; turn < 2; ++turn) {
        if (slip != Slip::kNoMte1Mte2) SetFlag<HardEvent::MTE1_MTE2>(turn);
        if (slip != Slip::kNoMMte1) SetFlag<HardEvent::M_MTE1>(turn);
    }
    for (uint32_t step = 0; step < kSteps; ++step) {
        const int32_t turn = step % 2;
        LocalTensor<half> l1 = l1_buffer.GetWithOffset<half>(2 * kFractal, turn * 2 * kFractal * sizeof(half));
        LocalTensor<half> a2 = t.a2[turn * kFractal], b2 = t.b2[turn * kFractal];
        if (slip != Slip::kNoMte1Mte2) WaitFlag<HardEvent::MTE1_MTE2>(turn);
        DataCopy(l1, both[step * 2 * kFractal], 2 * kFractal);
        SetFlag<HardEvent::MTE2_MTE1>(turn);
        WaitFlag<HardEvent::MTE2_MTE1>(turn);
        if (slip != Slip::kNoMMte1) WaitFlag<HardEvent::M_MTE1>(turn);
        LoadData(a2, l1, kOneFractal);
        LoadData(b2, l1[kFractal], kOneFractal);
        if (slip != Slip::kNoMte1Mte2) SetFlag<HardEvent::MTE1_MTE2>(turn);
        SetFlag<HardEvent::MTE1_M>(turn);
        WaitFlag<HardEvent::MTE1_M>(turn);
        if (slip == Slip::kMMte1Early) SetFlag<HardEvent::M_MTE1>(turn);
        if (slip != Slip::kNoBarrier) PipeBarrier<PIPE_M>();
        Mmad(t.c, a2, b2, step == 0 ? kProduct : kSum);
        if (slip != Slip::kNoMMte1 && slip != Slip::kMMte1Early) SetFlag<HardEvent::M_MTE1>(turn);
    }
    if (slip != Slip::kNoMFix) Sync<HardEvent::M_FIX>();
    Fixpipe(t.z, t.c, kToRows);
    for (int32_t turn = 0; turn < 2; ++turn) {
        if (slip != Slip::kNoMte1Mte2) WaitFlag<HardEvent::MTE1_MTE2>(turn);
        if (slip != Slip::kNoMMte1) WaitFlag<HardEvent::M_MTE1>(turn);
    }
}

// Columns of 8 gathered into rows by strided loads, two buffers in turn.
__aicore__ void columns_to_rows(GM_ADDR* gm, Slip slip) {
    TPipe pipe;
    TBuf<> buffer;
    pipe.InitBuffer(buffer, 2 * kTile * sizeof(float));
    auto x = Gm<float>(gm[0], 4 * kTile), z = Gm<float>(gm[1], 4 * kTile);
    for (int32_t turn = 0; turn < 2; ++turn) SetFlag<HardEvent::MTE3_MTE2>(turn);
    for (uint32_t column = 0; column < 4; ++column) {
        const int32_t turn = column % 2;
        LocalTensor<float> tile = buffer.GetWithOffset<float>(kTile, turn * kTile * sizeof(float));
        WaitFlag<HardEvent::MTE3_MTE2>(turn);
        DataCopy(tile, x[column * 8], DataCopyParams(8, 1, 3, 0));
        if (slip != Slip::kNoMte2Mte3) SetFlag<HardEvent::MTE2_MTE3>(turn);
        if (slip != Slip::kNoMte2Mte3) WaitFlag<HardEvent::MTE2_MTE3>(turn);
        if (slip == Slip::kOneStore) SetFlag<HardEvent::MTE3_MTE2>(turn);
        DataCopy(z[column * kTile], tile, kTile);
        if (slip != Slip::kOneStore) SetFlag<HardEvent::MTE3_MTE2>(turn);
    }
    for (int32_t turn = 0; turn < 2; ++turn) WaitFlag<HardEvent::MTE3_MTE2>(turn);
}

template <void (*kernel)(GM_ADDR*, Slip), Slip slip>
__aicore__ void slipped(GM_ADDR* gm, bool wrong) {
    kernel(gm, wrong ? slip : Slip::kNone);
}

}  // namespace

std::vector<Pair> KernelPairs() {
    const Memory rows = Input<float>("x", kRows * kTile), out = Output<float>("z", kRows * kTile);
    const std::vector<Memory> with_sums = {rows, out, Output<float>("sums", kRows * 8)};
    const std::vector<Memory> with_gamma = {rows, out, Input<float>("gamma", 2 * kTile)};
    const std::vector<Memory> square = {Input<float>("x", 4 * kTile), Output<float>("z", 4 * kTile)};
    return Together({
        {
            {"softmax_enqueued_early", "race", slipped<softmax, Slip::kEnQueEarly>, with_sums},
            {"softmax_sums_stored_early", "race", slipped<softmax, Slip::kSumsEarly>, with_sums},
            {"gamma_used_early", "race", slipped<scaled_rows, Slip::kGammaEarly>, with_gamma},
            {"gamma_loaded_again_early", "race", slipped<scaled_rows, Slip::kGammaAgain>, with_gamma},
            {"columns_stored_early", "race", slipped<columns_to_rows, Slip::kNoMte2Mte3>, square},
            {"columns_released_early", "race", slipped<columns_to_rows, Slip::kOneStore>, square},
        },
        OnCube({
            {"product_over_k_without_mte1_mte2", "race", slipped<product_over_k, Slip::kNoMte1Mte2>, Matrices(8)},
            {"product_over_k_without_m_mte1", "race", slipped<product_over_k, Slip::kNoMMte1>, Matrices(8)},
            {"product_over_k_released_early", "race", slipped<product_over_k, Slip::kMMte1Early>, Matrices(8)},
            {"product_over_k_without_barrier", "race", slipped<product_over_k, Slip::kNoBarrier>, Matrices(8)},
            {"product_over_k_without_m_fix", "race", slipped<product_over_k, Slip::kNoMFix>, Matrices(8)},
        }),
        On("Ascend310P3",
           {
               {"softmax_enqueued_early", "race", slipped<softmax, Slip::kEnQueEarly>, with_sums},
               {"gamma_loaded_again_early", "race", slipped<scaled_rows, Slip::kGammaAgain>, with_gamma},
           }),
    });
}

}  // namespace sfumato::pairs
