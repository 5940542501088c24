// SPDX-License-Identifier: Apache-2.0
// LogSoftMax, the variants of LayerNorm, its gradients, Pad and UnPad used wrongly (adv.md 4.2, 7, 9).
#include "frontends/wrong_programs.h"

namespace sfumato::wrong {
namespace {

constexpr const char* kApart = "use another destination";
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

std::vector<Program> AdvNormPrograms() {
    return {
        {.name = "logsoftmax_in_place",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto src = Ub<float>(0, 128), sum = Ub<float>(1024, 64), max = Ub<float>(2048, 64);
             auto tmp = Ub<uint8_t>(4096, 4096);
             Wrong(), LogSoftMax<float>(src, sum, max, src, tmp, LogSoftMaxTiling{}, {8, 16, 8, 16});
         },
         .report = {.rule = "operands-share", .instruction = "LogSoftMax", .operand = "src",
                    .message = "LogSoftMax: dst and src overlap", .found = "512 bytes of dst, 512 of src, 0 apart",
                    .legal = "no common byte", .hint = kApart}},
        {.name = "deepnorm_rows_too_long",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto dst = Ub<float>(0, 2048), src = Ub<float>(8192, 2048), gx = Ub<float>(16384, 2048);
             auto g = Ub<float>(24576, 2048), side = Ub<float>(32768, 8), other = Ub<float>(32800, 8);
             Wrong(), DeepNorm<float>(dst, side, other, src, gx, g, g, 1.0f, 1e-5f, DeepRows(1, 2048));
         },
         .report = {.rule = "parameter-range", .instruction = "DeepNorm", .operand = "tiling",
                    .message = "DeepNorm: the rows are too long", .found = "2048", .legal = "H of at most 2040"}},
        {.name = "deepnorm_in_place",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto src = Ub<float>(0, 128), gx = Ub<float>(1024, 128), g = Ub<float>(2048, 16);
             auto side = Ub<float>(3072, 8), other = Ub<float>(3104, 8);
             Wrong(), DeepNorm<float>(src, side, other, src, gx, g, g, 1.0f, 1e-5f, DeepRows(8, 16));
         },
         .report = {.rule = "operands-share", .instruction = "DeepNorm", .operand = "srcLocal",
                    .message = "DeepNorm: dstLocal and srcLocal overlap",
                    .found = "512 bytes of dstLocal, 512 of srcLocal, 0 apart", .legal = "no common byte", .hint = kApart}},
        {.name = "normalize_rows_of_the_configuration",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto dst = Ub<float>(0, 128), src = Ub<float>(1024, 128), g = Ub<float>(2048, 16);
             auto mean = Ub<float>(3072, 8), variance = Ub<float>(3104, 8), rstd = Ub<float>(3136, 8);
             Wrong(), Normalize<float, float, false, kFour>(dst, rstd, mean, variance, src, g, g, 1e-5f,
                                                            NormalizePara{8, 16, 16});
         },
         .report = {.rule = "parameter-range", .instruction = "Normalize", .operand = "para",
                    .message = "Normalize: aLength is not that of the configuration", .found = "8", .legal = "4"}},
        {.name = "groupnorm_channel_of_no_blocks",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto dst = Ub<half>(0, 128), src = Ub<half>(1024, 128), g = Ub<half>(2048, 16);
             auto side = Ub<half>(3072, 16), other = Ub<half>(3104, 16);
             GroupNormTiling tiling = Groups(8, 8);
             tiling.g = 4, tiling.d = 2;
             Wrong(), GroupNorm<half>(dst, side, other, src, g, g, half(0.001f), tiling);
         },
         .report = {.rule = "parameter-alignment", .instruction = "GroupNorm", .operand = "tiling",
                    .message = "GroupNorm: a row is no whole number of blocks", .found = "8 elements, 16 bytes",
                    .legal = "a multiple of 32 bytes", .hint = "pad the rows"}},
        {.name = "groupnorm_of_another_chip",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto dst = Ub<float>(0, 128), src = Ub<float>(1024, 128), g = Ub<float>(2048, 16);
             auto side = Ub<float>(3072, 16), other = Ub<float>(3136, 16);
             Wrong(), GroupNorm<float>(dst, side, other, src, g, g, 1e-5f, Groups(8, 16));
         },
         .report = {.rule = "instruction-unsupported", .instruction = "GroupNorm",
                    .message = "GroupNorm: Ascend310P does not have the instruction", .found = "Ascend310P",
                    .legal = "Ascend910B", .hint = "call LayerNorm of each group", .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "groupnorm_tmp_too_small",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto dst = Ub<float>(0, 128), src = Ub<float>(1024, 128), g = Ub<float>(2048, 16);
             auto side = Ub<float>(3072, 16), other = Ub<float>(3136, 16);
             auto tmp = Ub<uint8_t>(4096, 512);
             Wrong(), GroupNorm<float>(dst, side, other, src, g, g, tmp, 1e-5f, Groups(8, 16));
         },
         .report = {.rule = "work-size", .instruction = "GroupNorm", .operand = "sharedTmpBuffer",
                    .message = "GroupNorm: the temporary buffer is too small", .found = "512 bytes",
                    .legal = "1632 bytes or more",
                    .hint = "the host function of the call for MaxMinTmpSize gives the bytes"}},
        {.name = "batchnorm_gamma_too_short",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto dst = Ub<float>(0, 160), src = Ub<float>(1024, 160), g = Ub<float>(2048, 8);
             auto side = Ub<float>(3072, 16), other = Ub<float>(3136, 16);
             Wrong(), BatchNorm<float>(dst, side, other, src, g, g, 1e-5f, Samples(10, 16));
         },
         .report = {.rule = "count-exceeds-tensor", .instruction = "BatchNorm", .operand = "gamm",
                    .message = "BatchNorm: the call uses more elements than the tensor has", .found = "10 elements",
                    .legal = "0 to 8", .hint = "counts and shapes are of elements, not bytes"}},
        {.name = "batchnorm_no_basic_block",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             TPipe pipe;
             TBuf<TPosition::VECCALC> all;  // of the tensors; the call takes the rest
             pipe.InitBuffer(all, 8192);
             auto dst = Ub<float>(0, 448), src = Ub<float>(2048, 448), g = Ub<float>(4096, 8);
             auto side = Ub<float>(5120, 64), other = Ub<float>(6144, 64);
             Duplicate(src, 1.0f, 448);
             Duplicate(g, 1.0f, 8);
             Wrong(), BatchNorm<float, false, true>(dst, side, other, src, g, g, 1e-5f, Samples(7, 64));
         },
         .report = {.severity = Severity::kWarning, .rule = "basic-block", .instruction = "BatchNorm",
                    .operand = "tiling", .message = "BatchNorm: isBasicBlock promises a shape that is not given",
                    .found = "7 x 64", .legal = "B a multiple of 8; S x H below 2048, a multiple of 64",
                    .hint = "leave isBasicBlock false; here the result is the same"}},
        {.name = "layernormgrad_padded_rows",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto pd = Ub<float>(0, 128), res = Ub<float>(1024, 128), dy = Ub<float>(2048, 128), x = Ub<float>(3072, 128);
             auto side = Ub<float>(4096, 8), g = Ub<float>(5120, 16);
             Wrong(), LayerNormGrad<float>(pd, res, dy, x, side, side, g, 1e-5f, GradRows(16, 13));
         },
         .report = {.rule = "parameter-range", .instruction = "LayerNormGrad", .operand = "tiling",
                    .message = "LayerNormGrad: H before padding is not H", .found = "13 of 16", .legal = "16",
                    .hint = "rows of these calls have no padding"}},
        {.name = "layernormgrad_in_nz",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto pd = Ub<float>(0, 128), res = Ub<float>(1024, 128), dy = Ub<float>(2048, 128), x = Ub<float>(3072, 128);
             auto side = Ub<float>(4096, 8), g = Ub<float>(5120, 16);
             Wrong(), LayerNormGrad<float>(pd, res, dy, x, side, side, g, 1e-5f, GradRows(16, 16), {DataFormat::NZ});
         },
         .report = {.rule = "parameter-range", .instruction = "LayerNormGrad", .operand = "shapeInfo",
                    .message = "LayerNormGrad: the data are in ND", .found = "DataFormat 1",
                    .legal = "DataFormat::ND"}},
        {.name = "layernormgradbeta_tmp_too_small",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto pd = Ub<half>(0, 16), beta = Ub<half>(1024, 16), res = Ub<half>(2048, 128), dy = Ub<half>(3072, 128);
             auto tmp = Ub<uint8_t>(4096, 224);
             LayerNormGradBetaTiling tiling;
             tiling.bLength = 1, tiling.sLength = 8, tiling.hLength = tiling.originalHLength = 16;
             Wrong(), LayerNormGradBeta<half>(pd, beta, res, dy, tmp, tiling);
         },
         .report = {.rule = "work-size", .instruction = "LayerNormGradBeta", .operand = "sharedTmpBuffer",
                    .message = "LayerNormGradBeta: the temporary buffer is too small", .found = "224 bytes",
                    .legal = "256 bytes or more",
                    .hint = "the host function of the call for MaxMinTmpSize gives the bytes"}},
        {.name = "pad_past_the_next_block",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto dst = Ub<half>(0, 512), src = Ub<half>(1024, 240);
             Wrong(), Pad(dst, src, PadParams{1, 1, 0}, PadRows(16, 15));
         },
         .report = {.rule = "parameter-range", .instruction = "Pad", .operand = "padParams",
                    .message = "Pad: the padded rows are longer than the next multiple of 32 bytes",
                    .found = "15 columns, leftPad 1, rightPad 1", .legal = "at most 16 columns together",
                    .hint = "pad to the next multiple of 32 bytes at most"}},
        {.name = "pad_of_whole_rows",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto dst = Ub<float>(0, 128), src = Ub<float>(1024, 128);
             Wrong(), Pad(dst, src, PadParams{0, 0, 7}, PadRows(8, 16));
         },
         .report = {.rule = "parameter-range", .instruction = "Pad", .operand = "padParams",
                    .message = "Pad: rows of whole blocks take padding in place of their last columns alone",
                    .found = "16 columns, leftPad 0, rightPad 0", .legal = "leftPad 0, rightPad 1 to 7"}},
        {.name = "pad_source_of_no_blocks",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto dst = Ub<int16_t>(0, 128), src = Ub<int16_t>(1024, 112);
             Wrong(), Pad(dst, src, PadParams{0, 1, 0}, PadRows(7, 15));
         },
         .report = {.rule = "parameter-range", .instruction = "Pad", .operand = "tiling",
                    .message = "Pad: the source is no whole number of blocks", .found = "7 x 15 elements, 210 bytes",
                    .legal = "a multiple of 32 bytes", .hint = "PadTilingFunc makes the tiling from the shape"}},
        {.name = "unpad_on_the_left",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto dst = Ub<float>(0, 128), src = Ub<float>(1024, 128);
             Wrong(), UnPad(dst, src, UnPadParams{1, 1}, UnPadRows(8, 16));
         },
         .report = {.rule = "parameter-range", .instruction = "UnPad", .operand = "unPadParams",
                    .message = "UnPad: columns are dropped on the right alone, less than a block of them",
                    .found = "16 columns, leftPad 1, rightPad 1", .legal = "leftPad 0, rightPad 1 to 7"}},
        {.name = "unpad_tmp_below_a_row",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto dst = Ub<half>(0, 94), src = Ub<half>(1024, 96);
             auto tmp = Ub<uint8_t>(2048, 256);
             Duplicate(src, half(1.0f), 96);
             Wrong(), UnPad(dst, src, UnPadParams{0, 1}, tmp, UnPadRows(2, 48));
         },
         .report = {.severity = Severity::kWarning, .rule = "tmp-size", .instruction = "UnPad",
                    .operand = "sharedTmpBuffer",
                    .message = "UnPad: the temporary buffer is smaller than the call's minimum", .found = "256 bytes",
                    .legal = "512 bytes or more",
                    .hint = "the host function of the call for MaxMinTmpSize gives the bytes; here the result is the "
                            "same"}},
        {.name = "unpad_rows_of_no_blocks",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto dst = Ub<half>(0, 240), src = Ub<half>(1024, 240);
             Wrong(), UnPad(dst, src, UnPadParams{0, 1}, UnPadRows(16, 15));
         },
         .report = {.rule = "parameter-alignment", .instruction = "UnPad", .operand = "tiling",
                    .message = "UnPad: a row is no whole number of blocks", .found = "15 elements, 30 bytes",
                    .legal = "a multiple of 32 bytes", .hint = "pad the rows"}},
    };
}

}  // namespace sfumato::wrong
