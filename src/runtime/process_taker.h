// SPDX-License-Identifier: Apache-2.0
// Who takes a call of exit, abort and the like outside of launches.
#pragma once

namespace sfumato::runtime {

// Of this thread: throws, or returns, and the process ends. nullptr: nobody.
using ProcessTaker = void (*)(const char* name, int status, const char* file, unsigned line);
ProcessTaker& CurrentProcessTaker();

}  // namespace sfumato::runtime
