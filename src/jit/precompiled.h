// SPDX-License-Identifier: Apache-2.0
// What every kernel includes first, compiled once: kernel_operator.h is two thirds of the time that a small kernel
// takes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "jit/compiler.h"
#include "jit/core_kinds.h"
#include "sfumato/jit.h"

namespace sfumato::jit {

// The command line of a compile, as far as it decides what a prefix holds. Macros of the user are left out with g++,
// which does not take a prefix in which one of their names stands; clang would. So are folders of the user: `nearer`
// are those whose files are found before the prefix's.
struct PrefixFor {
    Compiler compiler;
    std::vector<std::string> flags;
    std::vector<std::string> nearer;
    bool is_shared;  // by all kernels of the chip; else it is that of a tiling key, or of a struct with tiling data

    // nullopt: flags of the user may change what is included. `flags` are those of the compile, without the macros of
    // the kind of core.
    static std::optional<PrefixFor> Of(const CompileOptions& options, const soc::Chip& chip, CodeFor kind,
                                       const Compiler& compiler, const std::vector<std::string>& flags);
    std::string Key() const;
    std::string HeaderText() const;
    // What compiles the header.
    std::vector<std::string> Command(const std::string& header, const std::string& list,
                                     const std::string& compiled) const;
};

// True where a prefix changes nothing: the source's first directive includes kernel_operator.h.
bool BeginsWithPrefix(const CompileOptions& options, const std::string& text);

// The flags with the prefix in place of the headers that they include first.
std::vector<std::string> WithPrefix(const std::vector<std::string>& flags, const std::string& header);

constexpr const char* kPrefixName = "sfumato-prefix-";  // of its files
// Whether a message of the compiler, or one of the files it read, is about a prefix.
bool NamesPrefix(const std::string& text);

}  // namespace sfumato::jit
