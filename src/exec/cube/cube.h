// SPDX-License-Identifier: Apache-2.0
// What the cube unit, the moves that change a layout and plain moves share.
#pragma once

#include "exec/meaning.h"

namespace sfumato::exec {

// What undefined bytes hold: pads without a value, rows and columns past the image in the last fractal.
constexpr uint8_t kPoisonByte = 0xFE;

// One contiguous run of `bytes` bytes into GM: to[i] = to[i] op from[i] in control.atomic_type, rounded to
// nearest even. The core has waited for its turn (runtime), so no other thread touches the bytes.
bool StoreAtomic(const isa::Control& control, uint8_t* to, const uint8_t* from, size_t bytes);

}  // namespace sfumato::exec
