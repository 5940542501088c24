// SPDX-License-Identifier: Apache-2.0
// High-level vector calls as the plain structs the library takes (adv.md 1.2).
#pragma once

#include "sfumato/ascendc/vector_call.h"

// Calls take their config by value, though pages say by reference: g++ 12 crashes at a reference to a constant of a
// class template where the other arguments do not depend on its parameters.
namespace sfumato::ascendc {

// A buffer the caller lends to a call, or none: then the call takes what InitBuffer left of UB.
struct Lent {
    Lent() = default;
    Lent(const AscendC::LocalTensor<uint8_t>& tensor) : view(tensor.view()), given(true) {}
    LocalView view;
    bool given = false;
};

// An elementwise call: dst[i] = f(src0[i], src1[i]) for i < count.
struct AdvCall {
    VectorOperand dst, src0, src1;  // src1.tensor: null for calls of one source
    bool two_results = false;       // src1 is a second destination
    bool scalar_first = false;      // Power: the scalar is the base
    Lent tmp;
    int64_t count = kWholeSource;
    double scalar = 0;      // beta; of Power one of its sources
    bool in_float = false;  // half data computed in float: highPrecision
    bool reuses = false;    // isReuseSource: the sources may be overwritten
    Where where;
    static constexpr int64_t kWholeSource = -1;
};

template <class T>
AdvCall AdvUnary(const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& src, const Lent& tmp, int64_t count,
                 Where where) {
    return {Operand(dst), Operand(src), {}, false, false, tmp, count, 0, false, false, where};
}
template <class T>
AdvCall AdvBinary(const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& src0,
                  const AscendC::LocalTensor<T>& src1, const Lent& tmp, int64_t count, Where where) {
    AdvCall call = AdvUnary(dst, src0, tmp, count, where);
    call.src1 = Operand(src1);
    return call;
}

}  // namespace sfumato::ascendc
