// SPDX-License-Identifier: Apache-2.0
// Wrong programs: DataCopy and DataCopyPad.
#include "wrong_programs.h"

namespace sfumato::wrong {

std::vector<Program> MovePrograms() {
    return {
        {.name = "move_past_allocation",
         .kernel = [](GM_ADDR gm, GM_ADDR) __aicore__ {
             auto a = Ub<half>(0, 1024);
             Wrong(), DataCopy(Gm<half>(gm + 3072, 1024), a, 1024);
         },
         .report = {.rule = "gm-out-of-range", .instruction = "DataCopy", .operand = "dst",
                    .message = "DataCopy: writes past the end of gm in global memory",
                    .found = "bytes 3072..5120 of gm, 1024 bytes too many", .legal = "the 4096 bytes of gm",
                    .hint = "check the count, the offset of the block and the size of the argument"}},
        {.name = "move_reads_past_allocation",
         .kernel = [](GM_ADDR gm, GM_ADDR) __aicore__ {
             auto a = Ub<float>(0, 2048);
             Wrong(), DataCopy(a, Gm<float>(gm, 0), 2048);
         },
         .report = {.rule = "gm-out-of-range", .instruction = "DataCopy", .operand = "src",
                    .message = "DataCopy: reads past the end of gm in global memory",
                    .found = "bytes 0..8192 of gm, 4096 bytes too many", .legal = "the 4096 bytes of gm",
                    .hint = "check the count, the offset of the block and the size of the argument"}},
        {.name = "move_starts_past_allocation",
         .kernel = [](GM_ADDR gm, GM_ADDR) __aicore__ {
             auto a = Ub<half>(0, 64);
             Wrong(), DataCopy(a, Gm<half>(gm, 2048)[2048], 64);
         },
         .report = {.rule = "gm-out-of-range", .instruction = "DataCopy", .operand = "src",
                    .message = "DataCopy: reads past the end of gm in global memory",
                    .found = "bytes 4096..4224 of gm, 128 bytes too many", .legal = "the 4096 bytes of gm",
                    .hint = "check the count, the offset of the block and the size of the argument"}},
        {.name = "move_reads_edge",
         .kernel = [](GM_ADDR, GM_ADDR tail) __aicore__ {
             auto a = Ub<half>(0, 32);
             Wrong(), DataCopy(a, Gm<half>(tail, 0), 32);
         },
         .report = {.severity = Severity::kWarning, .rule = "gm-padding", .instruction = "DataCopy",
                    .operand = "src",
                    .message = "DataCopy: reads past the end of tail in global memory, inside its last block of 32 bytes",
                    .found = "bytes 0..64 of tail, 24 bytes too many", .legal = "the 40 bytes of tail",
                    .hint = "use DataCopyPad for the tail, or allocate whole blocks of 32 bytes"}},
        {.name = "move_writes_edge",
         .kernel = [](GM_ADDR, GM_ADDR tail) __aicore__ {
             auto a = Ub<half>(0, 32);
             Wrong(), DataCopy(Gm<half>(tail, 20), a, 32);
         },
         .report = {.severity = Severity::kWarning, .rule = "gm-padding", .instruction = "DataCopy",
                    .operand = "dst",
                    .message = "DataCopy: writes past the end of tail in global memory, inside its last block of 32 bytes",
                    .found = "bytes 0..64 of tail, 24 bytes too many", .legal = "the 40 bytes of tail",
                    .hint = "use DataCopyPad for the tail, or allocate whole blocks of 32 bytes"}},
        {.name = "move_past_global_tensor",
         .kernel = [](GM_ADDR gm, GM_ADDR) __aicore__ {
             auto a = Ub<half>(0, 128);
             Wrong(), DataCopy(Gm<half>(gm, 64), a, 128);
         },
         .report = {.severity = Severity::kWarning, .rule = "past-tensor", .instruction = "DataCopy",
                    .operand = "dst",
                    .message = "DataCopy: writes past the end of the tensor, inside its buffer",
                    .found = "elements 0..127 of half (bytes 0..256)", .legal = "64 elements (128 bytes)",
                    .hint = "make the tensor larger, or process fewer elements (count, mask, repeats, strides)"}},
        {.name = "move_past_buffer",
         .kernel = [](GM_ADDR gm, GM_ADDR) __aicore__ {
             auto a = Ub<half>(0, 64);
             Wrong(), DataCopy(a, Gm<half>(gm, 128), 128);
         },
         .report = {.rule = "out-of-buffer", .instruction = "DataCopy", .operand = "dst",
                    .message = "DataCopy: writes past the end of the tensor's buffer",
                    .found = "bytes 0..256 of UB, 128 bytes too many",
                    .legal = "up to byte 128: 64 elements of half from here",
                    .hint = "make the buffer larger, or process fewer elements (count, mask, repeats, strides)"}},
        {.name = "move_tail_dropped",
         .kernel = [](GM_ADDR gm, GM_ADDR) __aicore__ {
             auto a = Ub<half>(0, 64);
             Wrong(), DataCopy(Gm<half>(gm, 64), a, 20);
         },
         .report = {.severity = Severity::kWarning, .rule = "copy-tail", .instruction = "DataCopy",
                    .operand = "count",
                    .message = "DataCopy: the length is not a multiple of 32 bytes and is rounded down",
                    .found = "20 elements of half, 40 bytes", .legal = "a multiple of 32 bytes; 32 bytes are moved",
                    .hint = "use DataCopyPad for the tail, or pad the tensor to 32 bytes"}},
        {.name = "move_ub_alignment",
         .kernel = [](GM_ADDR gm, GM_ADDR) __aicore__ {
             auto a = Ub<half>(0, 64);
             Wrong(), DataCopy(a[8], Gm<half>(gm, 16), 16);
         },
         .report = {.rule = "ub-alignment", .instruction = "DataCopy", .operand = "dst",
                    .message = "DataCopy: the destination is not aligned",
                    .found = "byte offset 16 in UB", .legal = "a multiple of 32",
                    .hint = "start at an index that is a multiple of 16 elements of half"}},
        {.name = "move_gm_alignment",
         .kernel = [](GM_ADDR gm, GM_ADDR) __aicore__ {
             auto a = Ub<float>(0, 64);
             Wrong(), DataCopy(a, Gm<float>(gm + 2, 64), 64);
         },
         .report = {.rule = "gm-alignment", .instruction = "DataCopy", .operand = "src",
                    .message = "DataCopy: the source is not aligned",
                    .found = "byte offset 2 of gm in GM", .legal = "a multiple of 4",
                    .hint = "start at byte offset 0 or 4"}},
        {.name = "move_l1_alignment",
         .kernel = [](GM_ADDR gm, GM_ADDR) __aicore__ {
             LocalTensor<half> l1(TPosition::A1, 0, 128);
             Wrong(), DataCopy(l1[8], Gm<half>(gm, 64), 64);
         },
         .report = {.rule = "l1-alignment", .instruction = "DataCopy", .operand = "dst",
                    .message = "DataCopy: the destination is not aligned",
                    .found = "byte offset 16 in L1", .legal = "a multiple of 32",
                    .hint = "start at an index that is a multiple of 16 elements of half", .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "move_l1_on_vector_core",
         .kernel = [](GM_ADDR gm, GM_ADDR) __aicore__ {
             LocalTensor<half> l1(TPosition::A1, 0, 128);
             Wrong(), DataCopy(l1, Gm<half>(gm, 64), 64);
         },
         .report = {.rule = "core-kind", .instruction = "DataCopy", .operand = "dst",
                    .message = "DataCopy: a vector core has no L1",
                    .found = "the kernel runs on a vector core; its type is KERNEL_TYPE_AIV_ONLY, the default",
                    .legal = "a cube core of Ascend910B",
                    .hint = "declare KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY), run with --core aic, or "
                            "guard the call with ASCEND_IS_AIC"}},
        {.name = "move_path",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a = Ub<half>(0, 64);
             LocalTensor<half> l1(TPosition::B1, 0, 64);
             Wrong(), DataCopy(l1, a, 64);
         },
         .report = {.rule = "memory-path", .instruction = "DataCopy", .operand = "dst",
                    .message = "DataCopy: Ascend910B has no such move",
                    .found = "UB to L1",
                    .legal = "GM to UB, GM to L1, UB to GM, UB to UB, L1 to GM, L1 to BT, L1 to FB",
                    .hint = "this path is there on Ascend310P: is the right chip chosen?"}},
        {.name = "move_path_of_chip",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a = Ub<half>(0, 64);
             Wrong(), DataCopy(a, Ub<half>(256, 64), 64);
         },
         .report = {.rule = "memory-path", .instruction = "DataCopy", .operand = "dst",
                    .message = "DataCopy: Ascend310B has no such move",
                    .found = "UB to UB", .legal = "GM to UB, GM to L1, UB to GM, L1 to GM, L1 to BT, L1 to FB",
                    .hint = "this path is there on Ascend910, Ascend310P, Ascend910B: is the right chip chosen?",
                    .core = "core0"},
         .chip = "Ascend310B1"},
        {.name = "move_type",
         .kernel = [](GM_ADDR gm, GM_ADDR) __aicore__ {
             auto a = Ub<int64_t>(0, 64);
             Wrong(), DataCopy(a, Gm<int64_t>(gm, 64), 64);
         },
         .report = {.rule = "type-unsupported", .instruction = "DataCopy", .operand = "dst",
                    .message = "DataCopy: the element type is not supported on Ascend310P",
                    .found = "int64_t", .legal = "int8_t, uint8_t, int16_t, uint16_t, half, int32_t, uint32_t, float",
                    .hint = "this type is there on Ascend910B, Ascend310B: is the right chip chosen?",
                    .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "move_block_count",
         .kernel = [](GM_ADDR gm, GM_ADDR) __aicore__ {
             auto a = Ub<half>(0, 64);
             Wrong(), DataCopy(a, Gm<half>(gm, 64), DataCopyParams(4096, 1, 0, 0));
         },
         .report = {.rule = "block-count-range", .instruction = "DataCopy", .operand = "blockCount",
                    .message = "DataCopy: the number of blocks is out of range",
                    .found = "4096", .legal = "0..4095",
                    .hint = "split the move"}},
        {.name = "move_pad_length",
         .kernel = [](GM_ADDR gm, GM_ADDR) __aicore__ {
             auto a = Ub<half>(0, 64);
             Wrong(), DataCopyPad(Gm<half>(gm, 64), a, DataCopyExtParams(1, 2097152, 0, 0, 0));
         },
         .report = {.rule = "block-length-range", .instruction = "DataCopyPad", .operand = "blockLen",
                    .message = "DataCopyPad: the length of a block is not legal",
                    .found = "2097152 bytes", .legal = "0..2097150 bytes, a multiple of 2",
                    .hint = "the length is in bytes: move whole elements, and split longer blocks"}},
        {.name = "move_pad_length_of_half_elements",
         .kernel = [](GM_ADDR gm, GM_ADDR) __aicore__ {
             auto a = Ub<float>(0, 64);
             Wrong(), DataCopyPad(Gm<float>(gm, 64), a, DataCopyExtParams(1, 18, 0, 0, 0));
         },
         .report = {.rule = "block-length-range", .instruction = "DataCopyPad", .operand = "blockLen",
                    .message = "DataCopyPad: the length of a block is not legal",
                    .found = "18 bytes", .legal = "0..2097148 bytes, a multiple of 4",
                    .hint = "the length is in bytes: move whole elements, and split longer blocks"}},
        {.name = "move_gap",
         .kernel = [](GM_ADDR gm, GM_ADDR) __aicore__ {
             auto a = Ub<half>(0, 64);
             Wrong(), DataCopyPad(Gm<half>(gm, 64), a, DataCopyExtParams(2, 32, 65536, 0, 0));
         },
         .report = {.rule = "gap-range", .instruction = "DataCopyPad", .operand = "src",
                    .message = "DataCopyPad: the gap between blocks is out of range",
                    .found = "2097184 bytes from block to block, blocks of 32 bytes",
                    .legal = "gaps of 0..2097120 bytes in units of 32",
                    .hint = "the gap counts from the end of a block to the start of the next"}},
        {.name = "move_nothing",
         .kernel = [](GM_ADDR gm, GM_ADDR) __aicore__ {
             auto a = Ub<half>(0, 64);
             Wrong(), DataCopy(a, Gm<half>(gm, 64), DataCopyParams(0, 1, 0, 0));
         },
         .report = {.severity = Severity::kNote, .rule = "move-nothing", .instruction = "DataCopy",
                    .operand = "blockCount",
                    .message = "DataCopy: nothing is moved",
                    .found = "0", .legal = "1 or more to move data",
                    .hint = "check how the length is computed; a length below one block of 32 bytes counts as 0"}},
        {.name = "move_nothing_by_length",
         .kernel = [](GM_ADDR gm, GM_ADDR) __aicore__ {
             auto a = Ub<half>(0, 64);
             Wrong(), DataCopy(a, Gm<half>(gm, 64), DataCopyParams(2, 0, 0, 0));
         },
         .report = {.severity = Severity::kNote, .rule = "move-nothing", .instruction = "DataCopy",
                    .operand = "blockLen",
                    .message = "DataCopy: nothing is moved",
                    .found = "0", .legal = "1 or more to move data",
                    .hint = "check how the length is computed; a length below one block of 32 bytes counts as 0"}},
        {.name = "move_overlap",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a = Ub<half>(0, 256);
             Wrong(), DataCopy(a[16], a, DataCopyParams(2, 1, 0, 0));
         },
         .report = {.rule = "overlap-in-move", .instruction = "DataCopy", .operand = "src",
                    .message = "DataCopy: the move reads what it wrote before",
                    .found = "block 1 reads bytes 32..64 of UB", .legal = "bytes the call did not write before",
                    .hint = "use another destination, or split the move"}},
        {.name = "pad_too_long",
         .kernel = [](GM_ADDR gm, GM_ADDR) __aicore__ {
             auto a = Ub<half>(0, 64);
             Wrong(), DataCopyPad(a, Gm<half>(gm, 64), {1, 20, 0, 0, 0}, {true, 0, 17, half(0)});
         },
         .report = {.rule = "pad-range", .instruction = "DataCopyPad", .operand = "rightPadding",
                    .message = "DataCopyPad: the padding is too long",
                    .found = "0 elements left, 17 right", .legal = "0..16 elements of half (32 bytes)",
                    .hint = "pad at most one block of 32 bytes on each side"}},
        {.name = "pad_64_bits",
         .kernel = [](GM_ADDR gm, GM_ADDR) __aicore__ {
             auto a = Ub<int64_t>(0, 64);
             Wrong(), DataCopyPad(a, Gm<int64_t>(gm, 64), {1, 24, 0, 0, 0}, {true, 0, 1, 7});
         },
         .report = {.rule = "pad-value-64", .instruction = "DataCopyPad", .operand = "paddingValue",
                    .message = "DataCopyPad: 64-bit elements can only be padded with 0",
                    .found = "0x7", .legal = "0",
                    .hint = "pad with 0, or view the data as a 32-bit type"}},
        {.name = "pad_value_not_set",
         .kernel = [](GM_ADDR gm, GM_ADDR) __aicore__ {
             auto a = Ub<half>(0, 64);
             Wrong(), DataCopyPad(a, Gm<half>(gm, 64), {1, 20, 0, 0, 0}, {false, 0, 6, half(1)});
         },
         .report = {.severity = Severity::kWarning, .rule = "pad-undefined", .instruction = "DataCopyPad",
                    .operand = "isPad",
                    .message = "DataCopyPad: the pads hold undefined bytes",
                    .found = "0 elements left, 6 right, isPad false",
                    .legal = "isPad true with a paddingValue, or SetPadValue before it",
                    .hint = "set isPad"}},
        {.name = "global_tensor_without_buffer",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a = Ub<half>(0, 64);
             GlobalTensor<half> src;
             Wrong(), DataCopy(a, src, 64);
         },
         .report = {.rule = "gm-pointer", .instruction = "DataCopy", .operand = "src",
                    .message = "DataCopy: src points to no global memory of this launch",
                    .found = "a GlobalTensor without SetGlobalBuffer, or a null pointer",
                    .legal = "a pointer into an argument of the kernel or memory from GmAlloc",
                    .hint = "call SetGlobalBuffer first"}},
        {.name = "global_tensor_of_host_memory",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a = Ub<half>(0, 64);
             Wrong(), DataCopy(Gm<half>(reinterpret_cast<GM_ADDR>(0x1000), 64), a, 64);
         },
         .report = {.rule = "gm-pointer", .instruction = "DataCopy", .operand = "dst",
                    .message = "DataCopy: dst points to no global memory of this launch",
                    .found = "0x1000, which lies in no allocation",
                    .legal = "a pointer into an argument of the kernel or memory from GmAlloc",
                    .hint = "check the offset added to the argument; a host pointer is not device memory"}},
        {.name = "global_tensor_far_past_its_array",
         .kernel = [](GM_ADDR gm, GM_ADDR) __aicore__ {
             auto a = Ub<half>(0, 64);
             Wrong(), DataCopy(a, Gm<half>(gm, 64)[1 << 28], 64);
         },
         .report = {.rule = "gm-pointer", .instruction = "DataCopy", .operand = "src"}},
        {.name = "store_past_allocation_by_pointer",
         .kernel = [](GM_ADDR, GM_ADDR tail) __aicore__ { tail[64] = 0; },
         .report = {.rule = "gm-guard", .operand = "tail",
                    .message = "bytes next to the allocation 'tail' were overwritten",
                    .found = "a store through a raw pointer outside the allocation: no instruction did it",
                    .legal = "40 bytes",
                    .hint = "use --check raw (sfumato run, sfumato build) to see the line; GetPhyAddr() and __gm__ casts "
                            "make such pointers",
                    .core = ""}},
    };
}

}  // namespace sfumato::wrong
