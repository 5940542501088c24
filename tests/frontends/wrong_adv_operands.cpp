// SPDX-License-Identifier: Apache-2.0
// Each family of high-level calls with operands that break V1 to V4 and V7 of adv.md 1.2: one checker, one wording.
#include "frontends/wrong_programs.h"

namespace sfumato::wrong {
namespace {

constexpr SoftMaxTiling kNoTiling = {};
constexpr SoftMaxShapeInfo kShape = {8, 16, 8, 16};
constexpr SumParams kSum = {8, 16, 16};
constexpr CumSumInfo kCumSum = {8, 16};
constexpr TopKInfo kTopK = {2, 32, 32};

#define KERNEL [](GM_ADDR, GM_ADDR) __aicore__

const Table<Program> kElementwise = {
    {"swish_source_in_l1", "memory-path",
     KERNEL { auto dst = Ub<half>(0, 64), src = At<half>(TPosition::A1, 64); Wrong(), Swish(dst, src, 64, half(1.0f)); }},
    {"swiglu_second_source_on_dst", "operands-share",
     KERNEL { auto dst = Ub<half>(0, 64), a = Ub<half>(1024, 64), b = Ub<half>(96, 64); Wrong(), SwiGLU(dst, a, b, 1.0f); }},
    {"geglu_tmp_on_dst", "operands-share",
     KERNEL { auto dst = Ub<half>(0, 64), a = Ub<half>(1024, 64), b = Ub<half>(2048, 64); auto tmp = Ub<uint8_t>(64, 256); Wrong(), GeGLU(dst, a, b, tmp); }},
    {"floor_tmp_of_a_block", "work-size",
     KERNEL { auto dst = Ub<half>(0, 64), src = Ub<half>(1024, 64); auto tmp = Ub<uint8_t>(2048, 96); Wrong(), Floor(dst, src, tmp, 64); }},
    {"clamp_count", "count-exceeds-tensor",
     KERNEL { auto dst = Ub<float>(0, 64), src = Ub<float>(1024, 72); Wrong(), ClampMax(dst, src, 1.0f, 72); }},
    {"sigmoid_count_negative", "count-exceeds-tensor",
     KERNEL { auto dst = Ub<float>(0, 64), src = Ub<float>(1024, 64); Wrong(), Sigmoid(dst, src, -2); }},
    {"xor_unaligned_second_source", "ub-alignment",
     KERNEL { auto dst = Ub<int16_t>(0, 64), a = Ub<int16_t>(1024, 64), b = Ub<int16_t>(2048, 80); Wrong(), Xor(dst, a, b[4]); }},
    {"exp_series_on_310p", "instruction-unsupported",
     KERNEL { auto dst = Ub<float>(0, 64), src = Ub<float>(1024, 64); Wrong(), Exp<float, 4>(dst, src, 64); },
     {.chip = "Ascend310P3"}},
};

const Table<Program> kRow = {
    {"softmax_source_unaligned", "ub-alignment",
     KERNEL { auto dst = Ub<float>(0, 128), src = Ub<float>(1024, 136); Wrong(), SoftMax<float>(dst, src[4], kNoTiling, kShape); }},
    {"softmax_source_in_l1", "memory-path",
     KERNEL { auto dst = Ub<float>(0, 128), src = At<float>(TPosition::A1, 128); Wrong(), SoftMax<float>(dst, src, kNoTiling, kShape); }},
    {"softmax_sum_on_max", "operands-share",
     KERNEL { auto dst = Ub<float>(0, 128), src = Ub<float>(1024, 128), sum = Ub<float>(2048, 64), max = Ub<float>(2176, 64);
         Wrong(), SoftMax<float>(dst, sum, max, src, kNoTiling, kShape); }},
    {"softmax_partly_in_place", "operands-share",
     KERNEL { auto dst = Ub<float>(0, 128), src = Ub<float>(64, 128); Wrong(), SoftMax<float>(dst, src, kNoTiling, kShape); }},
    {"softmax_tmp_on_source", "operands-share",
     KERNEL { auto dst = Ub<float>(0, 128), src = Ub<float>(1024, 128); auto tmp = Ub<uint8_t>(1280, 4096); Wrong(), SoftMax<float>(dst, src, tmp, kNoTiling, kShape); }},
    {"simple_softmax_sum_too_short", "count-exceeds-tensor",
     KERNEL { auto dst = Ub<half>(0, 128), src = Ub<half>(1024, 128), sum = Ub<half>(2048, 64), max = Ub<half>(3072, 128);
         Wrong(), SimpleSoftMax<half>(dst, sum, max, src, kNoTiling, kShape); }},
    {"softmax_flash_v2_exp_max_on_old_sum", "operands-share",
     KERNEL { auto dst = Ub<float>(0, 128), src = Ub<float>(1024, 128), a = Ub<float>(2048, 64), b = Ub<float>(3072, 64), c = Ub<float>(4096, 64), d = Ub<float>(4128, 64);
         Wrong(), SoftmaxFlashV2<float, true>(dst, a, b, src, c, d, b, kNoTiling, kShape); }},
    {"softmax_grad_gradient_too_short", "count-exceeds-tensor",
     KERNEL { auto dst = Ub<float>(0, 128), src = Ub<float>(1024, 128), grad = Ub<float>(2048, 120); Wrong(), SoftmaxGrad<float>(dst, grad, src, kNoTiling, false, kShape); }},
    {"softmax_grad_front_row", "parameter-alignment",
     KERNEL { auto dst = Ub<float>(0, 64), src = Ub<float>(1024, 128), grad = Ub<float>(2048, 128); Wrong(), SoftmaxGradFront<float>(dst, grad, src, kNoTiling, {8, 15, 8, 15}); }},
    {"adjust_softmax_maximum_too_short", "count-exceeds-tensor",
     KERNEL { auto res = Ub<float>(0, 128), max = Ub<float>(1024, 56); Wrong(), AdjustSoftMaxRes<float, float>(res, max, 0xFF7FFFFF, 0.0f, kShape); }},
    {"sum_source_unaligned", "ub-alignment",
     KERNEL { auto dst = Ub<float>(0, 8), src = Ub<float>(1024, 136); Wrong(), Sum(dst, src[1], kSum); }},
    {"sum_destination_too_short", "count-exceeds-tensor",
     KERNEL { auto dst = Ub<half>(0, 7), src = Ub<half>(1024, 128); Wrong(), Sum(dst, src, kSum); }},
    {"sum_row_of_no_blocks", "parameter-alignment",
     KERNEL { auto dst = Ub<half>(0, 16), src = Ub<half>(1024, 128); Wrong(), Sum(dst, src, SumParams{8, 8, 8}); }},
    {"sum_tmp_on_destination", "operands-share",
     KERNEL { auto dst = Ub<float>(0, 8), src = Ub<float>(1024, 128); auto tmp = Ub<uint8_t>(0, 512); Wrong(), Sum(dst, src, tmp, kSum); }},
    {"mean_tmp_too_small", "work-size",
     KERNEL { auto dst = Ub<half>(0, 16), src = Ub<half>(1024, 128); auto tmp = Ub<uint8_t>(2048, 96); Wrong(), Mean(dst, src, tmp, MeanParams{8, 16, 16}); }},
    {"reduce_max_destination_too_short", "count-exceeds-tensor",
     KERNEL { auto dst = Ub<half>(0, 15), src = Ub<half>(1024, 128); const uint32_t shape[] = {8, 16}; Wrong(), ReduceMax<half, Pattern::Reduce::RA>(dst, src, shape, true); }},
    {"reduce_prod_tmp_too_small", "work-size",
     KERNEL { auto dst = Ub<float>(0, 8), src = Ub<float>(1024, 128); auto tmp = Ub<uint8_t>(2048, 32); const uint32_t shape[] = {8, 16}; Wrong(), ReduceProd<float, Pattern::Reduce::AR>(dst, src, tmp, shape, true); }},
    {"reduce_sum_pattern_on_310p", "instruction-unsupported",
     KERNEL { auto dst = Ub<float>(0, 8), src = Ub<float>(1024, 128); const uint32_t shape[] = {8, 16}; Wrong(), ReduceSum<float, Pattern::Reduce::AR>(dst, src, shape, true); },
     {.chip = "Ascend310P3"}},
    {"cumsum_in_place", "operands-share",
     KERNEL { auto src = Ub<float>(0, 128), last = Ub<float>(1024, 16); Wrong(), CumSum(src, last, src, kCumSum); }},
    {"cumsum_row_of_no_blocks", "parameter-alignment",
     KERNEL { auto dst = Ub<float>(0, 128), last = Ub<float>(1024, 16), src = Ub<float>(2048, 128); Wrong(), CumSum(dst, last, src, CumSumInfo{8, 12}); }},
    {"cumsum_tmp_too_small", "work-size",
     KERNEL { auto dst = Ub<float>(0, 128), last = Ub<float>(1024, 16), src = Ub<float>(2048, 128); auto tmp = Ub<uint8_t>(4096, 512); Wrong(), CumSum(dst, last, src, tmp, kCumSum); }},
    {"xor_sum_second_source_too_short", "count-exceeds-tensor",
     KERNEL { auto dst = Ub<int16_t>(0, 16), a = Ub<int16_t>(1024, 100), b = Ub<int16_t>(2048, 99); Wrong(), ReduceXorSum(dst, a, b, 100); }},
    {"xor_sum_destination_in_source", "operands-share",
     KERNEL { auto dst = Ub<int16_t>(1024, 16), a = Ub<int16_t>(1024, 100), b = Ub<int16_t>(2048, 100); Wrong(), ReduceXorSum(dst, a, b, 100); }},
    {"xor_sum_tmp_too_small", "work-size",
     KERNEL { auto dst = Ub<int16_t>(0, 16), a = Ub<int16_t>(1024, 100), b = Ub<int16_t>(2048, 100); auto tmp = Ub<uint8_t>(4096, 128); Wrong(), ReduceXorSum(dst, a, b, tmp, 100); }},
    {"layernorm_gamma_on_output", "operands-share",
     KERNEL { auto out = Ub<float>(0, 128), mean = Ub<float>(1024, 8), variance = Ub<float>(1056, 8), x = Ub<float>(2048, 128), gamma = Ub<float>(480, 16), beta = Ub<float>(4096, 16);
         LayerNormTiling tiling; tiling.bLength = 8, tiling.sLength = 1, tiling.hLength = 16, tiling.originalHLength = 16;
         Wrong(), LayerNorm<float>(out, mean, variance, x, gamma, beta, 1e-5f, tiling); }},
    {"layernorm_mean_on_variance", "operands-share",
     KERNEL { auto out = Ub<float>(0, 128), mean = Ub<float>(1024, 8), x = Ub<float>(2048, 128), gamma = Ub<float>(3072, 16), beta = Ub<float>(4096, 16);
         LayerNormTiling tiling; tiling.bLength = 8, tiling.sLength = 1, tiling.hLength = 16, tiling.originalHLength = 16;
         Wrong(), LayerNorm<float>(out, mean, mean, x, gamma, beta, 1e-5f, tiling); }},
    {"rmsnorm_row_of_no_blocks", "parameter-alignment",
     KERNEL { auto dst = Ub<half>(0, 128), src = Ub<half>(1024, 128), gamma = Ub<half>(2048, 16);
         RmsNormTiling tiling; tiling.bLength = 8, tiling.sLength = 1, tiling.hLength = 12, tiling.originalHLength = 12;
         Wrong(), RmsNorm<half>(dst, src, gamma, half(1e-3f), tiling); }},
    {"rmsnorm_tmp_too_small", "work-size",
     KERNEL { auto dst = Ub<float>(0, 128), src = Ub<float>(1024, 128), gamma = Ub<float>(2048, 16); auto tmp = Ub<uint8_t>(4096, 512);
         RmsNormTiling tiling; tiling.bLength = 8, tiling.sLength = 1, tiling.hLength = 16, tiling.originalHLength = 16;
         Wrong(), RmsNorm<float>(dst, src, gamma, tmp, 1e-5f, tiling); }},
    {"welford_mean_on_old_variance", "operands-share",
     KERNEL { auto mean = Ub<float>(0, 64), variance = Ub<float>(1024, 64), old = Ub<float>(2048, 64), x = Ub<float>(4096, 64);
         Wrong(), WelfordUpdate<float>(mean, variance, old, mean, x, WelfordUpdateParam{1, 64, 64, 0.5f}); }},
    {"welford_counts_too_short", "count-exceeds-tensor",
     KERNEL { auto mean = Ub<float>(0, 8), variance = Ub<float>(32, 8), m = Ub<float>(1024, 64), v = Ub<float>(2048, 64); auto counts = Ub<int32_t>(4096, 56);
         Wrong(), WelfordFinalize(mean, variance, m, v, counts, WelfordFinalizePara{1, 64, 0, 0, 0, 0, 1, 1, 1}); }},
};

const Table<Program> kData = {
    {"broadcast_source_unaligned", "ub-alignment",
     KERNEL { auto dst = Ub<half>(0, 128), src = Ub<half>(1024, 16); const uint32_t to[] = {8, 16}, from[] = {8, 1}; Wrong(), BroadCast<half, 2, 1>(dst, src[1], to, from); }},
    {"broadcast_on_its_source", "operands-share",
     KERNEL { auto dst = Ub<half>(0, 128), src = Ub<half>(224, 8); const uint32_t to[] = {8, 16}, from[] = {8, 1}; Wrong(), BroadCast<half, 2, 1>(dst, src, to, from); }},
    {"quant_scale_on_destination", "operands-share",
     KERNEL { auto dst = Ub<int8_t>(0, 64); auto src = Ub<half>(1024, 64), scale = Ub<half>(32, 32); Wrong(), AscendQuant(dst, src, scale, half(0.0f), 32, 64); }},
    {"quant_source_too_short", "count-exceeds-tensor",
     KERNEL { auto dst = Ub<int8_t>(0, 64); auto src = Ub<half>(1024, 48); Wrong(), AscendQuant(dst, src, 1.0f, 0.0f, 64); }},
    {"quant_tmp_too_small", "work-size",
     KERNEL { auto dst = Ub<int8_t>(0, 64); auto src = Ub<float>(1024, 64), scale = Ub<float>(2048, 64); auto tmp = Ub<uint8_t>(4096, 224); Wrong(), AscendQuant(dst, src, tmp, scale, 0.0f, 64, 64); }},
    {"dequant_scale_too_short", "count-exceeds-tensor",
     KERNEL { auto dst = Ub<float>(0, 64), scale = Ub<float>(2048, 24); auto src = Ub<int32_t>(1024, 64); Wrong(), AscendDequant<float, float>(dst, src, scale, DequantParams{2, 32, 32}); }},
    {"dequant_in_place", "operands-share",
     KERNEL { auto dst = Ub<float>(1024, 64), scale = Ub<float>(2048, 32); auto src = Ub<int32_t>(1024, 64); Wrong(), AscendDequant<float, float>(dst, src, scale, DequantParams{2, 32, 32}); }},
    {"antiquant_scale_on_destination", "operands-share",
     KERNEL { auto dst = Ub<half>(0, 128), scale = Ub<half>(192, 64); auto src = Ub<int8_t>(1024, 128);
         Wrong(), AscendAntiQuant<int8_t, half, false>(dst, src, scale, 2, AntiQuantShapeInfo{1, 64, 1, 64}); }},
    {"antiquant_tmp_too_small", "work-size",
     KERNEL { auto dst = Ub<bfloat16_t>(0, 128), scale = Ub<bfloat16_t>(512, 64); auto src = Ub<int8_t>(1024, 128); auto tmp = Ub<uint8_t>(2048, 512);
         Wrong(), AscendAntiQuant<int8_t, bfloat16_t, false>(dst, src, scale, tmp, 2, AntiQuantShapeInfo{1, 64, 1, 64}); }},
    {"byte_mask_on_destination", "operands-share",
     KERNEL { auto dst = Ub<half>(0, 64), src = Ub<half>(1024, 64); auto mask = Ub<uint8_t>(64, 64); auto tmp = Ub<uint8_t>(4096, 8192);
         Wrong(), SelectWithBytesMask(dst, src, half(1.0f), mask, tmp, SelectWithBytesMaskShapeInfo{1, 64, 64}); }},
    {"byte_mask_too_short", "count-exceeds-tensor",
     KERNEL { auto dst = Ub<half>(0, 64), src = Ub<half>(1024, 64); auto mask = Ub<uint8_t>(2048, 48); auto tmp = Ub<uint8_t>(4096, 8192);
         Wrong(), SelectWithBytesMask(dst, src, half(1.0f), mask, tmp, SelectWithBytesMaskShapeInfo{1, 64, 64}); }},
    {"drop_out_tmp_on_mask", "operands-share",
     KERNEL { auto dst = Ub<half>(0, 64), src = Ub<half>(1024, 64); auto mask = Ub<uint8_t>(2048, 64), tmp = Ub<uint8_t>(2080, 4096);
         Wrong(), DropOut<half>(dst, src, mask, tmp, 0.5f, DropOutShapeInfo{1, 64, 64}); }},
    {"drop_out_tmp_too_small", "work-size",
     KERNEL { auto dst = Ub<half>(0, 64), src = Ub<half>(1024, 64); auto mask = Ub<uint8_t>(2048, 64), tmp = Ub<uint8_t>(4096, 512);
         Wrong(), DropOut<half>(dst, src, mask, tmp, 0.5f, DropOutShapeInfo{1, 64, 64}); }},
    {"topk_values_on_indices", "operands-share",
     KERNEL { auto value = Ub<float>(0, 16), src = Ub<float>(1024, 64); auto index = Ub<int32_t>(32, 16), given = Ub<int32_t>(2048, 32); auto finish = Ub<bool>(4096, 32);
         Wrong(), TopK<float>(value, index, src, given, finish, 8, TopkTiling{}, kTopK); }},
    {"topk_indices_too_short", "count-exceeds-tensor",
     KERNEL { auto value = Ub<float>(0, 16), src = Ub<float>(1024, 64); auto index = Ub<int32_t>(512, 8), given = Ub<int32_t>(2048, 32); auto finish = Ub<bool>(4096, 32);
         Wrong(), TopK<float>(value, index, src, given, finish, 8, TopkTiling{}, kTopK); }},
    {"topk_tmp_too_small", "work-size",
     KERNEL { auto value = Ub<float>(0, 16), src = Ub<float>(1024, 64); auto index = Ub<int32_t>(512, 16), given = Ub<int32_t>(2048, 32); auto finish = Ub<bool>(4096, 32); auto tmp = Ub<uint8_t>(8192, 736);
         Wrong(), TopK<float>(value, index, src, given, finish, tmp, 8, TopkTiling{}, kTopK); }},
    {"topk_source_in_l1", "memory-path",
     KERNEL { auto value = Ub<float>(0, 16), src = At<float>(TPosition::A1, 64); auto index = Ub<int32_t>(512, 16), given = Ub<int32_t>(2048, 32); auto finish = Ub<bool>(4096, 32);
         Wrong(), TopK<float>(value, index, src, given, finish, 8, TopkTiling{}, kTopK); }},
    {"confusion_transpose_in_place", "operands-share",
     KERNEL { auto src = Ub<half>(0, 256); ConfusionTransposeTiling tiling; tiling.axis0 = 16, tiling.axis1 = 16; Wrong(), ConfusionTranspose(src, src, TransposeType::TRANSPOSE_ND2ND_ONLY, tiling); }},
    {"confusion_transpose_destination_too_short", "count-exceeds-tensor",
     KERNEL { auto dst = Ub<half>(1024, 240), src = Ub<half>(0, 256); ConfusionTransposeTiling tiling; tiling.axis0 = 16, tiling.axis1 = 16; Wrong(), ConfusionTranspose(dst, src, TransposeType::TRANSPOSE_ND2ND_ONLY, tiling); }},
    {"confusion_transpose_tmp_too_small", "work-size",
     KERNEL { auto dst = Ub<half>(4096, 1024), src = Ub<half>(0, 1024); auto tmp = Ub<uint8_t>(8192, 992);
         ConfusionTransposeTiling tiling; tiling.axis0 = 1, tiling.axis1 = 2, tiling.axis2 = 16, tiling.axis3 = 24;
         Wrong(), ConfusionTranspose(dst, src, tmp, TransposeType::TRANSPOSE_NZ2ND_012_WITH_N, tiling); }},
};

}  // namespace

}  // namespace sfumato::wrong
