// SPDX-License-Identifier: Apache-2.0
// What raw calls share (language.md 5): their enumerations, pointers as operands, words that hold strides.
#pragma once

#include "sfumato/ascendc/copy_types.h"
#include "sfumato/ascendc/cross_core.h"
#include "sfumato/ascendc/reduce_types.h"
#include "sfumato/ascendc/select.h"

// The names of two types that raw code uses. Compilers have words of these names, so that no alias can have them.
#undef __fp16
#undef __bf16
#define __fp16 ::sfumato::half
#define __bf16 ::sfumato::bfloat16_t

enum Order_t { VALUE_INDEX = 0, INDEX_VALUE, ONLY_VALUE, ONLY_INDEX };
enum bm_t { BM_DISABLE = 0, BM_ENABLE };
enum cache_line_t { SINGLE_CACHE_LINE = 0, ENTIRE_DATA_CACHE };
enum dcci_dst_t { CACHELINE_ALL = 0, CACHELINE_UB, CACHELINE_OUT, CACHELINE_ATOMIC };
enum mem_dsb_t { DSB_ALL = 0, DSB_DDR, DSB_UB, DSB_SEQ };
// What copy_matrix_cc_to_ubuf does besides moving; the types of the pointers say what it converts.
enum ConvRelu_t {
    CRMODE_NONE = 0,
    CRMODE_F32toF16_NONE,
    CRMODE_F32toF16_RELU,
    CRMODE_S32toF16_NONE,
    CRMODE_F16toF16_RELU,
    CRMODE_NONE_RELU,
    CRMODE_F16_MUL,
    CRMODE_S32toF16_DEQSCALE_SPR
};

namespace sfumato::ascendc {

// Words of raw code that programs use for things of their own, too: found where nothing nearer has the name.
namespace raw_names {
enum addr_cal_mode_t { inc = 0, dec };
enum ub_addr8_t { VA0 = 0, VA1, VA2, VA3, VA4, VA5, VA6, VA7 };
}  // namespace raw_names

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

// The elements of a pointer as raw code has it; kCount: of void and of what is no element.
template <class T>
constexpr DataType ElementOf() {
    using U = std::remove_cv_t<T>;
    if constexpr (std::is_integral_v<U>) {
        constexpr DataType kTypes[2][4] = {{DataType::kUint8, DataType::kUint16, DataType::kUint32, DataType::kUint64},
                                           {DataType::kInt8, DataType::kInt16, DataType::kInt32, DataType::kInt64}};
        return kTypes[std::is_signed_v<U>][sizeof(U) == 1 ? 0 : sizeof(U) == 2 ? 1 : sizeof(U) == 4 ? 2 : 3];
    } else if constexpr (std::is_floating_point_v<U> || std::is_same_v<U, half> || std::is_same_v<U, bfloat16_t> ||
                         std::is_same_v<U, int4b_t>) {
        return kTypeOf<U>;
    } else {
        return DataType::kCount;
    }
}

// A pointer to elements of a type, or of none.
struct RawPointer {
    constexpr RawPointer(decltype(nullptr)) {}
    template <class T>
    constexpr RawPointer(T* p) : address(const_cast<const std::remove_cv_t<T>*>(p)), type(ElementOf<T>()) {}
    const void* address = nullptr;
    DataType type = DataType::kCount;
};

// Repeats and strides of a call, which some forms have as one word (language.md 5).
struct RawStrides {
    uint32_t repeat = 1;
    uint16_t dst_block = 1, src0_block = 1, src1_block = 1, dst_repeat = 8, src0_repeat = 8, src1_repeat = 8;

    static constexpr RawStrides TwoSources(uint32_t repeat, uint16_t dst_block, uint16_t src0_block,
                                           uint16_t src1_block, uint16_t dst_repeat, uint16_t src0_repeat,
                                           uint16_t src1_repeat) {
        return {repeat, dst_block, src0_block, src1_block, dst_repeat, src0_repeat, src1_repeat};
    }
    static constexpr RawStrides OneSource(uint32_t repeat, uint16_t dst_block, uint16_t src_block, uint16_t dst_repeat,
                                          uint16_t src_repeat) {
        return {repeat, dst_block, src_block, 1, dst_repeat, src_repeat};
    }
    static constexpr RawStrides Results(uint32_t repeat, uint16_t dst_repeat, uint16_t src_block, uint16_t src_repeat) {
        return {repeat, 1, src_block, 1, dst_repeat, src_repeat};
    }
    static SFUMATO_API RawStrides TwoSources(uint64_t config, const char* call, Where where);
    static SFUMATO_API RawStrides OneSource(uint64_t config, const char* call, Where where);
    static SFUMATO_API RawStrides Results(uint64_t config, const char* call, Where where);
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
    RawCall& One(RawPointer d, RawPointer s, const RawStrides& w) {
        this->repeat = w.repeat;
        Set(&this->dst, &views_[0], d, w.dst_block, w.dst_repeat);
        return Set(&this->src0, &views_[1], s, w.src0_block, w.src0_repeat);
    }
    RawCall& Two(RawPointer d, RawPointer a, RawPointer b, const RawStrides& w) {
        return One(d, a, w).Set(&this->src1, &views_[2], b, w.src1_block, w.src1_repeat);
    }
    RawCall& Dst(RawPointer d, uint16_t block, uint16_t repeat_stride) {
        return Set(&this->dst, &views_[0], d, block, repeat_stride);
    }
    RawCall& Scalar(uint64_t bits, Rounding mode = Rounding::kNone) {
        this->scalar = bits, this->rounding = mode;
        return *this;
    }

private:
    RawCall& Set(VectorOperand* operand, LocalView* view, RawPointer p, uint16_t block, uint16_t repeat_stride) {
        *view = UbFrom(p.address, p.type, name_, this->where);
        *operand = {view, block, p.type, repeat_stride};
        return *this;
    }
    const char* name_;
    LocalView views_[3];
};

SFUMATO_API void MergeRaw(RawPointer dst, const RawPointer (&src)[4], const uint16_t (&lengths)[4], uint8_t repeat,
                          bool suspend, uint8_t valid, Where where);
SFUMATO_API void MergeRaw(RawPointer dst, const RawPointer (&src)[4], uint64_t lengths, uint64_t config, Where where);
// The last sum of a vcadd with mode true, in the bits of its type.
SFUMATO_API int64_t AccValue(Where where);
// What issued before is done before anything behind it starts; `number` of mem_dsb_t.
SFUMATO_API void DataBarrier(uint64_t number, Where where);
// dcci: a line or all lines of GM, of UB, or of both.
SFUMATO_API void CleanLines(const void* pointer, uint64_t line, uint64_t to, Where where);
// `offset` bytes behind a pointer into GM.
SFUMATO_API void* PastCache(RawPointer p, int64_t offset, const char* call, Where where);

}  // namespace sfumato::ascendc

using namespace sfumato::ascendc::raw_names;

namespace AscendC {
using ::bm_t;
using ::cache_line_t;
using ::ConvRelu_t;
using ::dcci_dst_t;
using ::event_t;
using ::mem_dsb_t;
using ::Order_t;
using ::pad_t;
using ::pipe_t;
using ::QuantMode_t;
using sfumato_::raw_names::addr_cal_mode_t;
using sfumato_::raw_names::ub_addr8_t;
}  // namespace AscendC
