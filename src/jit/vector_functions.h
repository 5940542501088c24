// SPDX-License-Identifier: Apache-2.0
// Functions that __simd_vf__ marks: each call of one is a vector function, also where nothing says asc_vf_call
// (arch950.md, amendment 1).
#pragma once

#include <string_view>
#include <vector>

#include "jit/qualifiers.h"

namespace sfumato::jit {

// What is put at the heads of their bodies, of a source's tokens or of a #define's.
std::vector<Edit> VectorFunctionEdits(const std::vector<Token>& tokens);
bool MentionsVectorFunctions(std::string_view source);

}  // namespace sfumato::jit
