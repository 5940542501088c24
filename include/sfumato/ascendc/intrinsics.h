// SPDX-License-Identifier: Apache-2.0
// The C calls below the tensors, on pointers (language.md 5): the same records as the calls of AscendC, with the mask
// of the register. Here those of the vector unit; strides in 32 bytes.
#pragma once

#include "sfumato/ascendc/raw_move.h"
#include "sfumato/ascendc/raw_scalar.h"

namespace sfumato::ascendc {

SFUMATO_API void MergeRaw(RawPointer dst, const RawPointer (&src)[4], const uint16_t (&lengths)[4], uint8_t repeat,
                          bool suspend, uint8_t valid, Where where);
SFUMATO_API void MergeRaw(RawPointer dst, const RawPointer (&src)[4], uint64_t lengths, uint64_t config, Where where);

}  // namespace sfumato::ascendc

#define SFUMATO_TWO_SOURCES                                                                       \
    uint32_t repeat, uint16_t dstBlockStride, uint16_t src0BlockStride, uint16_t src1BlockStride, \
        uint16_t dstRepeatStride, uint16_t src0RepeatStride, uint16_t src1RepeatStride
#define SFUMATO_ONE_SOURCE                                                                       \
    uint32_t repeat, uint16_t dstBlockStride, uint16_t srcBlockStride, uint16_t dstRepeatStride, \
        uint16_t srcRepeatStride

// A function for each row of the instruction table with one of these forms, under the name of its opcode, and one with
// repeats and strides in a word. Element types are those of the pointers.
#define SFUMATO_UNARY(Name, opcode)                                                                                 \
    SFUMATO_API void opcode(sfumato::ascendc::RawPointer dst, sfumato::ascendc::RawPointer src, SFUMATO_ONE_SOURCE, \
                            SFUMATO_AT);                                                                            \
    SFUMATO_API void opcode(sfumato::ascendc::RawPointer dst, sfumato::ascendc::RawPointer src, uint64_t config,    \
                            SFUMATO_AT);
#define SFUMATO_COPY SFUMATO_UNARY
#define SFUMATO_BINARY(Name, opcode)                                                             \
    SFUMATO_API void opcode(sfumato::ascendc::RawPointer dst, sfumato::ascendc::RawPointer src0, \
                            sfumato::ascendc::RawPointer src1, SFUMATO_TWO_SOURCES, SFUMATO_AT); \
    SFUMATO_API void opcode(sfumato::ascendc::RawPointer dst, sfumato::ascendc::RawPointer src0, \
                            sfumato::ascendc::RawPointer src1, uint64_t config, SFUMATO_AT);
