// SPDX-License-Identifier: Apache-2.0
// What every kernel includes first, compiled once: kernel_operator.h is 0.85 s of the second that a small kernel takes.
// g++ alone; elsewhere kernels are compiled as they are.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "jit/compiler.h"
#include "sfumato/jit.h"

namespace sfumato::jit {

// The command line of a compile, as far as it decides what a prefix holds.
struct PrefixFor {
    const Compiler& compiler;
    std::vector<std::string> flags;  // with the macros of the kind of core

    // nullopt: flags of the user may change what is included.
    static std::optional<PrefixFor> Of(const CompileOptions& options, const Compiler& compiler,
                                       std::vector<std::string> flags);
    std::string Key() const;
};

// True where a prefix changes nothing: the source's first directive includes kernel_operator.h, and it is ours.
bool BeginsWithPrefix(const CompileOptions& options, const std::string& text);

// The header to include first, where its compiled form lies in one of $SFUMATO_PREFIX and the cache, whole and up to
// date.
std::optional<std::string> FindPrefix(const PrefixFor& made, const std::string& cache);
// Makes it in a folder. False where the compiler refuses, or the folder cannot be written.
bool MakePrefix(const PrefixFor& made, const std::string& folder);

// The flags with the prefix in place of the header that they include first.
std::vector<std::string> WithPrefix(const std::vector<std::string>& flags, const std::string& header);
// Names of prefixes in a message of the compiler, or among the files it read.
bool NamesPrefix(const std::string& text);

}  // namespace sfumato::jit
