// SPDX-License-Identifier: Apache-2.0
// Softmax, reductions and norms used wrongly (adv.md 4.1, 6, 7).
#include "frontends/wrong_programs.h"

namespace sfumato::wrong {

constexpr SoftMaxTiling kNoTiling = {};

const Table<Program> kAdvRow = {
    {"softmax_row_of_no_blocks", "parameter-alignment", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto dst = Ub<float>(0, 120), src = Ub<float>(1024, 120);
         Wrong(), SoftMax<float>(dst, src, kNoTiling, {10, 12, 10, 12});
     }},
    {"softmax_padding_negative", "parameter-range", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto dst = Ub<float>(0, 128), src = Ub<float>(1024, 128);
         Wrong(), SoftMax<float>(dst, src, kNoTiling, {8, 16, 8, 17});
     }},
    {"softmax_shape_past_tensor", "count-exceeds-tensor", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto dst = Ub<half>(0, 128), src = Ub<half>(1024, 120);
         Wrong(), SoftMax<half>(dst, src, kNoTiling, {8, 16, 8, 16});
     }},
    {"softmax_side_without_blocks", "count-exceeds-tensor", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto dst = Ub<float>(0, 128), src = Ub<float>(1024, 128), sum = Ub<float>(2048, 8), max = Ub<float>(2112, 8);
         Wrong(), SoftMax<float>(dst, sum, max, src, kNoTiling, {8, 16, 8, 16});
     }},
    {"softmax_tmp_too_small", "work-size", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto dst = Ub<float>(0, 128), src = Ub<float>(1024, 128);
         auto tmp = Ub<uint8_t>(2048, 512);
         Wrong(), SoftMax<float>(dst, src, tmp, kNoTiling, {8, 16, 8, 16});
     }},
    {"softmax_no_basic_block", "basic-block", [](GM_ADDR, GM_ADDR) __aicore__ {
         TPipe pipe;
         TBuf<TPosition::VECCALC> all;  // of the tensors; the call takes the rest
         pipe.InitBuffer(all, 4096);
         auto dst = Ub<float>(0, 112), src = Ub<float>(1024, 112);
         Duplicate(src, 1.0f, 112);
         Wrong(), SoftMax<float, false, true>(dst, src, kNoTiling, {7, 16, 7, 16});
     }},
    {"softmax_reduce_max_ignored", "call-ignored", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto dst = Ub<float>(0, 128), src = Ub<float>(1024, 128);
         auto a = Ub<float>(2048, 64), b = Ub<float>(3072, 64), c = Ub<float>(4096, 64), d = Ub<float>(5120, 64);
         Wrong(), SoftmaxFlashV2<float, true>(dst, a, b, c, src, d, b, c, kNoTiling, {8, 16, 8, 16});
     }},
    {"sum_of_more_than_inner", "parameter-range", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto dst = Ub<float>(0, 8), src = Ub<float>(1024, 128);
         Wrong(), Sum(dst, src, SumParams{8, 16, 17});
     }},
    {"reduce_unpadded_rows", "parameter-range", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto dst = Ub<float>(0, 8), src = Ub<float>(1024, 128);
         const uint32_t shape[] = {8, 16};
         Wrong(), ReduceSum<float, AscendC::Pattern::Reduce::AR>(dst, src, shape, false);
     }},
    {"reduce_in_place", "operands-share", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto src = Ub<float>(1024, 128);
         const uint32_t shape[] = {8, 16};
         Wrong(), ReduceSum<float, AscendC::Pattern::Reduce::AR>(src, src, shape, true);
     }},
    {"rmsnorm_gamma_too_short", "count-exceeds-tensor", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto dst = Ub<float>(0, 128), src = Ub<float>(1024, 128), gamma = Ub<float>(2048, 8);
         RmsNormTiling tiling;
         tiling.bLength = 8, tiling.sLength = 1, tiling.hLength = 16, tiling.originalHLength = 16;
         Wrong(), RmsNorm<float>(dst, src, gamma, 1e-5f, tiling);
     }},
};

}  // namespace sfumato::wrong
