// SPDX-License-Identifier: Apache-2.0
// chips/behaviours.toml: what the pages say beyond the chips' tables.
#pragma once

#include <string>
#include <vector>

#include "isa/opcode.h"
#include "report/rules.h"

namespace sfumato::tablegen {

struct Behaviour {
    std::vector<std::string> groups;
    std::string text, tag, source;
    std::string option;               // the switch that chooses another reading; may be empty
    std::vector<std::string> unless;  // groups whose pages leave it out
    std::string topic;                // a page has one text of a topic; may be empty
};

struct Mistake {
    std::vector<std::string> groups;
    std::string page, printed, right;
};

struct Instruction {
    std::string name;   // the key of the instruction in Ascend C (isa::AscendCKey), and of its page
    std::string title;  // of the page; the name unless the file says otherwise
    std::string summary;
    std::string unit;  // the pipe, where the instruction table leaves it to the operands
    std::vector<std::string> groups, ascendc, tik, sources;
};

struct Behaviours {
    std::vector<Instruction> instructions;
    std::vector<Behaviour> behaviours;
    std::vector<Mistake> mistakes;
};

// Parsed from the texts compiled in. Throws std::runtime_error with the line for what it does not know.
Behaviours ReadBehaviours();

// Throws std::runtime_error when the data does not name it.
const Instruction& InstructionOf(const Behaviours& all, isa::Opcode op);

// True when it stands on the instruction's page.
bool StandsOn(const RuleInfo& rule, const Instruction& instruction);
bool StandsOn(const Behaviour& behaviour, const Instruction& instruction);

// Its line in a table of rule, severity, when.
std::string RuleLine(const RuleInfo& rule);

// A link to its page, from the folder above `folder`.
std::string Link(const Instruction& instruction, const char* folder);

}  // namespace sfumato::tablegen
