// SPDX-License-Identifier: Apache-2.0
// What Mmad must do, element by element (cube.md 2 and 4), without exec and numeric.
#pragma once

#include "isa/shapes.h"
#include "oracle/image.h"

namespace sfumato::oracle {

// One correctly rounded float operation. Method: float operands are exact in double; their product has at most 48
// significant bits and so is exact in double too; their sum, rounded to double's 53 >= 2 * 24 + 2 bits first, rounds to
// float as the exact sum does. A contraction by the compiler changes neither. cube_check_test compares them with MPFR.
float RoundedProduct(float a, float b);
float RoundedSum(float a, float b);
// The exact sum of a[i] * b[i], rounded once.
float SumOfBlock(const std::vector<float>& a, const std::vector<float>& b);
// A float kept to 11 explicit bits of its mantissa.
float RoundedToHf32(float x, isa::Matmul::Hf32 mode);

float FloatOfBits(DataType type, uint64_t bits);  // half, bfloat16 or float, exactly
// A float rounded to half, bfloat16 or float. *replaced is set when the policy `saturate` replaced an inf or NaN.
uint64_t BitsOfFloat(DataType type, float x, Overflow overflow, bool* replaced);

// Where element (m, k) of A and (k, n) of B lie, in elements of `bits` bits.
uint64_t ElementOfA(const isa::Matmul& p, uint32_t bits, uint64_t m, uint64_t k);
uint64_t ElementOfB(const isa::Matmul& p, uint32_t bits, uint64_t k, uint64_t n);

struct MatmulOperand {
    DataType type;
    uint64_t at;  // byte in its memory
};
struct MatmulCase {
    isa::Matmul shape;
    MatmulOperand c, a, b;
    Overflow overflow = Overflow::kSaturate;
    const Bytes* bias_image = nullptr;  // kBias only: BT, or L0C
    uint64_t bias_at = 0;
    bool bias_in_l0c = false;  // a row of 16-wide fractals, else entries of 4 bytes
};

// Executes on whole memories; returns true when the policy `saturate` changed a result.
bool ExpectMatmul(const MatmulCase& c, const Bytes& l0a, const Bytes& l0b, Bytes& l0c);

}  // namespace sfumato::oracle
