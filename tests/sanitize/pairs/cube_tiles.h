// SPDX-License-Identifier: Apache-2.0
// What kernels of one product of matrices begin with.
#pragma once

#include "sanitize/pairs/pair.h"

namespace sfumato::pairs {

constexpr uint16_t kSide = 16;
constexpr uint32_t kFractal = kSide * kSide;

inline const LoadData2DParams kOneFractal(0, 1, 1, 0, 0, false, 0);
inline const MmadParams kProduct(kSide, kSide, kSide, 0, false, true), kSum(kSide, kSide, kSide, 0, false, false);
inline const MmadParams kHalfProduct(kSide, kSide, kSide / 2, 0, false, true);  // of half the k: another result
inline const FixpipeParamsV220 kToRows(kSide, kSide, kSide, kSide, false);
inline const FixpipeParamsV220 kToHalf(kSide, kSide, kSide, kSide, false, F322F16);

// Two fractals of each matrix in L1 and L0, two of the product in L0C. The right matrix is y of the second allocation;
// z is the last of as many as `tensors`.
struct CubeTiles {
    explicit __aicore__ CubeTiles(GM_ADDR* gm, uint32_t tensors = 3) {
        pipe.InitBuffer(a1_buffer, 2 * kFractal * sizeof(half));
        pipe.InitBuffer(b1_buffer, 2 * kFractal * sizeof(half));
        pipe.InitBuffer(a2_buffer, 2 * kFractal * sizeof(half));
        pipe.InitBuffer(b2_buffer, 2 * kFractal * sizeof(half));
        pipe.InitBuffer(c_buffer, 2 * kFractal * sizeof(float));
        a1 = a1_buffer.Get<half>(), b1 = b1_buffer.Get<half>();
        a2 = a2_buffer.Get<half>(), b2 = b2_buffer.Get<half>(), c = c_buffer.Get<float>();
        x = Gm<half>(gm[0], 2 * kFractal), y = Gm<half>(gm[1], kFractal);
        z = Gm<float>(gm[tensors - 1], 2 * kFractal);
    }

    // The right matrix in L0B.
    __aicore__ void Right() {
        DataCopy(b1, y, kFractal);
        Sync<HardEvent::MTE2_MTE1>(1);
        LoadData(b2, b1, kOneFractal);
        Sync<HardEvent::MTE1_M>(1);
    }
    // The first fractals of both in L0.
    __aicore__ void Both() {
        Right();
        DataCopy(a1, x, kFractal);
        Sync<HardEvent::MTE2_MTE1>(2);
        LoadData(a2, a1, kOneFractal);
        Sync<HardEvent::MTE1_M>(2);
    }
    // The product of the first fractals, ready for FIX.
    __aicore__ void Multiply() {
        Both();
        Mmad(c, a2, b2, kProduct);
        Sync<HardEvent::M_FIX>(1);
    }
    // The first fractal of the product into global memory.
    __aicore__ void Out() {
        Sync<HardEvent::M_FIX>(1);
        Fixpipe(z, c, kToRows);
    }

    TPipe pipe;
    TBuf<TPosition::A1> a1_buffer;
    TBuf<TPosition::B1> b1_buffer;
    TBuf<TPosition::A2> a2_buffer;
    TBuf<TPosition::B2> b2_buffer;
    TBuf<TPosition::CO1> c_buffer;
    LocalTensor<half> a1, b1, a2, b2;
    LocalTensor<float> c;
    GlobalTensor<half> x, y;
    GlobalTensor<float> z;
};

// x of one fractal or more, y, z.
inline std::vector<Memory> Matrices(uint32_t in = 1, uint32_t out = 1) {
    return {Input<half>("x", in * kFractal), Input<half>("y", kFractal), Output<float>("z", out * kFractal)};
}

// The same pairs, launched on cube cores.
inline std::vector<Pair> OnCube(std::vector<Pair> pairs) {
    for (Pair& pair : pairs) pair.core = CoreChoice::kCube;
    return pairs;
}

}  // namespace sfumato::pairs
