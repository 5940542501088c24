// SPDX-License-Identifier: Apache-2.0
// Elementwise vector instructions: arithmetic, functions of one operand, logic, shifts and multiply-add. Each has three
// forms: the first n elements (calCount), and repeats with a mask of bits or of the first n elements.
#pragma once

#include <type_traits>

#include "sfumato/ascendc/cast_pairs.h"
#include "sfumato/ascendc/vector_call.h"

namespace sfumato::ascendc {

// Of the multiply-adds that take sources narrower than dst.
template <class T, class U>
constexpr void RequireWidening() {
    static_assert(std::is_same_v<T, U> || (kTypeOf<T> == DataType::kFloat && kTypeOf<U> == DataType::kHalf),
                  "dst and src have one type, or dst is float and src is half");
}

}  // namespace sfumato::ascendc

namespace AscendC {

// dst = op src, both of one type.
#define SFUMATO_UNARY(Name, opcode)                                                                              \
    template <class T>                                                                                           \
    void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t& calCount,                     \
              Where where = Where::Here()) {                                                                     \
        sfumato::ascendc::RequireType##Name<T>();                                                                \
        auto call = sfumato::ascendc::Unary(dst, src, where);                                                    \
        SetCount(&call, calCount);                                                                               \
        sfumato::ascendc::opcode(call);                                                                          \
    }                                                                                                            \
    template <class T, bool isSetMask = true>                                                                    \
    void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint64_t mask[], uint32_t repeatTimes, \
              const UnaryRepeatParams& params, Where where = Where::Here()) {                                    \
        sfumato::ascendc::RequireType##Name<T>();                                                                \
        auto call = sfumato::ascendc::Unary(dst, src, where, params);                                            \
        SetMask(&call, isSetMask, mask, repeatTimes);                                                            \
        sfumato::ascendc::opcode(call);                                                                          \
    }                                                                                                            \
    template <class T, bool isSetMask = true>                                                                    \
    void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, uint64_t mask, uint32_t repeatTimes,         \
              const UnaryRepeatParams& params, Where where = Where::Here()) {                                    \
        sfumato::ascendc::RequireType##Name<T>();                                                                \
        auto call = sfumato::ascendc::Unary(dst, src, where, params);                                            \
        SetMask(&call, isSetMask, mask, repeatTimes);                                                            \
        sfumato::ascendc::opcode(call);                                                                          \
    }
SFUMATO_UNARY(Abs, vabs)
SFUMATO_UNARY(Exp, vexp)
SFUMATO_UNARY(Ln, vln)
SFUMATO_UNARY(Reciprocal, vrec)
SFUMATO_UNARY(Sqrt, vsqrt)
SFUMATO_UNARY(Rsqrt, vrsqrt)
SFUMATO_UNARY(Relu, vrelu)
SFUMATO_UNARY(Not, vnot)
#undef SFUMATO_UNARY

// dst = src0 op src1, all of one type. FusedMulAdd: src0 * dst + src1; And and Or of 32-bit tensors: reinterpret them.
#define SFUMATO_BINARY(Name, Rule, opcode)                                                                      \
    template <class T>                                                                                          \
    void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1,                \
              const int32_t& calCount, Where where = Where::Here()) {                                           \
        sfumato::ascendc::RequireType##Rule<T>();                                                               \
        auto call = sfumato::ascendc::Binary(dst, src0, src1, where);                                           \
        SetCount(&call, calCount);                                                                              \
        sfumato::ascendc::opcode(call);                                                                         \
    }                                                                                                           \
    template <class T, bool isSetMask = true>                                                                   \
    void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1,                \
              const uint64_t mask[], uint32_t repeatTimes, const BinaryRepeatParams& params,                    \
              Where where = Where::Here()) {                                                                    \
        sfumato::ascendc::RequireType##Rule<T>();                                                               \
        auto call = sfumato::ascendc::Binary(dst, src0, src1, where, params);                                   \
        SetMask(&call, isSetMask, mask, repeatTimes);                                                           \
        sfumato::ascendc::opcode(call);                                                                         \
    }                                                                                                           \
    template <class T, bool isSetMask = true>                                                                   \
    void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, uint64_t mask, \
              uint32_t repeatTimes, const BinaryRepeatParams& params, Where where = Where::Here()) {            \
        sfumato::ascendc::RequireType##Rule<T>();                                                               \
        auto call = sfumato::ascendc::Binary(dst, src0, src1, where, params);                                   \
        SetMask(&call, isSetMask, mask, repeatTimes);                                                           \
        sfumato::ascendc::opcode(call);                                                                         \
    }
