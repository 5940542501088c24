// SPDX-License-Identifier: Apache-2.0
// Who takes a call of exit, abort and the like outside of launches, and who is told that there is no memory.
#pragma once

namespace sfumato::runtime {

// Of this thread: throws, or returns, and the process ends. nullptr: nobody.
using ProcessTaker = void (*)(const char* name, int status, const char* file, unsigned line);
ProcessTaker& CurrentProcessTaker();

// Of this thread: `found` says what was asked, by the instruction before `at`. Throws nothing, as malloc does; leaves
// the code by a jump, or returns, and the code has its null pointer. nullptr: nobody.
using MemoryTaker = void (*)(const char* found, const void* at);
MemoryTaker& CurrentMemoryTaker();

}  // namespace sfumato::runtime
