// SPDX-License-Identifier: Apache-2.0
// Which kinds of core the compiled code of a kernel needs, told without running it.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "runtime/code/call_notes.h"
#include "runtime/code/code_graph.h"
#include "sfumato/launch.h"

namespace sfumato::runtime {

// What a function of the front end means for the kernel that calls it (entry_sides.inc).
enum class Side : uint8_t { kNeutral, kCube, kVector, kCrossCore };

// By name, without namespace and parameters; nothing for a function the table does not have.
std::optional<Side> SideOf(std::string_view entry);

// The front end's functions among mangled names, and others of the global namespace, where the C intrinsics are:
// "_ZN7sfumato7ascendc4vaddE..." is vadd, "_Z15copy_gm_to_ubuf..." copy_gm_to_ubuf.
std::set<std::string> EntriesOf(const std::set<std::string>& mangled);

// What code that reaches these functions of the front end needs.
CodeUse UseOf(const std::set<std::string>& entries);
// Of code compiled once for each kind of core. Where the two reach different instructions the source chooses by the
// kind of core, and each side that has instructions of any sort is used.
CodeUse UseOf(const std::set<std::string>& on_cube, const std::set<std::string>& on_vector);

// A warning where these functions, reached by code in which calls stand that optimisation removes, are of both units:
// the kernel may need one of them alone. Without its place.
std::optional<Report> UnoptimisedReport(const std::set<std::string>& entries);

// What is wrong with a variable that a kernel's code reaches, without its place; none for those of Sfumato, of the
// standard library and of the compiler. The operand is its name as people write it.
std::optional<Report> VariableReport(const CodeGraph::Variable& variable);

// A loaded module, read once.
class ModuleCode {
public:
    // `address` lies in it.
    explicit ModuleCode(const void* address);
    // The front end's functions that code at `address` of this module reaches: those noted when it was compiled, else
    // what the code of the file tells. Nothing when neither does.
    std::optional<std::set<std::string>> EntriesFrom(const void* address) const;
    // Whether EntriesFrom counts calls that optimisation removes.
    bool IsUnoptimised(const void* address) const;
    // The variables it reaches and may write; none when the file tells nothing.
    std::vector<CodeGraph::Variable> VariablesFrom(const void* address) const;

private:
    std::optional<CallNotes::Note> NoteOf(const void* address) const;

    uintptr_t base_ = 0;  // where the addresses of the file begin
    std::string path_;
    std::optional<CodeGraph> graph_;
    CallNotes notes_;
    bool unoptimised_ = false;  // some of its code
};

// "ops::add<float, 0>", of the function that begins at the address; empty where its module does not tell.
std::string FunctionName(const void* address);

}  // namespace sfumato::runtime
