// SPDX-License-Identifier: Apache-2.0
// Calls of AscendC::Reg from registers to registers (arch950.md 2.7 to 2.11).
#pragma once

#include "sfumato/ascendc/reg/at_once.h"
#include "sfumato/ascendc/reg/issue.h"

namespace sfumato::ascendc::reg {

using AscendC::Reg::MaskMergeMode;
using AscendC::Reg::Register;

// A call of elements of type T; `result` of those of dst.
template <class T, class To, class Dst>
RegisterCall CallOf(RegisterOp op, Dst& dst, const MaskRegister* mask = nullptr) {
    RegisterCall call;
    call.op = op;
    call.type = RegisterTypeOf<T>();
    call.to = RegisterTypeOf<To>();
    call.registers = Dst::kRegisters;
    call.dst = dst.reg;
    call.mask = mask;
    return call;
}
constexpr MaskMergeMode MergeOf(MaskMergeMode mode) { return mode; }
template <class Specific>
constexpr MaskMergeMode MergeOf(const Specific& specific) {
    return specific.mrgMode;
}
// As a template argument it is a pointer to a constant, or the constant itself.
template <class Specific>
constexpr MaskMergeMode MergeOf(const Specific* specific) {
    return specific->mrgMode;
}
// Whether the algorithm keeps subnormal numbers.
constexpr bool KeepsSubnormals(MaskMergeMode) { return false; }
template <class Specific>
constexpr bool KeepsSubnormals(const Specific& specific) {
    using A = std::remove_cvref_t<decltype(specific.algo)>;
    bool keeps = specific.algo == A::PRECISION_1ULP_FTZ_FALSE;
    if constexpr (requires { A::PRECISION_0ULP_FTZ_FALSE; })
        keeps = keeps || specific.algo == A::PRECISION_0ULP_FTZ_FALSE;
    return keeps;
}
template <class Specific>
constexpr bool KeepsSubnormals(const Specific* specific) {
    return KeepsSubnormals(*specific);
}

}  // namespace sfumato::ascendc::reg

