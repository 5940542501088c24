// SPDX-License-Identifier: Apache-2.0
// Rules and links of the pages of instructions.
#include "behaviours.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <sstream>

#include "markdown.h"

namespace sfumato::tablegen {

bool StandsOn(const RuleInfo& rule, const Instruction& instruction) {
    std::istringstream groups(rule.groups);
    return std::any_of(std::istream_iterator<std::string>(groups), {}, [&](const std::string& group) {
        return std::find(instruction.groups.begin(), instruction.groups.end(), group) != instruction.groups.end();
    });
}

std::string RuleLine(const RuleInfo& rule) {
    return Line({fmt::format("`{}`", rule.id), Name(rule.severity), rule.sentence});
}

std::string Link(const Instruction& instruction, const char* folder) {
    return fmt::format("[{}]({}{}.md)", instruction.title, folder, instruction.name);
}

}  // namespace sfumato::tablegen
