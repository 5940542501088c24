// SPDX-License-Identifier: Apache-2.0
// Rules and links of the pages of instructions.
#pragma once

#include <map>
#include <string>

#include "report/rules.h"
#include "soc/behaviours.h"

namespace sfumato::tablegen {

using soc::Behaviour;
using soc::Behaviours;
using soc::Instruction;
using soc::InstructionOf;
using soc::kTikGroup;
using soc::Mistake;
using soc::ReadBehaviours;
using soc::StandsOn;

// True when it stands on the instruction's page.
bool SharesGroup(const RuleInfo& rule, const std::vector<std::string>& groups);
bool StandsOn(const RuleInfo& rule, const Instruction& instruction);

// Its line in a table of rule, severity, when.
std::string RuleLine(const RuleInfo& rule);

// Where the indexes name an instruction or call: pages of them are built, so tracked pages link to the index.
std::string Anchor(const std::string& name);

// A link to it from a page that git has; its title where none is given.
std::string Link(const Instruction& instruction, const std::string& title = "");

// instructions/README.md and calls/README.md. kTracked: for the repository, with the digest of every claim of `built`,
// the pages of instructions and calls; kBuilt: beside those, with links to them.
enum class Where { kTracked, kBuilt };
std::map<std::string, std::string> Indexes(const std::map<std::string, std::string>& built, const Behaviours& all,
                                           Where where);

}  // namespace sfumato::tablegen
