// SPDX-License-Identifier: Apache-2.0
// The cube unit and the moves that change a layout (cube.md 3 to 6): one function an instruction, in files of their
// own. Records are checked; functions that convert return true when the policy `saturate` changed a result, as Execute
// does.
#pragma once

#include "exec/exec.h"

namespace sfumato::exec {

// What undefined bytes hold: pads without a value, rows and columns past the image in the last fractal.
constexpr uint8_t kPoisonByte = 0xFE;

// load2d.cpp
void LoadFractals(const isa::Record& record, const MemoryMap& memory);
void LoadTransposedSquares(const isa::Record& record, const MemoryMap& memory);
// load3dv1.cpp, load3dv2.cpp
void LoadImageV1(const isa::Record& record, const MemoryMap& memory);
void LoadImageV2(const isa::Record& record, const MemoryMap& memory);
// matmul.cpp
bool MultiplyAccumulate(const isa::Record& record, const MemoryMap& memory);
// fixpipe.cpp
bool MoveFixpipe(const isa::Record& record, const MemoryMap& memory);
// matrix_move.cpp
bool MoveMatrix(const isa::Record& record, const MemoryMap& memory);
void BroadcastRows(const isa::Record& record, const MemoryMap& memory);
// layout.cpp
void MoveNd2Nz(const isa::Record& record, const MemoryMap& memory);
bool MoveNz2Nd(const isa::Record& record, const MemoryMap& memory);
void FillBlocks(const isa::Record& record, const MemoryMap& memory);
// atomic.cpp: one contiguous run of `bytes` bytes into GM: to[i] = to[i] op from[i] in control.atomic_type, rounded to
// nearest even. The core has waited for its turn (runtime), so no other thread touches the bytes.
bool StoreAtomic(const isa::Control& control, uint8_t* to, const uint8_t* from, size_t bytes);

}  // namespace sfumato::exec
