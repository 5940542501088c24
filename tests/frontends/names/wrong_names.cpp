// SPDX-License-Identifier: Apache-2.0
// Wrong programs: slices, calls about the core itself and its debugging.
#include "wrong_programs.h"

namespace sfumato::wrong {

namespace {
// DataCopy of one slice of 8 floats on either side, but for what is wrong.
void Copy(GM_ADDR gm, const SliceInfo& dst, const SliceInfo& src, Where where) {
    DataCopy(Ub<float>(0, 64), Gm<float>(gm, 64), &dst, &src, 1, where);
}
}  // namespace

#define COPY(...) Wrong(), Copy(gm, __VA_ARGS__, Where::Here())

const Table<Program> kNames = {
    {"slices_without_dimension", "slice-shape", [](GM_ADDR gm, GM_ADDR) __aicore__ {
         const SliceInfo s = {0, 7, 0, 1, 8};
         Wrong(), DataCopy(Ub<float>(0, 64), Gm<float>(gm, 64), &s, &s, 0);
     }},
    {"slices_of_nine_dimensions", "slice-shape", [](GM_ADDR gm, GM_ADDR) __aicore__ {
         const SliceInfo s[9] = {{0, 7, 0, 1, 8}};
         Wrong(), DataCopy(Gm<float>(gm, 64), Ub<float>(0, 64), s, s, 9);
     }},
    {"slice_past_the_shape", "slice-shape",
     [](GM_ADDR gm, GM_ADDR) __aicore__ { COPY({0, 7, 0, 1, 8}, {16, 23, 0, 1, 20}); }},
    {"slice_ends_before_it_starts", "slice-shape",
     [](GM_ADDR gm, GM_ADDR) __aicore__ { COPY({8, 7, 0, 1, 16}, {0, 7, 0, 1, 8}); }},
    {"slice_end_is_not_the_last_element", "slice-shape",
     [](GM_ADDR gm, GM_ADDR) __aicore__ { COPY({0, 7, 0, 1, 8}, {0, 8, 0, 1, 16}); }},
    {"slice_without_blocks", "slice-shape",
     [](GM_ADDR gm, GM_ADDR) __aicore__ { COPY({0, 7, 0, 0, 8}, {0, 7, 0, 0, 8}); }},
    {"slice_of_other_length_in_dst", "slice-shape",
     [](GM_ADDR gm, GM_ADDR) __aicore__ { COPY({0, 15, 0, 2, 16}, {0, 7, 0, 1, 8}); }},
    {"slice_more_in_dst", "slice-shape",
     [](GM_ADDR gm, GM_ADDR) __aicore__ { COPY({0, 15, 0, 1, 16}, {0, 7, 0, 1, 8}); }},
    {"slice_blocks_above_dimension_0", "slice-shape", [](GM_ADDR gm, GM_ADDR) __aicore__ {
         const SliceInfo s[] = {{0, 7, 0, 1, 8}, {0, 1, 0, 2, 2}};
         Wrong(), DataCopy(Ub<float>(0, 64), Gm<float>(gm, 64), s, s, 2);
     }},
    {"slice_outside_a_block_of_ub", "ub-alignment",
     [](GM_ADDR gm, GM_ADDR) __aicore__ { COPY({4, 11, 0, 1, 16}, {0, 7, 0, 1, 8}); }},
    {"slice_on_310b", "instruction-unsupported",
     [](GM_ADDR gm, GM_ADDR) __aicore__ { COPY({0, 7, 0, 1, 8}, {0, 7, 0, 1, 8}); }, {.chip = "Ascend310B1"}},
    {"tbuf_of_two_blocks", "buffer-blocks", [](GM_ADDR, GM_ADDR) __aicore__ {
         TPipe pipe;
         TBuf<> buffer;
         Wrong(), pipe.InitBuffer(buffer, 2, 64);
     }},
    {"trace_range_of_no_number", "trace-range",
     [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), sfumato_::TraceRange(10, true, Where::Here()); }},
    {"trace_range_not_started", "trace-range", [](GM_ADDR, GM_ADDR) __aicore__ {
         sfumato_::TraceRange(3, true, Where::Here());
         Wrong(), sfumato_::TraceRange(4, false, Where::Here());
     }},
    {"preloads_in_a_row", "preload-row", [](GM_ADDR gm, GM_ADDR) __aicore__ {
         const auto line = Gm<uint64_t>(gm, 64);
         for (int64_t at = 0; at < 4 * 64; at += 64) DataCachePreload(line, at);
         Wrong(), DataCachePreload(line, int64_t{256});
     }},
    {"arch_version_on_310b", "call-unsupported", [](GM_ADDR, GM_ADDR) __aicore__ {
         uint32_t version = 0;
         Wrong(), GetArchVersion(version);
     }, {.chip = "Ascend310B1"}},
    {"store_atomic_on_310p", "call-unsupported",
     [](GM_ADDR, GM_ADDR) __aicore__ {
         Wrong(), SetStoreAtomicConfig<AtomicDtype::ATOMIC_F32, AtomicOp::ATOMIC_SUM>();
     },
     {.chip = "Ascend310P3"}},
    {"store_atomic_of_a_type_of_no_chip", "atomic-unsupported",
     [](GM_ADDR, GM_ADDR) __aicore__ {
         Wrong(), SetStoreAtomicConfig<AtomicDtype::ATOMIC_S8, AtomicOp::ATOMIC_SUM>();
     },
     {.chip = "Ascend310B1"}},
    {"dump_of_no_memory", "gm-pointer", [](GM_ADDR, GM_ADDR) __aicore__ {
         Wrong(), asc_dump(reinterpret_cast<int32_t*>(0x1000), 1, 4);
     }},
    {"check_point_past_the_tensor", "dump-size", [](GM_ADDR, GM_ADDR) __aicore__ {
         const auto t = At<float>(TPosition::VECCALC, 64);
         Wrong(), DumpAccChkPoint(t, 1, 32, 65536);
     }},
    {"watched_vector_store", "watched-access", [](GM_ADDR, GM_ADDR) __aicore__ {
         Earlier(), CheckLocalMemoryIA({2, 1, 3, false, false, false, true, false, false, true});
         Wrong(), Duplicate(Ub<float>(0, 64), 1.0f, 64);
     }, {.of_result = true}},
    {"watched_scalar_load", "watched-access", [](GM_ADDR, GM_ADDR) __aicore__ {
         const auto t = Ub<float>(64, 8);
         t.SetValue(3, 1.0f);
         Earlier(), CheckLocalMemoryIA({0, 1, 2, true, false, false, false, false, false, true});
         Wrong(), static_cast<void>(t.GetValue(3));
     }},
    {"watched_move", "watched-access", [](GM_ADDR gm, GM_ADDR) __aicore__ {
         Earlier(), CheckLocalMemoryIA({0, 0, 1, false, false, false, false, false, true, true});
         Wrong(), DataCopy(Ub<float>(0, 16), Gm<float>(gm, 16), 16);
     }},
    {"watch_left_on", "watch-left-on", [](GM_ADDR, GM_ADDR) __aicore__ {
         Wrong(), CheckLocalMemoryIA({1, 0, 1, false, false, false, true, false, false, true});
     }},
    {"watch_of_no_number", "parameter-range", [](GM_ADDR, GM_ADDR) __aicore__ {
         Wrong(), CheckLocalMemoryIA({4, 0, 1, false, false, false, true, false, false, true});
     }},
    {"watch_of_no_range", "parameter-range", [](GM_ADDR, GM_ADDR) __aicore__ {
         Wrong(), CheckLocalMemoryIA({0, 9, 1, false, false, false, true, false, false, true});
     }},
    {"watch_on_910", "call-unsupported", [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), CheckLocalMemoryIA({}); },
     {.chip = "Ascend910A"}},
};

}  // namespace sfumato::wrong
