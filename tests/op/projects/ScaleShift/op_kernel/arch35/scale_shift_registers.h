// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kernel_operator.h"

__simd_vf__ inline void ScaleAndShift(__ubuf__ float* y, __ubuf__ float* x, float scale, float shift, uint32_t count) {
    using namespace AscendC;
    constexpr uint32_t kLanes = GetVecLen() / sizeof(float);
    Reg::RegTensor<float> value;
    uint32_t left = count;
    for (uint16_t i = 0; i < (count + kLanes - 1) / kLanes; ++i) {
        Reg::MaskReg mask = Reg::UpdateMask<float>(left);
        Reg::LoadAlign(value, x + i * kLanes);
        Reg::Muls(value, value, scale, mask);
        Reg::Adds(value, value, shift, mask);
        Reg::StoreAlign(y + i * kLanes, value, mask);
    }
}
