// SPDX-License-Identifier: Apache-2.0
// Wrong programs: element types that no chip has a call for, which compile where a build lets them.
#include "wrong_programs.h"

namespace sfumato::wrong {

const Table<Program> kTypes = {
    {"beyond_abs_masked", "type-unsupported", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<int32_t>(0, 64);
         Wrong(), Abs(a, a, 64, 1, {1, 1, 8, 8});
     }},
    {"beyond_add", "type-unsupported", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<int64_t>(0, 64);
         Wrong(), Add(a, a, a, 64);
     }},
    {"beyond_mul_of_bytes", "type-unsupported", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<int8_t>(0, 64);
         Wrong(), Mul(a, a, a, 64);
     }},
    {"beyond_and_of_words", "type-unsupported", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<uint32_t>(0, 64);
         Wrong(), And(a, a, a, 64);
     }},
    {"beyond_select_of_bfloat16", "type-unsupported", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<bfloat16_t>(0, 64);
         auto mask = Ub<uint8_t>(512, 32);
         Wrong(), Select(a, mask, a, a, SELMODE::VSEL_CMPMASK_SPR, 64);
     }},
    {"beyond_duplicate_of_bytes", "type-unsupported", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<int8_t>(0, 64);
         Wrong(), Duplicate(a, int8_t(1), 64);
     }},
    {"beyond_duplicate_of_longs", "type-unsupported", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<int64_t>(0, 64);
         Wrong(), Duplicate(a, int64_t(1), 64);
     }},
    {"beyond_muls", "type-unsupported", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<uint32_t>(0, 64);
         Wrong(), Muls(a, a, 2u, 64);
     }},
    {"beyond_axpy_into_narrower", "type-mismatch", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto narrow = Ub<half>(0, 64);
         auto wide = Ub<float>(256, 64);
         Wrong(), Axpy(narrow, wide, 2.0f, 64);
     }},
    {"beyond_cast_source", "conversion-unsupported", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto src = Ub<uint16_t>(0, 64);
         auto dst = Ub<half>(256, 64);
         Wrong(), Cast(dst, src, RoundMode::CAST_NONE, 64);
     }},
    {"beyond_cast_destination", "conversion-unsupported", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto src = Ub<int64_t>(0, 64);
         auto dst = Ub<half>(1024, 64);
         Wrong(), Cast(dst, src, RoundMode::CAST_NONE, 64);
     }},
    {"beyond_cast_masked", "conversion-unsupported", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto src = Ub<bfloat16_t>(0, 64);
         auto dst = Ub<half>(256, 64);
         Wrong(), Cast(dst, src, RoundMode::CAST_NONE, uint64_t{64}, 1, UnaryRepeatParams());
     }},
    {"beyond_cast_deq_destination", "conversion-unsupported", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto src = Ub<int16_t>(0, 64);
         auto dst = Ub<half>(256, 64);
         Wrong(), CastDeq(dst, src, 64);
     }},
    {"beyond_compare", "type-unsupported", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto bits = Ub<uint8_t>(0, 32);
         auto a = Ub<uint16_t>(256, 64);
         Wrong(), Compare(bits, a, a, CMPMODE::LT, 64);
     }},
    {"beyond_whole_reduce", "type-unsupported", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<int32_t>(0, 64);
         Wrong(), WholeReduceSum(a, a, 64, 1, 1, 1, 8);
     }},
    {"beyond_gather_of_longs", "type-unsupported", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<int64_t>(0, 64);
         auto offset = Ub<uint32_t>(512, 64);
         Wrong(), Gather(a, a, offset, 0, 64);
     }},
    {"beyond_broadcast", "type-unsupported", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<int32_t>(0, 64);
         const uint32_t to[] = {8}, from[] = {1};
         Wrong(), BroadCast<int32_t, 1, 0>(a, a, to, from);
     }},
    {"beyond_bytes_mask", "type-unsupported", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<float>(0, 64);
         Wrong(), SelectWithBytesMask(a, a, 0.0f, a, Ub<uint8_t>(512, 64), SelectWithBytesMaskShapeInfo{1, 8, 32});
     }},
    {"beyond_dequant", "type-unsupported", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto words = Ub<int32_t>(0, 64);
         auto dst = Ub<half>(256, 64);
         auto scale = Ub<float>(512, 64);
         Wrong(), AscendDequant<half, float>(dst, words, scale, DequantParams{1, 8, 8});
     }},
    {"beyond_quant", "type-unsupported", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto words = Ub<int32_t>(0, 64);
         auto bytes = Ub<int8_t>(256, 64);
         Wrong(), AscendQuant(bytes, words, 1.0f, 0.0f, 64);
     }},
    {"beyond_norm", "type-unsupported", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<int32_t>(0, 64);
         RmsNormTiling tiling;
         Wrong(), RmsNorm<int32_t>(a, a, a, 1, tiling);
     }},
    {"beyond_normalize_gamma", "type-unsupported", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto narrow = Ub<half>(0, 64);
         auto wide = Ub<float>(256, 64);
         Wrong(), Normalize<half, float>(wide, wide, wide, wide, wide, narrow, narrow, 1e-3f, NormalizePara{});
     }},
    {"beyond_pad", "type-unsupported", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<int8_t>(0, 64);
         Wrong(), Pad(a, a, PadParams{}, PadTiling{});
     }},
    {"beyond_power", "type-unsupported", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<int16_t>(0, 64);
         Wrong(), Power(a, a, a, 64);
     }},
    {"beyond_reduce_pattern", "type-unsupported", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<half>(0, 128);
         const uint32_t shape[] = {8, 16};
         Wrong(), ReduceSum<half, Pattern::Reduce::AR>(a, a, shape, true);
     }},
    {"beyond_softmax", "type-unsupported", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<int32_t>(0, 64);
         constexpr SoftMaxTiling tiling = {};
         Wrong(), SoftMax<int32_t>(a, a, tiling);
     }},
    {"beyond_softmax_sum", "type-unsupported", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto side = Ub<half>(0, 64);
         auto data = Ub<float>(256, 64);
         constexpr SoftMaxTiling tiling = {};
         Wrong(), SoftMax<float>(data, side, side, data, tiling);
     }},
    {"beyond_sort", "type-unsupported", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<int32_t>(0, 64);
         auto index = Ub<uint32_t>(256, 64);
         Wrong(), Sort<int32_t, true>(a, a, index, a, 1);
     }},
    {"beyond_sum", "type-unsupported", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<int32_t>(0, 64);
         Wrong(), Sum(a, a, SumParams{1, 8, 8});
     }},
    {"beyond_tanh", "type-unsupported", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<int16_t>(0, 64);
         Wrong(), Tanh(a, a, 64);
     }},
    {"beyond_topk", "type-unsupported", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<int32_t>(0, 64);
         auto finish = Ub<bool>(512, 32);
         constexpr TopkTiling tiling = {};
         Wrong(), TopK<int32_t>(a, a, a, a, finish, 1, tiling, TopKInfo{1, 32, 32});
     }},
    {"beyond_xor_sum", "type-unsupported", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<uint16_t>(0, 64);
         Wrong(), ReduceXorSum(a, a, a, 16);
     }},
    {"beyond_progression", "type-unsupported", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<uint32_t>(0, 64);
         Wrong(), ArithProgression(a, 0u, 1u, 64);
     }},
};

}  // namespace sfumato::wrong
