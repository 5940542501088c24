// SPDX-License-Identifier: Apache-2.0
// The meaning of each form: one overload, which is the meaning of all its rows.
#pragma once

#include <string>

#include "exec/exec.h"

namespace sfumato::exec {

// Executes a checked record with these parameters. Returns as Execute of the record.
#define SFUMATO_FORM(form, family, ...) \
    bool Execute(const isa::Record& record, const isa::family& parameters, const MemoryMap& memory);
#include "isa/forms.inc"
#undef SFUMATO_FORM
// Elementwise records find their run in the table of runs; these mean something else.
bool Execute(const isa::Record& record, const isa::Index& parameters, const MemoryMap& memory);
bool Execute(const isa::Record& record, const isa::Convert& parameters, const MemoryMap& memory);
bool Execute(const isa::Record& record, const isa::MovePad& move, const MemoryMap& memory);

// What exec says to a record no check lets through. Throws std::logic_error: the instruction's names, then `why` ("has
// no conversion from ...").
[[noreturn]] void Refuse(const isa::Record& record, const std::string& why);

}  // namespace sfumato::exec
