// SPDX-License-Identifier: Apache-2.0
// OpenBLAS behind sgemm.h.
#include "sgemm.h"

#ifdef SFUMATO_HAVE_OPENBLAS
#include <cblas.h>
#else
#include <stdexcept>
#endif

namespace sfumato::bench {

#ifdef SFUMATO_HAVE_OPENBLAS
void MultiplySquares(uint32_t side, const float* a, const float* b, float* c) {
    openblas_set_num_threads(1);
    const auto n = static_cast<blasint>(side);
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, a, n, b, n, 0, c, n);
}
#else
void MultiplySquares(uint32_t, const float*, const float*, float*) {
    throw std::logic_error("sgemm: the benchmarks were built without OpenBLAS");
}
#endif

}  // namespace sfumato::bench
