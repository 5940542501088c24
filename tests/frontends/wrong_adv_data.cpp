// SPDX-License-Identifier: Apache-2.0
// High-level calls that move, select, quantise and communicate, used wrongly (adv.md 8 to 11).
#include "frontends/wrong_programs.h"

namespace sfumato::wrong {

std::vector<Program> AdvDataPrograms() {
    return {
        {.name = "broadcast_shapes",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto dst = Ub<half>(0, 128), src = Ub<half>(1024, 32);
             const uint32_t to[] = {4, 32}, from[] = {2, 32};
             Wrong(), BroadCast<half, 2, 0>(dst, src, to, from);
         },
         .report = {.rule = "parameter-range", .instruction = "BroadCast", .operand = "srcShape",
                    .message = "BroadCast: the shapes do not differ in the axis alone",
                    .found = "[4, 32] from [2, 32], axis 0", .legal = "1 along the axis in srcShape, the rest as in dstShape",
                    .hint = "axis 0 repeats a row, axis 1 a column"}},
        {.name = "broadcast_row_unaligned",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto dst = Ub<half>(0, 128), src = Ub<half>(1024, 32);
             const uint32_t to[] = {4, 20}, from[] = {1, 20};
             Wrong(), Broadcast<half, 2, 0>(dst, src, to, from);
         },
         .report = {.rule = "parameter-range", .instruction = "Broadcast", .operand = "srcShape",
                    .message = "Broadcast: the row is no multiple of 32 bytes", .found = "20 elements, 40 bytes",
                    .legal = "multiples of 32 bytes", .hint = "pad the rows, or broadcast along axis 1"}},
        {.name = "broadcast_destination_small",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto dst = Ub<half>(0, 64), src = Ub<half>(1024, 32);
             const uint32_t to[] = {4, 32}, from[] = {1, 32};
             Wrong(), BroadCast<half, 2, 0>(dst, src, to, from);
         },
         .report = {.rule = "count-exceeds-tensor", .instruction = "BroadCast", .operand = "dst",
                    .message = "BroadCast: the call uses more elements than the tensor has", .found = "128 elements",
                    .legal = "0 to 64", .hint = "counts and shapes are of elements, not bytes"}},
        {.name = "broadcast_tmp_overlaps",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto dst = Ub<half>(0, 256), src = Ub<half>(1024, 16);
             auto tmp = Ub<uint8_t>(480, 512);
             const uint32_t to[] = {16, 16}, from[] = {16, 1};
             Wrong(), BroadCast<half, 2, 1>(dst, src, to, from, tmp);
         },
         .report = {.rule = "operands-share", .instruction = "BroadCast", .operand = "sharedTmpBuffer",
                    .message = "BroadCast: sharedTmpBuffer and dst overlap", .found = "512 bytes of sharedTmpBuffer, 512 of dst, 480 apart",
                    .legal = "no common byte", .hint = "lend another buffer"}},
        {.name = "quant_counts",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto dst = Ub<int8_t>(0, 128);
             auto src = Ub<half>(1024, 128), scale = Ub<half>(2048, 48);
             Wrong(), AscendQuant(dst, src, scale, half(0.0f), 48, 128);
         },
         .report = {.rule = "parameter-range", .instruction = "AscendQuant", .operand = "scaleCount",
                    .message = "AscendQuant: the counts do not fit together",
                    .found = "scaleCount 48, offsetCount 48, calCount 128",
                    .legal = "scaleCount a multiple of 32 and equal to offsetCount, calCount a multiple of it",
                    .hint = "pad scale and offset to the length of a row"}},
        {.name = "dequant_rows",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto dst = Ub<float>(0, 64), scale = Ub<float>(2048, 16);
             auto src = Ub<int32_t>(1024, 64);
             Wrong(), AscendDequant(dst, src, scale, DequantParams{4, 12, 12});
         },
         .report = {.rule = "parameter-range", .instruction = "AscendDequant", .operand = "params",
                    .message = "AscendDequant: the rows do not fit", .found = "n 12, calCount 12",
                    .legal = "n a multiple of 8, calCount up to n", .hint = "pad the rows of src to 32 bytes"}},
        {.name = "antiquant_shapes",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto dst = Ub<half>(0, 256), scale = Ub<half>(2048, 64);
             auto src = Ub<int8_t>(1024, 256);
             const AntiQuantShapeInfo info{0, 0, 3, 64};
             Wrong(), AscendAntiQuant<int8_t, half, false>(dst, src, scale, 4, info);
         },
         .report = {.rule = "parameter-range", .instruction = "AscendAntiQuant", .operand = "k",
                    .message = "AscendAntiQuant: the shapes do not fit together",
                    .found = "256 elements of src, k 4, scale [3, 64], offset [0, 0]",
                    .legal = "src [K, N], scale and offset [groups, N], rows of whole blocks",
                    .hint = "k is the number of rows of src, with isTranspose of its columns"}},
        {.name = "byte_mask_source",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto dst = Ub<half>(0, 128), src = Ub<half>(1024, 128);
             auto mask = Ub<uint8_t>(2048, 128), tmp = Ub<uint8_t>(4096, 2048);
             Wrong(), SelectWithBytesMask(dst, src, half(0.0f), mask, tmp, SelectWithBytesMaskShapeInfo{2, 32, 32});
         },
         .report = {.rule = "parameter-range", .instruction = "SelectWithBytesMask", .operand = "info",
                    .message = "SelectWithBytesMask: the shape does not fit the source",
                    .found = "firstAxis 2, srcLastAxis 32, 128 elements",
                    .legal = "firstAxis x srcLastAxis elements, rows of whole blocks of 32 bytes",
                    .hint = "pad the rows, or set the size of the tensor"}},
        {.name = "byte_mask_rows",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto dst = Ub<half>(0, 64), src = Ub<half>(1024, 64);
             auto mask = Ub<uint8_t>(2048, 128), tmp = Ub<uint8_t>(4096, 2048);
             Wrong(), Select(dst, half(0.0f), src, mask, tmp, SelectWithBytesMaskShapeInfo{2, 32, 48});
         },
         .report = {.rule = "parameter-range", .instruction = "Select", .operand = "info",
                    .message = "Select: the rows of the mask do not fit", .found = "srcLastAxis 32, maskLastAxis 48",
                    .legal = "maskLastAxis a multiple of 32 bytes and of 16 elements, srcLastAxis or more",
                    .hint = "pad the rows of the mask"}},
        {.name = "drop_out_probability",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto dst = Ub<half>(0, 64), src = Ub<half>(1024, 64);
             auto mask = Ub<uint8_t>(2048, 64);
             Wrong(), DropOut(dst, src, mask, 1.0f, DropOutShapeInfo{1, 64, 64});
         },
         .report = {.rule = "parameter-range", .instruction = "DropOut", .operand = "keepProb",
                    .message = "DropOut: the probability is out of range", .found = "1",
                    .legal = "greater than 0, less than 1", .hint = "copy the source where nothing is dropped"}},
        {.name = "adv_topk_shape",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto value = Ub<half>(0, 64), src = Ub<half>(1024, 64);
             auto index = Ub<int32_t>(2048, 64), given = Ub<int32_t>(4096, 64);
             auto finish = Ub<uint8_t>(8192, 32).ReinterpretCast<bool>();
             Wrong(), TopK(value, index, src, given, finish, 65, TopkTiling{}, TopKInfo{1, 64, 64});
         },
         .report = {.rule = "parameter-range", .instruction = "TopK", .operand = "topKInfo",
                    .message = "TopK: the shape is out of range", .found = "outter 1, inner 64, n 64, k 65",
                    .legal = "inner a multiple of 32 up to 4096, 1 <= k <= n <= inner",
                    .hint = "pad the rows with the lowest value, with isLargest false the highest"}},
        {.name = "confusion_transpose_sides",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto dst = Ub<half>(0, 512), src = Ub<half>(1024, 512);
             ConfusionTransposeTiling tiling;
             tiling.axis0 = 16, tiling.axis1 = 24;
             Wrong(), ConfusionTranspose(dst, src, TransposeType::TRANSPOSE_ND2ND_ONLY, tiling);
         },
         .report = {.rule = "parameter-range", .instruction = "ConfusionTranspose", .operand = "tiling",
                    .message = "ConfusionTranspose: the shape does not fit the type", .found = "H 16, W 24",
                    .legal = "H and W multiples of 16", .hint = "GetTransposeTilingInfo makes the tiling from the shape"}},
        {.name = "confusion_transpose_type",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto dst = Ub<half>(0, 512), src = Ub<half>(1024, 512);
             Wrong(), Transpose(dst, src, TransposeType::TRANSPOSE_ND_UB_GM, ConfusionTransposeTiling{});
         },
         .report = {.rule = "parameter-range", .instruction = "Transpose", .operand = "transposeType",
                    .message = "Transpose: the type is not one of this call", .found = "8",
                    .legal = "TRANSPOSE_NZ2ND_0213 (1) to TRANSPOSE_ND2ND_ONLY (7)",
                    .hint = "types from 8 on are not supported"}},
        {.name = "hccl_window",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             Hccl<> hccl;
             hccl.Init(GetHcclContext<0>());
             Wrong(), hccl.GetWindowsInAddr(1);
         },
         .report = {.rule = "hccl-context", .instruction = "GetWindowsInAddr",
                    .message = "GetWindowsInAddr: there is no other rank: one chip runs, alone", .found = "rank 1",
                    .legal = "collectives of one rank: AllReduce, AllGather, ReduceScatter, AlltoAll, AlltoAllV",
                    .hint = "test the computation in a kernel of its own, or give the data that other chips would send as an argument"}},
        {.name = "hccl_before_init",
         .kernel = [](GM_ADDR gm, GM_ADDR) __aicore__ {
             Hccl<> hccl;
             Wrong(), hccl.AllReduce(gm, gm + 256, 16, HCCL_DATA_TYPE_FP16, HCCL_REDUCE_SUM);
         },
         .report = {.rule = "hccl-context", .instruction = "AllReduce",
                    .message = "AllReduce: the client was not initialised", .found = "a call before Init",
                    .legal = "Init first, Finalize last", .hint = "call Init with the address that GetHcclContext gives"}},
        {.name = "hccl_past_memory",
         .kernel = [](GM_ADDR gm, GM_ADDR tail) __aicore__ {
             Hccl<> hccl;
             hccl.Init(GetHcclContext<0>());
             Wrong(), hccl.AllGather(gm, tail, 16, HCCL_DATA_TYPE_FP32, 0);
         },
         .report = {.rule = "hccl-context", .instruction = "AllGather",
                    .message = "AllGather: recvBuf does not lie in global memory as a whole", .found = "64 bytes",
                    .legal = "bytes of one argument or of the workspace",
                    .hint = "count counts elements of a task, repeat tasks"}},
        {.name = "hccl_commit_twice",
         .kernel = [](GM_ADDR gm, GM_ADDR) __aicore__ {
             Hccl<> hccl;
             hccl.Init(GetHcclContext<0>());
             const HcclHandle handle = hccl.AllGather<true>(gm, gm + 256, 16, HCCL_DATA_TYPE_FP32, 0);
             Wrong(), hccl.Commit(handle);
         },
         .report = {.rule = "hccl-context", .instruction = "Commit",
                    .message = "Commit: all tasks of the handle were committed", .found = "handle 0, repeat 1",
                    .legal = "as many Commits as repeat",
                    .hint = "without the template argument commit, Commit lets one task run"}},
        {.name = "hccl_unknown_handle",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             Hccl<> hccl;
             hccl.Init(GetHcclContext<0>());
             Wrong(), hccl.Wait(3);
         },
         .report = {.rule = "hccl-context", .instruction = "Wait", .message = "Wait: there is no task of this handle",
                    .found = "handle 3", .legal = "what AllReduce and its sisters returned",
                    .hint = "prepare the task before, on the same core"}},
    };
}

}  // namespace sfumato::wrong
