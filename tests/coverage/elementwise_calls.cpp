// SPDX-License-Identifier: Apache-2.0
// The calls of rows whose C++ is generated.
#include "coverage/calls.h"

namespace sfumato::coverage {

using namespace AscendC;

#define SFUMATO_CALL(form, Name, opcode, T, U) SFUMATO_CALL_##form(Name, opcode, T, U)
#define SFUMATO_RULE(Name)
#define SFUMATO_CALL_BY_HAND(Name, opcode, T, U)
#define SFUMATO_CALL_UNARY(Name, opcode, T, U) SFUMATO_FOUR_FORMS(Name, opcode, T, U, (T), (t.dst, t.src0), (c.Unary()))
#define SFUMATO_CALL_COPY(Name, opcode, T, U)                                                              \
    {isa::Opcode::opcode, ascendc::kTypeOf<T>, ascendc::kTypeOf<U>, [](const Case& c) {                    \
         const Tensors<T, U> t;                                                                            \
         const CopyRepeatParams params{c.dst_block, c.src_block, c.dst_repeat, c.src_repeat};              \
         switch (c.form) {                                                                                 \
             case Form::kBits: Name(t.dst, t.src0, c.bits, static_cast<uint8_t>(c.repeat), params); break; \
             case Form::kRegister:                                                                         \
                 Name<T, false>(t.dst, t.src0, MASK_PLACEHOLDER, static_cast<uint8_t>(c.repeat), params);  \
                 break;                                                                                    \
             default: Name(t.dst, t.src0, c.count, static_cast<uint8_t>(c.repeat), params); break;         \
         }                                                                                                 \
     }},
#define SFUMATO_CALL_BINARY(Name, opcode, T, U) \
    SFUMATO_FOUR_FORMS(Name, opcode, T, U, (T), (t.dst, t.src0, t.src1), (c.Binary()))
#define SFUMATO_CALL_BINARY_PAIR(Name, opcode, T, U) \
    SFUMATO_FOUR_FORMS(Name, opcode, T, U, (T, U), (t.dst, t.src0, t.src1), (c.Binary()))
#define SFUMATO_CALL_SCALAR(Name, opcode, T, U) \
    SFUMATO_FOUR_FORMS(Name, opcode, T, U, (T), (t.dst, t.src0, c.Scalar<U>()), (c.Unary()))
#define SFUMATO_CALL_SCALAR_PAIR(Name, opcode, T, U) \
    SFUMATO_FOUR_FORMS(Name, opcode, T, U, (T, U), (t.dst, t.src0, c.Scalar<U>()), (c.Unary()))
#define SFUMATO_CALL_SCALAR_ROUND(Name, opcode, T, U)                                                        \
    {isa::Opcode::opcode, ascendc::kTypeOf<T>, ascendc::kTypeOf<U>, [](const Case& c) {                      \
         const Tensors<T, U> t;                                                                              \
         const T scalar = c.Scalar<T>();                                                                     \
         switch (c.form) {                                                                                   \
             case Form::kCount: Name(t.dst, t.src0, scalar, static_cast<int32_t>(c.count), c.rounds); break; \
             case Form::kBits: Name(t.dst, t.src0, scalar, c.bits, c.repeat, c.Unary(), c.rounds); break;    \
             case Form::kRegister:                                                                           \
                 Name<T, false>(t.dst, t.src0, scalar, MASK_PLACEHOLDER, c.repeat, c.Unary(), c.rounds);     \
                 break;                                                                                      \
             default: Name(t.dst, t.src0, scalar, c.count, c.repeat, c.Unary(), c.rounds); break;            \
         }                                                                                                   \
     }},
#define SFUMATO_CALL_FILL(Name, opcode, T, U) \
    SFUMATO_FOUR_FORMS(Name, opcode, T, U, (T), (t.dst, c.Scalar<T>()), (c.dst_block, c.dst_repeat))

const std::vector<Call> kElementwiseCalls = {
#include "calls.inc"
};

}  // namespace sfumato::coverage
