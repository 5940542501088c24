// SPDX-License-Identifier: Apache-2.0
// The names of the checks.
#include "sanitize/checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <utility>
#include <vector>

#include "sfumato/findings.h"
#include "sfumato/report.h"

namespace sfumato::sanitize {
namespace {

// Certain and cheap.
constexpr Check kDefault[] = {Check::kCores, Check::kOutputs};

constexpr std::pair<const char*, Check> kNames[] = {
    {"races", Check::kRaces},      {"init", Check::kInit},
    {"outputs", Check::kOutputs},  {"sync", Check::kSync},
    {"numbers", Check::kNumbers},  {"raw", Check::kRaw},
    {"last-bit", Check::kLastBit}, {"mmad-order", Check::kMmadOrder},
};

}  // namespace

Checks Checks::Parse(const std::string& text) {
    Checks checks;
    const char* of_environment = std::getenv("SFUMATO_CHECK");
    if (text.empty() && of_environment && *of_environment) return Parse(of_environment);
    // By its name: with what it alone does not hold.
    const auto add = [&checks](Check check) {
        checks.Add(check);
        if (check == Check::kRaces) checks.Add(Check::kCores);
        if (check == Check::kOutputs) checks.Add(Check::kOutputNotes);
    };
    std::string_view rest = text.empty() ? "default" : std::string_view(text);
    while (true) {
        const size_t comma = rest.find_first_of(",+");
        const std::string_view word = rest.substr(0, comma);
        const auto* name = std::find_if(std::begin(kNames), std::end(kNames),
                                        [word](const auto& known) { return word == known.first; });
        if (name != std::end(kNames)) {
            add(name->second);
            if (name->second == Check::kRaw) checks.Add(Check::kRawNamed);
        } else if (word == "default") {
            for (const Check check : kDefault) checks.Add(check);
        } else if (word == "all") {
            for (const auto& known : kNames) {
                if (known.second != Check::kLastBit && known.second != Check::kMmadOrder) add(known.second);
            }
        } else if (word != "none" || text != "none") {
            throw Error(fmt::format(
                "unknown check '{}': legal are races, init, outputs, sync, numbers, raw, last-bit and "
                "mmad-order, with commas between; default; all (but the last two); none, which stands alone",
                word));
        }
        if (comma == std::string_view::npos) break;
        rest.remove_prefix(comma + 1);
    }
    return checks;
}

}  // namespace sfumato::sanitize

namespace sfumato {

std::vector<std::string> CheckNames(const std::string& check) {
    using sanitize::Check;
    const sanitize::Checks checks = sanitize::Checks::Parse(check);
    std::vector<std::string> names;
    if (checks.Has(Check::kCores) && !checks.Has(Check::kRaces)) names.emplace_back("races between cores");
    for (const auto& [name, which] : sanitize::kNames) {
        if (checks.Has(which)) names.emplace_back(name);
    }
    return names;
}

}  // namespace sfumato
