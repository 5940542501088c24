// SPDX-License-Identifier: Apache-2.0
// The calls of rows whose C++ is written by hand: a macro an opcode. An instruction that has none does not compile; one
// that is not called here says why, and where it is.
#include "coverage/calls.h"

namespace sfumato::coverage {

using namespace AscendC;

#define SFUMATO_CALL(form, Name, opcode, T, U)
#define SFUMATO_RULE(Name)
#define SFUMATO_CALL_BY_HAND(Name, opcode, T, U) SFUMATO_BY_HAND_##opcode(Name, opcode, T, U)
#define SFUMATO_ONE_FORM(opcode, T, ...)                                                \
    {isa::Opcode::opcode, ascendc::kTypeOf<T>, ascendc::kTypeOf<T>, [](const Case& c) { \
         const Tensors<T, T> t;                                                         \
         __VA_ARGS__;                                                                   \
     }},
#define SFUMATO_EXEMPT(opcode, T, reason) \
    {isa::Opcode::opcode, ascendc::kTypeOf<T>, ascendc::kTypeOf<T>, nullptr, reason},

#define SFUMATO_BY_HAND_vconv(Name, opcode, T, U) \
    SFUMATO_FOUR_FORMS(Name, opcode, T, U, (T, U), (t.dst, t.src0, static_cast<RoundMode>(c.rounding)), (c.Unary()))
#define SFUMATO_BY_HAND_vconv_deq(Name, opcode, T, U) \
    SFUMATO_DEQUANT(Name, opcode, T, U) SFUMATO_DEQUANT(CastDequant, opcode, T, U)
#define SFUMATO_DEQUANT(Name, opcode, T, U)                                                                           \
    {isa::Opcode::opcode, ascendc::kTypeOf<T>, ascendc::kTypeOf<U>, [](const Case& c) {                               \
         const Tensors<T, U> t;                                                                                       \
         const auto call = [&]<bool kHalf>() {                                                                        \
             switch (c.form) {                                                                                        \
                 case Form::kCount: Name<T, U, false, kHalf>(t.dst, t.src0, static_cast<uint32_t>(c.count)); break;   \
                 case Form::kBits: Name<T, U, true, false, kHalf>(t.dst, t.src0, c.bits, c.repeat, c.Unary()); break; \
                 case Form::kRegister:                                                                                \
                     Name<T, U, false, false, kHalf>(t.dst, t.src0, MASK_PLACEHOLDER, c.repeat, c.Unary());           \
                     break;                                                                                           \
                 default: Name<T, U, true, false, kHalf>(t.dst, t.src0, c.count, c.repeat, c.Unary()); break;         \
             }                                                                                                        \
         };                                                                                                           \
         c.half_block ? call.template operator()<true>() : call.template operator()<false>();                         \
     }},

// Bits lie where the last source would.
#define SFUMATO_BY_HAND_vcmpv(Name, opcode, T, U)        \
    SFUMATO_FOUR_FORMS(Name, opcode, T, U, (T, uint8_t), \
                       (Tensor<uint8_t>(kDst), t.src0, t.src1, static_cast<CMPMODE>(c.mode)), (c.Binary()))
#define SFUMATO_BY_HAND_vcmpvs(Name, opcode, T, U)       \
    SFUMATO_FOUR_FORMS(Name, opcode, T, U, (T, uint8_t), \
                       (Tensor<uint8_t>(kDst), t.src0, c.Scalar<T>(), static_cast<CMPMODE>(c.mode)), (c.Unary()))
#define SFUMATO_BY_HAND_vsel(Name, opcode, T, U)         \
    SFUMATO_FOUR_FORMS(Name, opcode, T, U, (T, uint8_t), \
                       (t.dst, Tensor<uint8_t>(kThird), t.src0, t.src1, SELMODE::VSEL_CMPMASK_SPR), (c.Binary()))

// Offsets lie there too.
#define SFUMATO_GATHERING(Name, opcode, T, stride)                                                         \
    SFUMATO_ONE_FORM(                                                                                      \
        opcode, T, const auto offsets = Tensor<uint32_t>(kSrc1); switch (c.form) {                         \
            case Form::kCount: Name(t.dst, t.src0, offsets, kBase, static_cast<uint32_t>(c.count)); break; \
            case Form::kBits: Name(t.dst, t.src0, offsets, kBase, c.bits, c.repeat, stride); break;        \
            default: Name(t.dst, t.src0, offsets, kBase, c.count, c.repeat, stride); break;                \
        })
#define SFUMATO_BY_HAND_vgather(Name, opcode, T, U) SFUMATO_GATHERING(Name, opcode, T, c.dst_repeat)
#define SFUMATO_BY_HAND_vscatter(Name, opcode, T, U) SFUMATO_GATHERING(Name, opcode, T, c.src_repeat)
#define SFUMATO_BY_HAND_vgatherb(Name, opcode, T, U) \
    SFUMATO_ONE_FORM(opcode, T, Name(t.dst, t.src0, Tensor<uint32_t>(kSrc1), c.repeat, {c.dst_block, c.dst_repeat}))
#define SFUMATO_BY_HAND_vbcb(Name, opcode, T, U) \
    SFUMATO_ONE_FORM(opcode, T, Name(t.dst, t.src0, c.repeat, {c.dst_block, c.dst_repeat}))

#define SFUMATO_BY_HAND_vpadding(Name, opcode, T, U)                                                           \
    SFUMATO_FOUR_FORMS(Name, opcode, T, U, (T), (t.dst, t.src0, static_cast<uint8_t>(c.mode % 3), c.mode > 2), \
                       (c.Unary()))

#define SFUMATO_REDUCING(Name, opcode, T, ...)                                                          \
    SFUMATO_ONE_FORM(                                                                                   \
        opcode, T, switch (c.form) {                                                                    \
            case Form::kBits:                                                                           \
                Name(t.dst, t.src0, c.bits, c.repeat, c.dst_repeat, c.src_block,                        \
                     c.src_repeat __VA_OPT__(, ) __VA_ARGS__);                                          \
                break;                                                                                  \
            case Form::kRegister:                                                                       \
                Name<T, false>(t.dst, t.src0, MASK_PLACEHOLDER, c.repeat, c.dst_repeat, c.src_block,    \
                               c.src_repeat __VA_OPT__(, ) __VA_ARGS__);                                \
                break;                                                                                  \
            default:                                                                                    \
                Name(t.dst, t.src0, static_cast<int32_t>(c.count), c.repeat, c.dst_repeat, c.src_block, \
                     c.src_repeat __VA_OPT__(, ) __VA_ARGS__);                                          \
                break;                                                                                  \
        })
#define SFUMATO_ORDER static_cast<ReduceOrder>(c.mode)
#define SFUMATO_BY_HAND_vcadd(Name, opcode, T, U) SFUMATO_REDUCING(Name, opcode, T)
#define SFUMATO_BY_HAND_vcmax(Name, opcode, T, U) SFUMATO_REDUCING(Name, opcode, T, SFUMATO_ORDER)
#define SFUMATO_BY_HAND_vcmin(Name, opcode, T, U) SFUMATO_REDUCING(Name, opcode, T, SFUMATO_ORDER)
#define SFUMATO_REDUCING_PIECES(Name, opcode, T)                                                                       \
    SFUMATO_ONE_FORM(                                                                                                  \
        opcode, T, switch (c.form) {                                                                                   \
            case Form::kBits: Name(t.dst, t.src0, c.repeat, c.bits, c.dst_repeat, c.src_block, c.src_repeat); break;   \
            case Form::kRegister:                                                                                      \
                Name<T, false>(t.dst, t.src0, c.repeat, MASK_PLACEHOLDER, c.dst_repeat, c.src_block, c.src_repeat);    \
                break;                                                                                                 \
            default:                                                                                                   \
                Name(t.dst, t.src0, c.repeat, static_cast<int32_t>(c.count), c.dst_repeat, c.src_block, c.src_repeat); \
                break;                                                                                                 \
        })
#define SFUMATO_BY_HAND_vcgadd(Name, opcode, T, U) SFUMATO_REDUCING_PIECES(Name, opcode, T)
#define SFUMATO_BY_HAND_vcgmax(Name, opcode, T, U) SFUMATO_REDUCING_PIECES(Name, opcode, T)
#define SFUMATO_BY_HAND_vcgmin(Name, opcode, T, U) SFUMATO_REDUCING_PIECES(Name, opcode, T)
#define SFUMATO_BY_HAND_vcpadd(Name, opcode, T, U) SFUMATO_REDUCING_PIECES(Name, opcode, T)

// Executed with random parameters and data by the tests named, through both front ends' records and through calls.
#define SFUMATO_BY_HAND_vcmp(Name, opcode, T, U) \
    SFUMATO_EXEMPT(opcode, T, "CMPMASK: frontend_select, conformance_lanes")
#define SFUMATO_BY_HAND_set_cmpmask(Name, opcode, T, U) \
    SFUMATO_EXEMPT(opcode, T, "CMPMASK: frontend_select, conformance_lanes")
#define SFUMATO_BY_HAND_get_cmpmask(Name, opcode, T, U) \
    SFUMATO_EXEMPT(opcode, T, "CMPMASK: frontend_select, conformance_lanes")
#define SFUMATO_BY_HAND_vbi(Name, opcode, T, U) \
    SFUMATO_EXEMPT(opcode, T, "one shape of its own: frontend_select, conformance_lanes")
#define SFUMATO_BY_HAND_vreduce(Name, opcode, T, U) \
    SFUMATO_EXEMPT(opcode, T, "it returns a count: frontend_select, conformance_lanes")
#define SFUMATO_BY_HAND_vec_reduce_add(Name, opcode, T, U) \
    SFUMATO_EXEMPT(opcode, T, "a work tensor by chip: frontend_reduce, conformance_reduce")
#define SFUMATO_BY_HAND_vec_reduce_max(Name, opcode, T, U) \
    SFUMATO_EXEMPT(opcode, T, "a work tensor by chip: frontend_reduce, conformance_reduce")
#define SFUMATO_BY_HAND_vec_reduce_min(Name, opcode, T, U) \
    SFUMATO_EXEMPT(opcode, T, "a work tensor by chip: frontend_reduce, conformance_reduce")
#define SFUMATO_BY_HAND_vtranspose(Name, opcode, T, U) \
    SFUMATO_EXEMPT(opcode, T, "shapes of their own: frontend_reduce, conformance_reduce")
#define SFUMATO_BY_HAND_vnchwconv(Name, opcode, T, U) \
    SFUMATO_EXEMPT(opcode, T, "shapes of their own: frontend_reduce, conformance_reduce")
#define SFUMATO_BY_HAND_v4dtrans(Name, opcode, T, U) \
    SFUMATO_EXEMPT(opcode, T, "shapes of their own: frontend_reduce, conformance_reduce")
#define SFUMATO_BY_HAND_vconcat(Name, opcode, T, U) \
    SFUMATO_EXEMPT(opcode, T, "shapes of their own: frontend_sort, conformance_sort")
#define SFUMATO_BY_HAND_vextract(Name, opcode, T, U) \
    SFUMATO_EXEMPT(opcode, T, "shapes of their own: frontend_sort, conformance_sort")
#define SFUMATO_BY_HAND_vrpsort16(Name, opcode, T, U) \
    SFUMATO_EXEMPT(opcode, T, "shapes of their own: frontend_sort, conformance_sort")
#define SFUMATO_BY_HAND_vsort32(Name, opcode, T, U) \
    SFUMATO_EXEMPT(opcode, T, "shapes of their own: frontend_sort, conformance_sort")
#define SFUMATO_BY_HAND_vmrgsort4(Name, opcode, T, U) \
    SFUMATO_EXEMPT(opcode, T, "shapes of their own: frontend_sort, conformance_sort")
#define SFUMATO_BY_HAND_vmrgsort(Name, opcode, T, U) \
    SFUMATO_EXEMPT(opcode, T, "shapes of their own: frontend_sort, conformance_sort")
#define SFUMATO_BY_HAND_data_move(Name, opcode, T, U) \
    SFUMATO_EXEMPT(opcode, T, "other memories than UB: frontend_schedules, exec_test")
#define SFUMATO_BY_HAND_data_move_pad(Name, opcode, T, U) \
    SFUMATO_EXEMPT(opcode, T, "other memories than UB: frontend_schedules, exec_test")
#define SFUMATO_BY_HAND_scalar_store(Name, opcode, T, U) \
    SFUMATO_EXEMPT(opcode, T, "no vector instruction: frontend_schedules, wrong_programs")
#define SFUMATO_BY_HAND_nd2nz(Name, opcode, T, U) \
    SFUMATO_EXEMPT(opcode, T, "memories of the cube unit: cube_moves, conformance_cube")
#define SFUMATO_BY_HAND_dn2nz(Name, opcode, T, U) \
    SFUMATO_EXEMPT(opcode, T, "memories of the cube unit: exec_test, moves950")
#define SFUMATO_BY_HAND_nddma(Name, opcode, T, U) \
    SFUMATO_EXEMPT(opcode, T, "other memories than UB: exec_test, moves950")
#define SFUMATO_BY_HAND_nz2nd(Name, opcode, T, U) \
    SFUMATO_EXEMPT(opcode, T, "memories of the cube unit: cube_moves, conformance_cube")
#define SFUMATO_BY_HAND_tensor_mov(Name, opcode, T, U) \
    SFUMATO_EXEMPT(opcode, T, "memories of the cube unit: cube_moves, conformance_cube")
#define SFUMATO_BY_HAND_broadcast_ub_to_l0c(Name, opcode, T, U) \
    SFUMATO_EXEMPT(opcode, T, "memories of the cube unit: cube_moves, conformance_cube")
#define SFUMATO_BY_HAND_fill(Name, opcode, T, U) \
    SFUMATO_EXEMPT(opcode, T, "memories of the cube unit: cube_moves, conformance_cube")
#define SFUMATO_BY_HAND_load2d(Name, opcode, T, U) \
    SFUMATO_EXEMPT(opcode, T, "memories of the cube unit: cube_smoke, conformance_cube")
#define SFUMATO_BY_HAND_load2d_transpose(Name, opcode, T, U) \
    SFUMATO_EXEMPT(opcode, T, "memories of the cube unit: cube_smoke, conformance_cube")
#define SFUMATO_BY_HAND_load3dv1(Name, opcode, T, U) \
    SFUMATO_EXEMPT(opcode, T, "memories of the cube unit: cube_smoke, conformance_cube")
#define SFUMATO_BY_HAND_load3dv2(Name, opcode, T, U) \
    SFUMATO_EXEMPT(opcode, T, "memories of the cube unit: cube_smoke, conformance_cube")
#define SFUMATO_BY_HAND_mmad(Name, opcode, T, U) \
    SFUMATO_EXEMPT(opcode, T, "memories of the cube unit: cube_smoke, conformance_cube")
#define SFUMATO_BY_HAND_fixpipe(Name, opcode, T, U) \
    SFUMATO_EXEMPT(opcode, T, "memories of the cube unit: cube_smoke, conformance_cube")
#define SFUMATO_BY_HAND_vf_call(Name, opcode, T, U) SFUMATO_EXEMPT(opcode, T, "its registers: exec_test, registers")
#define SFUMATO_BY_HAND_set_flag(Name, opcode, T, U) \
    SFUMATO_EXEMPT(opcode, T, "no data: frontend_schedules, wrong_programs")
#define SFUMATO_BY_HAND_wait_flag(Name, opcode, T, U) \
    SFUMATO_EXEMPT(opcode, T, "no data: frontend_schedules, wrong_programs")
#define SFUMATO_BY_HAND_pipe_barrier(Name, opcode, T, U) \
    SFUMATO_EXEMPT(opcode, T, "no data: frontend_schedules, wrong_programs")
#define SFUMATO_BY_HAND_ffts_cross_core_sync(Name, opcode, T, U) \
    SFUMATO_EXEMPT(opcode, T, "no data: frontend_cross_core, wrong_programs")
#define SFUMATO_BY_HAND_wait_flag_dev(Name, opcode, T, U) \
    SFUMATO_EXEMPT(opcode, T, "no data: frontend_cross_core, wrong_programs")

const std::vector<Call> kOtherCalls = {
#include "calls.inc"
};

}  // namespace sfumato::coverage