namespace AscendC::Reg {

using sfumato::RegisterCall;
using sfumato::RegisterOp;

#define SFUMATO_MERGES(mode, name) \
    static_assert(mode == MaskMergeMode::ZEROING, "MERGING is not supported by Reg::" name " [mode-unsupported]")

// Two sources.
#define SFUMATO_REG_BINARY(Name, op, merges)                                                                    \
    template <typename T = DefaultType, auto mode = MaskMergeMode::ZEROING, Register U>                         \
    void Name(U& dstReg, const U& srcReg0, const U& srcReg1, const MaskReg& mask, SFUMATO_AT) {                 \
        using E = sfumato_::ElementOfCall<T, U>;                                                                \
        if constexpr (!merges) SFUMATO_MERGES(reg_::MergeOf(mode), #Name);                                      \
        if constexpr (std::is_same_v<E, float> && reg_::kOfFloats<RegisterOp::op>) {                            \
            if (reg_::FloatsAtOnce(dstReg.reg, srcReg0.reg, srcReg1.reg, mask, reg_::kOfFloat<RegisterOp::op>)) \
                return;                                                                                         \
        }                                                                                                       \
        RegisterCall call = reg_::CallOf<E, E>(RegisterOp::op, dstReg, &mask);                                  \
        call.src0 = srcReg0.reg, call.src1 = srcReg1.reg;                                                       \
        call.merging = reg_::MergeOf(mode) == MaskMergeMode::MERGING;                                           \
        call.keeps_subnormals = reg_::KeepsSubnormals(mode);                                                    \
        reg_::Lanes(call, #Name, where);                                                                        \
    }
SFUMATO_REG_BINARY(Add, kAdd, true)
SFUMATO_REG_BINARY(Sub, kSub, false)
SFUMATO_REG_BINARY(Mul, kMul, false)
SFUMATO_REG_BINARY(Div, kDiv, false)
SFUMATO_REG_BINARY(Max, kMax, true)
SFUMATO_REG_BINARY(Min, kMin, true)
SFUMATO_REG_BINARY(AbsSub, kAbsSub, false)
SFUMATO_REG_BINARY(FusedAbsSub, kAbsSub, false)
SFUMATO_REG_BINARY(Prelu, kPrelu, false)
SFUMATO_REG_BINARY(And, kAnd, false)
SFUMATO_REG_BINARY(Or, kOr, false)
SFUMATO_REG_BINARY(Xor, kXor, false)
SFUMATO_REG_BINARY(MulAddDst, kMulAddDst, false)
SFUMATO_REG_BINARY(MulDstAdd, kMulDstAdd, false)
SFUMATO_REG_BINARY(FusedMulDstAdd, kMulDstAdd, false)
#undef SFUMATO_REG_BINARY

// A source and a scalar of the elements' type.
#define SFUMATO_REG_SCALAR(Name, op)                                                                         \
    template <typename T = DefaultType, typename U, MaskMergeMode mode = MaskMergeMode::ZEROING, Register S> \
    void Name(S& dstReg, const S& srcReg, U scalarValue, const MaskReg& mask, SFUMATO_AT) {                  \
        using E = sfumato_::ElementOfCall<T, S>;                                                             \
        SFUMATO_MERGES(mode, #Name);                                                                         \
        if constexpr (std::is_same_v<E, float> && reg_::kOfFloats<RegisterOp::op>) {                         \
            if (reg_::FloatsAtOnce(dstReg.reg, srcReg.reg, static_cast<float>(scalarValue), mask,            \
                                   reg_::kOfFloat<RegisterOp::op>))                                          \
                return;                                                                                      \
        }                                                                                                    \
        RegisterCall call = reg_::CallOf<E, E>(RegisterOp::op, dstReg, &mask);                               \
        call.src0 = srcReg.reg, call.scalar = sfumato_::ScalarBits(static_cast<E>(scalarValue));             \
        reg_::Lanes(call, #Name, where);                                                                     \
    }
SFUMATO_REG_SCALAR(Adds, kAdd)
SFUMATO_REG_SCALAR(Muls, kMul)
SFUMATO_REG_SCALAR(Maxs, kMax)
SFUMATO_REG_SCALAR(Mins, kMin)
SFUMATO_REG_SCALAR(LeakyRelu, kPrelu)
SFUMATO_REG_SCALAR(Axpy, kAxpy)
#undef SFUMATO_REG_SCALAR

#define SFUMATO_REG_UNARY(Name, op)                                                     \
    template <typename T = DefaultType, auto mode = MaskMergeMode::ZEROING, Register U> \
    void Name(U& dstReg, const U& srcReg, const MaskReg& mask, SFUMATO_AT) {            \
        using E = sfumato_::ElementOfCall<T, U>;                                        \
        SFUMATO_MERGES(reg_::MergeOf(mode), #Name);                                     \
        RegisterCall call = reg_::CallOf<E, E>(RegisterOp::op, dstReg, &mask);          \
        call.src0 = srcReg.reg;                                                         \
        call.keeps_subnormals = reg_::KeepsSubnormals(mode);                            \
        reg_::Lanes(call, #Name, where);                                                \
    }
SFUMATO_REG_UNARY(Neg, kNeg)
SFUMATO_REG_UNARY(Not, kNot)
SFUMATO_REG_UNARY(Relu, kRelu)
SFUMATO_REG_UNARY(Exp, kExp)
SFUMATO_REG_UNARY(Ln, kLn)
SFUMATO_REG_UNARY(Log, kLn)
SFUMATO_REG_UNARY(Log2, kLog2)
SFUMATO_REG_UNARY(Log10, kLog10)
SFUMATO_REG_UNARY(Sqrt, kSqrt)
#undef SFUMATO_REG_UNARY

// The modulus where the types differ.
template <typename T = DefaultType, typename U = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, Register S,
          Register V>
void Abs(S& dstReg, const V& srcReg, const MaskReg& mask, SFUMATO_AT) {
    using From = sfumato_::ElementOfCall<U, V>;
    using To = sfumato_::ElementOfCall<T, S>;
    SFUMATO_MERGES(mode, "Abs");
    RegisterCall call = reg_::CallOf<From, To>(RegisterOp::kAbs, dstReg, &mask);
    call.registers = V::kRegisters;
    call.src0 = srcReg.reg;
    reg_::Lanes(call, "Abs", where);
}

#define SFUMATO_REG_SHIFT(Name, op)                                                                            \
    template <typename T = DefaultType, typename U = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, \
              Register S, Register V>                                                                          \
    void Name(S& dstReg, const S& srcReg0, const V& srcReg1, const MaskReg& mask, SFUMATO_AT) {                \
        using E = sfumato_::ElementOfCall<T, S>;                                                               \
        SFUMATO_MERGES(mode, #Name);                                                                           \
        RegisterCall call = reg_::CallOf<E, E>(RegisterOp::op, dstReg, &mask);                                 \
        call.src0 = srcReg0.reg, call.src1 = srcReg1.reg;                                                      \
        reg_::Lanes(call, #Name, where);                                                                       \
    }                                                                                                          \
    template <typename T = DefaultType, typename U, MaskMergeMode mode = MaskMergeMode::ZEROING, Register S>   \
    void Name##s(S& dstReg, const S& srcReg, U scalarValue, const MaskReg& mask, SFUMATO_AT) {                 \
        using E = sfumato_::ElementOfCall<T, S>;                                                               \
        SFUMATO_MERGES(mode, #Name "s");                                                                       \
        RegisterCall call = reg_::CallOf<E, E>(RegisterOp::op, dstReg, &mask);                                 \
        call.src0 = srcReg.reg, call.scalar = sfumato_::ScalarBits(static_cast<int16_t>(scalarValue));         \
        reg_::Lanes(call, #Name "s", where);                                                                   \
    }
SFUMATO_REG_SHIFT(ShiftLeft, kShiftLeft)
SFUMATO_REG_SHIFT(ShiftRight, kShiftRight)
#undef SFUMATO_REG_SHIFT

// Carries that are written, and in the second form read.
#define SFUMATO_REG_CARRY(Name, op)                                                                             \
    template <typename T = DefaultType, Register U>                                                             \
    void Name(MaskReg& carry, U& dstReg, const U& srcReg0, const U& srcReg1, const MaskReg& mask, SFUMATO_AT) { \
        using E = sfumato_::ElementOfCall<T, U>;                                                                \
        RegisterCall call = reg_::CallOf<E, E>(RegisterOp::op, dstReg, &mask);                                  \
        call.src0 = srcReg0.reg, call.src1 = srcReg1.reg, call.result = &carry;                                 \
        reg_::Lanes(call, #Name, where);                                                                        \
    }                                                                                                           \
    template <typename T = DefaultType, Register U>                                                             \
    void Name##C(MaskReg& carry, U& dstReg, const U& srcReg0, const U& srcReg1, const MaskReg& carrySrc,        \
                 const MaskReg& mask, SFUMATO_AT) {                                                             \
        using E = sfumato_::ElementOfCall<T, U>;                                                                \
        RegisterCall call = reg_::CallOf<E, E>(RegisterOp::op, dstReg, &mask);                                  \
        call.src0 = srcReg0.reg, call.src1 = srcReg1.reg, call.result = &carry, call.carry = &carrySrc;         \
        reg_::Lanes(call, #Name "C", where);                                                                    \
    }
SFUMATO_REG_CARRY(Add, kAddCarry)
SFUMATO_REG_CARRY(Sub, kSubCarry)
#undef SFUMATO_REG_CARRY
template <typename T = DefaultType, Register U>
void Mull(U& dstReg0, U& dstReg1, const U& srcReg0, const U& srcReg1, const MaskReg& mask, SFUMATO_AT) {
    using E = sfumato_::ElementOfCall<T, U>;
    RegisterCall call = reg_::CallOf<E, E>(RegisterOp::kMull, dstReg0, &mask);
    call.dst1 = dstReg1.reg, call.src0 = srcReg0.reg, call.src1 = srcReg1.reg;
    reg_::Lanes(call, "Mull", where);
}

template <typename T = DefaultType, CMPMODE mode = CMPMODE::EQ, Register U>
void Compare(MaskReg& dst, const U& srcReg0, const U& srcReg1, const MaskReg& mask, SFUMATO_AT) {
    using E = sfumato_::ElementOfCall<T, U>;
    RegisterCall call;
    call.op = RegisterOp::kCompare, call.type = call.to = sfumato_::RegisterTypeOf<E>();
    call.registers = U::kRegisters, call.mask = &mask, call.result = &dst;
    call.src0 = srcReg0.reg, call.src1 = srcReg1.reg, call.mode = static_cast<uint8_t>(mode);
    reg_::Lanes(call, "Compare", where);
}
template <typename T = DefaultType, CMPMODE mode = CMPMODE::EQ, Register U, typename S>
requires(!Register<S>) void Compares(MaskReg& dst, const U& srcReg, S scalarValue, const MaskReg& mask, SFUMATO_AT) {
    using E = sfumato_::ElementOfCall<T, U>;
    RegisterCall call;
    call.op = RegisterOp::kCompare, call.type = call.to = sfumato_::RegisterTypeOf<E>();
    call.registers = U::kRegisters, call.mask = &mask, call.result = &dst;
    call.src0 = srcReg.reg, call.scalar = sfumato_::ScalarBits(static_cast<E>(scalarValue));
    call.mode = static_cast<uint8_t>(mode);
    reg_::Lanes(call, "Compares", where);
}
template <typename T = DefaultType, CMPMODE mode = CMPMODE::EQ, Register U, typename S>
requires(!Register<S>) void CompareScalar(MaskReg& dst, const U& srcReg, S scalarValue, const MaskReg& mask,
                                          SFUMATO_AT) {
    Compares<T, mode>(dst, srcReg, scalarValue, mask, where);
}
template <typename T = DefaultType, Register U>
void Select(U& dstReg, const U& srcReg0, const U& srcReg1, const MaskReg& mask, SFUMATO_AT) {
    using E = sfumato_::ElementOfCall<T, U>;
    RegisterCall call = reg_::CallOf<E, E>(RegisterOp::kSelect, dstReg, &mask);
    call.src0 = srcReg0.reg, call.src1 = srcReg1.reg;
    reg_::Lanes(call, "Select", where);
}

}  // namespace AscendC::Reg
