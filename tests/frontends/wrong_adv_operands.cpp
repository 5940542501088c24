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

constexpr const char* kElements = "counts and shapes are of elements, not bytes";
constexpr const char* kSizes = "the host function of the call for MaxMinTmpSize gives the bytes";

#define NOT_IN_UB(Call, name, where)                                                                          \
    {.rule = "memory-path", .instruction = Call, .operand = name,                                             \
     .message = Call ": the call works on tensors in UB", .found = where, .legal = "VECIN, VECCALC or VECOUT", \
     .hint = "move the data to UB first"}
#define UNALIGNED(Call, name, byte)                                                                              \
    {.rule = "ub-alignment", .instruction = Call, .operand = name,                                               \
     .message = Call ": the tensor does not start at a multiple of 32 bytes", .found = "UB byte " byte,          \
     .legal = "multiples of 32", .hint = "start the tensor at a whole block"}
#define TOO_FEW(Call, name, used, there)                                                                        \
    {.rule = "count-exceeds-tensor", .instruction = Call, .operand = name,                                      \
     .message = Call ": the call uses more elements than the tensor has", .found = used " elements",            \
     .legal = "0 to " there, .hint = kElements}
#define SHARE(Call, a, b, bytes)                                                                       \
    {.rule = "operands-share", .instruction = Call, .operand = b, .message = Call ": " a " and " b " overlap", \
     .found = bytes, .legal = "no common byte", .hint = "use another destination"}
#define LENT(Call, b, bytes)                                                                 \
    {.rule = "operands-share", .instruction = Call, .operand = "sharedTmpBuffer",            \
     .message = Call ": sharedTmpBuffer and " b " overlap", .found = bytes, .legal = "no common byte", \
     .hint = "lend another buffer"}
#define TOO_SMALL(Call, bytes, least)                                                                      \
    {.rule = "work-size", .instruction = Call, .operand = "sharedTmpBuffer",                               \
     .message = Call ": the temporary buffer is too small", .found = bytes " bytes", .legal = least " bytes or more", \
     .hint = kSizes}
#define ROW(Call, name, elements)                                                     \
    {.rule = "parameter-alignment", .instruction = Call, .operand = name,             \
     .message = Call ": a row is no whole number of blocks", .found = elements,       \
     .legal = "a multiple of 32 bytes", .hint = "pad the rows"}
#define KERNEL [](GM_ADDR, GM_ADDR) __aicore__

std::vector<Program> ElementwisePrograms() {
    return {
        {.name = "swish_source_in_l1",
         .kernel = KERNEL { auto dst = Ub<half>(0, 64), src = At<half>(TPosition::A1, 64); Wrong(), Swish(dst, src, 64, half(1.0f)); },
         .report = NOT_IN_UB("Swish", "src", "L1")},
        {.name = "swiglu_second_source_on_dst",
         .kernel = KERNEL { auto dst = Ub<half>(0, 64), a = Ub<half>(1024, 64), b = Ub<half>(96, 64); Wrong(), SwiGLU(dst, a, b, 1.0f); },
         .report = SHARE("SwiGLU", "dst", "src1", "128 bytes of dst, 128 of src1, 96 apart")},
        {.name = "geglu_tmp_on_dst",
         .kernel = KERNEL { auto dst = Ub<half>(0, 64), a = Ub<half>(1024, 64), b = Ub<half>(2048, 64); auto tmp = Ub<uint8_t>(64, 256); Wrong(), GeGLU(dst, a, b, tmp); },
         .report = LENT("GeGLU", "dst", "256 bytes of sharedTmpBuffer, 128 of dst, 64 apart")},
        {.name = "floor_tmp_of_a_block",
         .kernel = KERNEL { auto dst = Ub<half>(0, 64), src = Ub<half>(1024, 64); auto tmp = Ub<uint8_t>(2048, 96); Wrong(), Floor(dst, src, tmp, 64); },
         .report = TOO_SMALL("Floor", "96", "2048")},
        {.name = "clamp_count",
         .kernel = KERNEL { auto dst = Ub<float>(0, 64), src = Ub<float>(1024, 72); Wrong(), ClampMax(dst, src, 1.0f, 72); },
         .report = TOO_FEW("ClampMax", "dst", "72", "64")},
        {.name = "sigmoid_count_negative",
         .kernel = KERNEL { auto dst = Ub<float>(0, 64), src = Ub<float>(1024, 64); Wrong(), Sigmoid(dst, src, -2); },
         .report = TOO_FEW("Sigmoid", "dst", "-2", "64")},
        {.name = "xor_unaligned_second_source",
         .kernel = KERNEL { auto dst = Ub<int16_t>(0, 64), a = Ub<int16_t>(1024, 64), b = Ub<int16_t>(2048, 80); Wrong(), Xor(dst, a, b[4]); },
         .report = UNALIGNED("Xor", "src1", "2056")},
        {.name = "exp_series_on_310p",
         .kernel = KERNEL { auto dst = Ub<float>(0, 64), src = Ub<float>(1024, 64); Wrong(), Exp<float, 4>(dst, src, 64); },
         .report = {.rule = "instruction-unsupported", .instruction = "Exp", .message = "Exp: Ascend310P does not have the instruction",
                    .found = "Ascend310P", .legal = "Ascend910B", .hint = "call Exp without taylorExpandLevel", .core = "core0"}, .chip = "Ascend310P3"},
    };
}

