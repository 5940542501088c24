// SPDX-License-Identifier: Apache-2.0
// Wrong programs: DataCopy between CO1 and UB (cube.md 5.4).
#include "wrong_programs.h"

namespace sfumato::wrong {
namespace {

constexpr uint64_t kOne = 0x3F800000;  // the float32 scale 1
constexpr uint64_t kSigned = uint64_t{1} << 46, kRelu = uint64_t{1} << 47;

// DataCopy CO1 to CO2 of one fractal.
template <class T, class U, DeqScale kDeq, uint64_t kValue>
__aicore__ void Converted(GM_ADDR, GM_ADDR) {
    auto co2 = At<T>(TPosition::CO2, 512);
    auto c = At<U>(TPosition::CO1, 256);
    Wrong(), DataCopy(co2, c, {1, 1, 0, 0}, {BlockMode::BLOCK_MODE_MATRIX, kDeq, kValue, 0, false, PAD_NONE, 0});
}
template <uint16_t kCount, uint16_t kLength, BlockMode kMode, uint8_t kStore>
__aicore__ void Blocks(GM_ADDR, GM_ADDR) {
    auto co2 = At<float>(TPosition::CO2, 256), c = At<float>(TPosition::CO1, 256);
    Wrong(), DataCopy(co2, c, {kCount, kLength, 0, 0}, {kMode, DeqScale::DEQ_NONE, 0, kStore, false, PAD_NONE, 0});
}

}  // namespace

std::vector<Program> Co2Programs() {
    return {
        {.name = "co2_copy_on_310b",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto out = At<float>(TPosition::VECOUT, 256), c = At<float>(TPosition::CO1, 256);
             DataCopyEnhancedParams enhanced;
             enhanced.blockMode = BlockMode::BLOCK_MODE_MATRIX;
             Wrong(), DataCopy(out, c, {1, 1, 0, 0}, enhanced);
         },
         .report = {.rule = "instruction-unsupported", .instruction = "DataCopy",
                    .message = "DataCopy: Ascend310B does not have the form with DataCopyEnhancedParams from CO1",
                    .found = "Ascend310B", .legal = "Ascend910, Ascend310P", .hint = "use Fixpipe", .core = "core0"},
         .chip = "Ascend310B1"},
        {.name = "co2_copy_without_enhanced_parameters",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto co2 = At<float>(TPosition::CO2, 256), c = At<float>(TPosition::CO1, 256);
             Wrong(), DataCopy(co2, c, {1, 1, 0, 0});
         },
         .report = {.rule = "memory-path", .instruction = "DataCopy", .operand = "dst",
                    .message = "DataCopy: Ascend310P has no such move",
                    .found = "L0C to UB", .legal = "GM to UB, GM to L1, UB to GM, UB to UB, UB to L1, L1 to UB",
                    .hint = "pass DataCopyEnhancedParams with BLOCK_MODE_MATRIX too", .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "co2_copy_in_the_default_block_mode", .kernel = Blocks<1, 1, BlockMode::BLOCK_MODE_NORMAL, 0>,
         .report = {.rule = "block-mode", .instruction = "DataCopy", .operand = "blockMode",
                    .message = "DataCopy: the block mode does not exist between CO1 and UB",
                    .found = "BLOCK_MODE_NORMAL", .legal = "BLOCK_MODE_MATRIX, BLOCK_MODE_VECTOR",
                    .hint = "BLOCK_MODE_MATRIX moves fractals of 16 x 16; blockMode must be set, its default is "
                            "NORMAL", .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "co2_copy_in_depthwise_mode", .kernel = Blocks<1, 1, BlockMode::BLOCK_MODE_DEPTHWISE, 0>,
         .report = {.rule = "block-mode", .instruction = "DataCopy", .operand = "blockMode",
                    .message = "DataCopy: the block mode does not exist between CO1 and UB",
                    .found = "BLOCK_MODE_DEPTHWISE", .legal = "BLOCK_MODE_MATRIX, BLOCK_MODE_VECTOR",
                    .hint = "BLOCK_MODE_MATRIX moves fractals of 16 x 16; blockMode must be set, its default is "
                            "NORMAL", .core = "core0"},
         .chip = "Ascend910A"},
        {.name = "co2_copy_of_nothing", .kernel = Blocks<1, 0, BlockMode::BLOCK_MODE_MATRIX, 0>,
         .report = {.severity = Severity::kNote, .rule = "nothing-to-do", .instruction = "DataCopy",
                    .operand = "blockLen",
                    .message = "DataCopy: blockLen is 0: nothing is done",
                    .found = "0", .legal = "1..65535", .hint = "check how the value is computed", .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "co2_copy_of_too_many_blocks", .kernel = Blocks<4096, 1, BlockMode::BLOCK_MODE_VECTOR, 0>,
         .report = {.rule = "parameter-range", .instruction = "DataCopy", .operand = "blockCount",
                    .message = "DataCopy: blockCount is out of range",
                    .found = "4096", .legal = "1..4095",
                    .hint = "check how the value is computed, or split the work into several calls", .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "co2_copy_store_mode", .kernel = Blocks<1, 1, BlockMode::BLOCK_MODE_MATRIX, 3>,
         .report = {.rule = "parameter-range", .instruction = "DataCopy", .operand = "sidStoreMode",
                    .message = "DataCopy: sidStoreMode is out of range",
                    .found = "3", .legal = "0..2", .hint = "check how the value is computed", .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "co2_copy_writes_past_its_ub_tensor", .kernel = Blocks<2, 1, BlockMode::BLOCK_MODE_MATRIX, 0>,
         .report = {.rule = "out-of-buffer", .instruction = "DataCopy", .operand = "dst",
                    .message = "DataCopy: writes past the end of the tensor's buffer",
                    .found = "bytes 0..2048 of UB, 1024 bytes too many",
                    .legal = "up to byte 1024: 256 elements of float from here",
                    .hint = "make the buffer larger, or process fewer elements (start, sizes, repeats, strides)",
                    .core = "core0"},
         .chip = "Ascend910A"},
        {.name = "co2_copy_float_to_int32", .kernel = Converted<int32_t, float, DeqScale::DEQ_NONE, 0>,
         .report = {.rule = "conversion-unsupported", .instruction = "DataCopy", .operand = "dst",
                    .message = "DataCopy: the conversion is not supported on Ascend310P from L0C to UB",
                    .found = "float to int32_t", .legal = "from float: float (none), half (none)",
                    .hint = "no other chip has this conversion: convert to a legal type first", .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "co2_copy_float_with_a_scale", .kernel = Converted<half, float, DeqScale::DEQ, 0x3C00>,
         .report = {.rule = "quant-mode", .instruction = "DataCopy", .operand = "deqScale",
                    .message = "DataCopy: float to half is not converted in this mode",
                    .found = "deq", .legal = "none", .hint = "choose the mode by the types of dst and src",
                    .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "co2_copy_int32_to_half_without_a_mode", .kernel = Converted<half, int32_t, DeqScale::DEQ_NONE, 0>,
         .report = {.rule = "quant-mode", .instruction = "DataCopy", .operand = "deqScale",
                    .message = "DataCopy: int32_t to half is not converted in this mode",
                    .found = "none", .legal = "deq, vdeq, deq16, vdeq16",
                    .hint = "choose the mode by the types of dst and src", .core = "core0"},
         .chip = "Ascend910A"},
        {.name = "co2_copy_without_a_scale", .kernel = Converted<half, int32_t, DeqScale::DEQ, 0>,
         .report = {.rule = "deqvalue", .instruction = "DataCopy", .operand = "deqValue",
                    .message = "DataCopy: the conversion has no parameter",
                    .found = "0x0", .legal = "a deqValue other than 0, or a SetDeqScale of the same kind",
                    .hint = "set deqValue, or call SetDeqScale before", .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "co2_copy_words_misaligned", .kernel = Converted<int8_t, int32_t, DeqScale::VDEQ8, 1000>,
         .report = {.rule = "deqvalue", .instruction = "DataCopy", .operand = "deqValue",
                    .message = "DataCopy: deqValue is no place for parameters in UB",
                    .found = "0x3e8", .legal = "GetPhyAddr() of a tensor in UB, 32-byte aligned",
                    .hint = "set deqValue to the GetPhyAddr() of the tensor with the parameters", .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "co2_copy_scale_infinite", .kernel = Converted<int8_t, int32_t, DeqScale::DEQ8, kSigned | 0x7F800000>,
         .report = {.rule = "quant-scale", .instruction = "DataCopy", .operand = "deqValue",
                    .message = "DataCopy: the scale is no number the conversion can use",
                    .found = "0x7f800000 in the low half of the word", .legal = "a normal float32 number or 0",
                    .hint = "put the bits of a float32 number into the low half", .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "co2_copy_scale_of_another_sign",
         .kernel = Converted<uint8_t, int32_t, DeqScale::DEQ8, kSigned | kOne>,
         .report = {.severity = Severity::kWarning, .rule = "deqscale-sign", .instruction = "DataCopy",
                    .operand = "deqValue",
                    .message = "DataCopy: bit 46 of the scale disagrees with dst; the type of dst decides",
                    .found = "bit 46 is 1 with a dst of uint8_t", .legal = "1 for int8, 0 for uint8",
                    .hint = "clear bit 46", .core = "core0"},
         .chip = "Ascend910A"},
        {.name = "co2_copy_offset_behind_relu",
         .kernel = Converted<uint8_t, int32_t, DeqScale::DEQ8, kRelu | uint64_t{5} << 37 | kOne>,
         .report = {.severity = Severity::kWarning, .rule = "quant-offset", .instruction = "DataCopy",
                    .operand = "deqValue",
                    .message = "DataCopy: with ReLU, the offset does not begin at the lowest result",
                    .found = "offset 5 with a dst of uint8_t", .legal = "-128 for int8, 0 for uint8",
                    .hint = "put it into bits 45 to 37, or leave isRelu and bit 47 off", .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "co1_copy_with_a_scale",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto c = At<half>(TPosition::CO1, 256), co2 = At<half>(TPosition::CO2, 256);
             Wrong(), DataCopy(c, co2, {1, 1, 0, 0},
                               {BlockMode::BLOCK_MODE_MATRIX, DeqScale::DEQ, 0x3C00, 0, false, PAD_NONE, 0});
         },
         .report = {.rule = "quant-mode", .instruction = "DataCopy", .operand = "deqScale",
                    .message = "DataCopy: half to half is not converted in this mode",
                    .found = "deq", .legal = "none", .hint = "choose the mode by the types of dst and src",
                    .core = "core0"},
         .chip = "Ascend310P3"},
        {.name = "co2_copy_l0c_misaligned",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             auto co2 = At<float>(TPosition::CO2, 256), c = At<float>(TPosition::CO1, 512);
             DataCopyEnhancedParams enhanced;
             enhanced.blockMode = BlockMode::BLOCK_MODE_MATRIX;
             Wrong(), DataCopy(co2, c[8], {1, 1, 0, 0}, enhanced);
         },
         .report = {.rule = "l0c-alignment", .instruction = "DataCopy", .operand = "src",
                    .message = "DataCopy: the source is not aligned",
                    .found = "byte offset 32 in L0C", .legal = "a multiple of 64",
                    .hint = "start at an index that is a multiple of 16 elements of float", .core = "core0"},
         .chip = "Ascend310P3"},
    };
}

}  // namespace sfumato::wrong