#define SFUMATO_BINARY_PAIR SFUMATO_BINARY
// More, Round: the parameter behind the strides, and the rounding it asks for.
#define SFUMATO_SCALAR_OF(opcode, Head, U, Require, More, Round)                                                     \
    template <SFUMATO_ONLY Head>                                                                                     \
    void opcode(T* dst, const U* src, std::type_identity_t<U> a, SFUMATO_ONE_SOURCE, SFUMATO_ONLY More SFUMATO_AT) { \
        sfumato::ascendc::SFUMATO_ONLY Require();                                                                    \
        sfumato::ascendc::RawCall call(#opcode, repeat, where);                                                      \
        call.One(dst, src, {repeat, dstBlockStride, srcBlockStride, 1, dstRepeatStride, srcRepeatStride});           \
        call.scalar = sfumato::ascendc::ToBits(a);                                                                   \
        call.rounding = Round;                                                                                       \
        sfumato::ascendc::opcode(call);                                                                              \
    }                                                                                                                \
    template <SFUMATO_ONLY Head>                                                                                     \
    void opcode(T* dst, const U* src, std::type_identity_t<U> a, uint64_t config, SFUMATO_AT) {                      \
        sfumato::ascendc::SFUMATO_ONLY Require();                                                                    \
        sfumato::ascendc::RawCall call(#opcode, 1, where);                                                           \
        call.One(dst, src, sfumato::ascendc::RawStrides::OneSource(config, #opcode, where));                         \
        call.scalar = sfumato::ascendc::ToBits(a);                                                                   \
        sfumato::ascendc::opcode(call);                                                                              \
    }
#define SFUMATO_SCALAR(Name, opcode) \
    SFUMATO_SCALAR_OF(opcode, (class T), T, (RequireType##Name<T>), (), sfumato::Rounding::kNone)
#define SFUMATO_SCALAR_PAIR(Name, opcode) \
    SFUMATO_SCALAR_OF(opcode, (class T, class U), U, (RequireType##Name<T, U>), (), sfumato::Rounding::kNone)
#define SFUMATO_SCALAR_ROUND(Name, opcode)                                                  \
    SFUMATO_SCALAR_OF(opcode, (class T), T, (RequireType##Name<T>), (bool round = false, ), \
                      round ? sfumato::Rounding::kRound : sfumato::Rounding::kNone)
#define SFUMATO_FILL(Name, opcode)
#define SFUMATO_ROW(form, Name, opcode) SFUMATO_##form(Name, opcode)
#include "sfumato/ascendc/rows.inc"
#undef SFUMATO_ROW
#undef SFUMATO_UNARY
#undef SFUMATO_COPY
#undef SFUMATO_BINARY
#undef SFUMATO_BINARY_PAIR
#undef SFUMATO_SCALAR
#undef SFUMATO_SCALAR_PAIR
#undef SFUMATO_SCALAR_ROUND
#undef SFUMATO_SCALAR_OF
#undef SFUMATO_FILL

// The strides of the source have no effect.
template <class T>
void vector_dup(T* dst, std::type_identity_t<T> src, uint32_t repeat, uint16_t dstBlockStride, uint16_t,
                uint16_t dstRepeatStride, uint16_t, SFUMATO_AT) {
    sfumato::ascendc::RequireTypeDuplicate<T>();
    sfumato::ascendc::RawCall call("vector_dup", repeat, where);
    call.Dst(dst, dstBlockStride, dstRepeatStride);
    call.scalar = sfumato::ascendc::ToBits(src);
    sfumato::ascendc::vector_dup(call);
}

template <class T>
void vector_dup(T* dst, std::type_identity_t<T> src, uint64_t config, SFUMATO_AT) {
    const auto s = sfumato::ascendc::RawStrides::OneSource(config, "vector_dup", where);
    vector_dup(dst, src, s.repeat, s.dst_block, 1, s.dst_repeat, 0, where);
}

// vconv_f322f16r and the others; pointers to elements of 4 bits are of any type.
#define SFUMATO_VCONV(name, Dst_, Src_, mode)                                          \
    SFUMATO_API void name(Dst_* dst, const Src_* src, SFUMATO_ONE_SOURCE, SFUMATO_AT); \
    SFUMATO_API void name(Dst_* dst, const Src_* src, uint64_t config, SFUMATO_AT);
#define SFUMATO_VCONV_TO_S4(name, Src_, mode) SFUMATO_VCONV(name, void, Src_, mode)
#define SFUMATO_VCONV_FROM_S4(name, Dst_, mode) SFUMATO_VCONV(name, Dst_, void, mode)
#include "sfumato/ascendc/conversion_names.inc"
// By the scale that set_deqscale gave.
SFUMATO_VCONV(vconv_deq, sfumato::half, int32_t, CAST_NONE)
#undef SFUMATO_VCONV
#undef SFUMATO_VCONV_TO_S4
#undef SFUMATO_VCONV_FROM_S4
// To int8_t or uint8_t, into the high or the low half of each block; vdeq: by 16 words in UB.
#define SFUMATO_VCONV_DEQ(name) \
    SFUMATO_API void name(sfumato::ascendc::RawPointer dst, const int16_t* src, SFUMATO_ONE_SOURCE, SFUMATO_AT);
SFUMATO_VCONV_DEQ(vconv_deqs162b8h)
SFUMATO_VCONV_DEQ(vconv_deqs162b8l)
SFUMATO_VCONV_DEQ(vconv_vdeqs162b8h)
SFUMATO_VCONV_DEQ(vconv_vdeqs162b8l)
#undef SFUMATO_VCONV_DEQ

// Bits to memory, from two tensors or a tensor and a scalar; bits to CMPMASK.
#define SFUMATO_COMPARE(op, MODE)                                                                                   \
    SFUMATO_API void vcmpv_##op(uint8_t* dst, sfumato::ascendc::RawPointer src0, sfumato::ascendc::RawPointer src1, \
                                SFUMATO_TWO_SOURCES, SFUMATO_AT);                                                   \
    SFUMATO_API void vcmp_##op(sfumato::ascendc::RawPointer src0, sfumato::ascendc::RawPointer src1,                \
                               SFUMATO_TWO_SOURCES, SFUMATO_AT);                                                    \
    template <class T>                                                                                              \
    void vcmpvs_##op(uint8_t* dst, const T* src0, std::type_identity_t<T> src1, SFUMATO_ONE_SOURCE, SFUMATO_AT) {   \
        sfumato::ascendc::RequireTypeCompares<T>();                                                                 \
        sfumato::ascendc::RawCall<sfumato::ascendc::CompareCall> call("vcmpvs_" #op, repeat, where);                \
        call.One(dst, src0, {repeat, dstBlockStride, srcBlockStride, 1, dstRepeatStride, srcRepeatStride});         \
        call.scalar = sfumato::ascendc::ToBits(src1);                                                               \
        call.name = "Compares", call.mode = AscendC::CMPMODE::MODE;                                                 \
        sfumato::ascendc::vcmpvs(call);                                                                             \
    }
SFUMATO_COMPARE(eq, EQ)
SFUMATO_COMPARE(ne, NE)
SFUMATO_COMPARE(lt, LT)
SFUMATO_COMPARE(gt, GT)
SFUMATO_COMPARE(le, LE)
SFUMATO_COMPARE(ge, GE)
#undef SFUMATO_COMPARE

// selectMode 0: bits in CMPMASK. 1: src1 points to the bits, CMPMASK holds the scalar. 2: CMPMASK holds their address.
SFUMATO_API void vsel(sfumato::ascendc::RawPointer dst, sfumato::ascendc::RawPointer src0, const void* src1,
                      SFUMATO_TWO_SOURCES, uint8_t selectMode, SFUMATO_AT);

// One result a repeat, or a block, or a pair of neighbours.
#define SFUMATO_RESULTS                                                                                            \
    sfumato::ascendc::RawPointer dst, sfumato::ascendc::RawPointer src, uint32_t repeat, uint16_t dstRepeatStride, \
        uint16_t srcBlockStride, uint16_t srcRepeatStride
#define SFUMATO_REDUCE(opcode)                                                                                   \
    SFUMATO_API void opcode(sfumato::ascendc::RawPointer dst, sfumato::ascendc::RawPointer src, uint64_t config, \
                            SFUMATO_AT);
SFUMATO_REDUCE(vcmax)
SFUMATO_REDUCE(vcmin)
SFUMATO_REDUCE(vcadd)
SFUMATO_REDUCE(vcgadd)
SFUMATO_REDUCE(vcgmax)
SFUMATO_REDUCE(vcgmin)
SFUMATO_REDUCE(vcpadd)
SFUMATO_API void vcmax(SFUMATO_RESULTS, Order_t order = VALUE_INDEX, SFUMATO_AT);
SFUMATO_API void vcmin(SFUMATO_RESULTS, Order_t order = VALUE_INDEX, SFUMATO_AT);
SFUMATO_API void vcgadd(SFUMATO_RESULTS, SFUMATO_AT);
SFUMATO_API void vcgmax(SFUMATO_RESULTS, SFUMATO_AT);
SFUMATO_API void vcgmin(SFUMATO_RESULTS, SFUMATO_AT);
SFUMATO_API void vcpadd(SFUMATO_RESULTS, SFUMATO_AT);
// mode true: the sum of all repeats to the register that get_acc_val reads; dst is not written and may be null.
SFUMATO_API void vcadd(SFUMATO_RESULTS, bool mode = false, SFUMATO_AT);
#undef SFUMATO_REDUCE
#undef SFUMATO_RESULTS

// Each of 8 elements a repeat to a block of 32 bytes.
SFUMATO_API void vbrcb(sfumato::ascendc::RawPointer dst, sfumato::ascendc::RawPointer src, uint16_t dstBlockStride,
                       uint16_t dstRepeatStride, uint32_t repeat, SFUMATO_AT);
// 16 x 16 elements of 16 bits.
SFUMATO_API void vtranspose(sfumato::ascendc::RawPointer dst, sfumato::ascendc::RawPointer src, SFUMATO_AT);
// base: an address of UB as a number, or the low half of one.
SFUMATO_API void vgather(sfumato::ascendc::RawPointer dst, const uint32_t* offsets, uint64_t base,
                         uint16_t dstRepeatStride, uint32_t repeat, SFUMATO_AT);
SFUMATO_API void vbitsort(sfumato::ascendc::RawPointer dst, sfumato::ascendc::RawPointer src, const uint32_t* index,
                          uint32_t repeat, SFUMATO_AT);
// Up to four queues. lengths: 16 bits each; config: repeats, which queues are valid from bit 8 on, suspension in
// bit 12.
template <class T>
void vmrgsort4(T* dst, T* const* src, uint8_t repeat, uint16_t length0, uint16_t length1, uint16_t length2,
               uint16_t length3, bool suspend, uint8_t valid, SFUMATO_AT) {
    const sfumato::ascendc::RawPointer queues[4] = {src[0], src[1], src[2], src[3]};
    const uint16_t lengths[4] = {length0, length1, length2, length3};
    sfumato::ascendc::MergeRaw(dst, queues, lengths, repeat, suspend, valid, where);
}
template <class T>
void vmrgsort4(T* dst, T* const* src, uint64_t lengths, uint64_t config, SFUMATO_AT) {
    const sfumato::ascendc::RawPointer queues[4] = {src[0], src[1], src[2], src[3]};
    sfumato::ascendc::MergeRaw(dst, queues, lengths, config, where);
}
// pattern 0: the bits lie at src1.
SFUMATO_API void vreducev2(sfumato::ascendc::RawPointer dst, sfumato::ascendc::RawPointer src0,
                           sfumato::ascendc::RawPointer src1, uint16_t repeat, uint8_t src0BlockStride, uint8_t pattern,
                           uint16_t src0RepeatStride, uint8_t src1RepeatStride, SFUMATO_AT);

// Lists of 8 blocks, by address; a list of 16 is a register and the one behind it.
SFUMATO_API void set_va_reg_sb(sfumato::ascendc::raw_names::ub_addr8_t reg, const uint64_t* addresses, SFUMATO_AT);
#define SFUMATO_SCATTER(name, ...)                                                                                  \
    SFUMATO_API void name(sfumato::ascendc::raw_names::ub_addr8_t dst, sfumato::ascendc::raw_names::ub_addr8_t src, \
                          uint8_t repeat, uint16_t dstStride, uint16_t srcStride,                                   \
                          __VA_ARGS__ __VA_OPT__(, ) SFUMATO_AT);
SFUMATO_SCATTER(scatter_vnchwconv_b8, bool dstHighHalf, bool srcHighHalf)
SFUMATO_SCATTER(scatter_vnchwconv_b16)
SFUMATO_SCATTER(scatter_vnchwconv_b32)
#undef SFUMATO_SCATTER

// Mask, CMPMASK.
SFUMATO_API void set_vector_mask(uint64_t mask1, uint64_t mask0);
SFUMATO_API void set_vector_mask_dup(uint64_t mask);
SFUMATO_API void set_mask_norm(SFUMATO_AT);
SFUMATO_API void set_mask_count(SFUMATO_AT);
SFUMATO_API void set_cmpmask(const void* src, SFUMATO_AT);
SFUMATO_API void get_cmpmask(void* dst, SFUMATO_AT);

#undef SFUMATO_TWO_SOURCES
#undef SFUMATO_ONE_SOURCE
