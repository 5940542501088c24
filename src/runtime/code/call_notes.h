// SPDX-License-Identifier: Apache-2.0
// Which functions of other modules the functions of an object file call, noted beside its code when it is compiled:
// by optimised code also where the object itself is not (jit/keep_calls.h). A launch learns from it which cores a
// kernel needs, whatever the object was linked into and whether that kept symbols of relocations or not.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace sfumato::runtime {

// Linkers put the notes of all objects behind each other; they are part of no segment, and strip leaves them.
constexpr const char* kCallsSection = "sfumato_calls";
// Modules have it where code with kernels was compiled without optimisation (sfumato/ascendc/macros.h).
constexpr const char* kUnoptimisedSection = "sfumato_unoptimised";

// Mangled names of what each function reaches, as CodeGraph::ReachedFrom has it.
using CallsOf = std::map<std::string, std::set<std::string>>;

// Of the functions of an object file or a module that may be kernels: those that are neither Sfumato's nor the standard
// library's. Empty where none calls Sfumato, and where the file tells nothing.
CallsOf CallsIn(const std::string& path);

// The section's text. unoptimised: told by code in which calls stand that optimisation removes.
std::string CallsText(const CallsOf& calls, bool unoptimised);

class CallNotes {
public:
    CallNotes() = default;
    // Of the sections of any number of objects, behind each other. Throws Error for what is no such text.
    explicit CallNotes(std::string_view text);
    // Of a file that is linked or not; without the section there are none.
    static CallNotes In(const std::string& path);

    struct Note {
        std::set<std::string> reached;  // also by functions of other objects that it calls
        bool unoptimised = false;
    };
    // By the mangled name; where objects have functions of the same name, what all of them reach.
    std::optional<Note> Of(const std::string& function) const;
    bool empty() const { return notes_.empty(); }

private:
    std::map<std::string, Note, std::less<>> notes_;
};

}  // namespace sfumato::runtime
