// SPDX-License-Identifier: Apache-2.0
// Wrong programs: DataCopy and DataCopyPad.
#include "wrong_programs.h"

namespace sfumato::wrong {

const Table<Program> kMove = {
    {"move_past_allocation", "gm-out-of-range", [](GM_ADDR gm, GM_ADDR) __aicore__ {
         auto a = Ub<half>(0, 1024);
         Wrong(), DataCopy(Gm<half>(gm + 3072, 1024), a, 1024);
     }},
    {"move_reads_past_allocation", "gm-out-of-range", [](GM_ADDR gm, GM_ADDR) __aicore__ {
         auto a = Ub<float>(0, 2048);
         Wrong(), DataCopy(a, Gm<float>(gm, 0), 2048);
     }},
    {"move_starts_past_allocation", "gm-out-of-range", [](GM_ADDR gm, GM_ADDR) __aicore__ {
         auto a = Ub<half>(0, 64);
         Wrong(), DataCopy(a, Gm<half>(gm, 2048)[2048], 64);
     }},
    {"move_reads_edge", "gm-padding", [](GM_ADDR, GM_ADDR tail) __aicore__ {
         auto a = Ub<half>(0, 32);
         Wrong(), DataCopy(a, Gm<half>(tail, 0), 32);
     }},
    {"move_writes_edge", "gm-padding", [](GM_ADDR, GM_ADDR tail) __aicore__ {
         auto a = Ub<half>(0, 32);
         Wrong(), DataCopy(Gm<half>(tail, 20), a, 32);
     }},
    {"move_past_global_tensor", "past-tensor", [](GM_ADDR gm, GM_ADDR) __aicore__ {
         auto a = Ub<half>(0, 128);
         Wrong(), DataCopy(Gm<half>(gm, 64), a, 128);
     }},
    {"move_past_buffer", "out-of-buffer", [](GM_ADDR gm, GM_ADDR) __aicore__ {
         auto a = Ub<half>(0, 64);
         Wrong(), DataCopy(a, Gm<half>(gm, 128), 128);
     }},
    {"move_tail_dropped", "copy-tail", [](GM_ADDR gm, GM_ADDR) __aicore__ {
         auto a = Ub<half>(0, 64);
         Wrong(), DataCopy(Gm<half>(gm, 64), a, 20);
     }},
    {"move_ub_alignment", "ub-alignment", [](GM_ADDR gm, GM_ADDR) __aicore__ {
         auto a = Ub<half>(0, 64);
         Wrong(), DataCopy(a[8], Gm<half>(gm, 16), 16);
     }},
    {"move_gm_alignment", "gm-alignment", [](GM_ADDR gm, GM_ADDR) __aicore__ {
         auto a = Ub<float>(0, 64);
         Wrong(), DataCopy(a, Gm<float>(gm + 2, 64), 64);
     }},
    {"move_l1_alignment", "l1-alignment", [](GM_ADDR gm, GM_ADDR) __aicore__ {
         LocalTensor<half> l1(TPosition::A1, 0, 128);
         Wrong(), DataCopy(l1[8], Gm<half>(gm, 64), 64);
     }, {.chip = "Ascend310P3"}},
    {"move_l1_on_vector_core", "core-kind", [](GM_ADDR gm, GM_ADDR) __aicore__ {
         LocalTensor<half> l1(TPosition::A1, 0, 128);
         Wrong(), DataCopy(l1, Gm<half>(gm, 64), 64);
     }},
    {"move_path", "memory-path", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<half>(0, 64);
         LocalTensor<half> l1(TPosition::B1, 0, 64);
         Wrong(), DataCopy(l1, a, 64);
     }},
    {"move_path_of_chip", "memory-path", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<half>(0, 64);
         Wrong(), DataCopy(At<half>(TPosition::A1, 64), a, 64);
     }, {.chip = "Ascend310B1"}},
    {"move_type", "type-unsupported", [](GM_ADDR gm, GM_ADDR) __aicore__ {
         auto a = Ub<int64_t>(0, 64);
         Wrong(), DataCopy(a, Gm<int64_t>(gm, 64), 64);
     }, {.chip = "Ascend910A"}},
    {"move_block_count", "block-count-range", [](GM_ADDR gm, GM_ADDR) __aicore__ {
         auto a = Ub<half>(0, 64);
         Wrong(), DataCopy(a, Gm<half>(gm, 64), DataCopyParams(4096, 1, 0, 0));
     }},
    {"move_pad_length", "block-length-range", [](GM_ADDR gm, GM_ADDR) __aicore__ {
         auto a = Ub<half>(0, 64);
         Wrong(), DataCopyPad(Gm<half>(gm, 64), a, DataCopyExtParams(1, 2097152, 0, 0, 0));
     }},
    {"move_pad_length_of_half_elements", "block-length-range", [](GM_ADDR gm, GM_ADDR) __aicore__ {
         auto a = Ub<float>(0, 64);
         Wrong(), DataCopyPad(Gm<float>(gm, 64), a, DataCopyExtParams(1, 18, 0, 0, 0));
     }},
    {"move_gap", "gap-range", [](GM_ADDR gm, GM_ADDR) __aicore__ {
         auto a = Ub<half>(0, 64);
         Wrong(), DataCopyPad(Gm<half>(gm, 64), a, DataCopyExtParams(2, 32, 65536, 0, 0));
     }},
    {"move_nothing", "move-nothing", [](GM_ADDR gm, GM_ADDR) __aicore__ {
         auto a = Ub<half>(0, 64);
         Wrong(), DataCopy(a, Gm<half>(gm, 64), DataCopyParams(0, 1, 0, 0));
     }},
    {"move_nothing_by_length", "move-nothing", [](GM_ADDR gm, GM_ADDR) __aicore__ {
         auto a = Ub<half>(0, 64);
         Wrong(), DataCopy(a, Gm<half>(gm, 64), DataCopyParams(2, 0, 0, 0));
     }},
    {"move_overlap", "overlap-in-move", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<half>(0, 256);
         Wrong(), DataCopy(a[16], a, DataCopyParams(2, 1, 0, 0));
     }},
    {"pad_too_long", "pad-range", [](GM_ADDR gm, GM_ADDR) __aicore__ {
         auto a = Ub<half>(0, 64);
         Wrong(), DataCopyPad(a, Gm<half>(gm, 64), {1, 20, 0, 0, 0}, {true, 0, 17, half(0)});
     }},
    {"pad_64_bits", "pad-value-64", [](GM_ADDR gm, GM_ADDR) __aicore__ {
         auto a = Ub<int64_t>(0, 64);
         Wrong(), DataCopyPad(a, Gm<int64_t>(gm, 64), {1, 24, 0, 0, 0}, {true, 0, 1, 7});
     }},
    {"pad_value_not_set", "pad-undefined", [](GM_ADDR gm, GM_ADDR) __aicore__ {
         auto a = Ub<half>(0, 64);
         Wrong(), DataCopyPad(a, Gm<half>(gm, 64), {1, 20, 0, 0, 0}, {false, 0, 6, half(1)});
     }},
    {"global_tensor_without_buffer", "gm-pointer", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<half>(0, 64);
         GlobalTensor<half> src;
         Wrong(), DataCopy(a, src, 64);
     }},
    {"global_tensor_of_host_memory", "gm-pointer", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a = Ub<half>(0, 64);
         Wrong(), DataCopy(Gm<half>(reinterpret_cast<GM_ADDR>(0x1000), 64), a, 64);
     }},
    {"global_tensor_far_past_its_array", "gm-pointer", [](GM_ADDR gm, GM_ADDR) __aicore__ {
         auto a = Ub<half>(0, 64);
         Wrong(), DataCopy(a, Gm<half>(gm, 64)[1 << 28], 64);
     }},
    {"store_past_allocation_by_pointer", "gm-guard",
     [](GM_ADDR, GM_ADDR tail) __aicore__ { Wrong(), tail[64] = 0; }},
};

}  // namespace sfumato::wrong