std::vector<Program> RowPrograms() {
    return {
        {.name = "softmax_source_unaligned",
         .kernel = KERNEL { auto dst = Ub<float>(0, 128), src = Ub<float>(1024, 136); Wrong(), SoftMax<float>(dst, src[4], kNoTiling, kShape); },
         .report = UNALIGNED("SoftMax", "src", "1040")},
        {.name = "softmax_source_in_l1",
         .kernel = KERNEL { auto dst = Ub<float>(0, 128), src = At<float>(TPosition::A1, 128); Wrong(), SoftMax<float>(dst, src, kNoTiling, kShape); },
         .report = NOT_IN_UB("SoftMax", "src", "L1")},
        {.name = "softmax_sum_on_max",
         .kernel = KERNEL { auto dst = Ub<float>(0, 128), src = Ub<float>(1024, 128), sum = Ub<float>(2048, 64), max = Ub<float>(2176, 64);
             Wrong(), SoftMax<float>(dst, sum, max, src, kNoTiling, kShape); },
         .report = SHARE("SoftMax", "sum", "max", "256 bytes of sum, 256 of max, 128 apart")},
        {.name = "softmax_partly_in_place",
         .kernel = KERNEL { auto dst = Ub<float>(0, 128), src = Ub<float>(64, 128); Wrong(), SoftMax<float>(dst, src, kNoTiling, kShape); },
         .report = {.rule = "operands-share", .instruction = "SoftMax", .operand = "src", .message = "SoftMax: dst and src overlap",
                    .found = "512 bytes of dst, 512 of src, 64 apart", .legal = "the same tensor, or no common byte",
                    .hint = "use another destination"}},
        {.name = "softmax_tmp_on_source",
         .kernel = KERNEL { auto dst = Ub<float>(0, 128), src = Ub<float>(1024, 128); auto tmp = Ub<uint8_t>(1280, 4096); Wrong(), SoftMax<float>(dst, src, tmp, kNoTiling, kShape); },
         .report = LENT("SoftMax", "src", "4096 bytes of sharedTmpBuffer, 512 of src, 256 apart")},
        {.name = "simple_softmax_sum_too_short",
         .kernel = KERNEL { auto dst = Ub<half>(0, 128), src = Ub<half>(1024, 128), sum = Ub<half>(2048, 64), max = Ub<half>(3072, 128);
             Wrong(), SimpleSoftMax<half>(dst, sum, max, src, kNoTiling, kShape); },
         .report = {.rule = "count-exceeds-tensor", .instruction = "SimpleSoftMax", .operand = "inSum",
                    .message = "SimpleSoftMax: the call uses more elements than the tensor has", .found = "128 elements", .legal = "0 to 64",
                    .hint = "each row takes a block of 32 bytes, one value in all its elements"}},
        {.name = "softmax_flash_v2_exp_max_on_old_sum",
         .kernel = KERNEL { auto dst = Ub<float>(0, 128), src = Ub<float>(1024, 128), a = Ub<float>(2048, 64), b = Ub<float>(3072, 64), c = Ub<float>(4096, 64), d = Ub<float>(4128, 64);
             Wrong(), SoftmaxFlashV2<float, true>(dst, a, b, src, c, d, b, kNoTiling, kShape); },
         .report = SHARE("SoftmaxFlashV2", "expMax", "inSum", "256 bytes of expMax, 256 of inSum, 32 apart")},
        {.name = "softmax_grad_gradient_too_short",
         .kernel = KERNEL { auto dst = Ub<float>(0, 128), src = Ub<float>(1024, 128), grad = Ub<float>(2048, 120); Wrong(), SoftmaxGrad<float>(dst, grad, src, kNoTiling, false, kShape); },
         .report = TOO_FEW("SoftmaxGrad", "grad", "128", "120")},
        {.name = "softmax_grad_front_row",
         .kernel = KERNEL { auto dst = Ub<float>(0, 64), src = Ub<float>(1024, 128), grad = Ub<float>(2048, 128); Wrong(), SoftmaxGradFront<float>(dst, grad, src, kNoTiling, {8, 15, 8, 15}); },
         .report = ROW("SoftmaxGradFront", "softmaxShapeInfo", "15 elements, 60 bytes")},
        {.name = "adjust_softmax_maximum_too_short",
         .kernel = KERNEL { auto res = Ub<float>(0, 128), max = Ub<float>(1024, 56); Wrong(), AdjustSoftMaxRes<float, float>(res, max, 0xFF7FFFFF, 0.0f, kShape); },
         .report = TOO_FEW("AdjustSoftMaxRes", "maxTensor", "64", "56")},
        {.name = "sum_source_unaligned",
         .kernel = KERNEL { auto dst = Ub<float>(0, 8), src = Ub<float>(1024, 136); Wrong(), Sum(dst, src[1], kSum); },
         .report = UNALIGNED("Sum", "src", "1028")},
        {.name = "sum_destination_too_short",
         .kernel = KERNEL { auto dst = Ub<half>(0, 7), src = Ub<half>(1024, 128); Wrong(), Sum(dst, src, kSum); },
         .report = TOO_FEW("Sum", "dst", "8", "7")},
        {.name = "sum_row_of_no_blocks",
         .kernel = KERNEL { auto dst = Ub<half>(0, 16), src = Ub<half>(1024, 128); Wrong(), Sum(dst, src, SumParams{8, 8, 8}); },
         .report = ROW("Sum", "inner", "8 elements, 16 bytes")},
        {.name = "sum_tmp_on_destination",
         .kernel = KERNEL { auto dst = Ub<float>(0, 8), src = Ub<float>(1024, 128); auto tmp = Ub<uint8_t>(0, 512); Wrong(), Sum(dst, src, tmp, kSum); },
         .report = LENT("Sum", "dst", "512 bytes of sharedTmpBuffer, 32 of dst, 0 apart")},
        {.name = "mean_tmp_too_small",
         .kernel = KERNEL { auto dst = Ub<half>(0, 16), src = Ub<half>(1024, 128); auto tmp = Ub<uint8_t>(2048, 96); Wrong(), Mean(dst, src, tmp, MeanParams{8, 16, 16}); },
         .report = TOO_SMALL("Mean", "96", "128")},
        {.name = "reduce_max_destination_too_short",
         .kernel = KERNEL { auto dst = Ub<half>(0, 15), src = Ub<half>(1024, 128); const uint32_t shape[] = {8, 16}; Wrong(), ReduceMax<half, Pattern::Reduce::RA>(dst, src, shape, true); },
         .report = TOO_FEW("ReduceMax", "dst", "16", "15")},
        {.name = "reduce_prod_tmp_too_small",
         .kernel = KERNEL { auto dst = Ub<float>(0, 8), src = Ub<float>(1024, 128); auto tmp = Ub<uint8_t>(2048, 32); const uint32_t shape[] = {8, 16}; Wrong(), ReduceProd<float, Pattern::Reduce::AR>(dst, src, tmp, shape, true); },
         .report = TOO_SMALL("ReduceProd", "32", "64")},
        {.name = "reduce_sum_pattern_on_310p",
         .kernel = KERNEL { auto dst = Ub<float>(0, 8), src = Ub<float>(1024, 128); const uint32_t shape[] = {8, 16}; Wrong(), ReduceSum<float, Pattern::Reduce::AR>(dst, src, shape, true); },
         .report = {.rule = "instruction-unsupported", .instruction = "ReduceSum", .message = "ReduceSum: Ascend310P does not have the instruction",
                    .found = "Ascend310P", .legal = "Ascend910B", .hint = "call Sum on the rows", .core = "core0"}, .chip = "Ascend310P3"},
        {.name = "cumsum_in_place",
         .kernel = KERNEL { auto src = Ub<float>(0, 128), last = Ub<float>(1024, 16); Wrong(), CumSum(src, last, src, kCumSum); },
         .report = SHARE("CumSum", "dst", "src", "512 bytes of dst, 512 of src, 0 apart")},
        {.name = "cumsum_row_of_no_blocks",
         .kernel = KERNEL { auto dst = Ub<float>(0, 128), last = Ub<float>(1024, 16), src = Ub<float>(2048, 128); Wrong(), CumSum(dst, last, src, CumSumInfo{8, 12}); },
         .report = ROW("CumSum", "inner", "12 elements, 48 bytes")},
        {.name = "cumsum_tmp_too_small",
         .kernel = KERNEL { auto dst = Ub<float>(0, 128), last = Ub<float>(1024, 16), src = Ub<float>(2048, 128); auto tmp = Ub<uint8_t>(4096, 512); Wrong(), CumSum(dst, last, src, tmp, kCumSum); },
         .report = TOO_SMALL("CumSum", "512", "672")},
        {.name = "xor_sum_second_source_too_short",
         .kernel = KERNEL { auto dst = Ub<int16_t>(0, 16), a = Ub<int16_t>(1024, 100), b = Ub<int16_t>(2048, 99); Wrong(), ReduceXorSum(dst, a, b, 100); },
         .report = TOO_FEW("ReduceXorSum", "src1", "100", "99")},
        {.name = "xor_sum_destination_in_source",
         .kernel = KERNEL { auto dst = Ub<int16_t>(1024, 16), a = Ub<int16_t>(1024, 100), b = Ub<int16_t>(2048, 100); Wrong(), ReduceXorSum(dst, a, b, 100); },
         .report = SHARE("ReduceXorSum", "dst", "src0", "2 bytes of dst, 200 of src0, 0 apart")},
        {.name = "xor_sum_tmp_too_small",
         .kernel = KERNEL { auto dst = Ub<int16_t>(0, 16), a = Ub<int16_t>(1024, 100), b = Ub<int16_t>(2048, 100); auto tmp = Ub<uint8_t>(4096, 128); Wrong(), ReduceXorSum(dst, a, b, tmp, 100); },
         .report = TOO_SMALL("ReduceXorSum", "128", "1024")},
        {.name = "layernorm_gamma_on_output",
         .kernel = KERNEL { auto out = Ub<float>(0, 128), mean = Ub<float>(1024, 8), variance = Ub<float>(1056, 8), x = Ub<float>(2048, 128), gamma = Ub<float>(480, 16), beta = Ub<float>(4096, 16);
             LayerNormTiling tiling; tiling.bLength = 8, tiling.sLength = 1, tiling.hLength = 16, tiling.originalHLength = 16;
             Wrong(), LayerNorm<float>(out, mean, variance, x, gamma, beta, 1e-5f, tiling); },
         .report = SHARE("LayerNorm", "output", "gamma", "512 bytes of output, 64 of gamma, 480 apart")},
        {.name = "layernorm_mean_on_variance",
         .kernel = KERNEL { auto out = Ub<float>(0, 128), mean = Ub<float>(1024, 8), x = Ub<float>(2048, 128), gamma = Ub<float>(3072, 16), beta = Ub<float>(4096, 16);
             LayerNormTiling tiling; tiling.bLength = 8, tiling.sLength = 1, tiling.hLength = 16, tiling.originalHLength = 16;
             Wrong(), LayerNorm<float>(out, mean, mean, x, gamma, beta, 1e-5f, tiling); },
         .report = SHARE("LayerNorm", "outputMean", "outputVariance", "32 bytes of outputMean, 32 of outputVariance, 0 apart")},
        {.name = "rmsnorm_row_of_no_blocks",
         .kernel = KERNEL { auto dst = Ub<half>(0, 128), src = Ub<half>(1024, 128), gamma = Ub<half>(2048, 16);
             RmsNormTiling tiling; tiling.bLength = 8, tiling.sLength = 1, tiling.hLength = 12, tiling.originalHLength = 12;
             Wrong(), RmsNorm<half>(dst, src, gamma, half(1e-3f), tiling); },
         .report = ROW("RmsNorm", "tiling", "12 elements, 24 bytes")},
        {.name = "rmsnorm_tmp_too_small",
         .kernel = KERNEL { auto dst = Ub<float>(0, 128), src = Ub<float>(1024, 128), gamma = Ub<float>(2048, 16); auto tmp = Ub<uint8_t>(4096, 512);
             RmsNormTiling tiling; tiling.bLength = 8, tiling.sLength = 1, tiling.hLength = 16, tiling.originalHLength = 16;
             Wrong(), RmsNorm<float>(dst, src, gamma, tmp, 1e-5f, tiling); },
         .report = TOO_SMALL("RmsNorm", "512", "960")},
        {.name = "welford_mean_on_old_variance",
         .kernel = KERNEL { auto mean = Ub<float>(0, 64), variance = Ub<float>(1024, 64), old = Ub<float>(2048, 64), x = Ub<float>(4096, 64);
             Wrong(), WelfordUpdate<float>(mean, variance, old, mean, x, WelfordUpdateParam{1, 64, 64, 0.5f}); },
         .report = SHARE("WelfordUpdate", "outputMean", "inputVariance", "256 bytes of outputMean, 256 of inputVariance, 0 apart")},
        {.name = "welford_counts_too_short",
         .kernel = KERNEL { auto mean = Ub<float>(0, 8), variance = Ub<float>(32, 8), m = Ub<float>(1024, 64), v = Ub<float>(2048, 64); auto counts = Ub<int32_t>(4096, 56);
             Wrong(), WelfordFinalize(mean, variance, m, v, counts, WelfordFinalizePara{1, 64, 0, 0, 0, 0, 1, 1, 1}); },
         .report = TOO_FEW("WelfordFinalize", "counts", "64", "56")},
    };
}

