// SPDX-License-Identifier: Apache-2.0
// From records to the meaning of their form.
#include <stdexcept>

#include "exec/meaning.h"

namespace sfumato::exec {

using isa::Record;

void Refuse(const Record& record, const std::string& why) {
    throw std::logic_error(std::string("sfumato::exec::Execute: ") + isa::Info(record.op).ascendc + " (" +
                           isa::Info(record.op).opcode + ") " + why);
}

bool Execute(const Record& r, const isa::Flag&, const MemoryMap&) { Refuse(r, "moves no data: the pipes execute it."); }
bool Execute(const Record& r, const isa::Barrier&, const MemoryMap&) {
    Refuse(r, "moves no data: the pipes execute it.");
}
bool Execute(const Record& r, const isa::CrossFlag&, const MemoryMap&) {
    Refuse(r, "moves no data: the pipes execute it.");
}

// It has run.
bool Execute(const Record&, const isa::VectorFunction&, const MemoryMap&) { return false; }

bool Execute(const Record& record, const MemoryMap& memory) {
    return VisitForm(record, [&](const auto& parameters) { return Execute(record, parameters, memory); });
}

}  // namespace sfumato::exec
