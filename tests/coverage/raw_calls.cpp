// SPDX-License-Identifier: Apache-2.0
// The raw spelling of every call that has one, with the mask of the register, and with repeats and strides in a word.
#include <gtest/gtest.h>

#include "coverage/calls.h"

namespace sfumato::coverage {
namespace {

template <class T, class U>
struct Pointers {
    T* dst = reinterpret_cast<T*>(Tensor<uint8_t>(kDst).GetPhyAddr());
    U* src0 = reinterpret_cast<U*>(Tensor<uint8_t>(kSrc0).GetPhyAddr());
    U* src1 = reinterpret_cast<U*>(Tensor<uint8_t>(kSrc1).GetPhyAddr());
};

uint64_t Word(std::initializer_list<std::pair<uint64_t, int>> fields) {
    uint64_t word = 0;
    int at = 0;
    for (const auto& [value, bits] : fields) word |= value << at, at += bits;
    return word;
}
uint64_t OneSource(const Case& c) {
    return Word({{c.dst_block, 16}, {c.src_block, 16}, {c.dst_repeat, 8}, {c.src_repeat, 8}, {0, 8}, {c.repeat, 8}});
}
uint64_t TwoSources(const Case& c) {
    return Word({{c.dst_block, 8},
                 {c.src_block, 8},
                 {c.src_block, 8},
                 {c.dst_repeat, 8},
                 {c.src_repeat, 8},
                 {c.src_repeat, 8},
                 {0, 8},
                 {c.repeat, 8}});
}
uint64_t Results(const Case& c) {
    return Word({{c.dst_repeat, 16}, {c.src_block, 16}, {c.src_repeat, 16}, {0, 8}, {c.repeat, 8}});
}

// Every name of a conversion.
struct ConversionName {
    DataType dst, src;
    Rounding mode;
    void (*call)(const Case&);
};
#define SFUMATO_ONE c.repeat, c.dst_block, c.src_block, c.dst_repeat, c.src_repeat
#define SFUMATO_TWO c.repeat, c.dst_block, c.src_block, c.src_block, c.dst_repeat, c.src_repeat, c.src_repeat
#define SFUMATO_VCONV(name, T, U, mode)                                                                             \
    {ascendc::kTypeOf<T>, ascendc::kTypeOf<U>, static_cast<Rounding>(AscendC::RoundMode::mode), [](const Case& c) { \
         const Pointers<T, U> p;                                                                                    \
         c.word ? ::name(p.dst, p.src0, OneSource(c)) : ::name(p.dst, p.src0, SFUMATO_ONE);                         \
     }},
constexpr ConversionName kConversions[] = {
#include "conversion-names.inc"
    SFUMATO_VCONV(vconv_deq, half, int32_t, CAST_NONE)};

template <class T, class U>
void Convert(const Case& c) {
    for (const ConversionName& name : kConversions) {
        if (name.dst == ascendc::kTypeOf<T> && name.src == ascendc::kTypeOf<U> && name.mode == c.rounding)
            return name.call(c);
    }
    ADD_FAILURE() << "no raw name converts " << CName(ascendc::kTypeOf<U>) << " to " << CName(ascendc::kTypeOf<T>);
}

template <class T, class U>
void Dequantise(const Case& c) {
    const Pointers<T, U> p;
    if constexpr (sizeof(T) == 1) {
        c.half_block ? vconv_deqs162b8l(p.dst, p.src0, SFUMATO_ONE) : vconv_deqs162b8h(p.dst, p.src0, SFUMATO_ONE);
    } else {
        ::vconv_deq(p.dst, p.src0, SFUMATO_ONE);
    }
}

#define SFUMATO_RAW_ROW(opcode, T, U, words, ...) \
    {isa::Opcode::opcode,                         \
     ascendc::kTypeOf<T>,                         \
     ascendc::kTypeOf<U>,                         \
     [](const Case& c) {                          \
         [[maybe_unused]] const Pointers<T, U> p; \
         __VA_ARGS__;                             \
     },                                           \
     nullptr,                                     \
     true,                                        \
     words},
#define SFUMATO_RAW_EXEMPT(opcode, T, reason) \
    {isa::Opcode::opcode, ascendc::kTypeOf<T>, ascendc::kTypeOf<T>, nullptr, reason, true},

#define SFUMATO_RULE(Name)
#define SFUMATO_CALL(form, Name, opcode, T, U) SFUMATO_CALL_##form(opcode, T, U)
#define SFUMATO_CALL_UNARY(opcode, T, U) \
    SFUMATO_RAW_ROW(opcode, T, U, true,  \
                    c.word ? ::opcode(p.dst, p.src0, OneSource(c)) : ::opcode(p.dst, p.src0, SFUMATO_ONE))
#define SFUMATO_CALL_COPY SFUMATO_CALL_UNARY
#define SFUMATO_CALL_BINARY(opcode, T, U) \
    SFUMATO_RAW_ROW(                      \
        opcode, T, U, true,               \
        c.word ? ::opcode(p.dst, p.src0, p.src1, TwoSources(c)) : ::opcode(p.dst, p.src0, p.src1, SFUMATO_TWO))
#define SFUMATO_CALL_BINARY_PAIR SFUMATO_CALL_BINARY
#define SFUMATO_CALL_SCALAR(opcode, T, U)                                         \
    SFUMATO_RAW_ROW(opcode, T, U, true,                                           \
                    c.word ? ::opcode(p.dst, p.src0, c.Scalar<U>(), OneSource(c)) \
                           : ::opcode(p.dst, p.src0, c.Scalar<U>(), SFUMATO_ONE))
#define SFUMATO_CALL_SCALAR_PAIR SFUMATO_CALL_SCALAR
#define SFUMATO_CALL_SCALAR_ROUND(opcode, T, U) \
    SFUMATO_RAW_ROW(opcode, T, U, false, ::opcode(p.dst, p.src0, c.Scalar<U>(), SFUMATO_ONE, c.rounds))
#define SFUMATO_CALL_FILL(opcode, T, U) SFUMATO_FILL_##opcode(T, U)
#define SFUMATO_FILL_vci(T, U) SFUMATO_RAW_EXEMPT(vci, T, "no raw name")
#define SFUMATO_FILL_vector_dup(T, U) \
    SFUMATO_RAW_ROW(                  \
        vector_dup, T, U, true,       \
        c.word ? ::vector_dup(p.dst, c.Scalar<T>(), OneSource(c)) : ::vector_dup(p.dst, c.Scalar<T>(), SFUMATO_ONE))

#define SFUMATO_CALL_BY_HAND(Name, opcode, T, U) SFUMATO_RAW_##opcode(T, U)
#define SFUMATO_RAW_vconv(T, U) SFUMATO_RAW_ROW(vconv, T, U, true, (Convert<T, U>(c)))
#define SFUMATO_RAW_vconv_deq(T, U) SFUMATO_RAW_ROW(vconv_deq, T, U, false, (Dequantise<T, U>(c)))
#define SFUMATO_MODES(call)                          \
    switch (static_cast<AscendC::CMPMODE>(c.mode)) { \
        case AscendC::CMPMODE::LT: call(lt); break;  \
        case AscendC::CMPMODE::GT: call(gt); break;  \
        case AscendC::CMPMODE::EQ: call(eq); break;  \
        case AscendC::CMPMODE::LE: call(le); break;  \
        case AscendC::CMPMODE::GE: call(ge); break;  \
        default: call(ne); break;                    \
    }
#define SFUMATO_VCMPV(op) vcmpv_##op(reinterpret_cast<uint8_t*>(p.dst), p.src0, p.src1, SFUMATO_TWO)
#define SFUMATO_RAW_vcmpv(T, U) SFUMATO_RAW_ROW(vcmpv, T, U, false, SFUMATO_MODES(SFUMATO_VCMPV))
#define SFUMATO_VCMPVS(op) vcmpvs_##op(reinterpret_cast<uint8_t*>(p.dst), p.src0, scalar, SFUMATO_ONE)
#define SFUMATO_RAW_vcmpvs(T, U) \
    SFUMATO_RAW_ROW(vcmpvs, T, U, false, const U scalar = c.Scalar<U>(); SFUMATO_MODES(SFUMATO_VCMPVS))
#define SFUMATO_RAW_vgather(T, U)                                   \
    SFUMATO_RAW_ROW(                                                \
        vgather, T, U, false,                                       \
        ::vgather(p.dst, reinterpret_cast<const uint32_t*>(p.src1), \
                  static_cast<uint32_t>(reinterpret_cast<uint64_t>(p.src0)) + kBase, c.dst_repeat, c.repeat))
#define SFUMATO_RAW_vbcb(T, U) \
    SFUMATO_RAW_ROW(vbcb, T, U, false, vbrcb(p.dst, p.src0, c.dst_block, c.dst_repeat, c.repeat))
#define SFUMATO_RESULTS c.repeat, c.dst_repeat, c.src_block, c.src_repeat
#define SFUMATO_REDUCING(opcode, T, ...)                         \
    SFUMATO_RAW_ROW(opcode, T, T, true,                          \
                    c.word ? ::opcode(p.dst, p.src0, Results(c)) \
                           : ::opcode(p.dst, p.src0, SFUMATO_RESULTS __VA_OPT__(, ) __VA_ARGS__))
#define SFUMATO_EXTREME(opcode, T)                                         \
    SFUMATO_RAW_ROW(opcode, T, T, false,                                   \
                    c.mode == 0 ? ::opcode(p.dst, p.src0, SFUMATO_RESULTS) \
                                : ::opcode(p.dst, p.src0, SFUMATO_RESULTS, static_cast<Order_t>(c.mode)))
#define SFUMATO_RAW_vcadd(T, U) SFUMATO_REDUCING(vcadd, T)
#define SFUMATO_RAW_vcmax(T, U) SFUMATO_EXTREME(vcmax, T)
#define SFUMATO_RAW_vcmin(T, U) SFUMATO_EXTREME(vcmin, T)
#define SFUMATO_RAW_vcgadd(T, U) SFUMATO_REDUCING(vcgadd, T)
#define SFUMATO_RAW_vcgmax(T, U) SFUMATO_REDUCING(vcgmax, T)
#define SFUMATO_RAW_vcgmin(T, U) SFUMATO_REDUCING(vcgmin, T)
#define SFUMATO_RAW_vcpadd(T, U) SFUMATO_REDUCING(vcpadd, T)

#define SFUMATO_RAW_vsel(T, U) SFUMATO_RAW_EXEMPT(vsel, T, "CMPMASK: frontend_language, frontend_raw")
#define SFUMATO_RAW_vscatter(T, U) SFUMATO_RAW_EXEMPT(vscatter, T, "no raw name")
#define SFUMATO_RAW_vgatherb(T, U) SFUMATO_RAW_EXEMPT(vgatherb, T, "no raw name")
#define SFUMATO_RAW_vpadding(T, U) SFUMATO_RAW_EXEMPT(vpadding, T, "no raw name")
#define SFUMATO_RAW_vcmp(T, U) SFUMATO_RAW_EXEMPT(vcmp, T, "CMPMASK: frontend_language, frontend_raw")
#define SFUMATO_RAW_set_cmpmask(T, U) SFUMATO_RAW_EXEMPT(set_cmpmask, T, "CMPMASK: frontend_language, frontend_raw")
#define SFUMATO_RAW_get_cmpmask(T, U) SFUMATO_RAW_EXEMPT(get_cmpmask, T, "CMPMASK: frontend_language, frontend_raw")
#define SFUMATO_RAW_vbi(T, U) SFUMATO_RAW_EXEMPT(vbi, T, "no raw name")
#define SFUMATO_RAW_vreduce(T, U) SFUMATO_RAW_EXEMPT(vreduce, T, "frontend_raw")
#define SFUMATO_RAW_vec_reduce_add(T, U) SFUMATO_RAW_EXEMPT(vec_reduce_add, T, "frontend_raw")
#define SFUMATO_RAW_vec_reduce_max(T, U) SFUMATO_RAW_EXEMPT(vec_reduce_max, T, "no raw name")
#define SFUMATO_RAW_vec_reduce_min(T, U) SFUMATO_RAW_EXEMPT(vec_reduce_min, T, "no raw name")
#define SFUMATO_RAW_vtranspose(T, U) SFUMATO_RAW_EXEMPT(vtranspose, T, "frontend_raw")
#define SFUMATO_RAW_vnchwconv(T, U) SFUMATO_RAW_EXEMPT(vnchwconv, T, "frontend_raw")
#define SFUMATO_RAW_v4dtrans(T, U) SFUMATO_RAW_EXEMPT(v4dtrans, T, "no raw name")
#define SFUMATO_RAW_vconcat(T, U) SFUMATO_RAW_EXEMPT(vconcat, T, "no raw name")
#define SFUMATO_RAW_vextract(T, U) SFUMATO_RAW_EXEMPT(vextract, T, "no raw name")
#define SFUMATO_RAW_vrpsort16(T, U) SFUMATO_RAW_EXEMPT(vrpsort16, T, "no raw name")
#define SFUMATO_RAW_vsort32(T, U) SFUMATO_RAW_EXEMPT(vsort32, T, "frontend_raw")
#define SFUMATO_RAW_vmrgsort4(T, U) SFUMATO_RAW_EXEMPT(vmrgsort4, T, "frontend_raw")
#define SFUMATO_RAW_vmrgsort(T, U) SFUMATO_RAW_EXEMPT(vmrgsort, T, "frontend_raw")
#define SFUMATO_RAW_data_move(T, U) SFUMATO_RAW_EXEMPT(data_move, T, "frontend_raw")
#define SFUMATO_RAW_data_move_pad(T, U) SFUMATO_RAW_EXEMPT(data_move_pad, T, "frontend_raw")
#define SFUMATO_RAW_scalar_store(T, U) SFUMATO_RAW_EXEMPT(scalar_store, T, "no raw name")
#define SFUMATO_RAW_nd2nz(T, U) SFUMATO_RAW_EXEMPT(nd2nz, T, "frontend_raw")
#define SFUMATO_RAW_dn2nz(T, U) SFUMATO_RAW_EXEMPT(dn2nz, T, "no raw name")
#define SFUMATO_RAW_nddma(T, U) SFUMATO_RAW_EXEMPT(nddma, T, "no raw name")
#define SFUMATO_RAW_nz2nd(T, U) SFUMATO_RAW_EXEMPT(nz2nd, T, "no raw name")
#define SFUMATO_RAW_tensor_mov(T, U) SFUMATO_RAW_EXEMPT(tensor_mov, T, "frontend_raw")
#define SFUMATO_RAW_broadcast_ub_to_l0c(T, U) SFUMATO_RAW_EXEMPT(broadcast_ub_to_l0c, T, "no raw name")
#define SFUMATO_RAW_fill(T, U) SFUMATO_RAW_EXEMPT(fill, T, "no raw name")
#define SFUMATO_RAW_load2d(T, U) SFUMATO_RAW_EXEMPT(load2d, T, "frontend_raw")
#define SFUMATO_RAW_load2d_transpose(T, U) SFUMATO_RAW_EXEMPT(load2d_transpose, T, "frontend_raw")
#define SFUMATO_RAW_load3dv1(T, U) SFUMATO_RAW_EXEMPT(load3dv1, T, "no raw name")
#define SFUMATO_RAW_load3dv2(T, U) SFUMATO_RAW_EXEMPT(load3dv2, T, "frontend_raw")
#define SFUMATO_RAW_mmad(T, U) SFUMATO_RAW_EXEMPT(mmad, T, "frontend_raw")
#define SFUMATO_RAW_fixpipe(T, U) SFUMATO_RAW_EXEMPT(fixpipe, T, "frontend_raw")
#define SFUMATO_RAW_vf_call(T, U) SFUMATO_RAW_EXEMPT(vf_call, T, "no raw name")
#define SFUMATO_RAW_set_flag(T, U) SFUMATO_RAW_EXEMPT(set_flag, T, "frontend_raw")
#define SFUMATO_RAW_wait_flag(T, U) SFUMATO_RAW_EXEMPT(wait_flag, T, "frontend_raw")
#define SFUMATO_RAW_pipe_barrier(T, U) SFUMATO_RAW_EXEMPT(pipe_barrier, T, "frontend_raw")
#define SFUMATO_RAW_ffts_cross_core_sync(T, U) SFUMATO_RAW_EXEMPT(ffts_cross_core_sync, T, "frontend_raw")
#define SFUMATO_RAW_wait_flag_dev(T, U) SFUMATO_RAW_EXEMPT(wait_flag_dev, T, "frontend_raw")

}  // namespace

const std::vector<Call> kRawCalls = {
#include "calls.inc"
};

}  // namespace sfumato::coverage
