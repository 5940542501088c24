// SPDX-License-Identifier: Apache-2.0
// Pipes as programs name them.
#pragma once

#include "frontends/ascendc/context.h"

namespace sfumato::ascendc {

// kByOperands: no pipe of a chip here.
isa::Pipe ToPipe(::pipe_t pipe);
// As programs spell it.
const char* PipeName(::pipe_t pipe);
// False (and a report) when the core lacks the pipe.
bool CheckPipe(runtime::Core& core, isa::Pipe pipe, const char* call, Where where);

}  // namespace sfumato::ascendc
