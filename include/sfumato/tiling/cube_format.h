// SPDX-License-Identifier: Apache-2.0
// How a matrix of Matmul lies in memory: words of kernels and of host code (adv.md 3.3).
#pragma once

namespace AscendC {

// Programs compare by name; the numbers are ours (adv.md 3.3, decided).
enum class CubeFormat { ND, NZ, ZN, ZZ, NN, VECTOR, SCALAR, ND_ALIGN, COLUMN_MAJOR };

}  // namespace AscendC
