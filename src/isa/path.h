// SPDX-License-Identifier: Apache-2.0
// Which queue a move runs on (framework.md 2.1 and 3.2, cube.md 1.4).
#pragma once

#include "isa/record.h"

namespace sfumato::isa {

// src is kNone where nothing is read (Fill).
constexpr Pipe PipeOfPath(Memory src, Memory dst) {
    if (src == Memory::kGm || (src == Memory::kNone && dst == Memory::kL1)) return Pipe::kMte2;
    if (src == Memory::kL0C) return dst == Memory::kUb ? Pipe::kV : Pipe::kFix;
    if (src == Memory::kUb && (dst == Memory::kUb || dst == Memory::kL0C)) return Pipe::kV;
    if (dst == Memory::kFb) return Pipe::kFix;
    if (dst == Memory::kGm || src == Memory::kUb) return Pipe::kMte3;
    return Pipe::kMte1;
}

}  // namespace sfumato::isa
