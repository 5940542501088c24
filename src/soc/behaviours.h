// SPDX-License-Identifier: Apache-2.0
// chips/behaviours.toml: what instructions and calls do beyond the chips' tables, and which reading of the pages it is.
#pragma once

#include <string>
#include <vector>

#include "isa/opcode.h"
#include "soc/condition.h"

namespace sfumato::soc {

struct Behaviour {
    std::vector<std::string> groups;
    std::string text, tag, source;
    std::string option;               // the switch that chooses another reading; may be empty
    std::vector<std::string> unless;  // groups whose pages leave it out
    std::string topic;                // a page has one text of a topic; may be empty
    std::vector<std::string> calls;   // that are no instructions, and use it
    Conditions when;                  // a use of its instructions or calls rests on it

    bool documented() const { return tag == "documented"; }
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

// A high-level call: no instruction, but steps made of them (chips/calls.toml).
struct Call {
    std::string name;  // and of its page
    std::string summary;
    std::string types;                 // by chip, in words
    std::string policy;                // how its steps round (adv.md 1.1)
    std::vector<std::string> headers;  // below lib/ and adv_api/
    std::vector<std::string> groups, ascendc, steps, sources;
};

struct Behaviours {
    std::vector<Instruction> instructions;
    std::vector<Call> calls;
    std::vector<Behaviour> behaviours;
    std::vector<Mistake> mistakes;
};

// Of no instruction: what all programs of TIK share.
inline constexpr const char* kTikGroup = "tik";

// Parsed once, from the text compiled into the library. Throws Error with the line for what it does not know.
const Behaviours& ReadBehaviours();

// Throws Error when the data does not name it.
const Instruction& InstructionOf(const Behaviours& all, isa::Opcode op);

// True when it stands on the instruction's page.
bool StandsOn(const Behaviour& behaviour, const Instruction& instruction);
bool StandsOn(const Behaviour& behaviour, const Call& call);
// True of what every instruction of a TIK program may rest on.
bool IsOfTik(const Behaviour& behaviour);

}  // namespace sfumato::soc
