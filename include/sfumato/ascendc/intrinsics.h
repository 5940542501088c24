// SPDX-License-Identifier: Apache-2.0
// The C calls below the tensors, on pointers (language.md 5): the same records as the calls of AscendC, with the mask
// of the register. Strides of vector calls in 32 bytes.
#pragma once

#include "sfumato/ascendc/reduce_types.h"
#include "sfumato/ascendc/select.h"

enum Order_t { VALUE_INDEX = 0, INDEX_VALUE, ONLY_VALUE, ONLY_INDEX };
enum bm_t { BM_DISABLE = 0, BM_ENABLE };

namespace sfumato::ascendc {

// The rest of UB from a pointer into it. Elsewhere: a report and a tensor without memory.
SFUMATO_API LocalView UbFrom(const void* pointer, DataType type, const char* call, Where where);
// Byte `offset` of UB. Outside: a report.
SFUMATO_API void* UbAt(uint64_t offset, const char* call, Where where);
// What get_imm returns: a number, and as a pointer an address of UB.
struct Immediate {
    uint64_t value;
    Where where;
    constexpr operator uint64_t() const { return value; }
    template <class T>
    operator T*() const {
        return static_cast<T*>(UbAt(value, "get_imm", where));
    }
};
// A call on pointers, which keeps the views its operands point to.
template <class Call = VectorCall>
struct RawCall : Call {
    RawCall(const char* call, uint32_t repeats, Where at) : name_(call) {
        this->form = MaskForm::kRegister;
        this->repeat = repeats;
        this->where = at;
    }
    RawCall(const RawCall&) = delete;
    RawCall& operator=(const RawCall&) = delete;
    template <class T>
    RawCall& Dst(const T* p, uint16_t block, uint16_t repeat_stride) {
        return Set(&this->dst, &views_[0], p, block, repeat_stride);
    }
    template <class T>
    RawCall& Src0(const T* p, uint16_t block, uint16_t repeat_stride) {
        return Set(&this->src0, &views_[1], p, block, repeat_stride);
    }
    template <class T>
    RawCall& Src1(const T* p, uint16_t block, uint16_t repeat_stride) {
        return Set(&this->src1, &views_[2], p, block, repeat_stride);
    }

private:
    template <class T>
    RawCall& Set(VectorOperand* operand, LocalView* view, const T* p, uint16_t block, uint16_t repeat_stride) {
        *view = UbFrom(p, kTypeOf<T>, name_, this->where);
        *operand = {view, block, kTypeOf<T>, repeat_stride};
        return *this;
    }
    const char* name_;
    LocalView views_[3];
};

}  // namespace sfumato::ascendc

#define SFUMATO_TWO_SOURCES                                                                       \
    uint32_t repeat, uint16_t dstBlockStride, uint16_t src0BlockStride, uint16_t src1BlockStride, \
        uint16_t dstRepeatStride, uint16_t src0RepeatStride, uint16_t src1RepeatStride
#define SFUMATO_ONE_SOURCE                                                                       \
    uint32_t repeat, uint16_t dstBlockStride, uint16_t srcBlockStride, uint16_t dstRepeatStride, \
        uint16_t srcRepeatStride