std::vector<Program> DataPrograms() {
    return {
        {.name = "broadcast_source_unaligned",
         .kernel = KERNEL { auto dst = Ub<half>(0, 128), src = Ub<half>(1024, 16); const uint32_t to[] = {8, 16}, from[] = {8, 1}; Wrong(), BroadCast<half, 2, 1>(dst, src[1], to, from); },
         .report = UNALIGNED("BroadCast", "src", "1026")},
        {.name = "broadcast_on_its_source",
         .kernel = KERNEL { auto dst = Ub<half>(0, 128), src = Ub<half>(224, 8); const uint32_t to[] = {8, 16}, from[] = {8, 1}; Wrong(), BroadCast<half, 2, 1>(dst, src, to, from); },
         .report = SHARE("BroadCast", "dst", "src", "256 bytes of dst, 16 of src, 224 apart")},
        {.name = "quant_scale_on_destination",
         .kernel = KERNEL { auto dst = Ub<int8_t>(0, 64); auto src = Ub<half>(1024, 64), scale = Ub<half>(32, 32); Wrong(), AscendQuant(dst, src, scale, half(0.0f), 32, 64); },
         .report = SHARE("AscendQuant", "dst", "scale", "64 bytes of dst, 64 of scale, 32 apart")},
        {.name = "quant_source_too_short",
         .kernel = KERNEL { auto dst = Ub<int8_t>(0, 64); auto src = Ub<half>(1024, 48); Wrong(), AscendQuant(dst, src, 1.0f, 0.0f, 64); },
         .report = TOO_FEW("AscendQuant", "src", "64", "48")},
        {.name = "quant_tmp_too_small",
         .kernel = KERNEL { auto dst = Ub<int8_t>(0, 64); auto src = Ub<float>(1024, 64), scale = Ub<float>(2048, 64); auto tmp = Ub<uint8_t>(4096, 224); Wrong(), AscendQuant(dst, src, tmp, scale, 0.0f, 64, 64); },
         .report = TOO_SMALL("AscendQuant", "224", "256")},
        {.name = "dequant_scale_too_short",
         .kernel = KERNEL { auto dst = Ub<float>(0, 64), scale = Ub<float>(2048, 24); auto src = Ub<int32_t>(1024, 64); Wrong(), AscendDequant<float, float>(dst, src, scale, DequantParams{2, 32, 32}); },
         .report = TOO_FEW("AscendDequant", "deqScale", "32", "24")},
        {.name = "dequant_in_place",
         .kernel = KERNEL { auto dst = Ub<float>(1024, 64), scale = Ub<float>(2048, 32); auto src = Ub<int32_t>(1024, 64); Wrong(), AscendDequant<float, float>(dst, src, scale, DequantParams{2, 32, 32}); },
         .report = SHARE("AscendDequant", "dst", "src", "256 bytes of dst, 256 of src, 0 apart")},
        {.name = "antiquant_scale_on_destination",
         .kernel = KERNEL { auto dst = Ub<half>(0, 128), scale = Ub<half>(192, 64); auto src = Ub<int8_t>(1024, 128);
             Wrong(), AscendAntiQuant<int8_t, half, false>(dst, src, scale, 2, AntiQuantShapeInfo{1, 64, 1, 64}); },
         .report = SHARE("AscendAntiQuant", "dst", "scale", "256 bytes of dst, 128 of scale, 192 apart")},
        {.name = "antiquant_tmp_too_small",
         .kernel = KERNEL { auto dst = Ub<bfloat16_t>(0, 128), scale = Ub<bfloat16_t>(512, 64); auto src = Ub<int8_t>(1024, 128); auto tmp = Ub<uint8_t>(2048, 512);
             Wrong(), AscendAntiQuant<int8_t, bfloat16_t, false>(dst, src, scale, tmp, 2, AntiQuantShapeInfo{1, 64, 1, 64}); },
         .report = TOO_SMALL("AscendAntiQuant", "512", "640")},
        {.name = "byte_mask_on_destination",
         .kernel = KERNEL { auto dst = Ub<half>(0, 64), src = Ub<half>(1024, 64); auto mask = Ub<uint8_t>(64, 64); auto tmp = Ub<uint8_t>(4096, 8192);
             Wrong(), SelectWithBytesMask(dst, src, half(1.0f), mask, tmp, SelectWithBytesMaskShapeInfo{1, 64, 64}); },
         .report = SHARE("SelectWithBytesMask", "dst", "mask", "128 bytes of dst, 64 of mask, 64 apart")},
        {.name = "byte_mask_too_short",
         .kernel = KERNEL { auto dst = Ub<half>(0, 64), src = Ub<half>(1024, 64); auto mask = Ub<uint8_t>(2048, 48); auto tmp = Ub<uint8_t>(4096, 8192);
             Wrong(), SelectWithBytesMask(dst, src, half(1.0f), mask, tmp, SelectWithBytesMaskShapeInfo{1, 64, 64}); },
         .report = TOO_FEW("SelectWithBytesMask", "mask", "64", "48")},
        {.name = "drop_out_tmp_on_mask",
         .kernel = KERNEL { auto dst = Ub<half>(0, 64), src = Ub<half>(1024, 64); auto mask = Ub<uint8_t>(2048, 64), tmp = Ub<uint8_t>(2080, 4096);
             Wrong(), DropOut<half>(dst, src, mask, tmp, 0.5f, DropOutShapeInfo{1, 64, 64}); },
         .report = LENT("DropOut", "mask", "4096 bytes of sharedTmpBuffer, 64 of mask, 32 apart")},
        {.name = "drop_out_tmp_too_small",
         .kernel = KERNEL { auto dst = Ub<half>(0, 64), src = Ub<half>(1024, 64); auto mask = Ub<uint8_t>(2048, 64), tmp = Ub<uint8_t>(4096, 512);
             Wrong(), DropOut<half>(dst, src, mask, tmp, 0.5f, DropOutShapeInfo{1, 64, 64}); },
         .report = TOO_SMALL("DropOut", "512", "768")},
        {.name = "topk_values_on_indices",
         .kernel = KERNEL { auto value = Ub<float>(0, 16), src = Ub<float>(1024, 64); auto index = Ub<int32_t>(32, 16), given = Ub<int32_t>(2048, 32); auto finish = Ub<bool>(4096, 32);
             Wrong(), TopK<float>(value, index, src, given, finish, 8, TopkTiling{}, kTopK); },
         .report = SHARE("TopK", "dstValue", "dstIndex", "64 bytes of dstValue, 64 of dstIndex, 32 apart")},
        {.name = "topk_indices_too_short",
         .kernel = KERNEL { auto value = Ub<float>(0, 16), src = Ub<float>(1024, 64); auto index = Ub<int32_t>(512, 8), given = Ub<int32_t>(2048, 32); auto finish = Ub<bool>(4096, 32);
             Wrong(), TopK<float>(value, index, src, given, finish, 8, TopkTiling{}, kTopK); },
         .report = TOO_FEW("TopK", "dstIndex", "16", "8")},
        {.name = "topk_tmp_too_small",
         .kernel = KERNEL { auto value = Ub<float>(0, 16), src = Ub<float>(1024, 64); auto index = Ub<int32_t>(512, 16), given = Ub<int32_t>(2048, 32); auto finish = Ub<bool>(4096, 32); auto tmp = Ub<uint8_t>(8192, 736);
             Wrong(), TopK<float>(value, index, src, given, finish, tmp, 8, TopkTiling{}, kTopK); },
         .report = TOO_SMALL("TopK", "736", "768")},
        {.name = "topk_source_in_l1",
         .kernel = KERNEL { auto value = Ub<float>(0, 16), src = At<float>(TPosition::A1, 64); auto index = Ub<int32_t>(512, 16), given = Ub<int32_t>(2048, 32); auto finish = Ub<bool>(4096, 32);
             Wrong(), TopK<float>(value, index, src, given, finish, 8, TopkTiling{}, kTopK); },
         .report = NOT_IN_UB("TopK", "src", "L1")},
        {.name = "confusion_transpose_in_place",
         .kernel = KERNEL { auto src = Ub<half>(0, 256); ConfusionTransposeTiling tiling; tiling.axis0 = 16, tiling.axis1 = 16; Wrong(), ConfusionTranspose(src, src, TransposeType::TRANSPOSE_ND2ND_ONLY, tiling); },
         .report = SHARE("ConfusionTranspose", "dst", "src", "512 bytes of dst, 512 of src, 0 apart")},
        {.name = "confusion_transpose_destination_too_short",
         .kernel = KERNEL { auto dst = Ub<half>(1024, 240), src = Ub<half>(0, 256); ConfusionTransposeTiling tiling; tiling.axis0 = 16, tiling.axis1 = 16; Wrong(), ConfusionTranspose(dst, src, TransposeType::TRANSPOSE_ND2ND_ONLY, tiling); },
         .report = TOO_FEW("ConfusionTranspose", "dst", "256", "240")},
        {.name = "confusion_transpose_tmp_too_small",
         .kernel = KERNEL { auto dst = Ub<half>(4096, 1024), src = Ub<half>(0, 1024); auto tmp = Ub<uint8_t>(8192, 992);
             ConfusionTransposeTiling tiling; tiling.axis0 = 1, tiling.axis1 = 2, tiling.axis2 = 16, tiling.axis3 = 24;
             Wrong(), ConfusionTranspose(dst, src, tmp, TransposeType::TRANSPOSE_NZ2ND_012_WITH_N, tiling); },
         .report = TOO_SMALL("ConfusionTranspose", "992", "1024")},
    };
}

}  // namespace

std::vector<Program> AdvOperandPrograms() {
    std::vector<Program> all = ElementwisePrograms();
    for (const auto& more : {RowPrograms(), DataPrograms()}) all.insert(all.end(), more.begin(), more.end());
    return all;
}

}  // namespace sfumato::wrong
