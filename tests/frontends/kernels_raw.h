// SPDX-License-Identifier: Apache-2.0
// Kernels of raw calls alone, and the ones of AscendC that say the same.
#pragma once

#include "frontends/kernels_cube.h"

namespace sfumato::frontends_test {

// named: with tensors, and the same records; empty: there is none.
struct RawProgram {
    Program program;
    std::function<void(uint8_t* const* gm)> named;
};

std::vector<RawProgram> RawVectorPrograms();
std::vector<RawProgram> RawCubePrograms();

// A tensor by position and byte offset, and its address as raw code has it.
template <class T>
AscendC::LocalTensor<T> Local(AscendC::TPosition position, uint32_t at, uint32_t count) {
    return AscendC::LocalTensor<T>(position, at, count);
}
template <class T>
T* RawAt(AscendC::TPosition position, uint32_t at) {
    return reinterpret_cast<T*>(Local<uint8_t>(position, at, 32).GetPhyAddr());
}

}  // namespace sfumato::frontends_test
