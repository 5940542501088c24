// SPDX-License-Identifier: Apache-2.0
// The native twin of matrix products: OpenBLAS, where the build found it.
#pragma once

#include <cstdint>

namespace sfumato::bench {

#ifdef SFUMATO_HAVE_OPENBLAS
inline constexpr bool kHaveSgemm = true;
#else
inline constexpr bool kHaveSgemm = false;
#endif

// C = A x B, all row-major with `side` rows and columns, on the calling thread alone. Only with kHaveSgemm.
void MultiplySquares(uint32_t side, const float* a, const float* b, float* c);

}  // namespace sfumato::bench
