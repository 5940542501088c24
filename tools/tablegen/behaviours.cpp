// SPDX-License-Identifier: Apache-2.0
// Rules and links of the pages of instructions.
#include "behaviours.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <sstream>

#include "tablegen.h"

namespace sfumato::tablegen {

bool SharesGroup(const RuleInfo& rule, const std::vector<std::string>& groups) {
    std::istringstream of_rule(rule.groups);
    return std::any_of(std::istream_iterator<std::string>(of_rule), {},
                       [&](const std::string& group) { return std::ranges::find(groups, group) != groups.end(); });
}

bool StandsOn(const RuleInfo& rule, const Instruction& instruction) { return SharesGroup(rule, instruction.groups); }

std::string RuleLine(const RuleInfo& rule) {
    return Line({fmt::format("`{}`", rule.id), Name(rule.severity), rule.sentence});
}

std::string Link(const Instruction& instruction, const char* folder) {
    return fmt::format("[{}]({}{}.md)", instruction.title, folder, instruction.name);
}

}  // namespace sfumato::tablegen
