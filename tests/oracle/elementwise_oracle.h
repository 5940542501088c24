// SPDX-License-Identifier: Apache-2.0
// What elementwise instructions must return for one element (vector_instructions.md 1, 9, 10, 11), by MPFR and 128-bit
// integers, without exec and numeric.
#pragma once

#include <cstdint>

#include "isa/opcode.h"
#include "sfumato/data_type.h"

namespace sfumato::oracle {

struct Elementwise {
    isa::Opcode op;
    DataType dst, src;  // floats; 8 to 32 bits of integers; of vcopy and vector_dup any
    Overflow overflow = Overflow::kSaturate;
    bool rounds = false;  // vshr
    uint64_t scale = 0;   // vadddeqrelu: half bits
    bool exact = false;   // vrec, vrsqrt: correctly rounded, no estimate
};

// Bit patterns in, bit pattern out: b is src1 or the scalar, old what dst held. *changed is set when the policy
// `saturate` changed a result or an intermediate one. Throws std::logic_error for what it does not know.
uint64_t ExpectElement(const Elementwise& e, uint64_t a, uint64_t b, uint64_t old, bool* changed);

}  // namespace sfumato::oracle