// A function for each row of the instruction table with one of these forms, under the name of its opcode.
#define SFUMATO_UNARY(Name, opcode)                                                                \
    template <class T>                                                                             \
    void opcode(T* dst, T* src, SFUMATO_ONE_SOURCE, SFUMATO_AT) {                                  \
        sfumato::ascendc::RequireType##Name<T>();                                                  \
        sfumato::ascendc::RawCall call(#opcode, repeat, where);                                    \
        call.Dst(dst, dstBlockStride, dstRepeatStride).Src0(src, srcBlockStride, srcRepeatStride); \
        sfumato::ascendc::opcode(call);                                                            \
    }
#define SFUMATO_COPY SFUMATO_UNARY
#define SFUMATO_BINARY(Name, opcode)                                                                      \
    template <class T>                                                                                    \
    void opcode(T* dst, T* src0, T* src1, SFUMATO_TWO_SOURCES, SFUMATO_AT) {                              \
        sfumato::ascendc::RequireType##Name<T>();                                                         \
        sfumato::ascendc::RawCall call(#opcode, repeat, where);                                           \
        call.Dst(dst, dstBlockStride, dstRepeatStride);                                                   \
        call.Src0(src0, src0BlockStride, src0RepeatStride).Src1(src1, src1BlockStride, src1RepeatStride); \
        sfumato::ascendc::opcode(call);                                                                   \
    }
#define SFUMATO_SCALAR(Name, opcode)                                                               \
    template <class T>                                                                             \
    void opcode(T* dst, T* src, std::type_identity_t<T> a, SFUMATO_ONE_SOURCE, SFUMATO_AT) {       \
        sfumato::ascendc::RequireType##Name<T>();                                                  \
        sfumato::ascendc::RawCall call(#opcode, repeat, where);                                    \
        call.Dst(dst, dstBlockStride, dstRepeatStride).Src0(src, srcBlockStride, srcRepeatStride); \
        call.scalar = sfumato::ascendc::ToBits(a);                                                 \
        sfumato::ascendc::opcode(call);                                                            \
    }
#define SFUMATO_BINARY_PAIR(Name, opcode)
#define SFUMATO_SCALAR_PAIR(Name, opcode)
#define SFUMATO_SCALAR_ROUND(Name, opcode)
#define SFUMATO_FILL(Name, opcode)
#define SFUMATO_ROW(form, Name, opcode) SFUMATO_##form(Name, opcode)
#include "sfumato/ascendc/rows.inc"
#undef SFUMATO_ROW
#undef SFUMATO_UNARY
#undef SFUMATO_COPY
#undef SFUMATO_BINARY
#undef SFUMATO_SCALAR
#undef SFUMATO_BINARY_PAIR
#undef SFUMATO_SCALAR_PAIR
#undef SFUMATO_SCALAR_ROUND
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

// vconv_f322f16r and the others.
#define SFUMATO_VCONV(name, Dst_, Src_, mode) \
    SFUMATO_API void name(Dst_* dst, Src_* src, SFUMATO_ONE_SOURCE, SFUMATO_AT);
#include "sfumato/ascendc/conversion_names.inc"
#undef SFUMATO_VCONV

// Bits to memory, from two tensors or a tensor and a scalar; bits to CMPMASK.
#define SFUMATO_COMPARE(op, MODE)                                                                           \
    template <class T>                                                                                      \
    void vcmpv_##op(uint8_t* dst, T* src0, T* src1, SFUMATO_TWO_SOURCES, SFUMATO_AT) {                      \
        sfumato::ascendc::RequireTypeCompare<T>();                                                          \
        sfumato::ascendc::RawCall<sfumato::ascendc::CompareCall> call("vcmpv_" #op, repeat, where);         \
        call.Dst(dst, dstBlockStride, dstRepeatStride);                                                     \
        call.Src0(src0, src0BlockStride, src0RepeatStride).Src1(src1, src1BlockStride, src1RepeatStride);   \
        call.name = "vcmpv_" #op, call.mode = AscendC::CMPMODE::MODE;                                       \
        sfumato::ascendc::vcmpv(call);                                                                      \
    }                                                                                                       \
    template <class T>                                                                                      \
    void vcmpvs_##op(uint8_t* dst, T* src0, std::type_identity_t<T> src1, SFUMATO_ONE_SOURCE, SFUMATO_AT) { \
        sfumato::ascendc::RequireTypeCompares<T>();                                                         \
        sfumato::ascendc::RawCall<sfumato::ascendc::CompareCall> call("vcmpvs_" #op, repeat, where);        \
        call.Dst(dst, dstBlockStride, dstRepeatStride).Src0(src0, srcBlockStride, srcRepeatStride);         \
        call.scalar = sfumato::ascendc::ToBits(src1);                                                       \
        call.name = "vcmpvs_" #op, call.mode = AscendC::CMPMODE::MODE;                                      \
        sfumato::ascendc::vcmpvs(call);                                                                     \
    }                                                                                                       \
    template <class T>                                                                                      \
    void vcmp_##op(T* src0, T* src1, SFUMATO_TWO_SOURCES, SFUMATO_AT) {                                     \
        sfumato::ascendc::RequireTypeCompare<T>();                                                          \
        sfumato::ascendc::RawCall<sfumato::ascendc::CompareCall> call("vcmp_" #op, repeat, where);          \
        call.Dst(src0, dstBlockStride, dstRepeatStride);                                                    \
        call.Src0(src0, src0BlockStride, src0RepeatStride).Src1(src1, src1BlockStride, src1RepeatStride);   \
        call.name = "vcmp_" #op, call.mode = AscendC::CMPMODE::MODE;                                        \
        sfumato::ascendc::vcmp(call);                                                                       \
    }
SFUMATO_COMPARE(eq, EQ)
SFUMATO_COMPARE(ne, NE)
SFUMATO_COMPARE(lt, LT)
SFUMATO_COMPARE(gt, GT)
SFUMATO_COMPARE(le, LE)
SFUMATO_COMPARE(ge, GE)
#undef SFUMATO_COMPARE

// selectMode 0: bits in CMPMASK. 1: src1 points to the bits, CMPMASK holds the scalar. 2: CMPMASK holds their address.
template <class T>
void vsel(T* dst, T* src0, void* src1, SFUMATO_TWO_SOURCES, uint8_t selectMode, SFUMATO_AT) {
    sfumato::ascendc::RequireTypeSelect<T>();
    sfumato::ascendc::RawCall<sfumato::ascendc::SelectCall> call("vsel", repeat, where);
    call.Dst(dst, dstBlockStride, dstRepeatStride).Src0(src0, src0BlockStride, src0RepeatStride);
    call.mode = static_cast<AscendC::SELMODE>(selectMode);
    call.from_register = true;
    sfumato::ascendc::LocalView bits;
    if (call.mode == AscendC::SELMODE::VSEL_TENSOR_SCALAR_MODE) {
        bits = sfumato::ascendc::UbFrom(src1, sfumato::DataType::kUint8, "vsel", where);
        call.sel = {&bits, 1, sfumato::DataType::kUint8, 8};
    } else {
        call.Src1(static_cast<T*>(src1), src1BlockStride, src1RepeatStride);
    }
    sfumato::ascendc::vsel(call);
}

#define SFUMATO_EXTREME(opcode, Name)                                                               \
    template <class T>                                                                              \
    void opcode(T* dst, T* src, uint32_t repeat, uint16_t dstRepeatStride, uint16_t srcBlockStride, \
                uint16_t srcRepeatStride, Order_t order, SFUMATO_AT) {                              \
        sfumato::ascendc::RequireType##Name<T>();                                                   \
        sfumato::ascendc::RawCall<sfumato::ascendc::ReduceCall> call(#opcode, repeat, where);       \
        call.Dst(dst, 1, dstRepeatStride).Src0(src, srcBlockStride, srcRepeatStride);               \
        call.name = #opcode, call.order = static_cast<AscendC::ReduceOrder>(order);                 \
        sfumato::ascendc::opcode(call);                                                             \
    }
SFUMATO_EXTREME(vcmax, WholeReduceMax)
SFUMATO_EXTREME(vcmin, WholeReduceMin)
#undef SFUMATO_EXTREME

// Blocks of 32 bytes; sid has no effect. byteMode: lenBurst counts bytes.
#define SFUMATO_BURSTS uint8_t sid, uint16_t nBurst, uint16_t lenBurst, uint16_t srcGap, uint16_t dstGap
SFUMATO_API void copy_gm_to_ubuf(void* dst, void* src, SFUMATO_BURSTS, SFUMATO_AT);
SFUMATO_API void copy_ubuf_to_gm(void* dst, void* src, SFUMATO_BURSTS, SFUMATO_AT);
SFUMATO_API void copy_ubuf_to_gm(void* dst, void* src, SFUMATO_BURSTS, bm_t byteMode, SFUMATO_AT);
SFUMATO_API void copy_ubuf_to_ubuf(void* dst, void* src, SFUMATO_BURSTS, SFUMATO_AT);
#undef SFUMATO_BURSTS

// lenBurst in bytes, paddings in elements of the name; pads hold what set_mov_pad_val gave. On the way to GM there are
// none.
#define SFUMATO_ALIGNED(name)                                                                                \
    SFUMATO_API void name(void* dst, void* src, uint8_t sid, uint16_t nBurst, uint32_t lenBurst,             \
                          uint8_t leftPaddingNum, uint8_t rightPaddingNum, uint32_t srcGap, uint32_t dstGap, \
                          SFUMATO_AT);
SFUMATO_ALIGNED(copy_gm_to_ubuf_align_b8)
SFUMATO_ALIGNED(copy_gm_to_ubuf_align_b16)
SFUMATO_ALIGNED(copy_gm_to_ubuf_align_b32)
SFUMATO_ALIGNED(copy_ubuf_to_gm_align_b8)
SFUMATO_ALIGNED(copy_ubuf_to_gm_align_b16)
SFUMATO_ALIGNED(copy_ubuf_to_gm_align_b32)
#undef SFUMATO_ALIGNED
SFUMATO_API void set_mov_pad_val(uint64_t value, SFUMATO_AT);

// Mask, CMPMASK, control register.
SFUMATO_API void set_vector_mask(uint64_t mask1, uint64_t mask0);
SFUMATO_API void set_vector_mask_dup(uint64_t mask);
SFUMATO_API void set_mask_norm(SFUMATO_AT);
SFUMATO_API void set_mask_count(SFUMATO_AT);
SFUMATO_API void set_cmpmask(void* src, SFUMATO_AT);
SFUMATO_API uint64_t get_ctrl(SFUMATO_AT);
SFUMATO_API void set_ctrl(uint64_t word, SFUMATO_AT);
constexpr uint64_t sbitset0(uint64_t word, int64_t bit) { return word & ~(uint64_t{1} << bit); }
constexpr uint64_t sbitset1(uint64_t word, int64_t bit) { return word | uint64_t{1} << bit; }
// The way programs write a fixed address: (__ubuf__ T*)get_imm(0) is byte 0 of UB.
constexpr sfumato::ascendc::Immediate get_imm(uint64_t value, SFUMATO_AT) { return {value, where}; }
// Elements the last GatherMask wrote.
SFUMATO_API int64_t get_rsvd_cnt();

#undef SFUMATO_TWO_SOURCES
#undef SFUMATO_ONE_SOURCE