SFUMATO_BINARY(Add, Add, vadd)
SFUMATO_BINARY(Sub, Sub, vsub)
SFUMATO_BINARY(Mul, Mul, vmul)
SFUMATO_BINARY(Div, Div, vdiv)
SFUMATO_BINARY(Max, Max, vmax)
SFUMATO_BINARY(Min, Min, vmin)
SFUMATO_BINARY(And, And, vand)
SFUMATO_BINARY(Or, Or, vor)
SFUMATO_BINARY(AddRelu, AddRelu, vaddrelu)
SFUMATO_BINARY(SubRelu, SubRelu, vsubrelu)
SFUMATO_BINARY(FusedMulAdd, FusedMulAdd, vmadd)
SFUMATO_BINARY(FusedMulAddRelu, FusedMulAddRelu, vmaddrelu)
SFUMATO_BINARY(MulAddRelu, FusedMulAddRelu, vmaddrelu)  // the newer name
#undef SFUMATO_BINARY

// dst = src op scalar, all of one type.
#define SFUMATO_SCALAR(Name, Rule, opcode)                                                                         \
    template <class T, bool isSetMask = true>                                                                      \
    void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const std::type_identity_t<T>& scalarValue,    \
              const int32_t& calCount, Where where = Where::Here()) {                                              \
        sfumato::ascendc::RequireType##Rule<T>();                                                                  \
        auto call = sfumato::ascendc::Unary(dst, src, where);                                                      \
        call.scalar = sfumato::ascendc::ToBits(scalarValue);                                                       \
        SetCount(&call, calCount);                                                                                 \
        sfumato::ascendc::opcode(call);                                                                            \
    }                                                                                                              \
    template <class T, bool isSetMask = true>                                                                      \
    void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const std::type_identity_t<T>& scalarValue,    \
              const uint64_t mask[], uint32_t repeatTimes, const UnaryRepeatParams& params,                        \
              Where where = Where::Here()) {                                                                       \
        sfumato::ascendc::RequireType##Rule<T>();                                                                  \
        auto call = sfumato::ascendc::Unary(dst, src, where, params);                                              \
        call.scalar = sfumato::ascendc::ToBits(scalarValue);                                                       \
        SetMask(&call, isSetMask, mask, repeatTimes);                                                              \
        sfumato::ascendc::opcode(call);                                                                            \
    }                                                                                                              \
    template <class T, bool isSetMask = true>                                                                      \
    void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const std::type_identity_t<T>& scalarValue,    \
              uint64_t mask, uint32_t repeatTimes, const UnaryRepeatParams& params, Where where = Where::Here()) { \
        sfumato::ascendc::RequireType##Rule<T>();                                                                  \
        auto call = sfumato::ascendc::Unary(dst, src, where, params);                                              \
        call.scalar = sfumato::ascendc::ToBits(scalarValue);                                                       \
        SetMask(&call, isSetMask, mask, repeatTimes);                                                              \
        sfumato::ascendc::opcode(call);                                                                            \
    }
SFUMATO_SCALAR(Adds, Adds, vadds)
SFUMATO_SCALAR(Muls, Muls, vmuls)
SFUMATO_SCALAR(Maxs, Maxs, vmaxs)
SFUMATO_SCALAR(Mins, Mins, vmins)
SFUMATO_SCALAR(LeakyRelu, LeakyRelu, vlrelu)
SFUMATO_SCALAR(ShiftLeft, ShiftLeft, vshl)
#undef SFUMATO_SCALAR

