// SPDX-License-Identifier: Apache-2.0
// High-level calls that move, select, quantise and communicate, used wrongly (adv.md 8 to 11).
#include "frontends/wrong_programs.h"

namespace sfumato::wrong {

const Table<Program> kAdvData = {
    {"broadcast_shapes", "parameter-range", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto dst = Ub<half>(0, 128), src = Ub<half>(1024, 32);
         const uint32_t to[] = {4, 32}, from[] = {2, 32};
         Wrong(), BroadCast<half, 2, 0>(dst, src, to, from);
     }},
    {"broadcast_row_unaligned", "parameter-range", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto dst = Ub<half>(0, 128), src = Ub<half>(1024, 32);
         const uint32_t to[] = {4, 20}, from[] = {1, 20};
         Wrong(), Broadcast<half, 2, 0>(dst, src, to, from);
     }},
    {"broadcast_column_unaligned", "parameter-range", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto dst = Ub<half>(0, 192), src = Ub<half>(1024, 32);
         const uint32_t to[] = {24, 8}, from[] = {24, 1};
         Wrong(), Broadcast<half, 2, 1>(dst, src, to, from);
     }, {.chip = "Ascend310P3"}},
    {"broadcast_destination_small", "count-exceeds-tensor", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto dst = Ub<half>(0, 64), src = Ub<half>(1024, 32);
         const uint32_t to[] = {4, 32}, from[] = {1, 32};
         Wrong(), BroadCast<half, 2, 0>(dst, src, to, from);
     }},
    {"broadcast_tmp_overlaps", "operands-share", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto dst = Ub<half>(0, 256), src = Ub<half>(1024, 16);
         auto tmp = Ub<uint8_t>(480, 512);
         const uint32_t to[] = {16, 16}, from[] = {16, 1};
         Wrong(), BroadCast<half, 2, 1>(dst, src, to, from, tmp);
     }},
    {"quant_counts", "parameter-range", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto dst = Ub<int8_t>(0, 128);
         auto src = Ub<half>(1024, 128), scale = Ub<half>(2048, 48);
         Wrong(), AscendQuant(dst, src, scale, half(0.0f), 48, 128);
     }},
    {"dequant_rows", "parameter-range", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto dst = Ub<float>(0, 64), scale = Ub<float>(2048, 16);
         auto src = Ub<int32_t>(1024, 64);
         Wrong(), AscendDequant(dst, src, scale, DequantParams{4, 12, 12});
     }},
    {"antiquant_shapes", "parameter-range", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto dst = Ub<half>(0, 256), scale = Ub<half>(2048, 64);
         auto src = Ub<int8_t>(1024, 256);
         const AntiQuantShapeInfo info{0, 0, 3, 64};
         Wrong(), AscendAntiQuant<int8_t, half, false>(dst, src, scale, 4, info);
     }},
    {"byte_mask_source", "parameter-range", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto dst = Ub<half>(0, 128), src = Ub<half>(1024, 128);
         auto mask = Ub<uint8_t>(2048, 128), tmp = Ub<uint8_t>(4096, 2048);
         Wrong(), SelectWithBytesMask(dst, src, half(0.0f), mask, tmp, SelectWithBytesMaskShapeInfo{2, 32, 32});
     }},
    {"byte_mask_rows", "parameter-range", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto dst = Ub<half>(0, 64), src = Ub<half>(1024, 64);
         auto mask = Ub<uint8_t>(2048, 128), tmp = Ub<uint8_t>(4096, 2048);
         Wrong(), Select(dst, half(0.0f), src, mask, tmp, SelectWithBytesMaskShapeInfo{2, 32, 48});
     }},
    {"drop_out_probability", "parameter-range", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto dst = Ub<half>(0, 64), src = Ub<half>(1024, 64);
         auto mask = Ub<uint8_t>(2048, 64);
         Wrong(), DropOut(dst, src, mask, 1.0f, DropOutShapeInfo{1, 64, 64});
     }},
    {"adv_topk_shape", "parameter-range", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto value = Ub<half>(0, 64), src = Ub<half>(1024, 64);
         auto index = Ub<int32_t>(2048, 64), given = Ub<int32_t>(4096, 64);
         auto finish = Ub<uint8_t>(8192, 32).ReinterpretCast<bool>();
         Wrong(), TopK(value, index, src, given, finish, 65, TopkTiling{}, TopKInfo{1, 64, 64});
     }},
    {"confusion_transpose_sides", "parameter-range", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto dst = Ub<half>(0, 512), src = Ub<half>(1024, 512);
         ConfusionTransposeTiling tiling;
         tiling.axis0 = 16, tiling.axis1 = 24;
         Wrong(), ConfusionTranspose(dst, src, TransposeType::TRANSPOSE_ND2ND_ONLY, tiling);
     }},
    {"confusion_transpose_type", "parameter-range", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto dst = Ub<half>(0, 512), src = Ub<half>(1024, 512);
         Wrong(), Transpose(dst, src, TransposeType::TRANSPOSE_ND_UB_GM, ConfusionTransposeTiling{});
     }},
    {"hccl_window", "hccl-context", [](GM_ADDR, GM_ADDR) __aicore__ {
         Hccl<> hccl;
         hccl.Init(GetHcclContext<0>());
         Wrong(), hccl.GetWindowsInAddr(1);
     }},
    {"hccl_before_init", "hccl-context", [](GM_ADDR gm, GM_ADDR) __aicore__ {
         Hccl<> hccl;
         Wrong(), hccl.AllReduce(gm, gm + 256, 16, HCCL_DATA_TYPE_FP16, HCCL_REDUCE_SUM);
     }},
    {"hccl_past_memory", "hccl-context", [](GM_ADDR gm, GM_ADDR tail) __aicore__ {
         Hccl<> hccl;
         hccl.Init(GetHcclContext<0>());
         Wrong(), hccl.AllGather(gm, tail, 16, HCCL_DATA_TYPE_FP32, 0);
     }},
    {"hccl_commit_twice", "hccl-context", [](GM_ADDR gm, GM_ADDR) __aicore__ {
         Hccl<> hccl;
         hccl.Init(GetHcclContext<0>());
         const HcclHandle handle = hccl.AllGather<true>(gm, gm + 256, 16, HCCL_DATA_TYPE_FP32, 0);
         Wrong(), hccl.Commit(handle);
     }},
    {"hccl_unknown_handle", "hccl-context", [](GM_ADDR, GM_ADDR) __aicore__ {
         Hccl<> hccl;
         hccl.Init(GetHcclContext<0>());
         Wrong(), hccl.Wait(3);
     }},
};

}  // namespace sfumato::wrong
