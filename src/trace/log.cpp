// SPDX-License-Identifier: Apache-2.0
// The instruction log.
#include "trace/log.h"

#include <fmt/format.h>

namespace sfumato::trace {

std::string LogLine(std::string_view core, const isa::Record& record) {
    return fmt::format("{:<6} {}", core, isa::Print(record));
}

void Log::Line(const Place& place, const isa::Record& record) {
    const std::string line = LogLine(place.name, record);
    std::lock_guard lock(mutex_);
    write_(line);
}

}  // namespace sfumato::trace
