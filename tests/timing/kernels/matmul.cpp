// SPDX-License-Identifier: Apache-2.0
// C = A x B of MATRIX x MATRIX halves, B transposed, 4 x 6 cores (rows mmb_s1 and pto_gemm_* of
// tests/timing/timing_fit.csv): base block 128 x 256 x 64; A in L1 by STEP_A base blocks of K, B by STEP_B, both twice;
// LoadData 3D into two halves of L0A and L0B; loads of the next step are issued after each Mmad, B first. OUT: type of
// C. UNIT: Mmad and Fixpipe with unit flag.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t kM = 128, kN = 256, kK = 64;
constexpr uint32_t kSingleM = MATRIX / 4, kSingleN = MATRIX / 6 / kN * kN + (MATRIX / 6 % kN ? kN : 0);
constexpr uint32_t kSteps = MATRIX / kK;

extern "C" __global__ __aicore__ void matmul(GM_ADDR a, GM_ADDR b, GM_ADDR c) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
    GlobalTensor<half> from_a, from_b;
    GlobalTensor<OUT> to_c;
    from_a.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(a), uint64_t(MATRIX) * MATRIX);
    from_b.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(b), uint64_t(MATRIX) * MATRIX);
    to_c.SetGlobalBuffer(reinterpret_cast<__gm__ OUT*>(c), uint64_t(MATRIX) * MATRIX);
    const uint32_t row0 = GetBlockIdx() / 6 * kSingleM, column0 = GetBlockIdx() % 6 * kSingleN;
    constexpr uint32_t kBytesA = kM * kK * STEP_A * 2, kBytesB = kN * kK * STEP_B * 2;
    // Events: 0 and 1 of MTE1_MTE2 A, 2 and 3 B; the same of MTE2_MTE1; 0 and 1 of M_MTE1 and MTE1_M the halves of L0.
    for (int32_t i = 0; i < 4; ++i) SetFlag<HardEvent::MTE1_MTE2>(i);
    for (int32_t i = 0; i < 2; ++i) SetFlag<HardEvent::M_MTE1>(i);
#ifndef UNIT
    SetFlag<HardEvent::FIX_M>(0);
