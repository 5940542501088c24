// SPDX-License-Identifier: Apache-2.0
// High-level calls used wrongly (adv.md 1.2).
#include "frontends/wrong_programs.h"

namespace sfumato::wrong {

std::vector<Program> AdvPrograms() {
    return {
        {.name = "adv_count_past_tensor",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto dst = Ub<half>(0, 128), src = Ub<half>(1024, 64);
             Wrong(), Sigmoid(dst, src, 65);
         },
         .report = {.rule = "count-exceeds-tensor", .instruction = "Sigmoid", .operand = "src",
                    .message = "Sigmoid: the call uses more elements than the tensor has", .found = "65 elements",
                    .legal = "0 to 64", .hint = "counts and shapes are of elements, not bytes"}},
        {.name = "adv_in_place_not_allowed",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto dst = Ub<half>(0, 64);
             Wrong(), Sigmoid(dst, dst);
         },
         .report = {.rule = "operands-share", .instruction = "Sigmoid", .operand = "src",
                    .message = "Sigmoid: dst and src overlap", .found = "128 bytes of dst, 128 of src, 0 apart",
                    .legal = "no common byte", .hint = "use another destination"}},
        {.name = "adv_partial_overlap",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto dst = Ub<half>(0, 64), src = Ub<half>(32, 64);
             Wrong(), Gelu(dst, src, 64);
         },
         .report = {.rule = "operands-share", .instruction = "Gelu", .operand = "src",
                    .message = "Gelu: dst and src overlap", .found = "128 bytes of dst, 128 of src, 32 apart",
                    .legal = "the same tensor, or no common byte", .hint = "use another destination"}},
        {.name = "adv_tmp_too_small",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto dst = Ub<half>(0, 64), src = Ub<half>(1024, 64);
             auto tmp = Ub<uint8_t>(2048, 16);
             Wrong(), Gelu(dst, src, tmp, 64);
         },
         .report = {.rule = "work-size", .instruction = "Gelu", .operand = "sharedTmpBuffer",
                    .message = "Gelu: the temporary buffer is too small", .found = "16 bytes",
                    .legal = "768 bytes or more",
                    .hint = "the host function of the call for MaxMinTmpSize gives the bytes"}},
        {.name = "adv_tmp_below_minimum",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto dst = Ub<half>(0, 64), src = Ub<half>(1024, 64);
             auto tmp = Ub<uint8_t>(2048, 512);
             Duplicate(src, half(1.0f), 64);
             Wrong(), Gelu(dst, src, tmp, 64);
         },
         .report = {.severity = Severity::kWarning, .rule = "tmp-size", .instruction = "Gelu",
                    .operand = "sharedTmpBuffer",
                    .message = "Gelu: the temporary buffer is smaller than the call's minimum", .found = "512 bytes",
                    .legal = "768 bytes or more",
                    .hint = "the host function of the call for MaxMinTmpSize gives the bytes; here the result is the "
                            "same"}},
        {.name = "adv_unaligned_destination",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto dst = Ub<half>(0, 128), src = Ub<half>(1024, 64);
             auto tmp = Ub<uint8_t>(2048, 1024);
             Wrong(), Gelu(dst[8], src, tmp, 64);
         },
         .report = {.rule = "ub-alignment", .instruction = "Gelu", .operand = "dst",
                    .message = "Gelu: the tensor does not start at a multiple of 32 bytes", .found = "UB byte 16",
                    .legal = "multiples of 32", .hint = "start the tensor at a whole block"}},
        {.name = "adv_tensor_without_memory",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             LocalTensor<half> dst;
             auto src = Ub<half>(1024, 64);
             Wrong(), Gelu(dst, src, 64);
         },
         .report = {.rule = "tensor-uninitialised", .instruction = "Gelu", .operand = "dst",
                    .message = "Gelu: dst is a LocalTensor that was never given memory",
                    .found = "a default-constructed LocalTensor",
                    .legal = "a tensor from AllocTensor, DeQue or TBuf::Get",
                    .hint = "assign the result of AllocTensor, DeQue or Get before using it"}},
    };
}

}  // namespace sfumato::wrong
