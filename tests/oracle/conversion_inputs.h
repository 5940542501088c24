// SPDX-License-Identifier: Apache-2.0
// Inputs that test a conversion: every value of narrow types, boundaries and even strata of wide ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sfumato/data_type.h"

namespace sfumato::oracle {

// Bit patterns, one an element. Sources of at most 16 bits: all of them (int4: all pairs of them). Wider: powers of
// two, limits of both types, points and midpoints of the destination grid, each with its neighbours, zeros, subnormals,
// infinities and NaNs.
std::vector<uint64_t> Boundaries(DataType src, DataType dst);

// Pattern number `index` of the stratified sequence of a 32- or 64-bit type. Float: the exponent field is index mod
// 256, so 256 successive indices cover every exponent once. Integer: the bit length cycles likewise. A quarter of the
// patterns are a run of leading bits followed by a midpoint or its neighbours.
uint64_t Stratum(DataType src, uint64_t index);

// Writes patterns as elements of their natural size; int4 packed two a byte, count even.
void Store(DataType type, const uint64_t* patterns, size_t n, void* elements);

// Reads one element of such an array.
uint64_t Load(DataType type, const void* elements, size_t index);

}  // namespace sfumato::oracle
