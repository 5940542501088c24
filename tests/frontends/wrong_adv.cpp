// SPDX-License-Identifier: Apache-2.0
// High-level calls used wrongly (adv.md 1.2).
#include "frontends/wrong_programs.h"

namespace sfumato::wrong {

const Table<Program> kAdv = {
    {"adv_count_past_tensor", "count-exceeds-tensor", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto dst = Ub<half>(0, 128), src = Ub<half>(1024, 64);
         Wrong(), Sigmoid(dst, src, 65);
     }},
    {"adv_in_place_not_allowed", "operands-share", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto dst = Ub<half>(0, 64);
         Wrong(), Sigmoid(dst, dst);
     }},
    {"adv_partial_overlap", "operands-share", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto dst = Ub<half>(0, 64), src = Ub<half>(32, 64);
         Wrong(), Gelu(dst, src, 64);
     }},
    {"adv_tmp_too_small", "work-size", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto dst = Ub<half>(0, 64), src = Ub<half>(1024, 64);
         auto tmp = Ub<uint8_t>(2048, 16);
         Wrong(), Gelu(dst, src, tmp, 64);
     }},
    {"adv_tmp_below_minimum", "tmp-size", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto dst = Ub<half>(0, 64), src = Ub<half>(1024, 64);
         auto tmp = Ub<uint8_t>(2048, 512);
         Duplicate(src, half(1.0f), 64);
         Wrong(), Gelu(dst, src, tmp, 64);
     }},
    {"adv_unaligned_destination", "ub-alignment", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto dst = Ub<half>(0, 128), src = Ub<half>(1024, 64);
         auto tmp = Ub<uint8_t>(2048, 1024);
         Wrong(), Gelu(dst[8], src, tmp, 64);
     }},
    {"adv_tensor_without_memory", "tensor-uninitialised", [](GM_ADDR, GM_ADDR) __aicore__ {
         LocalTensor<half> dst;
         auto src = Ub<half>(1024, 64);
         Wrong(), Gelu(dst, src, 64);
     }},
};

}  // namespace sfumato::wrong
