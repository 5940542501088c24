// SPDX-License-Identifier: Apache-2.0
// Wrong programs: reductions and transposes.
#include "wrong_programs.h"

namespace sfumato::wrong {

const Table<Program> kReduce = {
    {"reduce_order_the_chip_lacks", "reduce-order", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto src = Ub<half>(0, 128), dst = Ub<half>(4096, 16);
         Wrong(), WholeReduceMax(dst, src, 128, 1, 1, 1, 8, ReduceOrder::ORDER_ONLY_INDEX);
     }, {.chip = "Ascend310B1"}},
    {"reduce_onto_its_source", "reduce-in-place", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<float>(0, 256);
         Wrong(), WholeReduceSum(a, a, 64, 4, 1, 1, 8);
     }},
    {"reduce_past_16_bits_of_index", "reduce-index", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto src = Ub<half>(0, 66000), dst = Ub<half>(180000, 16), work = Ub<half>(180224, 2048);
         Wrong(), ReduceMax(dst, src, work, 66000, true);
     }},
    {"reduce_work_too_small", "work-size", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto src = Ub<half>(0, 2560), dst = Ub<half>(40960, 16), work = Ub<half>(8192, 16);
         Wrong(), ReduceSum(dst, src, work, 2560);
     }, {.chip = "Ascend310P3"}},
    {"transpose_type", "transpose-type", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto src = Ub<half>(0, 256), dst = Ub<half>(4096, 256);
         const TransposeParamsExt params(1, 1, 16, 16, TransposeType::TRANSPOSE_ND2ND_ONLY);
         Wrong(), Transpose(dst, src, Ub<uint8_t>(8192, 64), params);
     }},
    {"transpose_stride_of_one_repeat", "transpose-stride", [](GM_ADDR, GM_ADDR) __aicore__ {
         LocalTensor<half> from[16], to[16];
         for (uint32_t k = 0; k < 16; ++k) {
             from[k] = Ub<half>(32 * k, 512);
             to[k] = Ub<half>(8192 + 32 * k, 512);
         }
         Wrong(), TransDataTo5HD(to, from, {false, false, 1, 16, 0});
     }},
    {"transpose_list_half_filled", "block-address", [](GM_ADDR, GM_ADDR) __aicore__ {
         uint64_t to[16] = {}, from[16] = {};
         to[0] = Ub<half>(0, 16).GetPhyAddr();
         Wrong(), TransDataTo5HD<half>(to, from, TransDataTo5HDParams());
     }},
};

}  // namespace sfumato::wrong
