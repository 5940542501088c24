// SPDX-License-Identifier: Apache-2.0
// Threads of this process, and the processors they may run on.
#pragma once

#include <cstdint>
#include <string>

namespace sfumato::system {

// That this process may run on: fewer than the machine's in a container. At least 1.
uint32_t Processors();

// This thread's name in debuggers and lists of processes; what is behind 15 bytes is cut off.
void NameThread(const std::string& name);
bool IsMainThread();

// This thread's stack from the system: its lowest address, and the bytes below it that nobody may touch. Both 0 where
// nothing tells.
struct ThreadStack {
    uintptr_t begin = 0, guard = 0;
};
ThreadStack StackOfThread();

}  // namespace sfumato::system
