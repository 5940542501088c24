// SPDX-License-Identifier: Apache-2.0
// What the cores of one launch share.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "check/check.h"
#include "runtime/core.h"
#include "runtime/schedule.h"
#include "runtime/turns.h"
#include "sfumato/launch.h"
#include "soc/chip.h"

namespace sfumato::runtime {

class LaunchState {
public:
    LaunchState(const LaunchOptions& options, uint32_t blocks, GlobalMemory& memory);

    const LaunchOptions& options;
    const uint32_t blocks;
    soc::Chip chip;
    Schedule schedule;
    Overflow overflow;  // kBoard resolved
    TaskType task_type;
    bool task_type_declared = false;  // by the kernel itself

    // GM as it stood at launch.
    std::vector<uint8_t*> gm_base;
    std::vector<check::GmRange> gm_range;
    std::vector<std::pair<uintptr_t, uint32_t>> gm_by_address;  // sorted starts of the live allocations

    // Cores with an order above this one stop at their next instruction.
    std::atomic<uint64_t> stop_above{UINT64_MAX};
    void StopAbove(uint64_t order);

    // A kernel declared another task type than the launch assumed: all cores stop and the launch starts again.
    std::atomic<bool> restart{false};
    void Restart();
    Turns turns;
    uint64_t cores = 0, threads = 0;  // of this launch
    std::mutex mutex;  // guards the members below and the callbacks of options
    std::optional<TaskType> declared;
    uint64_t declared_by = UINT64_MAX;

    int FindGm(const void* p) const;
};

}  // namespace sfumato::runtime
