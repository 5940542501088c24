// SPDX-License-Identifier: Apache-2.0
// What the checks know of a launch.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "isa/memory_map.h"
#include "isa/record.h"
#include "sanitize/checks.h"
#include "sfumato/flag_identity.h"
#include "sfumato/report.h"
#include "soc/board_record.h"
#include "soc/chip.h"

namespace sfumato::sanitize {

// What the bytes of an allocation are before the launch, and after.
enum class GmRole : uint8_t { kUnknown, kInput, kOutput, kInOut, kWorkspace };

struct GmAllocation {
    const uint8_t* base;
    uint64_t bytes;
    std::string name;
    GmRole role;
    bool live;
    std::optional<DataType> type;  // of its elements, where the host says it
    // Behind its end: the rest of its last block of 32 bytes, and how much there is others'.
    uint64_t padding = 0, others = 0;
    uint32_t padding_written = 0;  // bytes of it that an earlier launch wrote, a bit each
    bool of_ranks = false;         // other ranks may touch it
};

// Fixed while the launch runs.
struct LaunchView {
    const soc::Chip& chip;
    Checks checks;
    bool auto_sync;
    FlagIdentity flags;
    uint64_t cores;                                                          // of all blocks
    uint8_t fill;                                                            // bytes of memory nobody wrote
    uint8_t gm_fill;                                                         // the same in global memory
    Severity numbers;                                                        // of what Check::kNumbers finds
    std::vector<GmAllocation> gm;                                            // by the allocation of operands
    std::function<std::string(uint64_t order)> name_of;                      // "aiv0"
    std::function<void(const isa::Record&, const isa::MemoryMap&)> execute;  // as the pipes do
    // With LaunchOptions::numerics: the record, and whether it decides the last bits of an instruction.
    const soc::BoardRecord* record = nullptr;
    std::function<bool(const isa::Record&)> decided_by_record = {};
    const char* ask_board = "--overflow board";  // how a user of this launch asks for the policy of a board
};

}  // namespace sfumato::sanitize
