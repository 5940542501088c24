// SPDX-License-Identifier: Apache-2.0
// What mathematical functions must return, fast: a double of the C library where its error cannot matter, the oracle
// elsewhere.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/opcode.h"
#include "sfumato/data_type.h"

namespace sfumato::conformance {

// Those of one argument, all with half and float.
inline constexpr isa::Opcode kRealFunctions[] = {
    isa::Opcode::vsin,   isa::Opcode::vcos,   isa::Opcode::vtan,    isa::Opcode::vasin, isa::Opcode::vacos,
    isa::Opcode::vatan,  isa::Opcode::vsinh,  isa::Opcode::vcosh,   isa::Opcode::vtanh, isa::Opcode::vasinh,
    isa::Opcode::vacosh, isa::Opcode::vatanh, isa::Opcode::verf,    isa::Opcode::verfc, isa::Opcode::vlgamma,
    isa::Opcode::vlog2,  isa::Opcode::vlog10, isa::Opcode::vdigamma};

// The bits of the correctly rounded result under Overflow::kInfNan; b where the function has two arguments (of vspower
// the base). *close counts those that the oracle decided.
uint64_t ExpectReal(isa::Opcode op, DataType type, uint64_t a, uint64_t b, uint64_t* close);
// The value of a half or float.
double RealOf(DataType type, uint64_t bits);

}  // namespace sfumato::conformance