// dst = src * scalar + dst: dst has the type of src, or is float where src is half.
template <class T, class U>
void Axpy(const LocalTensor<T>& dst, const LocalTensor<U>& src, const std::type_identity_t<U>& scalarValue,
          const int32_t& calCount, Where where = Where::Here()) {
    sfumato::ascendc::RequireWidening<T, U>();
    sfumato::ascendc::RequireTypeAxpy<T>();
    auto call = sfumato::ascendc::Unary(dst, src, where);
    SetCount(&call, calCount);
    call.scalar = sfumato::ascendc::ToBits(scalarValue);
    sfumato::ascendc::vaxpy(call);
}
template <class T, class U, bool isSetMask = true>
void Axpy(const LocalTensor<T>& dst, const LocalTensor<U>& src, const std::type_identity_t<U>& scalarValue,
          const uint64_t mask[], uint32_t repeatTimes, const UnaryRepeatParams& params, Where where = Where::Here()) {
    sfumato::ascendc::RequireWidening<T, U>();
    sfumato::ascendc::RequireTypeAxpy<T>();
    auto call = sfumato::ascendc::Unary(dst, src, where, params);
    SetMask(&call, isSetMask, mask, repeatTimes);
    call.scalar = sfumato::ascendc::ToBits(scalarValue);
    sfumato::ascendc::vaxpy(call);
}
template <class T, class U, bool isSetMask = true>
void Axpy(const LocalTensor<T>& dst, const LocalTensor<U>& src, const std::type_identity_t<U>& scalarValue,
          uint64_t mask, uint32_t repeatTimes, const UnaryRepeatParams& params, Where where = Where::Here()) {
    sfumato::ascendc::RequireWidening<T, U>();
    sfumato::ascendc::RequireTypeAxpy<T>();
    auto call = sfumato::ascendc::Unary(dst, src, where, params);
    SetMask(&call, isSetMask, mask, repeatTimes);
    call.scalar = sfumato::ascendc::ToBits(scalarValue);
    sfumato::ascendc::vaxpy(call);
}
// dst = src0 * src1 + dst, types as in Axpy.
template <class T, class U>
void MulAddDst(const LocalTensor<T>& dst, const LocalTensor<U>& src0, const LocalTensor<U>& src1,
               const int32_t& calCount, Where where = Where::Here()) {
    sfumato::ascendc::RequireWidening<T, U>();
    sfumato::ascendc::RequireTypeMulAddDst<T>();
    auto call = sfumato::ascendc::Binary(dst, src0, src1, where);
    SetCount(&call, calCount);
    sfumato::ascendc::vmla(call);
}
template <class T, class U, bool isSetMask = true>
void MulAddDst(const LocalTensor<T>& dst, const LocalTensor<U>& src0, const LocalTensor<U>& src1, const uint64_t mask[],
               uint32_t repeatTimes, const BinaryRepeatParams& params, Where where = Where::Here()) {
    sfumato::ascendc::RequireWidening<T, U>();
    sfumato::ascendc::RequireTypeMulAddDst<T>();
    auto call = sfumato::ascendc::Binary(dst, src0, src1, where, params);
    SetMask(&call, isSetMask, mask, repeatTimes);
    sfumato::ascendc::vmla(call);
}
template <class T, class U, bool isSetMask = true>
void MulAddDst(const LocalTensor<T>& dst, const LocalTensor<U>& src0, const LocalTensor<U>& src1, uint64_t mask,
               uint32_t repeatTimes, const BinaryRepeatParams& params, Where where = Where::Here()) {
    sfumato::ascendc::RequireWidening<T, U>();
    sfumato::ascendc::RequireTypeMulAddDst<T>();
    auto call = sfumato::ascendc::Binary(dst, src0, src1, where, params);
    SetMask(&call, isSetMask, mask, repeatTimes);
    sfumato::ascendc::vmla(call);
}
// dst = src >> scalar. roundEn adds the last bit shifted out; for signed types.
template <class T, bool isSetMask = true>
void ShiftRight(const LocalTensor<T>& dst, const LocalTensor<T>& src, const std::type_identity_t<T>& scalarValue,
                const int32_t& calCount, bool roundEn = false, Where where = Where::Here()) {
    sfumato::ascendc::RequireTypeShiftRight<T>();
    auto call = sfumato::ascendc::Unary(dst, src, where);
    SetCount(&call, calCount);
    call.scalar = sfumato::ascendc::ToBits(scalarValue);
    call.rounding = roundEn ? sfumato::Rounding::kRound : sfumato::Rounding::kNone;
    sfumato::ascendc::vshr(call);
}
template <class T, bool isSetMask = true>
void ShiftRight(const LocalTensor<T>& dst, const LocalTensor<T>& src, const std::type_identity_t<T>& scalarValue,
                const uint64_t mask[], uint32_t repeatTimes, const UnaryRepeatParams& params, bool roundEn = false,
                Where where = Where::Here()) {
    sfumato::ascendc::RequireTypeShiftRight<T>();
    auto call = sfumato::ascendc::Unary(dst, src, where, params);
    SetMask(&call, isSetMask, mask, repeatTimes);
    call.scalar = sfumato::ascendc::ToBits(scalarValue);
    call.rounding = roundEn ? sfumato::Rounding::kRound : sfumato::Rounding::kNone;
    sfumato::ascendc::vshr(call);
}
template <class T, bool isSetMask = true>
void ShiftRight(const LocalTensor<T>& dst, const LocalTensor<T>& src, const std::type_identity_t<T>& scalarValue,
                uint64_t mask, uint32_t repeatTimes, const UnaryRepeatParams& params, bool roundEn = false,
                Where where = Where::Here()) {
    sfumato::ascendc::RequireTypeShiftRight<T>();
    auto call = sfumato::ascendc::Unary(dst, src, where, params);
    SetMask(&call, isSetMask, mask, repeatTimes);
    call.scalar = sfumato::ascendc::ToBits(scalarValue);
    call.rounding = roundEn ? sfumato::Rounding::kRound : sfumato::Rounding::kNone;
    sfumato::ascendc::vshr(call);
}

}  // namespace AscendC
