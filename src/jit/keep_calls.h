// SPDX-License-Identifier: Apache-2.0
// Notes of what the functions of an object call, as optimised code has it (runtime/code/call_notes.h).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "jit/process.h"

namespace sfumato::jit {

// Whether the last of a compiler's options about it leaves calls that never run: -O0, -Og, or none.
bool IsUnoptimised(const std::vector<std::string>& command);

// The command without what it writes beside its object: dependencies, counts, debug information and temporary files.
// Without -o and its word, too; `object` is written instead, with these options last.
std::vector<std::string> CompiledAgain(std::vector<std::string> command, const std::string& object,
                                       const std::vector<std::string>& options);

// Notes in `object` what its functions call. An unoptimised one tells this of a kernel that needs vector cores or none
// alone, since what never runs cannot be missing from it, and of one that declares its task type; for others `again`
// makes the same object optimised, at the path it gets. Where that fails, or the notes cannot be written, the result
// says so and what follows, ended by a line break; `source` is what people know the object by. An object that calls
// nothing of Sfumato is left alone.
using CompileAgain = std::function<ProcessResult(const std::string& object)>;
std::string KeepCalls(const std::string& object, const std::string& source, bool unoptimised,
                      const CompileAgain& again);

// Runs RunCompilerAgain; where the command compiles an object ("-c source", "-o object"), keeps its calls.
ProcessResult CompileKeepingCalls(std::vector<std::string> command);

}  // namespace sfumato::jit
