// SPDX-License-Identifier: Apache-2.0
// Processes as Linux shows them, and what binds one to another.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace sfumato::system {

// The file of the program that runs; empty where nothing tells.
std::filesystem::path OwnProgram();

// This process is killed when the thread that started it ends.
void DieWithParent();
// From here on, a process whose parents have ended becomes a child of this one.
void AdoptOrphans();

std::vector<pid_t> ChildrenOfThis();
// Takes a child that has ended, one that does not tell its parent included, without waiting: its number; 0: all of them
// run; -1: there is none.
pid_t TakeEndedChild();

// Of this process, one that has just ended included; 0 where nothing tells.
size_t Threads();

// The last word it was started with; empty: of one that is gone, or that has none but its name.
std::string LastArgumentOf(pid_t process);

// Of this process.
std::vector<int> OpenDescriptors();

// Whether a signal holds it; false of one that is gone.
bool IsStopped(pid_t process);
// Whether a debugger is attached to this process.
bool IsTraced();

}  // namespace sfumato::system
