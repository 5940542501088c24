// SPDX-License-Identifier: Apache-2.0
// What the parameter tables report.
#include "check/parameters.h"

#include <fmt/format.h>

namespace sfumato::check {

std::string RangeText(int64_t least, int64_t most) { return fmt::format("{}..{}", least, most); }

bool ParameterRange(const isa::Record& r, const Context& c, const char* name, int64_t value, const std::string& legal,
                    const char* hint) {
    return Tell(
        r, c,
        {Rule::kParameterRange, name, fmt::format("{} is out of range", name), fmt::format("{}", value), legal, hint});
}

bool ParameterAlignment(const isa::Record& r, const Context& c, const char* name, uint64_t value, uint64_t unit,
                        const std::string& reason, bool zero) {
    const uint64_t above = (value / unit + 1) * unit;
    return Tell(
        r, c,
        {Rule::kParameterAlignment, name, fmt::format("{} is not a multiple of {}", name, unit),
         fmt::format("{}", value), fmt::format("a multiple of {}{}", unit, reason),
         value > unit || zero ? fmt::format("take {} or {}", above - unit, above) : fmt::format("take {}", above)});
}

bool NothingToDo(const isa::Record& r, const Context& c, const char* name, int64_t most) {
    Tell(r, c,
         {Rule::kNothingToDo, name, fmt::format("{} is 0: nothing is done", name), "0", RangeText(1, most),
          kCheckValue});
    return false;
}

}  // namespace sfumato::check
