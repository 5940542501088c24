// SPDX-License-Identifier: Apache-2.0
// Mmad and the registers it reads (cube.md 4).
#pragma once

#include "sfumato/ascendc/tensor.h"

namespace sfumato::ascendc {

template <class C, class A, class B>
MatmulCall Multiply(const AscendC::LocalTensor<C>& dst, const AscendC::LocalTensor<A>& fm,
                    const AscendC::LocalTensor<B>& filter, const AscendC::MmadParams& params, Where where) {
    return {.c = {&dst.view(), kTypeOf<C>},
            .a = {&fm.view(), kTypeOf<A>},
            .b = {&filter.view(), kTypeOf<B>},
            .bias = {},
            .params = &params,
            .where = where};
}

}  // namespace sfumato::ascendc

namespace AscendC {

template <class T, class U, class S>
void Mmad(const LocalTensor<T>& dst, const LocalTensor<U>& fm, const LocalTensor<S>& filter, const MmadParams& params,
          SFUMATO_AT) {
    sfumato_::mmad(sfumato_::Multiply(dst, fm, filter, params, where));
}
// bias: one row, in C2 or CO1.
template <class T, class U, class S, class V>
void Mmad(const LocalTensor<T>& dst, const LocalTensor<U>& fm, const LocalTensor<S>& filter, const LocalTensor<V>& bias,
          const MmadParams& params, SFUMATO_AT) {
    auto call = sfumato_::Multiply(dst, fm, filter, params, where);
    call.bias = {&bias.view(), sfumato_::kTypeOf<V>};
    sfumato_::mmad(call);
}

// float operands are rounded to HF32 before they are multiplied.
inline void SetHF32Mode(bool hf32Mode, SFUMATO_AT) { sfumato_::SetHf32(hf32Mode, where); }
inline void SetHF32Mode(HF32Mode mode, SFUMATO_AT) { sfumato_::SetHf32(mode == HF32Mode::ENABLE, where); }
// true, NEAREST_ZERO: to nearest, ties away from zero (cube.md 4.2); else ties to even.
inline void SetHF32TransMode(bool hf32TransMode, SFUMATO_AT) { sfumato_::SetHf32Rounding(hf32TransMode, where); }
inline void SetHF32TransMode(HF32TransMode mode, SFUMATO_AT) {
    sfumato_::SetHf32Rounding(mode == HF32TransMode::NEAREST_ZERO, where);
}
// The order in which the unit makes the elements of C: no effect on values.
inline void SetMMLayoutTransform(bool) {}
inline void SetMMRowMajor() {}
inline void SetMMColumnMajor() {}

}  // namespace AscendC
