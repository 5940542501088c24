// SPDX-License-Identifier: Apache-2.0
// Wrong programs: reductions and transposes.
#include "wrong_programs.h"

namespace sfumato::wrong {

std::vector<Program> ReducePrograms() {
    return {
        {.name = "reduce_order_the_chip_lacks",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto src = Ub<half>(0, 128), dst = Ub<half>(4096, 16);
             Wrong(), WholeReduceMax(dst, src, 128, 1, 1, 1, 8, ReduceOrder::ORDER_ONLY_INDEX);
         },
         .report = {.rule = "reduce-order", .instruction = "WholeReduceMax", .operand = "order",
                    .message = "WholeReduceMax: Ascend310B does not store results in this order",
                    .found = "ORDER_ONLY_INDEX", .legal = "ORDER_VALUE_INDEX, ORDER_ONLY_VALUE",
                    .hint = "this order is there on Ascend910B: is the right chip chosen?", .core = "core0"},
         .chip = "Ascend310B1"},
        {.name = "reduce_onto_its_source",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a = Ub<float>(0, 256);
             Wrong(), WholeReduceSum(a, a, 64, 4, 1, 1, 8);
         },
         .report = {.severity = Severity::kNote, .rule = "reduce-in-place", .instruction = "WholeReduceSum",
                    .operand = "dst", .message = "WholeReduceSum: a result lies on the source of its own repeat",
                    .found = "repeat 0 writes bytes 0..4 of UB",
                    .legal = "defined: a repeat reads its source before it stores"}},
        {.name = "reduce_past_16_bits_of_index",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto src = Ub<half>(0, 66000), dst = Ub<half>(180000, 16), work = Ub<half>(180224, 2048);
             Wrong(), ReduceMax(dst, src, work, 66000, true);
         },
         .report = {.rule = "reduce-index", .instruction = "ReduceMax", .operand = "src",
                    .message = "ReduceMax: the index of the result may not fit into 16 bits",
                    .found = "the last index is 65999", .legal = "0..65535",
                    .hint = "reduce the tensor in parts, or use float"}},
        {.name = "reduce_work_too_small",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto src = Ub<half>(0, 2560), dst = Ub<half>(40960, 16), work = Ub<half>(8192, 16);
             Wrong(), ReduceSum(dst, src, work, 2560);
         },
         .report = {.rule = "work-size", .instruction = "ReduceSum", .operand = "sharedTmpBuffer",
                    .message = "ReduceSum: the tensor for intermediate results is too small",
                    .found = "16 elements", .legal = "32 elements or more",
                    .hint = "make the tensor larger: a result of every repeat, rounded up to blocks of 32 bytes",
                    .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "transpose_type",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto src = Ub<half>(0, 256), dst = Ub<half>(4096, 256);
             const TransposeParamsExt params(1, 1, 16, 16, TransposeType::TRANSPOSE_ND2ND_ONLY);
             Wrong(), Transpose(dst, src, Ub<uint8_t>(8192, 64), params);
         },
         .report = {.rule = "transpose-type", .instruction = "Transpose", .operand = "transposeType",
                    .message = "Transpose: the transpose type is not supported", .found = "7",
                    .legal = "TRANSPOSE_ND2ND_B16, TRANSPOSE_NCHW2NHWC, TRANSPOSE_NHWC2NCHW; TRANSPOSE_TYPE_NONE does "
                             "nothing",
                    .hint = "move the data with DataCopy and its strides"}},
        {.name = "transpose_stride_of_one_repeat",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             LocalTensor<half> from[16], to[16];
             for (uint32_t k = 0; k < 16; ++k) {
                 from[k] = Ub<half>(32 * k, 512);
                 to[k] = Ub<half>(8192 + 32 * k, 512);
             }
             Wrong(), TransDataTo5HD(to, from, {false, false, 1, 16, 0});
         },
         .report = {.severity = Severity::kWarning, .rule = "transpose-stride", .instruction = "TransDataTo5HD",
                    .operand = "dstRepStride",
                    .message = "TransDataTo5HD: with one repeat the blocks are those of the list plus the stride",
                    .found = "stride 16 with one repeat", .legal = "0 to mean the blocks of the list",
                    .hint = "pass strides of 0 with one repeat"}},
        {.name = "transpose_list_half_filled",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             uint64_t to[16] = {}, from[16] = {};
             to[0] = Ub<half>(0, 16).GetPhyAddr();
             Wrong(), TransDataTo5HD<half>(to, from, TransDataTo5HDParams());
         },
         .report = {.rule = "block-address", .instruction = "TransDataTo5HD", .operand = "dstList[1]",
                    .message = "TransDataTo5HD: the address of a block lies outside UB", .found = "0x0",
                    .legal = "an address from GetPhyAddr of a tensor in VECIN, VECCALC or VECOUT",
                    .hint = "fill all 16 entries of the list"}},
    };
}

}  // namespace sfumato::wrong
