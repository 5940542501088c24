// SPDX-License-Identifier: Apache-2.0
// Softmax, reductions and norms used wrongly (adv.md 4.1, 6, 7).
#include "frontends/wrong_programs.h"

namespace sfumato::wrong {

constexpr SoftMaxTiling kNoTiling = {};

std::vector<Program> AdvRowPrograms() {
    return {
        {.name = "softmax_row_of_no_blocks",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto dst = Ub<float>(0, 120), src = Ub<float>(1024, 120);
             Wrong(), SoftMax<float>(dst, src, kNoTiling, {10, 12, 10, 12});
         },
         .report = {.rule = "parameter-alignment", .instruction = "SoftMax", .operand = "softmaxShapeInfo",
                    .message = "SoftMax: a row is no whole number of blocks", .found = "12 elements, 48 bytes",
                    .legal = "a multiple of 32 bytes", .hint = "pad the rows"}},
        {.name = "softmax_padding_negative",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto dst = Ub<float>(0, 128), src = Ub<float>(1024, 128);
             Wrong(), SoftMax<float>(dst, src, kNoTiling, {8, 16, 8, 17});
         },
         .report = {.rule = "parameter-range", .instruction = "SoftMax", .operand = "softmaxShapeInfo",
                    .message = "SoftMax: the shape before padding is larger than the padded one",
                    .found = "8 x 17 of 8 x 16", .legal = "at most 8 x 16"}},
        {.name = "softmax_shape_past_tensor",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto dst = Ub<half>(0, 128), src = Ub<half>(1024, 120);
             Wrong(), SoftMax<half>(dst, src, kNoTiling, {8, 16, 8, 16});
         },
         .report = {.rule = "count-exceeds-tensor", .instruction = "SoftMax", .operand = "src",
                    .message = "SoftMax: the call uses more elements than the tensor has", .found = "128 elements",
                    .legal = "0 to 120", .hint = "counts and shapes are of elements, not bytes"}},
        {.name = "softmax_side_without_blocks",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto dst = Ub<float>(0, 128), src = Ub<float>(1024, 128), sum = Ub<float>(2048, 8), max = Ub<float>(2112, 8);
             Wrong(), SoftMax<float>(dst, sum, max, src, kNoTiling, {8, 16, 8, 16});
         },
         .report = {.rule = "count-exceeds-tensor", .instruction = "SoftMax", .operand = "sum",
                    .message = "SoftMax: the call uses more elements than the tensor has", .found = "64 elements",
                    .legal = "0 to 8",
                    .hint = "each row takes a block of 32 bytes, one value in all its elements"}},
        {.name = "softmax_tmp_too_small",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto dst = Ub<float>(0, 128), src = Ub<float>(1024, 128);
             auto tmp = Ub<uint8_t>(2048, 512);
             Wrong(), SoftMax<float>(dst, src, tmp, kNoTiling, {8, 16, 8, 16});
         },
         .report = {.rule = "work-size", .instruction = "SoftMax", .operand = "sharedTmpBuffer",
                    .message = "SoftMax: the temporary buffer is too small", .found = "512 bytes",
                    .legal = "576 bytes or more",
                    .hint = "the host function of the call for MaxMinTmpSize gives the bytes"}},
        {.name = "softmax_no_basic_block",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             TPipe pipe;
             TBuf<TPosition::VECCALC> all;  // of the tensors; the call takes the rest
             pipe.InitBuffer(all, 4096);
             auto dst = Ub<float>(0, 112), src = Ub<float>(1024, 112);
             Duplicate(src, 1.0f, 112);
             Wrong(), SoftMax<float, false, true>(dst, src, kNoTiling, {7, 16, 7, 16});
         },
         .report = {.severity = Severity::kWarning, .rule = "basic-block", .instruction = "SoftMax",
                    .operand = "softmaxShapeInfo",
                    .message = "SoftMax: isBasicBlock promises a shape that is not given", .found = "7 x 16",
                    .legal = "srcK below 2048, of 256 bytes or more, a multiple of 64; srcM a multiple of 8",
                    .hint = "leave isBasicBlock false; here the result is the same"}},
        {.name = "softmax_reduce_max_ignored",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto dst = Ub<float>(0, 128), src = Ub<float>(1024, 128);
             auto a = Ub<float>(2048, 64), b = Ub<float>(3072, 64), c = Ub<float>(4096, 64), d = Ub<float>(5120, 64);
             Wrong(), SoftmaxFlashV2<float, true>(dst, a, b, c, src, d, b, c, kNoTiling, {8, 16, 8, 16});
         },
         .report = {.severity = Severity::kWarning, .rule = "call-ignored", .instruction = "SoftmaxFlashV2",
                    .operand = "outReduceMax",
                    .message = "SoftmaxFlashV2: with outReduceMax the call does nothing in this mode",
                    .found = "SOFTMAX_NORMAL", .legal = "SOFTMAX_OUTPUT_WITHOUT_BRC",
                    .hint = "set the mode in the SoftmaxConfig"}},
        {.name = "sum_of_more_than_inner",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto dst = Ub<float>(0, 8), src = Ub<float>(1024, 128);
             Wrong(), Sum(dst, src, SumParams{8, 16, 17});
         },
         .report = {.rule = "parameter-range", .instruction = "Sum", .operand = "n",
                    .message = "Sum: the elements of a row are out of range", .found = "17",
                    .legal = "1 to inner, 16"}},
        {.name = "reduce_unpadded_rows",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto dst = Ub<float>(0, 8), src = Ub<float>(1024, 128);
             const uint32_t shape[] = {8, 16};
             Wrong(), ReduceSum<float, AscendC::Pattern::Reduce::AR>(dst, src, shape, false);
         },
         .report = {.rule = "parameter-range", .instruction = "ReduceSum", .operand = "srcInnerPad",
                    .message = "ReduceSum: this chip takes rows padded to blocks only", .found = "false",
                    .legal = "true", .hint = "let each row begin at a multiple of 32 bytes"}},
        {.name = "reduce_in_place",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto src = Ub<float>(1024, 128);
             const uint32_t shape[] = {8, 16};
             Wrong(), ReduceSum<float, AscendC::Pattern::Reduce::AR>(src, src, shape, true);
         },
         .report = {.rule = "operands-share", .instruction = "ReduceSum", .operand = "src",
                    .message = "ReduceSum: dst and src overlap", .found = "32 bytes of dst, 512 of src, 0 apart",
                    .legal = "no common byte", .hint = "use another destination"}},
        {.name = "rmsnorm_gamma_too_short",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto dst = Ub<float>(0, 128), src = Ub<float>(1024, 128), gamma = Ub<float>(2048, 8);
             RmsNormTiling tiling;
             tiling.bLength = 8, tiling.sLength = 1, tiling.hLength = 16, tiling.originalHLength = 16;
             Wrong(), RmsNorm<float>(dst, src, gamma, 1e-5f, tiling);
         },
         .report = {.rule = "count-exceeds-tensor", .instruction = "RmsNorm", .operand = "gamma",
                    .message = "RmsNorm: the call uses more elements than the tensor has", .found = "16 elements",
                    .legal = "0 to 8", .hint = "counts and shapes are of elements, not bytes"}},
    };
}

}  // namespace sfumato::wrong
