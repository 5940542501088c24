// SPDX-License-Identifier: Apache-2.0
// Elementwise vector instructions: here a macro is a form of C++; rows.inc calls it for each row of the instruction
// table.
#pragma once

#include <type_traits>

#include "sfumato/ascendc/cast_pairs.h"
#include "sfumato/ascendc/vector_call.h"

namespace AscendC {

// dst = op src.
#define SFUMATO_UNARY(Name, opcode)                                                              \
    SFUMATO_FORMS((class T), (class T, bool isSetMask = true), Name, opcode,                     \
                  (const LocalTensor<T>& dst, const LocalTensor<T>& src), UnaryRepeatParams, (), \
                  (RequireType##Name<T>), Unary(dst, src, where, params))

// dst = src, repeats under a mask alone, with strides of its own.
#define SFUMATO_COPY(Name, opcode)                                                                                    \
    SFUMATO_REPEAT_FORM((class T, bool isSetMask = true), Name, opcode,                                               \
                        (const LocalTensor<T>& dst, const LocalTensor<T>& src), (const CopyRepeatParams& params), (), \
                        (RequireType##Name<T>), isSetMask, Copying(dst, src, where, params))

// dst = src0 op src1. In a row of pairs the sources may have a type of their own.
#define SFUMATO_BINARY_OF(CountHead, Head, U, Name, opcode, Require)                                   \
    SFUMATO_FORMS(CountHead, Head, Name, opcode,                                                       \
                  (const LocalTensor<T>& dst, const LocalTensor<U>& src0, const LocalTensor<U>& src1), \
                  BinaryRepeatParams, (), Require, Binary(dst, src0, src1, where, params))
#define SFUMATO_BINARY(Name, opcode) \
    SFUMATO_BINARY_OF((class T), (class T, bool isSetMask = true), T, Name, opcode, (RequireType##Name<T>))
#define SFUMATO_BINARY_PAIR(Name, opcode)                                                             \
    SFUMATO_BINARY_OF((class T, class U), (class T, class U, bool isSetMask = true), U, Name, opcode, \
                      (RequireType##Name<T, U>))

// dst = src op scalar, which has the type of src.
#define SFUMATO_SCALAR_OF(CountHead, Head, U, Name, opcode, Last, Require, Build)                                     \
    SFUMATO_FORMS(CountHead, Head, Name, opcode,                                                                      \
                  (const LocalTensor<T>& dst, const LocalTensor<U>& src, const std::type_identity_t<U>& scalarValue), \
                  UnaryRepeatParams, Last, Require, Build)
#define SFUMATO_SCALAR(Name, opcode)                                                                 \
    SFUMATO_SCALAR_OF((class T, bool = true), (class T, bool isSetMask = true), T, Name, opcode, (), \
                      (RequireType##Name<T>), Scalar(dst, src, scalarValue, where, params))
#define SFUMATO_SCALAR_PAIR(Name, opcode)                                                                 \
    SFUMATO_SCALAR_OF((class T, class U), (class T, class U, bool isSetMask = true), U, Name, opcode, (), \
                      (RequireType##Name<T, U>), Scalar(dst, src, scalarValue, where, params))
// roundEn adds the last bit shifted out; for signed types.
#define SFUMATO_SCALAR_ROUND(Name, opcode)                                                       \
    SFUMATO_SCALAR_OF((class T, bool = true), (class T, bool isSetMask = true), T, Name, opcode, \
                      (bool roundEn = false, ), (RequireType##Name<T>),                          \
                      Shift(dst, src, scalarValue, roundEn, where, params))

// dst = scalar, whose bits are stored unchanged, or the first of a row of numbers.
#define SFUMATO_FILL(Name, opcode)                                                                                 \
    SFUMATO_COUNT_FORM((class T), Name, opcode,                                                                    \
                       (const LocalTensor<T>& dst, const std::type_identity_t<T>& scalarValue), (), (),            \
                       (RequireType##Name<T>), Fill(dst, scalarValue, where))                                      \
    SFUMATO_REPEAT_FORM((class T, bool isSetMask = true), Name, opcode,                                            \
                        (const LocalTensor<T>& dst, const std::type_identity_t<T>& scalarValue),                   \
                        (uint16_t dstBlockStride, uint8_t dstRepeatStride), (), (RequireType##Name<T>), isSetMask, \
                        Fill(dst, scalarValue, where, dstBlockStride, dstRepeatStride))

#define SFUMATO_ROW(form, Name, opcode) SFUMATO_##form(Name, opcode)
#include "sfumato/ascendc/rows.inc"
#undef SFUMATO_ROW
// The newer name of FusedMulAddRelu.
SFUMATO_BINARY_OF((class T), (class T, bool isSetMask = true), T, MulAddRelu, vmaddrelu,
                  (RequireTypeFusedMulAddRelu<T>))
// The first elements, by whole repeats and the rest under a mask.
template <class T, bool isSetMask = true>
void Copy(const LocalTensor<T>& dst, const LocalTensor<T>& src, int64_t count, SFUMATO_AT) {
    constexpr int64_t kRepeat = 256 / sizeof(T), kRepeats = 255;
    for (int64_t done = 0; done < count;) {
        const int64_t rest = count - done, repeats = rest < kRepeat              ? 1
                                                     : rest / kRepeat < kRepeats ? rest / kRepeat
                                                                                 : kRepeats;
        const int64_t mask = rest < kRepeat ? rest : kRepeat;
        Copy(dst[done], src[done], static_cast<uint64_t>(mask), static_cast<uint32_t>(repeats), {1, 1, 8, 8}, where);
        done += mask * repeats;
    }
}
// The form of AddDeqRelu that names no types.
SFUMATO_REPEAT_FORM((bool isSetMask = true), AddDeqRelu, vadddeqrelu,
                    (const LocalTensor<half>& dst, const LocalTensor<int32_t>& src0, const LocalTensor<int32_t>& src1),
                    (const BinaryRepeatParams& params), (), (RequireTypeAddDeqRelu<half, int32_t>), isSetMask,
                    Binary(dst, src0, src1, where, params))
#undef SFUMATO_UNARY
#undef SFUMATO_COPY
#undef SFUMATO_BINARY
#undef SFUMATO_BINARY_PAIR
#undef SFUMATO_BINARY_OF
#undef SFUMATO_SCALAR
#undef SFUMATO_SCALAR_PAIR
#undef SFUMATO_SCALAR_ROUND
#undef SFUMATO_SCALAR_OF
#undef SFUMATO_FILL

}  // namespace AscendC
