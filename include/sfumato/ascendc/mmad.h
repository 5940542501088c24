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

#include "sfumato/ascendc/calls/mmad.h"
