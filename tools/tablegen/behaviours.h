// SPDX-License-Identifier: Apache-2.0
// Rules and links of the pages of instructions.
#pragma once

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

// A link to its page, from the folder above `folder`.
std::string Link(const Instruction& instruction, const char* folder);

}  // namespace sfumato::tablegen
