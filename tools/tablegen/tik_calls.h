// SPDX-License-Identifier: Apache-2.0
// The calls of TIK that become instructions, and the page about TIK.
#pragma once

#include <string>
#include <vector>

#include "behaviours.h"
#include "isa/opcode.h"

namespace sfumato::tablegen {

struct TikCall {
    std::string name;
    isa::Opcode op;
    std::string parameters;  // as in python/sfumato/tik/signatures.tsv
};

// Every row of src/frontends/tik/calls.inc. Throws std::runtime_error for one without a signature.
const std::vector<TikCall>& TikCalls();

// The TIK syntax of an instruction: its calls, then the lines the data adds for what is no such call.
std::vector<std::string> TikSyntax(const Instruction& instruction, isa::Opcode op);

// docs/tik-reference.md.
std::string TikReference(const Behaviours& all);

}  // namespace sfumato::tablegen
