// SPDX-License-Identifier: Apache-2.0
// Rules and links of the pages of instructions.
#include "behaviours.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
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

std::string Anchor(const std::string& name) {
    std::string anchor = name;
    std::ranges::transform(anchor, anchor.begin(), [](unsigned char c) { return std::tolower(c); });
    return anchor;
}

std::string Link(const Instruction& instruction, const std::string& title) {
    return fmt::format("[{}](instructions/README.md#{})", title.empty() ? instruction.title : title,
                       Anchor(instruction.name));
}

}  // namespace sfumato::tablegen
