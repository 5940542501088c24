// SPDX-License-Identifier: Apache-2.0
// A compiler's errors about names that the headers do not declare, as a sentence each.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sfumato::jit {

// What was compiled: nobody is advised to write what stands there.
struct SourceRead {
    std::string_view text;           // of the source
    std::vector<std::string> files;  // that the compiler read
    bool Reads(std::string_view header) const;
    bool DeclaresAny() const;  // of Ascend C; files that are not known are taken to
    bool UsesNamespace() const;
};

// The messages of g++ or clang with what is known of the names they miss (names.txt); nothing when the first error is
// of another kind, or nothing is known. A name that is refused has a sentence in the place of its errors; below the
// first error of one that stands elsewhere, or looks like another, is a note. All else stays as the compiler said it.
std::optional<std::string> ExplainMissingNames(std::string_view messages, const SourceRead& source);

// A note for each operator by aclnn, or header of one, that a compiler or a linker does not find: how it is registered.
// A line each, "" for none.
std::string NoteMissingOperators(std::string_view messages);

// Whether the line of an error says that nobody declares the name.
bool Misses(const std::string& error, std::string_view name);

// The first error with its line of the source, and how many come behind it; all that is said where there is none.
std::string FirstError(std::string_view messages);

}  // namespace sfumato::jit
