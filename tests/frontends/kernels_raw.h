// SPDX-License-Identifier: Apache-2.0
// Kernels of raw calls alone, and the ones of AscendC that say the same.
#pragma once

#include "frontends/kernels_cube.h"
#include "support/tensor_at.h"

namespace sfumato::frontends_test {

// named: with tensors, and the same records; empty: there is none.
struct RawProgram {
    Program program;
    std::function<void(uint8_t* const* gm)> named;
};

std::vector<RawProgram> RawVectorPrograms();
std::vector<RawProgram> RawMemoryPrograms();
std::vector<RawProgram> RawCubePrograms();

// A tensor by position and byte offset, and its address as raw code has it.
template <class T>
AscendC::LocalTensor<T> Local(AscendC::TPosition position, uint32_t at, uint32_t count) {
    return TensorAt<T>(position, at, count);
}
template <class T>
T* RawAt(AscendC::TPosition position, uint32_t at) {
    return reinterpret_cast<T*>(Local<uint8_t>(position, at, 32).GetPhyAddr());
}

constexpr uint32_t kTiles = 8;                  // of the programs below
constexpr uint32_t kOut = 8192, kWork = 32768;  // byte offsets in UB; the input lies at 0

template <class T>
T* Ub(uint32_t at) {
    return (__ubuf__ T*)get_imm(at);
}

// A kernel of an input and an output.
inline RawProgram Tiles(const char* name, const std::vector<std::string>& chips, Argument x, Argument y,
                        void (*raw)(GM_ADDR, GM_ADDR), void (*named)(GM_ADDR, GM_ADDR) = nullptr) {
    RawProgram p;
    p.program = {name, chips, {std::move(x), std::move(y)}, [raw](uint8_t* const* gm) { raw(gm[0], gm[1]); }, false};
    if (named) p.named = [named](uint8_t* const* gm) { named(gm[0], gm[1]); };
    return p;
}

}  // namespace sfumato::frontends_test
