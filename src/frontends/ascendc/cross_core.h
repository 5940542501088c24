// SPDX-License-Identifier: Apache-2.0
// What the calls between cores share, those by flags and those through memory (framework.md 2.7).
#pragma once

#include <vector>

#include "frontends/ascendc/context.h"
#include "runtime/code/task_types.h"

namespace sfumato::ascendc {

runtime::Shape ShapeOf(runtime::Core& core);
// The cores of the launch by kind; every core where kinds are one.
std::vector<uint64_t> CoresOf(runtime::Core& core, bool vector, bool cube);
// What a chip without the call has.
const char* OtherWays(const soc::Chip& chip);
// Of a meeting of cores that a chip of one core runs without a page for it: done, or refused.
bool MeetsAlone(runtime::Core& core, const char* call, Where where);
// The chip and the type of the kernel have flags between cores. instead: what to do where there are none; OtherWays.
bool CheckFlags(runtime::Core& core, const char* call, Where where, const char* instead = nullptr);

}  // namespace sfumato::ascendc