#endif
    uint32_t half_a = 0, half_b = 0, half_l0 = 0;
    const auto load_a = [&](uint32_t row, uint32_t step) {
        LocalTensor<half> l1(TPosition::A1, half_a * kBytesA, kBytesA / 2);
        WaitFlag<HardEvent::MTE1_MTE2>(int32_t(half_a));
        DataCopy(l1, from_a[uint64_t(row) * MATRIX + step * kK], Nd2NzParams{1, kM, kK * STEP_A, 0, MATRIX, kM, 1, 0});
        SetFlag<HardEvent::MTE2_MTE1>(int32_t(half_a));
        half_a = 1 - half_a;
    };
    const auto load_b = [&](uint32_t column, uint32_t step) {
        LocalTensor<half> l1(TPosition::B1, 2 * kBytesA + half_b * kBytesB, kBytesB / 2);
        WaitFlag<HardEvent::MTE1_MTE2>(int32_t(2 + half_b));
        DataCopy(l1, from_b[uint64_t(column) * MATRIX + step * kK],
                 Nd2NzParams{1, kN, kK * STEP_B, 0, MATRIX, kN, 1, 0});
        SetFlag<HardEvent::MTE2_MTE1>(int32_t(2 + half_b));
        half_b = 1 - half_b;
    };
    constexpr uint32_t kTilesM = kSingleM / kM, kTiles = kTilesM * kSteps;
    // The last column of cores may have less.
    const uint32_t columns = MATRIX - column0 < kSingleN ? MATRIX - column0 : kSingleN, kAll = columns / kN * kTiles;
    // Which tile and which step of K the n-th base block of the core is.
    const auto row_of = [&](uint32_t n) { return row0 + n / kSteps % kTilesM * kM; };
    const auto column_of = [&](uint32_t n) { return column0 + n / kSteps / kTilesM * kN; };
    uint32_t used_a = 0, used_b = 0;
    load_b(column_of(0), 0);
    load_a(row_of(0), 0);
    for (uint32_t n = 0; n < kAll; ++n) {
        const uint32_t step = n % kSteps;
        // The other halves of L1, for the next copies.
        if (step % STEP_B == 0) {
            WaitFlag<HardEvent::MTE2_MTE1>(int32_t(2 + used_b));
        }
        if (step % STEP_A == 0) WaitFlag<HardEvent::MTE2_MTE1>(int32_t(used_a));
        LocalTensor<half> l1_a(TPosition::A1, used_a * kBytesA, kBytesA / 2),
            l1_b(TPosition::B1, 2 * kBytesA + used_b * kBytesB, kBytesB / 2);
        LocalTensor<half> l0_a(TPosition::A2, half_l0 * 32768, kM * kK), l0_b(TPosition::B2, half_l0 * 32768, kK * kN);
        LocalTensor<float> l0_c(TPosition::CO1, 0, kM * kN);
        WaitFlag<HardEvent::M_MTE1>(int32_t(half_l0));
        LoadData3DParamsV2<half> to_l0b;
        to_l0b.l1H = 1;
        to_l0b.l1W = kN;
        to_l0b.channelSize = kK * STEP_B;
        to_l0b.kExtension = kK;
        to_l0b.mExtension = kN;
        to_l0b.kStartPt = step % STEP_B * kK;
        to_l0b.mStartPt = 0;
        to_l0b.strideW = to_l0b.strideH = to_l0b.filterW = to_l0b.filterH = to_l0b.dilationFilterW =
            to_l0b.dilationFilterH = 1;
        LoadData3DParamsV2<half> to_l0a = to_l0b;
        to_l0a.l1W = kM;
        to_l0a.channelSize = kK * STEP_A;
        to_l0a.mExtension = kM;
        to_l0a.kStartPt = step % STEP_A * kK;
        LoadData(l0_b, l1_b, to_l0b);
        LoadData(l0_a, l1_a, to_l0a);
        if (step % STEP_B == STEP_B - 1) {
            SetFlag<HardEvent::MTE1_MTE2>(int32_t(2 + used_b));
            used_b = 1 - used_b;
        }
        if (step % STEP_A == STEP_A - 1) {
            SetFlag<HardEvent::MTE1_MTE2>(int32_t(used_a));
            used_a = 1 - used_a;
        }
        SetFlag<HardEvent::MTE1_M>(int32_t(half_l0));
        WaitFlag<HardEvent::MTE1_M>(int32_t(half_l0));
#ifndef UNIT
        if (step == 0) WaitFlag<HardEvent::FIX_M>(0);
#endif
        MmadParams mmad;
        mmad.m = kM;
        mmad.n = kN;
        mmad.k = kK;
        mmad.cmatrixInitVal = step == 0;
#ifdef UNIT
        mmad.unitFlag = step == kSteps - 1 ? 3 : 2;
#endif
        Mmad(l0_c, l0_a, l0_b, mmad);
        SetFlag<HardEvent::M_MTE1>(int32_t(half_l0));
        half_l0 = 1 - half_l0;
        if (step % STEP_B == 0 && n + STEP_B < kAll) load_b(column_of(n + STEP_B), (step + STEP_B) % kSteps);
        if (step % STEP_A == 0 && n + STEP_A < kAll) load_a(row_of(n + STEP_A), (step + STEP_A) % kSteps);
        if (step != kSteps - 1) continue;
        FixpipeParamsV220 out;
        out.nSize = kN;
        out.mSize = kM;
        out.srcStride = kM;
        out.dstStride = MATRIX;
        out.ndNum = 1;
        out.srcNdStride = out.dstNdStride = 0;
        out.quantPre = sizeof(OUT) == 2 ? QuantMode_t::F322F16 : QuantMode_t::NoQuant;
#ifdef UNIT
        out.unitFlag = 3;
#else
        SetFlag<HardEvent::M_FIX>(0);
        WaitFlag<HardEvent::M_FIX>(0);
#endif
        Fixpipe<OUT, float, CFG_ROW_MAJOR>(to_c[uint64_t(row_of(n)) * MATRIX + column_of(n)], l0_c, out);
#ifndef UNIT
        SetFlag<HardEvent::FIX_M>(0);
#endif
    }
    for (int32_t i = 0; i < 4; ++i) WaitFlag<HardEvent::MTE1_MTE2>(i);
    for (int32_t i = 0; i < 2; ++i) WaitFlag<HardEvent::M_MTE1>(i);
#ifndef UNIT
    WaitFlag<HardEvent::FIX_M>(0);
#endif
}
