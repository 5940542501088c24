// SPDX-License-Identifier: Apache-2.0
// chips/behaviours.toml and chips/reports.toml: what the pages say beyond the chips' tables.
#pragma once

#include <string>
#include <vector>

#include "isa/opcode.h"

namespace sfumato::tablegen {

struct Behaviour {
    std::vector<std::string> groups;
    std::string text, tag, source;
    std::string option;  // the switch that chooses another reading; may be empty
};

struct Mistake {
    std::vector<std::string> groups;
    std::string page, printed, right;
};

// A finding the library can make. Those of the record checker have their words from src/check/rules.inc.
struct Rule {
    std::vector<std::string> groups;
    std::string id, severity, text;
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
    std::vector<Rule> rules;
};

// Parsed from the texts compiled in. Throws std::runtime_error with the line for what it does not know.
Behaviours ReadBehaviours();

// Throws std::runtime_error when the data does not name it.
const Instruction& InstructionOf(const Behaviours& all, isa::Opcode op);

// A link to its page, from the folder above `folder`.
std::string Link(const Instruction& instruction, const char* folder);

}  // namespace sfumato::tablegen
