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

std::vector<Program> LoadPrograms() {
    return {
        {.name = "load2d_no_repeats",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a2 = At<half>(TPosition::A2, 512), a1 = At<half>(TPosition::A1, 512);
             Wrong(), LoadData(a2, a1, Fractals(0, 0));
         },
         .report = {.severity = Severity::kNote, .rule = "nothing-to-do", .instruction = "LoadData",
                    .operand = "repeatTimes",
                    .message = "LoadData: repeatTimes is 0: nothing is done",
                    .found = "0", .legal = "1..255", .hint = "check how the value is computed", .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "load2d_from_ub",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a2 = At<half>(TPosition::A2, 512), in = At<half>(TPosition::VECIN, 512);
             Wrong(), LoadData(a2, in, Fractals(0, 2));
         },
         .report = {.rule = "memory-path", .instruction = "LoadData", .operand = "dst",
                    .message = "LoadData: Ascend310P has no such move",
                    .found = "UB to L0A", .legal = "GM to L1, GM to L0A, GM to L0B, L1 to L0A, L1 to L0B",
                    .hint = "check the positions of the two tensors", .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "load2d_into_l0c",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto co1 = At<half>(TPosition::CO1, 512), a1 = At<half>(TPosition::A1, 512);
             Wrong(), LoadData(co1, a1, Fractals(0, 2));
         },
         .report = {.rule = "memory-path", .instruction = "LoadData", .operand = "dst",
                    .message = "LoadData: Ascend910 has no such move",
                    .found = "L1 to L0C", .legal = "GM to L1, GM to L0A, GM to L0B, L1 to L0A, L1 to L0B",
                    .hint = "check the positions of the two tensors", .core = "core0"},
         .chip = "Ascend910A"},
        {.name = "load2d_within_l1",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto b1 = At<half>(TPosition::B1, 512, 4096), a1 = At<half>(TPosition::A1, 512);
             Wrong(), LoadData(b1, a1, Fractals(0, 2));
         },
         .report = {.rule = "memory-path", .instruction = "LoadData", .operand = "dst",
                    .message = "LoadData: Ascend910B has no such move",
                    .found = "L1 to L1", .legal = "GM to L1, GM to L0A, GM to L0B, L1 to L0A, L1 to L0B",
                    .hint = "check the positions of the two tensors", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "load2d_of_float_on_310p",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a2 = At<float>(TPosition::A2, 256), a1 = At<float>(TPosition::A1, 256);
             Wrong(), LoadData(a2, a1, Fractals(0, 2));
         },
         .report = {.rule = "type-unsupported", .instruction = "LoadData", .operand = "dst",
                    .message = "LoadData: the element type is not supported on Ascend310P",
                    .found = "float", .legal = "int8_t, uint8_t, int16_t, uint16_t, half",
                    .hint = "this type is there on Ascend910B, Ascend310B: is the right chip chosen?",
                    .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "load2d_of_bfloat16_on_910",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a2 = At<bfloat16_t>(TPosition::A2, 512), a1 = At<bfloat16_t>(TPosition::A1, 512);
             Wrong(), LoadData(a2, a1, Fractals(0, 2));
         },
         .report = {.rule = "type-unsupported", .instruction = "LoadData", .operand = "dst",
                    .message = "LoadData: the element type is not supported on Ascend910",
                    .found = "bfloat16_t", .legal = "int8_t, uint8_t, int16_t, uint16_t, half",
                    .hint = "this type is there on Ascend910B, Ascend310B: is the right chip chosen?",
                    .core = "core0"},
         .chip = "Ascend910A"},
        {.name = "load2d_of_int4",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a2 = At<int4b_t>(TPosition::A2, 1024), a1 = At<int4b_t>(TPosition::A1, 1024);
             Wrong(), LoadData(a2, a1, Fractals(0, 1));
         },
         .report = {.rule = "type-unsupported", .instruction = "LoadData", .operand = "dst",
                    .message = "LoadData: the element type is not supported on Ascend310B",
                    .found = "int4b_t",
                    .legal = "int8_t, uint8_t, int16_t, uint16_t, half, bfloat16_t, int32_t, uint32_t, float",
                    .hint = "no other chip has this type: convert to a legal type first", .core = "core0"},
         .chip = "Ascend310B1"},
        {.name = "load2d_reads_past_its_l1_tensor",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a2 = At<half>(TPosition::A2, 1024), a1 = At<half>(TPosition::A1, 512);
             Wrong(), LoadData(a2, a1, Fractals(1, 2));
         },
         .report = {.rule = "out-of-buffer", .instruction = "LoadData", .operand = "src",
                    .message = "LoadData: reads past the end of the tensor's buffer",
                    .found = "bytes 512..1536 of L1, 512 bytes too many",
                    .legal = "up to byte 1024: 512 elements of half from here",
                    .hint = "make the buffer larger, or process fewer elements (start, sizes, repeats, strides)",
                    .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "load2d_strides_past_its_l1_buffer",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             TPipe pipe;
             TBuf<TPosition::A1> a1_buffer;
             TBuf<TPosition::A2> a2_buffer;
             pipe.InitBuffer(a1_buffer, 4096);
             pipe.InitBuffer(a2_buffer, 4096);
             auto a2 = a2_buffer.Get<half>(), a1 = a1_buffer.Get<half>();
             Wrong(), LoadData(a2, a1, Fractals(0, 3, 4));
         },
         .report = {.rule = "out-of-buffer", .instruction = "LoadData", .operand = "src",
                    .message = "LoadData: reads past the end of the tensor's buffer",
                    .found = "bytes 0..4608 of L1, 512 bytes too many",
                    .legal = "up to byte 4096: 2048 elements of half from here",
                    .hint = "make the buffer larger, or process fewer elements (start, sizes, repeats, strides)",
                    .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "load2d_writes_past_its_l0a_tensor",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a2 = At<half>(TPosition::A2, 512), a1 = At<half>(TPosition::A1, 1024);
             Wrong(), LoadData(a2, a1, {0, 2, 1, 0, 1, false, 0});
         },
         .report = {.rule = "out-of-buffer", .instruction = "LoadData", .operand = "dst",
                    .message = "LoadData: writes past the end of the tensor's buffer",
                    .found = "bytes 0..1536 of L0A, 512 bytes too many",
                    .legal = "up to byte 1024: 512 elements of half from here",
                    .hint = "make the buffer larger, or process fewer elements (start, sizes, repeats, strides)",
                    .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "load2d_reads_past_gm",
         .kernel = [](GM_ADDR gm, GM_ADDR) __aicore__ {
             auto a2 = At<half>(TPosition::A2, 4096);
             Wrong(), LoadData(a2, Gm<half>(gm, 2048), Fractals(1, 8));
         },
         .report = {.rule = "gm-out-of-range", .instruction = "LoadData", .operand = "src",
                    .message = "LoadData: reads past the end of gm in global memory",
                    .found = "bytes 512..4608 of gm, 512 bytes too many", .legal = "the 4096 bytes of gm",
                    .hint = "check the count, the offset of the block and the size of the argument", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "load2d_a2_misaligned",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a2 = At<half>(TPosition::A2, 512, 256), a1 = At<half>(TPosition::A1, 512);
             Wrong(), LoadData(a2, a1, Fractals(0, 1));
         },
         .report = {.rule = "l0-alignment", .instruction = "LoadData", .operand = "dst",
                    .message = "LoadData: the destination is not aligned",
                    .found = "byte offset 256 in L0A", .legal = "a multiple of 512",
                    .hint = "start at an index that is a multiple of 256 elements of half", .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "load2d_b2_misaligned",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto b2 = At<int8_t>(TPosition::B2, 2048), b1 = At<int8_t>(TPosition::B1, 1024);
             Wrong(), LoadData(b2[768], b1, Fractals(0, 1));
         },
         .report = {.rule = "l0-alignment", .instruction = "LoadData", .operand = "dst",
                    .message = "LoadData: the destination is not aligned",
                    .found = "byte offset 768 in L0B", .legal = "a multiple of 512",
                    .hint = "start at an index that is a multiple of 512 elements of int8_t", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "load2d_a1_misaligned",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a2 = At<half>(TPosition::A2, 512), a1 = At<half>(TPosition::A1, 512);
             Wrong(), LoadData(a2, a1[8], Fractals(0, 1));
         },
         .report = {.rule = "l1-alignment", .instruction = "LoadData", .operand = "src",
                    .message = "LoadData: the source is not aligned",
                    .found = "byte offset 16 in L1", .legal = "a multiple of 32",
                    .hint = "start at an index that is a multiple of 16 elements of half", .core = "core0"},
         .chip = "Ascend910A"},
        {.name = "load2d_gm_misaligned",
         .kernel = [](GM_ADDR gm, GM_ADDR) __aicore__ {
             auto a1 = At<half>(TPosition::A1, 512);
             Wrong(), LoadData(a1, Gm<half>(gm + 1, 512), Fractals(0, 1));
         },
         .report = {.rule = "gm-alignment", .instruction = "LoadData", .operand = "src",
                    .message = "LoadData: the source is not aligned",
                    .found = "byte offset 1 of gm in GM", .legal = "a multiple of 2",
                    .hint = "start at byte offset 0 or 2", .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "load2d_transposes_bytes",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto b2 = At<int8_t>(TPosition::B2, 1024), b1 = At<int8_t>(TPosition::B1, 1024);
             Wrong(), LoadData(b2, b1, Fractals(0, 2, 1, true));
         },
         .report = {.rule = "transpose-unsupported", .instruction = "LoadData", .operand = "ifTranspose",
                    .message = "LoadData: the load cannot transpose this",
                    .found = "int8_t, L1 to L0B", .legal = "16-bit types, L1 to L0A or L0B",
                    .hint = "use LoadDataWithTranspose", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "load2d_transposes_bytes_on_310p",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto b2 = At<uint8_t>(TPosition::B2, 1024), b1 = At<uint8_t>(TPosition::B1, 1024);
             Wrong(), LoadData(b2, b1, Fractals(0, 2, 1, true));
         },
         .report = {.rule = "transpose-unsupported", .instruction = "LoadData", .operand = "ifTranspose",
                    .message = "LoadData: the load cannot transpose this",
                    .found = "uint8_t, L1 to L0B", .legal = "16-bit types, L1 to L0A or L0B",
                    .hint = "load without it; transpose the data before it reaches L1", .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "load2d_transposes_from_gm",
         .kernel = [](GM_ADDR gm, GM_ADDR) __aicore__ {
             auto a2 = At<half>(TPosition::A2, 512);
             Wrong(), LoadData(a2, Gm<half>(gm, 512), Fractals(0, 2, 1, true));
         },
         .report = {.rule = "transpose-unsupported", .instruction = "LoadData", .operand = "ifTranspose",
                    .message = "LoadData: the load cannot transpose this",
                    .found = "half, GM to L0A", .legal = "16-bit types, L1 to L0A or L0B",
                    .hint = "load into L1 first, and transpose on the way from there", .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "load2d_falls_in_l1",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a2 = At<half>(TPosition::A2, 512), a1 = At<half>(TPosition::A1, 512);
             Wrong(), LoadData(a2, a1, {1, 2, 1, 0, 0, false, 1});
         },
         .report = {.rule = "parameter-range", .instruction = "LoadData", .operand = "addrMode",
                    .message = "LoadData: addrMode is out of range",
                    .found = "1", .legal = "0; 1 on the way from GM to L1 alone",
                    .hint = "load in rising order, or reverse the order on the way to L1", .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "load2d_falls_below_its_tensor",
         .kernel = [](GM_ADDR gm, GM_ADDR) __aicore__ {
             auto a1 = At<half>(TPosition::A1, 1024);
             Wrong(), LoadData(a1, Gm<half>(gm, 2048), {2, 4, 1, 0, 0, false, 1});
         },
         .report = {.rule = "parameter-range", .instruction = "LoadData", .operand = "startIndex",
                    .message = "LoadData: startIndex is out of range",
                    .found = "2", .legal = "3 or more: the source address falls that far",
                    .hint = "start at the highest part of the source", .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "load2d_gap_on_910",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a2 = At<half>(TPosition::A2, 1024), a1 = At<half>(TPosition::A1, 512);
             Wrong(), LoadData(a2, a1, {0, 2, 1, 0, 1, false, 0});
         },
         .report = {.severity = Severity::kWarning, .rule = "load-gap-ignored", .instruction = "LoadData",
                    .operand = "dstGap",
                    .message = "LoadData: Ascend910 has no gap between destination fractals: they lie end to end",
                    .found = "1", .legal = "0", .hint = "move the fractals with one call each", .core = "core0"},
         .chip = "Ascend910A"},
        {.name = "transposed_load_on_310p",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a2 = At<half>(TPosition::A2, 512), a1 = At<half>(TPosition::A1, 512);
             Wrong(), LoadDataWithTranspose(a2, a1, {0, 2, 1, 0, 0});
         },
         .report = {.rule = "instruction-unsupported", .instruction = "LoadDataWithTranspose",
                    .message = "LoadDataWithTranspose: Ascend310P does not have the instruction",
                    .found = "Ascend310P", .legal = "Ascend910B, Ascend310B",
                    .hint = "choose another chip or another instruction", .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "transposed_load_of_int16",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a2 = At<int16_t>(TPosition::A2, 512), a1 = At<int16_t>(TPosition::A1, 512);
             Wrong(), LoadDataWithTranspose(a2, a1, {0, 2, 1, 0, 0});
         },
         .report = {.rule = "type-unsupported", .instruction = "LoadDataWithTranspose", .operand = "dst",
                    .message = "LoadDataWithTranspose: the element type is not supported on Ascend910B",
                    .found = "int16_t",
                    .legal = "int4b_t, int8_t, uint8_t, half, bfloat16_t, int32_t, uint32_t, float",
                    .hint = "no other chip has this type: convert to a legal type first", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "transposed_load_of_int4_into_l0a",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a2 = At<int4b_t>(TPosition::A2, 4096), a1 = At<int4b_t>(TPosition::A1, 4096);
             Wrong(), LoadDataWithTranspose(a2, a1, {0, 1, 0, 0, 0});
         },
         .report = {.rule = "type-unsupported", .instruction = "LoadDataWithTranspose", .operand = "dst",
                    .message = "LoadDataWithTranspose: the element type can only go to L0B",
                    .found = "int4b_t", .legal = "int8_t, uint8_t, half, bfloat16_t, int32_t, uint32_t, float",
                    .hint = "use another destination, or convert to a legal type first", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "transposed_load_from_ub",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto b2 = At<half>(TPosition::B2, 512), in = At<half>(TPosition::VECIN, 512);
             Wrong(), LoadDataWithTranspose(b2, in, {0, 2, 1, 0, 0});
         },
         .report = {.rule = "memory-path", .instruction = "LoadDataWithTranspose", .operand = "dst",
                    .message = "LoadDataWithTranspose: Ascend310B has no such move",
                    .found = "UB to L0B", .legal = "L1 to L0A, L1 to L0B",
                    .hint = "check the positions of the two tensors", .core = "core0"},
         .chip = "Ascend310B1"},
        {.name = "transposed_load_no_repeats",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto b2 = At<half>(TPosition::B2, 512), b1 = At<half>(TPosition::B1, 512);
             Wrong(), LoadDataWithTranspose(b2, b1, {0, 0, 1, 0, 0});
         },
         .report = {.severity = Severity::kNote, .rule = "nothing-to-do", .instruction = "LoadDataWithTranspose",
                    .operand = "repeatTimes",
                    .message = "LoadDataWithTranspose: repeatTimes is 0: nothing is done",
                    .found = "0", .legal = "1..255", .hint = "check how the value is computed", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "transposed_load_falls_below_its_tensor",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto b2 = At<int8_t>(TPosition::B2, 2048), b1 = At<int8_t>(TPosition::B1, 4096);
             Wrong(), LoadDataWithTranspose(b2, b1, {0, 2, 1, 1, 0, 1});
         },
         .report = {.rule = "parameter-range", .instruction = "LoadDataWithTranspose", .operand = "startIndex",
                    .message = "LoadDataWithTranspose: startIndex is out of range",
                    .found = "0", .legal = "1 or more: the source address falls that far",
                    .hint = "start at the highest part of the source", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "transposed_load_reads_past_its_l1_tensor",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto b2 = At<int8_t>(TPosition::B2, 4096), b1 = At<int8_t>(TPosition::B1, 2048);
             Wrong(), LoadDataWithTranspose(b2, b1, {1, 2, 1, 1, 0});
         },
         .report = {.rule = "out-of-buffer", .instruction = "LoadDataWithTranspose", .operand = "src",
                    .message = "LoadDataWithTranspose: reads past the end of the tensor's buffer",
                    .found = "bytes 1024..3072 of L1, 1024 bytes too many",
                    .legal = "up to byte 2048: 2048 elements of int8_t from here",
                    .hint = "make the buffer larger, or process fewer elements (start, sizes, repeats, strides)",
                    .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "transposed_load_writes_past_its_l0b_tensor",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto b2 = At<int8_t>(TPosition::B2, 1024), b1 = At<int8_t>(TPosition::B1, 1024);
             Wrong(), LoadDataWithTranspose(b2, b1, {0, 1, 1, 0, 1});
         },
         .report = {.rule = "out-of-buffer", .instruction = "LoadDataWithTranspose", .operand = "dst",
                    .message = "LoadDataWithTranspose: writes past the end of the tensor's buffer",
                    .found = "bytes 0..1536 of L0B, 512 bytes too many",
                    .legal = "up to byte 1024: 1024 elements of int8_t from here",
                    .hint = "make the buffer larger, or process fewer elements (start, sizes, repeats, strides)",
                    .core = "core0"},
         .chip = "Ascend310B1"},
    };
}

}  // namespace sfumato::wrong
