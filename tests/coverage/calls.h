// SPDX-License-Identifier: Apache-2.0
// The calls of the generated table: how a case is made a call of Ascend C, and what record it must amount to.
#pragma once

#include <vector>

#include "isa/record.h"
#include "kernel_operator.h"
#include "support/tensor_at.h"

namespace sfumato::coverage {

enum class Form { kCount, kNumber, kBits, kRegister, kCounter };

// Where the operands lie in UB.
constexpr uint32_t kDst = 0, kSrc0 = 48 * 1024, kSrc1 = 96 * 1024, kThird = 144 * 1024, kRoom = 32 * 1024;
constexpr uint32_t kUbBytes = kThird + kRoom;
constexpr uint32_t kBase = 64;  // of gathers, in bytes

// One call: its form, mask and strides, and what some instructions take beside them.
struct Case {
    Form form = Form::kCount;
    uint64_t count = 0;     // kCount, kNumber, kCounter
    uint64_t bits[2] = {};  // kBits, kRegister
    uint32_t repeat = 1;
    uint8_t dst_block = 1, dst_repeat = 8, src_block = 1, src_repeat = 8;
    uint64_t scalar = 0;
    bool rounds = false;                  // ShiftRight
    Rounding rounding = Rounding::kNone;  // Cast
    bool half_block = false;              // CastDeq
    int mode = 0;                         // CMPMODE, SELMODE, ReduceOrder
    bool word = false;                    // repeats and strides as one word

    AscendC::UnaryRepeatParams Unary() const { return {dst_block, src_block, dst_repeat, src_repeat}; }
    AscendC::BinaryRepeatParams Binary() const {
        return {dst_block, src_block, src_block, dst_repeat, src_repeat, src_repeat};
    }
    template <class T>
    T Scalar() const {
        return ascendc::FromBits<T>(scalar);
    }
};

struct Call {
    isa::Opcode op;
    DataType dst, src;
    void (*run)(const Case&);
    const char* exempt = nullptr;  // why it is not executed here, and what executes it
    bool raw = false;              // in its raw spelling: by the mask register alone
    bool words = false;            // which has a form with a word
};

template <class T>
AscendC::LocalTensor<T> Tensor(uint32_t at) {
    const auto count = static_cast<uint32_t>(kRoom * 8 / BitsOf(ascendc::kTypeOf<T>));
    return TensorAt<T>(AscendC::TPosition::VECCALC, at, count);
}
template <class T, class U>
struct Tensors {
    AscendC::LocalTensor<T> dst = Tensor<T>(kDst);
    AscendC::LocalTensor<U> src0 = Tensor<U>(kSrc0), src1 = Tensor<U>(kSrc1);
};

extern const std::vector<Call> kElementwiseCalls, kOtherCalls, kRawCalls;

// A form of C++ that takes a count, a mask of either kind, or the mask register.
#define SFUMATO_LIST(...) __VA_ARGS__
#define SFUMATO_FOUR_FORMS(Name, opcode, T, U, Types, Operands, Strides)                                     \
    {isa::Opcode::opcode, ascendc::kTypeOf<T>, ascendc::kTypeOf<U>, [](const Case& c) {                      \
         const Tensors<T, U> t;                                                                              \
         switch (c.form) {                                                                                   \
             case Form::kCount: Name(SFUMATO_LIST Operands, static_cast<int32_t>(c.count)); break;           \
             case Form::kBits: Name(SFUMATO_LIST Operands, c.bits, c.repeat, SFUMATO_LIST Strides); break;   \
             case Form::kRegister:                                                                           \
                 Name<SFUMATO_LIST Types, false>(SFUMATO_LIST Operands, AscendC::MASK_PLACEHOLDER, c.repeat, \
                                                 SFUMATO_LIST Strides);                                      \
                 break;                                                                                      \
             default: Name(SFUMATO_LIST Operands, c.count, c.repeat, SFUMATO_LIST Strides); break;           \
         }                                                                                                   \
     }},

}  // namespace sfumato::coverage
