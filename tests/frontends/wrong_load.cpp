// SPDX-License-Identifier: Apache-2.0
// Wrong programs: Load2D and LoadDataWithTranspose (cube.md 3.1, 3.2).
#include "wrong_programs.h"

namespace sfumato::wrong {
namespace {

// start, repeats, stride, transpose; fractals follow each other in the destination.
constexpr LoadData2DParams Fractals(uint16_t start, uint8_t repeats, uint16_t stride = 1, bool transpose = false) {
    return {start, repeats, stride, 0, 0, transpose, 0};
}

}  // namespace

const Table<Program> kLoad = {
    {"load2d_no_repeats", "nothing-to-do", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a2 = At<half>(TPosition::A2, 512), a1 = At<half>(TPosition::A1, 512);
         Wrong(), LoadData(a2, a1, Fractals(0, 0));
     }, {.chip = "Ascend310P3"}},
    {"load2d_from_ub", "memory-path", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a2 = At<half>(TPosition::A2, 512), in = At<half>(TPosition::VECIN, 512);
         Wrong(), LoadData(a2, in, Fractals(0, 2));
     }, {.chip = "Ascend310P3"}},
    {"load2d_into_l0c", "memory-path", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto co1 = At<half>(TPosition::CO1, 512), a1 = At<half>(TPosition::A1, 512);
         Wrong(), LoadData(co1, a1, Fractals(0, 2));
     }, {.chip = "Ascend910A"}},
    {"load2d_within_l1", "memory-path", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto b1 = At<half>(TPosition::B1, 512, 4096), a1 = At<half>(TPosition::A1, 512);
         Wrong(), LoadData(b1, a1, Fractals(0, 2));
     }, {.core = CoreChoice::kCube}},
    {"load2d_of_float_on_310p", "type-unsupported", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a2 = At<float>(TPosition::A2, 256), a1 = At<float>(TPosition::A1, 256);
         Wrong(), LoadData(a2, a1, Fractals(0, 2));
     }, {.chip = "Ascend310P3"}},
    {"load2d_of_bfloat16_on_910", "type-unsupported", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a2 = At<bfloat16_t>(TPosition::A2, 512), a1 = At<bfloat16_t>(TPosition::A1, 512);
         Wrong(), LoadData(a2, a1, Fractals(0, 2));
     }, {.chip = "Ascend910A"}},
    {"load2d_of_int4", "type-unsupported", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a2 = At<int4b_t>(TPosition::A2, 1024), a1 = At<int4b_t>(TPosition::A1, 1024);
         Wrong(), LoadData(a2, a1, Fractals(0, 1));
     }, {.chip = "Ascend310B1"}},
    {"load2d_reads_past_its_l1_tensor", "out-of-buffer", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a2 = At<half>(TPosition::A2, 1024), a1 = At<half>(TPosition::A1, 512);
         Wrong(), LoadData(a2, a1, Fractals(1, 2));
     }, {.chip = "Ascend310P3"}},
    {"load2d_strides_past_its_l1_buffer", "out-of-buffer", [](GM_ADDR, GM_ADDR) __aicore__ {
         TPipe pipe;
         TBuf<TPosition::A1> a1_buffer;
         TBuf<TPosition::A2> a2_buffer;
         pipe.InitBuffer(a1_buffer, 4096);
         pipe.InitBuffer(a2_buffer, 4096);
         auto a2 = a2_buffer.Get<half>(), a1 = a1_buffer.Get<half>();
         Wrong(), LoadData(a2, a1, Fractals(0, 3, 4));
     }, {.core = CoreChoice::kCube}},
    {"load2d_writes_past_its_l0a_tensor", "out-of-buffer", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a2 = At<half>(TPosition::A2, 512), a1 = At<half>(TPosition::A1, 1024);
         Wrong(), LoadData(a2, a1, {0, 2, 1, 0, 1, false, 0});
     }, {.chip = "Ascend310P3"}},
    {"load2d_reads_past_gm", "gm-out-of-range", [](GM_ADDR gm, GM_ADDR) __aicore__ {
         auto a2 = At<half>(TPosition::A2, 4096);
         Wrong(), LoadData(a2, Gm<half>(gm, 2048), Fractals(1, 8));
     }, {.core = CoreChoice::kCube}},
    {"load2d_a2_misaligned", "l0-alignment", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a2 = At<half>(TPosition::A2, 512, 256), a1 = At<half>(TPosition::A1, 512);
         Wrong(), LoadData(a2, a1, Fractals(0, 1));
     }, {.chip = "Ascend310P3"}},
    {"load2d_b2_misaligned", "l0-alignment", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto b2 = At<int8_t>(TPosition::B2, 2048), b1 = At<int8_t>(TPosition::B1, 1024);
         Wrong(), LoadData(b2[768], b1, Fractals(0, 1));
     }, {.core = CoreChoice::kCube}},
    {"load2d_a1_misaligned", "l1-alignment", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a2 = At<half>(TPosition::A2, 512), a1 = At<half>(TPosition::A1, 512);
         Wrong(), LoadData(a2, a1[8], Fractals(0, 1));
     }, {.chip = "Ascend910A"}},
    {"load2d_gm_misaligned", "gm-alignment", [](GM_ADDR gm, GM_ADDR) __aicore__ {
         auto a1 = At<half>(TPosition::A1, 512);
         Wrong(), LoadData(a1, Gm<half>(gm + 1, 512), Fractals(0, 1));
     }, {.chip = "Ascend310P3"}},
    {"load2d_transposes_bytes", "transpose-unsupported", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto b2 = At<int8_t>(TPosition::B2, 1024), b1 = At<int8_t>(TPosition::B1, 1024);
         Wrong(), LoadData(b2, b1, Fractals(0, 2, 1, true));
     }, {.core = CoreChoice::kCube}},
    {"load2d_transposes_bytes_on_310p", "transpose-unsupported", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto b2 = At<uint8_t>(TPosition::B2, 1024), b1 = At<uint8_t>(TPosition::B1, 1024);
         Wrong(), LoadData(b2, b1, Fractals(0, 2, 1, true));
     }, {.chip = "Ascend310P3"}},
    {"load2d_transposes_from_gm", "transpose-unsupported", [](GM_ADDR gm, GM_ADDR) __aicore__ {
         auto a2 = At<half>(TPosition::A2, 512);
         Wrong(), LoadData(a2, Gm<half>(gm, 512), Fractals(0, 2, 1, true));
     }, {.chip = "Ascend310P3"}},
    {"load2d_falls_in_l1", "parameter-range", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a2 = At<half>(TPosition::A2, 512), a1 = At<half>(TPosition::A1, 512);
         Wrong(), LoadData(a2, a1, {1, 2, 1, 0, 0, false, 1});
     }, {.chip = "Ascend310P3"}},
    {"load2d_falls_below_its_tensor", "parameter-range", [](GM_ADDR gm, GM_ADDR) __aicore__ {
         auto a1 = At<half>(TPosition::A1, 1024);
         Wrong(), LoadData(a1, Gm<half>(gm, 2048), {2, 4, 1, 0, 0, false, 1});
     }, {.chip = "Ascend310P3"}},
    {"load2d_gap_on_910", "load-gap-ignored", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a2 = At<half>(TPosition::A2, 1024), a1 = At<half>(TPosition::A1, 512);
         Wrong(), LoadData(a2, a1, {0, 2, 1, 0, 1, false, 0});
     }, {.chip = "Ascend910A"}},
    {"transposed_load_on_310p", "instruction-unsupported", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a2 = At<half>(TPosition::A2, 512), a1 = At<half>(TPosition::A1, 512);
         Wrong(), LoadDataWithTranspose(a2, a1, {0, 2, 1, 0, 0});
     }, {.chip = "Ascend310P3"}},
    {"transposed_load_of_int16", "type-unsupported", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a2 = At<int16_t>(TPosition::A2, 512), a1 = At<int16_t>(TPosition::A1, 512);
         Wrong(), LoadDataWithTranspose(a2, a1, {0, 2, 1, 0, 0});
     }, {.core = CoreChoice::kCube}},
    {"transposed_load_of_int4_into_l0a", "type-unsupported", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto a2 = At<int4b_t>(TPosition::A2, 4096), a1 = At<int4b_t>(TPosition::A1, 4096);
         Wrong(), LoadDataWithTranspose(a2, a1, {0, 1, 0, 0, 0});
     }, {.core = CoreChoice::kCube}},
    {"transposed_load_from_ub", "memory-path", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto b2 = At<half>(TPosition::B2, 512), in = At<half>(TPosition::VECIN, 512);
         Wrong(), LoadDataWithTranspose(b2, in, {0, 2, 1, 0, 0});
     }, {.chip = "Ascend310B1"}},
    {"transposed_load_no_repeats", "nothing-to-do", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto b2 = At<half>(TPosition::B2, 512), b1 = At<half>(TPosition::B1, 512);
         Wrong(), LoadDataWithTranspose(b2, b1, {0, 0, 1, 0, 0});
     }, {.core = CoreChoice::kCube}},
    {"transposed_load_falls_below_its_tensor", "parameter-range", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto b2 = At<int8_t>(TPosition::B2, 2048), b1 = At<int8_t>(TPosition::B1, 4096);
         Wrong(), LoadDataWithTranspose(b2, b1, {0, 2, 1, 1, 0, 1});
     }, {.core = CoreChoice::kCube}},
    {"transposed_load_reads_past_its_l1_tensor", "out-of-buffer", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto b2 = At<int8_t>(TPosition::B2, 4096), b1 = At<int8_t>(TPosition::B1, 2048);
         Wrong(), LoadDataWithTranspose(b2, b1, {1, 2, 1, 1, 0});
     }, {.core = CoreChoice::kCube}},
    {"transposed_load_writes_past_its_l0b_tensor", "out-of-buffer", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto b2 = At<int8_t>(TPosition::B2, 1024), b1 = At<int8_t>(TPosition::B1, 1024);
         Wrong(), LoadDataWithTranspose(b2, b1, {0, 1, 1, 0, 1});
     }, {.chip = "Ascend310B1"}},
};

}  // namespace sfumato::wrong
