// SPDX-License-Identifier: Apache-2.0
// The threads that run cores. They rest between launches; a process that forked has none and starts its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace sfumato::runtime {

// CPU cores this process may use.
uint32_t CpuCount();

// Gives the calling thread a name, for debuggers: its first 15 bytes.
void NameThread(const std::string& name);

// Calls job() on `count` threads at once and returns when all have returned. Where the system refuses to start so many,
// `least` will do; with fewer it throws Error and has called nothing. `job` must not throw. `another`, where given, is
// asked every few milliseconds whether one more thread is to call job() too.
void RunOnWorkers(uint32_t count, const std::function<void()>& job, uint32_t least = 1,
                  const std::function<bool()>& another = {});

// Threads of workers that there are now, at rest or not.
size_t WorkerThreads();

// Calls job() on a thread that has run nothing before, and ends it.
void RunOnFreshThread(const std::function<void()>& job);
// True when the shared object (or program) that holds the code has thread_local variables beside the engine's own.
bool HasThreadLocals(const void* code);

}  // namespace sfumato::runtime
