// SPDX-License-Identifier: Apache-2.0
// The usual casts of registers as loops that compilers make vectors of, compiled for each SIMD target.
#pragma once

#include "exec/registers/casting.h"
#include "exec/registers/registers.h"

namespace sfumato::exec {

// Returns false where it has no form for the way asked for.
using FastCast = bool (*)(const RegisterCall& call, const casts::How& how);

struct FastCastTable {
    FastCast run[static_cast<int>(DataType::kEnd)][static_cast<int>(DataType::kEnd)]{};
};

// Those of the target in force.
const FastCastTable& FastCasts();
// src0 times the scalar, rounded to float and then to half, half away from zero.
void FastMulsCast(const RegisterCall& call, bool saturates);

}  // namespace sfumato::exec
