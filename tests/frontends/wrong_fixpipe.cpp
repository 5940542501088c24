// SPDX-License-Identifier: Apache-2.0
// Wrong programs: Fixpipe, DataCopy from CO1 through the same engine, and its registers (cube.md 5.1 to 5.3).
#include <type_traits>

#include "wrong_programs.h"

namespace sfumato::wrong {
namespace {

// 16 x 16 elements, row major: the parameters as programs write them.
FixpipeParamsV220 Square(QuantMode_t quant = NoQuant, uint64_t scalar = 0) {
    return {16, 16, 16, 16, false, quant, scalar};
}
constexpr uint64_t kOne = 0x3F800000;  // the float32 scale 1
constexpr uint64_t kSigned = uint64_t{1} << 46;

// Fixpipe of 16 x 16 elements of U to GM as T, with one thing wrong.
template <class T, class U, QuantMode_t kQuant, uint64_t kScalar>
__aicore__ void Quantised(GM_ADDR gm, GM_ADDR) {
    auto c = At<U>(TPosition::CO1, 256);
    Wrong(), Fixpipe(Gm<T>(gm, 4096 / sizeof(T)), c, Square(kQuant, kScalar));
}
template <auto kField, uint32_t kValue, const FixpipeConfig& kConfig = CFG_ROW_MAJOR, uint16_t kMatrices = 1>
__aicore__ void With(GM_ADDR gm, GM_ADDR) {
    auto c = At<float>(TPosition::CO1, 256);
    FixpipeParamsV220 params = Square();
    params.ndNum = kMatrices;
    params.*kField = static_cast<std::remove_reference_t<decltype(params.*kField)>>(kValue);
    Wrong(), Fixpipe<float, float, kConfig>(Gm<float>(gm, 1024), c, params);
}
template <auto kField>
__aicore__ void Reserved(GM_ADDR gm, GM_ADDR) {
    auto c = At<float>(TPosition::CO1, 256);
    DataCopyCO12DstParams params(16, 16, 16, 16, NoQuant, 0, false, true);
    params.*kField = 2;
    Wrong(), DataCopy(Gm<float>(gm, 256), c, params);
}

}  // namespace

std::vector<Program> FixpipePrograms() {
    using P = FixpipeParamsV220;
    using Co12 = DataCopyCO12DstParams;
    return {
        {.name = "fixpipe_on_310p", .kernel = Quantised<float, float, NoQuant, 0>,
         .report = {.rule = "instruction-unsupported", .instruction = "Fixpipe",
                    .message = "Fixpipe: Ascend310P does not have the instruction",
                    .found = "Ascend310P", .legal = "Ascend910B, Ascend310B",
                    .hint = "choose another chip; here DataCopy with DataCopyEnhancedParams takes CO1 to CO2",
                    .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "fixpipe_on_910", .kernel = Quantised<half, float, F322F16, 0>,
         .report = {.rule = "instruction-unsupported", .instruction = "Fixpipe",
                    .message = "Fixpipe: Ascend910 does not have the instruction",
                    .found = "Ascend910", .legal = "Ascend910B, Ascend310B",
                    .hint = "choose another chip; here DataCopy with DataCopyEnhancedParams takes CO1 to CO2",
                    .core = "core0"},
         .chip = "Ascend910A"},
        {.name = "fixpipe_into_ub",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto out = At<float>(TPosition::VECOUT, 256), c = At<float>(TPosition::CO1, 256);
             Wrong(), Fixpipe(out, c, Square());
         },
         .report = {.rule = "memory-path", .instruction = "Fixpipe", .operand = "dst",
                    .message = "Fixpipe: Ascend310B has no such move",
                    .found = "L0C to UB", .legal = "L0C to GM, L0C to L1",
                    .hint = "check the positions of the two tensors", .core = "core0"},
         .chip = "Ascend310B1"},
        {.name = "fixpipe_from_l1",
         .kernel = [](GM_ADDR gm, GM_ADDR) __aicore__ {
             auto c = At<float>(TPosition::A1, 256);
             Wrong(), Fixpipe(Gm<float>(gm, 256), c, Square());
         },
         .report = {.rule = "memory-path", .instruction = "Fixpipe", .operand = "dst",
                    .message = "Fixpipe: Ascend910B has no such move",
                    .found = "L1 to GM", .legal = "L0C to GM, L0C to L1",
                    .hint = "check the positions of the two tensors", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "fixpipe_of_no_columns", .kernel = With<&P::nSize, 0>,
         .report = {.severity = Severity::kNote, .rule = "nothing-to-do", .instruction = "Fixpipe",
                    .operand = "nSize",
                    .message = "Fixpipe: nSize is 0: nothing is done",
                    .found = "0", .legal = "1..4095", .hint = "check how the value is computed", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "fixpipe_of_no_matrices", .kernel = With<&P::ndNum, 0>,
         .report = {.severity = Severity::kNote, .rule = "nothing-to-do", .instruction = "Fixpipe",
                    .operand = "ndNum",
                    .message = "Fixpipe: ndNum is 0: nothing is done",
                    .found = "0", .legal = "1..65535", .hint = "check how the value is computed", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "fixpipe_too_many_columns", .kernel = With<&P::nSize, 4096>,
         .report = {.rule = "parameter-range", .instruction = "Fixpipe", .operand = "nSize",
                    .message = "Fixpipe: nSize is out of range",
                    .found = "4096", .legal = "1..4095",
                    .hint = "check how the value is computed, or split the work into several calls", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "fixpipe_too_many_rows", .kernel = With<&P::mSize, 8193>,
         .report = {.rule = "parameter-range", .instruction = "Fixpipe", .operand = "mSize",
                    .message = "Fixpipe: mSize is out of range",
                    .found = "8193", .legal = "1..8192 with row major output",
                    .hint = "check how the value is computed, or split the work into several calls", .core = "core0"},
         .chip = "Ascend310B1"},
        {.name = "fixpipe_matrices_too_far", .kernel = With<&P::srcNdStride, 513, CFG_ROW_MAJOR, 2>,
         .report = {.rule = "parameter-range", .instruction = "Fixpipe", .operand = "srcNdStride",
                    .message = "Fixpipe: srcNdStride is out of range",
                    .found = "513", .legal = "0..512", .hint = "check how the value is computed", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "fixpipe_unit_flag", .kernel = With<&P::unitFlag, 1>,
         .report = {.rule = "parameter-range", .instruction = "Fixpipe", .operand = "unitFlag",
                    .message = "Fixpipe: unitFlag is out of range",
                    .found = "1", .legal = "0, 2 or 3", .hint = "set unitFlag to 0, which is always right",
                    .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "fixpipe_nz_of_a_part_of_a_fractal", .kernel = With<&P::nSize, 8, CFG_NZ>,
         .report = {.rule = "parameter-alignment", .instruction = "Fixpipe", .operand = "nSize",
                    .message = "Fixpipe: nSize is not a multiple of 16",
                    .found = "8", .legal = "a multiple of 16, unless the output is row major", .hint = "take 16",
                    .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "fixpipe_reads_past_l0c", .kernel = With<&P::nSize, 32>,
         .report = {.rule = "out-of-buffer", .instruction = "Fixpipe", .operand = "src",
                    .message = "Fixpipe: reads past the end of the tensor's buffer",
                    .found = "bytes 0..2048 of L0C, 1024 bytes too many",
                    .legal = "up to byte 1024: 256 elements of float from here",
                    .hint = "make the buffer larger, or process fewer elements (start, sizes, repeats, strides)",
                    .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "fixpipe_writes_past_gm", .kernel = With<&P::dstStride, 100>,
         .report = {.rule = "gm-out-of-range", .instruction = "Fixpipe", .operand = "dst",
                    .message = "Fixpipe: writes past the end of gm in global memory",
                    .found = "bytes 0..6064 of gm, 1968 bytes too many", .legal = "the 4096 bytes of gm",
                    .hint = "check the count, the offset of the block and the size of the argument", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "fixpipe_splits_rows", .kernel = With<&P::isChannelSplit, true>,
         .report = {.rule = "fixpipe-output", .instruction = "Fixpipe", .operand = "isChannelSplit",
                    .message = "Fixpipe: the result cannot have this layout",
                    .found = "float to float, row major", .legal = "float to float, NZ",
                    .hint = "switch the channel split off", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "fixpipe_splits_half",
         .kernel = [](GM_ADDR gm, GM_ADDR) __aicore__ {
             auto c = At<float>(TPosition::CO1, 256);
             P params = Square(F322F16);
             params.isChannelSplit = true;
             Wrong(), Fixpipe<half, float, CFG_NZ>(Gm<half>(gm, 256), c, params);
         },
         .report = {.rule = "fixpipe-output", .instruction = "Fixpipe", .operand = "isChannelSplit",
                    .message = "Fixpipe: the result cannot have this layout",
                    .found = "float to half, NZ", .legal = "float to float, NZ",
                    .hint = "switch the channel split off", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "fixpipe_rows_into_l1",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a1 = At<half>(TPosition::A1, 256);
             auto c = At<float>(TPosition::CO1, 256);
             Wrong(), Fixpipe(a1, c, Square(F322F16));
         },
         .report = {.rule = "fixpipe-output", .instruction = "Fixpipe", .operand = "config",
                    .message = "Fixpipe: the result cannot have this layout",
                    .found = "row major into L1", .legal = "NZ", .hint = "use CFG_NZ, or write to GM", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "fixpipe_columns",
         .kernel = [](GM_ADDR gm, GM_ADDR) __aicore__ {
             static constexpr FixpipeConfig kColumns = {CO2Layout::COLUMN_MAJOR};
             auto c = At<float>(TPosition::CO1, 256);
             Wrong(), Fixpipe<float, float, kColumns>(Gm<float>(gm, 256), c, Square());
         },
         .report = {.rule = "fixpipe-layout", .instruction = "Fixpipe", .operand = "config",
                    .message = "Fixpipe: Ascend910B does not write columns",
                    .found = "CO2Layout::COLUMN_MAJOR", .legal = "CFG_ROW_MAJOR, CFG_NZ",
                    .hint = "swap A and B to get the transposed matrix", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "fixpipe_float_into_l1",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a1 = At<float>(TPosition::A1, 256), c = At<float>(TPosition::CO1, 256);
             Wrong(), Fixpipe<float, float, CFG_NZ>(a1, c, Square());
         },
         .report = {.rule = "conversion-unsupported", .instruction = "Fixpipe", .operand = "dst",
                    .message = "Fixpipe: the conversion is not supported on Ascend910B from L0C to L1",
                    .found = "float to float",
                    .legal = "from float: half (F322F16), bfloat16_t (F322BF16), int8_t (QF322B8_PRE, "
                             "VQF322B8_PRE), uint8_t (QF322B8_PRE, VQF322B8_PRE)",
                    .hint = "no other chip has this conversion: convert to a legal type first", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "fixpipe_to_int16", .kernel = Quantised<int16_t, int32_t, NoQuant, 0>,
         .report = {.rule = "conversion-unsupported", .instruction = "Fixpipe", .operand = "dst",
                    .message = "Fixpipe: the conversion is not supported on Ascend910B from L0C to GM",
                    .found = "int32_t to int16_t",
                    .legal = "from int32_t: int32_t (NoQuant), half (DEQF16, VDEQF16), int8_t (REQ8, VREQ8), "
                             "uint8_t (REQ8, VREQ8)",
                    .hint = "no other chip has this conversion: convert to a legal type first", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "fixpipe_to_half_without_a_mode", .kernel = Quantised<half, float, NoQuant, 0>,
         .report = {.rule = "quant-mode", .instruction = "Fixpipe", .operand = "quantPre",
                    .message = "Fixpipe: float to half is not converted in this mode",
                    .found = "NoQuant", .legal = "F322F16", .hint = "choose the mode by the types of dst and src",
                    .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "fixpipe_of_int32_in_a_mode_of_float", .kernel = Quantised<half, int32_t, F322F16, 0>,
         .report = {.rule = "quant-mode", .instruction = "Fixpipe", .operand = "quantPre",
                    .message = "Fixpipe: int32_t to half is not converted in this mode",
                    .found = "F322F16", .legal = "DEQF16, VDEQF16",
                    .hint = "choose the mode by the types of dst and src", .core = "core0"},
         .chip = "Ascend310B1"},
        {.name = "fixpipe_of_float_in_a_mode_of_int32", .kernel = Quantised<int8_t, float, REQ8, kSigned | kOne>,
         .report = {.rule = "quant-mode", .instruction = "Fixpipe", .operand = "quantPre",
                    .message = "Fixpipe: float to int8_t is not converted in this mode",
                    .found = "REQ8", .legal = "QF322B8_PRE, VQF322B8_PRE",
                    .hint = "choose the mode by the types of dst and src", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "fixpipe_mode_that_does_not_exist",
         .kernel = Quantised<half, float, static_cast<QuantMode_t>(12), 0>,
         .report = {.rule = "quant-mode", .instruction = "Fixpipe", .operand = "quantPre",
                    .message = "Fixpipe: float to half is not converted in this mode",
                    .found = "a value that QuantMode_t does not have", .legal = "F322F16",
                    .hint = "choose the mode by the types of dst and src", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "fixpipe_without_words", .kernel = Quantised<half, int32_t, VDEQF16, kOne>,
         .report = {.rule = "quant-words", .instruction = "Fixpipe", .operand = "cbufWorkspace",
                    .message = "Fixpipe: the mode needs a word for each column",
                    .found = "VDEQF16 without a tensor",
                    .legal = "a uint64_t tensor in L1; for DataCopy, in C2PIPE2GM",
                    .hint = "pass cbufWorkspace to Fixpipe, or call SetFixPipeConfig before DataCopy", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "fixpipe_words_of_a_scalar_mode",
         .kernel = [](GM_ADDR gm, GM_ADDR) __aicore__ {
             auto c = At<int32_t>(TPosition::CO1, 256);
             auto words = At<uint64_t>(TPosition::A1, 16);
             Wrong(), Fixpipe(Gm<half>(gm, 256), c, words, Square(DEQF16, kOne));
         },
         .report = {.rule = "quant-words", .instruction = "Fixpipe", .operand = "cbufWorkspace",
                    .message = "Fixpipe: the mode takes one word for all columns",
                    .found = "DEQF16 with a tensor", .legal = "no tensor",
                    .hint = "pass deqScalar in the parameters, without cbufWorkspace", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "fixpipe_words_in_ub",
         .kernel = [](GM_ADDR gm, GM_ADDR) __aicore__ {
             auto c = At<int32_t>(TPosition::CO1, 256);
             auto words = At<uint64_t>(TPosition::VECIN, 16);
             Wrong(), Fixpipe(Gm<half>(gm, 256), c, words, Square(VDEQF16));
         },
         .report = {.rule = "memory-path", .instruction = "Fixpipe", .operand = "cbufWorkspace",
                    .message = "Fixpipe: the operand is in a memory the instruction cannot use",
                    .found = "byte offset 0 in UB", .legal = "L1 (A1, C1) or the Fixpipe buffer",
                    .hint = "copy the words to a tensor in A1 first", .core = "core0"},
         .chip = "Ascend310B1"},
        {.name = "fixpipe_too_few_words",
         .kernel = [](GM_ADDR gm, GM_ADDR) __aicore__ {
             auto c = At<int32_t>(TPosition::CO1, 256);
             auto words = At<uint64_t>(TPosition::A1, 12);
             Wrong(), Fixpipe(Gm<int8_t>(gm, 256), c, words, Square(VREQ8));
         },
         .report = {.rule = "out-of-buffer", .instruction = "Fixpipe", .operand = "cbufWorkspace",
                    .message = "Fixpipe: reads past the end of the tensor's buffer",
                    .found = "bytes 0..128 of L1, 32 bytes too many",
                    .legal = "up to byte 96: 12 elements of uint64_t from here",
                    .hint = "make the buffer larger, or process fewer elements (start, sizes, repeats, strides)",
                    .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "fixpipe_scale_infinite", .kernel = Quantised<half, int32_t, DEQF16, 0x7F800000>,
         .report = {.rule = "quant-scale", .instruction = "Fixpipe", .operand = "deqScalar",
                    .message = "Fixpipe: the scale is no number the conversion can use",
                    .found = "0x7f800000 in the low half of the word", .legal = "a normal float32 number or 0",
                    .hint = "put the bits of a float32 number into the low half of deqScalar, or of what "
                            "SetFixpipePreQuantFlag gets", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "fixpipe_scale_subnormal",
         .kernel = Quantised<int8_t, float, QF322B8_PRE, kSigned | 0x00400000>,
         .report = {.rule = "quant-scale", .instruction = "Fixpipe", .operand = "deqScalar",
                    .message = "Fixpipe: the scale is no number the conversion can use",
                    .found = "0x00400000 in the low half of the word", .legal = "a normal float32 number or 0",
                    .hint = "put the bits of a float32 number into the low half of deqScalar, or of what "
                            "SetFixpipePreQuantFlag gets", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "fixpipe_scale_of_another_sign", .kernel = Quantised<int8_t, int32_t, REQ8, kOne>,
         .report = {.severity = Severity::kWarning, .rule = "deqscale-sign", .instruction = "Fixpipe",
                    .operand = "deqScalar",
                    .message = "Fixpipe: bit 46 of the scale disagrees with dst; the type of dst decides",
                    .found = "bit 46 is 0 with a dst of int8_t", .legal = "1 for int8, 0 for uint8",
                    .hint = "set bit 46", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "fixpipe_l0c_misaligned",
         .kernel = [](GM_ADDR gm, GM_ADDR) __aicore__ {
             auto c = At<float>(TPosition::CO1, 512, 32);
             Wrong(), Fixpipe(Gm<float>(gm, 256), c, Square());
         },
         .report = {.rule = "l0c-alignment", .instruction = "Fixpipe", .operand = "src",
                    .message = "Fixpipe: the source is not aligned",
                    .found = "byte offset 32 in L0C", .legal = "a multiple of 64",
                    .hint = "start at an index that is a multiple of 16 elements of float", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "fixpipe_nz_gm_misaligned",
         .kernel = [](GM_ADDR gm, GM_ADDR) __aicore__ {
             auto c = At<float>(TPosition::CO1, 256);
             Wrong(), Fixpipe<float, float, CFG_NZ>(Gm<float>(gm + 16, 512), c, {16, 16, 16, 32, false});
         },
         .report = {.rule = "gm-alignment", .instruction = "Fixpipe", .operand = "dst",
                    .message = "Fixpipe: the destination is not aligned",
                    .found = "byte offset 16 of gm in GM", .legal = "a multiple of 32",
                    .hint = "start at an index that is a multiple of 8 elements of float", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "fixpipe_l1_misaligned",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto a1 = At<half>(TPosition::A1, 512);
             auto c = At<float>(TPosition::CO1, 256);
             Wrong(), Fixpipe<half, float, CFG_NZ>(a1[8], c, {16, 16, 16, 16, false, F322F16});
         },
         .report = {.rule = "l1-alignment", .instruction = "Fixpipe", .operand = "dst",
                    .message = "Fixpipe: the destination is not aligned",
                    .found = "byte offset 16 in L1", .legal = "a multiple of 32",
                    .hint = "start at an index that is a multiple of 16 elements of half", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "fixpipe_of_another_type_than_the_atomic_mode",
         .kernel = [](GM_ADDR gm, GM_ADDR) __aicore__ {
             auto c = At<float>(TPosition::CO1, 256);
             SetAtomicAdd<float>();
             Wrong(), Fixpipe(Gm<half>(gm, 256), c, Square(F322F16));
             SetAtomicNone();
         },
         .report = {.rule = "atomic-type", .instruction = "Fixpipe", .operand = "dst",
                    .message = "Fixpipe: the element type is not the one of the atomic mode",
                    .found = "half", .legal = "float",
                    .hint = "call SetAtomicNone before it, or set the atomic mode for this type", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "copy_of_co1_with_leaky_relu", .kernel = Reserved<&Co12::reluPre>,
         .report = {.rule = "fixpipe-field", .instruction = "DataCopy", .operand = "reluPre",
                    .message = "DataCopy: this field of DataCopyCO12DstParams has no documented meaning for the "
                               "value",
                    .found = "2", .legal = "0, or 1 for ReLU", .hint = "clip and add with vector instructions",
                    .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "copy_of_co1_clipped", .kernel = Reserved<&Co12::clipReluPre>,
         .report = {.rule = "fixpipe-field", .instruction = "DataCopy", .operand = "clipReluPre",
                    .message = "DataCopy: this field of DataCopyCO12DstParams has no documented meaning for the "
                               "value",
                    .found = "2", .legal = "0", .hint = "clip and add with vector instructions", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "copy_of_co1_with_another_operand", .kernel = Reserved<&Co12::eltWiseOp>,
         .report = {.rule = "fixpipe-field", .instruction = "DataCopy", .operand = "eltWiseOp",
                    .message = "DataCopy: this field of DataCopyCO12DstParams has no documented meaning for the "
                               "value",
                    .found = "2", .legal = "0", .hint = "clip and add with vector instructions", .core = "core0"},
         .chip = "Ascend310B1"},
        {.name = "copy_of_co1_without_words",
         .kernel = [](GM_ADDR gm, GM_ADDR) __aicore__ {
             auto c = At<int32_t>(TPosition::CO1, 256);
             Wrong(), DataCopy(Gm<half>(gm, 256), c, Co12(16, 16, 16, 16, VDEQF16, 0, false, true));
         },
         .report = {.rule = "quant-words", .instruction = "Fixpipe", .operand = "cbufWorkspace",
                    .message = "Fixpipe: the mode needs a word for each column",
                    .found = "VDEQF16 without a tensor",
                    .legal = "a uint64_t tensor in L1; for DataCopy, in C2PIPE2GM",
                    .hint = "pass cbufWorkspace to Fixpipe, or call SetFixPipeConfig before DataCopy", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "copy_of_co1_without_a_scale",
         .kernel = [](GM_ADDR gm, GM_ADDR) __aicore__ {
             auto c = At<float>(TPosition::CO1, 256);
             SetFixpipePreQuantFlag(kSigned | 0x7FC00000);
             Wrong(), DataCopy(Gm<int8_t>(gm, 256), c, Co12(16, 16, 16, 16, QF322B8_PRE, 0, false, true));
         },
         .report = {.rule = "quant-scale", .instruction = "Fixpipe", .operand = "deqScalar",
                    .message = "Fixpipe: the scale is no number the conversion can use",
                    .found = "0x7fc00000 in the low half of the word", .legal = "a normal float32 number or 0",
                    .hint = "put the bits of a float32 number into the low half of deqScalar, or of what "
                            "SetFixpipePreQuantFlag gets", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "fixpipe_register_of_words_in_l1",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto words = At<uint64_t>(TPosition::A1, 16);
             Wrong(), SetFixPipeConfig(words);
         },
         .report = {.rule = "fixpipe-words", .instruction = "SetFixPipeConfig", .operand = "quantPre",
                    .message = "SetFixPipeConfig: the words do not lie in the Fixpipe buffer",
                    .found = "a tensor in A1 (L1)", .legal = "a tensor in C2PIPE2GM",
                    .hint = "DataCopy the words from L1 to a C2PIPE2GM tensor first", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "fixpipe_register_of_a_relu_table",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto relu = At<uint64_t>(TPosition::C2PIPE2GM, 16), words = At<uint64_t>(TPosition::C2PIPE2GM, 16, 128);
             Wrong(), SetFixPipeConfig(relu, words);
         },
         .report = {.rule = "fixpipe-field", .instruction = "SetFixPipeConfig", .operand = "reluPre",
                    .message = "SetFixPipeConfig: the tensor for ReLU is reserved",
                    .found = "a tensor of 16 elements", .legal = "an empty LocalTensor",
                    .hint = "use reluPre 1 of DataCopyCO12DstParams for ReLU", .core = "aic0"},
         .core = CoreChoice::kCube},
        {.name = "fixpipe_register_on_310p",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { Wrong(), SetFixpipePreQuantFlag(kOne); },
         .report = {.rule = "register-unsupported", .instruction = "SetFixpipePreQuantFlag",
                    .message = "SetFixpipePreQuantFlag: Ascend310P has no Fixpipe and no register for it",
                    .found = "SetFixpipePreQuantFlag", .legal = "Ascend910B, Ascend310B",
                    .hint = "here DataCopy with DataCopyEnhancedParams takes CO1 to CO2", .core = "core0"},
         .chip = "Ascend310P3"},
    };
}

}  // namespace sfumato::wrong
