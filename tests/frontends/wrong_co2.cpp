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

const Table<Program> kCo2 = {
    {"co2_copy_on_310b", "instruction-unsupported", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto out = At<float>(TPosition::VECOUT, 256), c = At<float>(TPosition::CO1, 256);
         DataCopyEnhancedParams enhanced;
         enhanced.blockMode = BlockMode::BLOCK_MODE_MATRIX;
         Wrong(), DataCopy(out, c, {1, 1, 0, 0}, enhanced);
     }, {.chip = "Ascend310B1"}},
    {"co2_copy_without_enhanced_parameters", "memory-path", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto co2 = At<float>(TPosition::CO2, 256), c = At<float>(TPosition::CO1, 256);
         Wrong(), DataCopy(co2, c, {1, 1, 0, 0});
     }, {.chip = "Ascend310P3"}},
    {"co2_copy_in_the_default_block_mode", "block-mode",
     Blocks<1, 1, BlockMode::BLOCK_MODE_NORMAL, 0>, {.chip = "Ascend310P3"}},
    {"co2_copy_in_depthwise_mode", "block-mode",
     Blocks<1, 1, BlockMode::BLOCK_MODE_DEPTHWISE, 0>, {.chip = "Ascend910A"}},
    {"co2_copy_of_nothing", "nothing-to-do",
     Blocks<1, 0, BlockMode::BLOCK_MODE_MATRIX, 0>, {.chip = "Ascend310P3"}},
    {"co2_copy_of_too_many_blocks", "parameter-range",
     Blocks<4096, 1, BlockMode::BLOCK_MODE_VECTOR, 0>, {.chip = "Ascend310P3"}},
    {"co2_copy_store_mode", "parameter-range",
     Blocks<1, 1, BlockMode::BLOCK_MODE_MATRIX, 3>, {.chip = "Ascend310P3"}},
    {"co2_copy_writes_past_its_ub_tensor", "out-of-buffer",
     Blocks<2, 1, BlockMode::BLOCK_MODE_MATRIX, 0>, {.chip = "Ascend910A"}},
    {"co2_copy_float_to_int32", "conversion-unsupported",
     Converted<int32_t, float, DeqScale::DEQ_NONE, 0>, {.chip = "Ascend310P3"}},
    {"co2_copy_float_with_a_scale", "quant-mode",
     Converted<half, float, DeqScale::DEQ, 0x3C00>, {.chip = "Ascend310P3"}},
    {"co2_copy_int32_to_half_without_a_mode", "quant-mode",
     Converted<half, int32_t, DeqScale::DEQ_NONE, 0>, {.chip = "Ascend910A"}},
    {"co2_copy_without_a_scale", "deqvalue", Converted<half, int32_t, DeqScale::DEQ, 0>, {.chip = "Ascend310P3"}},
    {"co2_copy_words_misaligned", "deqvalue",
     Converted<int8_t, int32_t, DeqScale::VDEQ8, 1000>, {.chip = "Ascend310P3"}},
    {"co2_copy_scale_infinite", "quant-scale",
     Converted<int8_t, int32_t, DeqScale::DEQ8, kSigned | 0x7F800000>, {.chip = "Ascend310P3"}},
    {"co2_copy_scale_of_another_sign", "deqscale-sign",
     Converted<uint8_t, int32_t, DeqScale::DEQ8, kSigned | kOne>, {.chip = "Ascend910A"}},
    {"co2_copy_offset_behind_relu", "quant-offset",
     Converted<uint8_t, int32_t, DeqScale::DEQ8, kRelu | uint64_t{5} << 37 | kOne>, {.chip = "Ascend310P3"}},
    {"co1_copy_with_a_scale", "quant-mode", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto c = At<half>(TPosition::CO1, 256), co2 = At<half>(TPosition::CO2, 256);
         Wrong(), DataCopy(c, co2, {1, 1, 0, 0},
                           {BlockMode::BLOCK_MODE_MATRIX, DeqScale::DEQ, 0x3C00, 0, false, PAD_NONE, 0});
     }, {.chip = "Ascend310P3"}},
    {"co2_copy_l0c_misaligned", "l0c-alignment", [](GM_ADDR, GM_ADDR) __aicore__ {
         auto co2 = At<float>(TPosition::CO2, 256), c = At<float>(TPosition::CO1, 512);
         DataCopyEnhancedParams enhanced;
         enhanced.blockMode = BlockMode::BLOCK_MODE_MATRIX;
         Wrong(), DataCopy(co2, c[8], {1, 1, 0, 0}, enhanced);
     }, {.chip = "Ascend310P3"}},
};

}  // namespace sfumato::wrong
