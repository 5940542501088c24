// SPDX-License-Identifier: Apache-2.0
// LogSoftMax, the variants of LayerNorm, its gradients, Pad and UnPad used wrongly (adv.md 4.2, 7, 9).
#include "frontends/wrong_programs.h"

namespace sfumato::wrong {
namespace {

constexpr NormalizeConfig kFour = {ReducePattern::AR, 4, false, false, false};

DeepNormTiling DeepRows(uint32_t rows, uint32_t h) {
    DeepNormTiling tiling;
    tiling.bLength = rows, tiling.sLength = 1, tiling.hLength = tiling.originalHLength = h;
    return tiling;
}
GroupNormTiling Groups(uint32_t groups, uint32_t hw) {
    GroupNormTiling tiling;
    tiling.n = tiling.d = 1, tiling.c = tiling.g = groups, tiling.hw = hw;
    return tiling;
}
BatchNormTiling Samples(uint32_t samples, uint32_t sh) {
    BatchNormTiling tiling;
    tiling.originalBLength = samples, tiling.meanVarSize = sh;
    return tiling;
}
LayerNormGradTiling GradRows(uint32_t h, uint32_t before) {
    LayerNormGradTiling tiling;
    tiling.bLength = 1, tiling.sLength = 8, tiling.hLength = h, tiling.originalHLength = before;
    return tiling;
}
PadTiling PadRows(uint32_t rows, uint32_t columns) {
    PadTiling tiling;
    tiling.srcHeight = rows, tiling.srcWidth = tiling.srcOriWidth = columns;
    return tiling;
}
UnPadTiling UnPadRows(uint32_t rows, uint32_t columns) {
    UnPadTiling tiling;
    tiling.srcHeight = rows, tiling.srcWidth = columns;
    return tiling;
}

}  // namespace

const Table<Program> kAdvNorm = {
    {"logsoftmax_in_place", "operands-share", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto src = Ub<float>(0, 128), sum = Ub<float>(1024, 64), max = Ub<float>(2048, 64);
         auto tmp = Ub<uint8_t>(4096, 4096);
         Wrong(), LogSoftMax<float>(src, sum, max, src, tmp, LogSoftMaxTiling{}, {8, 16, 8, 16});
     }},
    {"deepnorm_rows_too_long", "parameter-range", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto dst = Ub<float>(0, 2048), src = Ub<float>(8192, 2048), gx = Ub<float>(16384, 2048);
         auto g = Ub<float>(24576, 2048), side = Ub<float>(32768, 8), other = Ub<float>(32800, 8);
         Wrong(), DeepNorm<float>(dst, side, other, src, gx, g, g, 1.0f, 1e-5f, DeepRows(1, 2048));
     }},
    {"deepnorm_in_place", "operands-share", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto src = Ub<float>(0, 128), gx = Ub<float>(1024, 128), g = Ub<float>(2048, 16);
         auto side = Ub<float>(3072, 8), other = Ub<float>(3104, 8);
         Wrong(), DeepNorm<float>(src, side, other, src, gx, g, g, 1.0f, 1e-5f, DeepRows(8, 16));
     }},
    {"normalize_rows_of_the_configuration", "parameter-range", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto dst = Ub<float>(0, 128), src = Ub<float>(1024, 128), g = Ub<float>(2048, 16);
         auto mean = Ub<float>(3072, 8), variance = Ub<float>(3104, 8), rstd = Ub<float>(3136, 8);
         Wrong(), Normalize<float, float, false, kFour>(dst, rstd, mean, variance, src, g, g, 1e-5f,
                                                        NormalizePara{8, 16, 16});
     }},
    {"groupnorm_channel_of_no_blocks", "parameter-alignment", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto dst = Ub<half>(0, 128), src = Ub<half>(1024, 128), g = Ub<half>(2048, 16);
         auto side = Ub<half>(3072, 16), other = Ub<half>(3104, 16);
         GroupNormTiling tiling = Groups(8, 8);
         tiling.g = 4, tiling.d = 2;
         Wrong(), GroupNorm<half>(dst, side, other, src, g, g, half(0.001f), tiling);
     }},
    {"groupnorm_of_another_chip", "instruction-unsupported", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto dst = Ub<float>(0, 128), src = Ub<float>(1024, 128), g = Ub<float>(2048, 16);
         auto side = Ub<float>(3072, 16), other = Ub<float>(3136, 16);
         Wrong(), GroupNorm<float>(dst, side, other, src, g, g, 1e-5f, Groups(8, 16));
     }, {.chip = "Ascend310P3"}},
    {"groupnorm_tmp_too_small", "work-size", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto dst = Ub<float>(0, 128), src = Ub<float>(1024, 128), g = Ub<float>(2048, 16);
         auto side = Ub<float>(3072, 16), other = Ub<float>(3136, 16);
         auto tmp = Ub<uint8_t>(4096, 512);
         Wrong(), GroupNorm<float>(dst, side, other, src, g, g, tmp, 1e-5f, Groups(8, 16));
     }},
    {"batchnorm_gamma_too_short", "count-exceeds-tensor", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto dst = Ub<float>(0, 160), src = Ub<float>(1024, 160), g = Ub<float>(2048, 8);
         auto side = Ub<float>(3072, 16), other = Ub<float>(3136, 16);
         Wrong(), BatchNorm<float>(dst, side, other, src, g, g, 1e-5f, Samples(10, 16));
     }},
    {"batchnorm_no_basic_block", "basic-block", [](GM_ADDR, GM_ADDR) __aicore__ {
         TPipe pipe;
         TBuf<TPosition::VECCALC> all;  // of the tensors; the call takes the rest
         pipe.InitBuffer(all, 8192);
         auto dst = Ub<float>(0, 448), src = Ub<float>(2048, 448), g = Ub<float>(4096, 8);
         auto side = Ub<float>(5120, 64), other = Ub<float>(6144, 64);
         Duplicate(src, 1.0f, 448);
         Duplicate(g, 1.0f, 8);
         Wrong(), BatchNorm<float, false, true>(dst, side, other, src, g, g, 1e-5f, Samples(7, 64));
     }},
    {"layernormgrad_padded_rows", "parameter-range", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto pd = Ub<float>(0, 128), res = Ub<float>(1024, 128), dy = Ub<float>(2048, 128), x = Ub<float>(3072, 128);
         auto side = Ub<float>(4096, 8), g = Ub<float>(5120, 16);
         Wrong(), LayerNormGrad<float>(pd, res, dy, x, side, side, g, 1e-5f, GradRows(16, 13));
     }},
    {"layernormgrad_in_nz", "parameter-range", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto pd = Ub<float>(0, 128), res = Ub<float>(1024, 128), dy = Ub<float>(2048, 128), x = Ub<float>(3072, 128);
         auto side = Ub<float>(4096, 8), g = Ub<float>(5120, 16);
         Wrong(), LayerNormGrad<float>(pd, res, dy, x, side, side, g, 1e-5f, GradRows(16, 16), {DataFormat::NZ});
     }},
    {"layernormgradbeta_tmp_too_small", "work-size", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto pd = Ub<half>(0, 16), beta = Ub<half>(1024, 16), res = Ub<half>(2048, 128), dy = Ub<half>(3072, 128);
         auto tmp = Ub<uint8_t>(4096, 224);
         LayerNormGradBetaTiling tiling;
         tiling.bLength = 1, tiling.sLength = 8, tiling.hLength = tiling.originalHLength = 16;
         Wrong(), LayerNormGradBeta<half>(pd, beta, res, dy, tmp, tiling);
     }},
    {"pad_past_the_next_block", "parameter-range", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto dst = Ub<half>(0, 512), src = Ub<half>(1024, 240);
         Wrong(), Pad(dst, src, PadParams{1, 1, 0}, PadRows(16, 15));
     }},
    {"pad_of_whole_rows", "parameter-range", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto dst = Ub<float>(0, 128), src = Ub<float>(1024, 128);
         Wrong(), Pad(dst, src, PadParams{0, 0, 7}, PadRows(8, 16));
     }},
    {"pad_source_of_no_blocks", "parameter-range", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto dst = Ub<int16_t>(0, 128), src = Ub<int16_t>(1024, 112);
         Wrong(), Pad(dst, src, PadParams{0, 1, 0}, PadRows(7, 15));
     }},
    {"unpad_on_the_left", "parameter-range", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto dst = Ub<float>(0, 128), src = Ub<float>(1024, 128);
         Wrong(), UnPad(dst, src, UnPadParams{1, 1}, UnPadRows(8, 16));
     }},
    {"unpad_tmp_below_a_row", "tmp-size", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto dst = Ub<half>(0, 94), src = Ub<half>(1024, 96);
         auto tmp = Ub<uint8_t>(2048, 256);
         Duplicate(src, half(1.0f), 96);
         Wrong(), UnPad(dst, src, UnPadParams{0, 1}, tmp, UnPadRows(2, 48));
     }},
    {"unpad_rows_of_no_blocks", "parameter-alignment", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto dst = Ub<half>(0, 240), src = Ub<half>(1024, 240);
         Wrong(), UnPad(dst, src, UnPadParams{0, 1}, UnPadRows(16, 15));
     }},
};

}  // namespace sfumato::wrong
