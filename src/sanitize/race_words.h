// SPDX-License-Identifier: Apache-2.0
// The reports of races.
#pragma once

#include <string>

#include "report/finding.h"
#include "sanitize/cache_lines.h"
#include "sanitize/core_order.h"
#include "sanitize/launch_view.h"
#include "sanitize/history.h"
#include "soc/chip.h"

namespace sfumato::sanitize {

// Two accesses of one core; `ran` ran first, whatever the program says.
Report RaceReport(const Access& ran, const Access& runs, isa::Memory memory, const std::string& bytes, bool auto_sync);

// Two stores of one core that leave the same bytes.
Report EqualReport(const Access& earlier, const Access& later, const std::string& bytes);

// A write of what an asynchronous call reads.
Report HeldReport(const Access& call, const Access& write, isa::Memory memory, const std::string& bytes);

// Two accesses of two cores, by name. equal: a store left the bytes as they were.
Report CoreRaceReport(const Access& lower, const std::string& lower_core, const Access& higher,
                      const std::string& higher_core, const std::string& bytes, bool equal, const soc::Chip& chip);

// A flag that may be set again before this wait has taken it.
Report FlagReport(const isa::Record& set, const CoreOrder::FlagWait& wait);

// A poll of a line that the core's own data cache holds.
Finding StalePoll();

// The data cache of a scalar unit, and an access that does not see it or that it does not see.
Report CacheReport(CacheLines::Trouble trouble, const Access& earlier, const std::string& earlier_core,
                   const Access& later, const std::string& later_core, const std::string& bytes);

}  // namespace sfumato::sanitize
