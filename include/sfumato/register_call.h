// SPDX-License-Identifier: Apache-2.0
// An operation on vector registers, as calls of kernels hand it to the library (arch950.md 2).
#pragma once

#include "sfumato/data_type.h"
#include "sfumato/vector_register.h"

namespace sfumato {

enum class RegisterOp : uint8_t {
#define SFUMATO_REGISTER_OP(op) op,
#include "sfumato/register_operations.inc"
#undef SFUMATO_REGISTER_OP
    kCount
};

// The bits of CTRL that results depend on (arch950.md 1.6), as a launch finds them.
struct RegisterControl {
    bool ieee = true;        // [48]: half results and narrowing to floats keep inf and NaN; false: they saturate
    bool keeps_nan = false;  // [50]: of saturating conversions to 8-bit floats
    bool clamps = false;     // [53]: integer arithmetic
    bool low_bits = false;   // [59]: of conversions to integers
    bool decides = true;     // [60]: the bits, and not the SatMode of each Cast
};

struct RegisterCall {
    RegisterOp op{};
    DataType type{};        // of the sources' elements
    DataType to{};          // of dst's elements; that of the sources where they are the same
    uint8_t registers = 1;  // of each operand: 2 under RegTraitNumTwo, one behind the other in memory
    VectorRegister* dst = nullptr;
    VectorRegister* dst1 = nullptr;        // of operations with two results
    const VectorRegister* src0 = nullptr;  // may be dst, as all may
    const VectorRegister* src1 = nullptr;  // nullptr: `scalar` in all lanes
    uint64_t scalar = 0;                   // bit pattern of one element
    const MaskRegister* mask = nullptr;    // nullptr: all lanes
    const MaskRegister* carry = nullptr;   // read: carries
    MaskRegister* result = nullptr;        // written: of comparisons, and carries
    bool merging = false;                  // lanes that are off keep dst; else they are 0
    Rounding rounding = Rounding::kRint;
    uint8_t layout = 0;        // RegLayout: ZERO 0 to THREE 3
    uint8_t saturate = 0;      // SatMode: NO_SAT 0, SAT 1, UNKNOWN 2
    uint8_t mode = 0;          // CMPMODE, or: high part 1, decreasing order 1, bin 1, or which words of `accuracy` hold
    bool accumulates = false;  // Histograms
    bool keeps_subnormals = false;  // of Exp, Ln, Sqrt, Div and their like: else these are read and written as zeros
};

// Elements of a register of the type, or of two.
constexpr uint32_t LanesOf(DataType type, uint32_t registers = 1) {
    return registers * kRegisterBytes * 8 / BitsOf(type);
}
// The bit of element i in masks: of two registers, whose lanes are halves of elements, half as many bits an element.
constexpr uint32_t MaskBitOf(DataType type, uint32_t registers, uint32_t i) {
    return i * (BitsOf(type) >= 8 ? BitsOf(type) / 8 : 1) / registers;
}

}  // namespace sfumato
