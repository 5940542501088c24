// SPDX-License-Identifier: Apache-2.0
#include "jit/precompiled.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "jit/cache.h"
#include "jit/source_file.h"
#include "jit/tokenizer.h"

namespace sfumato::jit {
namespace fs = std::filesystem;
namespace {

constexpr const char* kOperator = "kernel_operator.h";

// What CompileFlags includes first.
bool IsFirstInclude(const std::vector<std::string>& flags, size_t i) {
    if (flags[i] != "-include" || i + 1 == flags.size()) return false;
    return flags[i + 1].ends_with("/sfumato/process.h") || flags[i + 1].ends_with("/sfumato/raw_callbacks.h");
}

// A macro that headers ask for, and that g++ therefore wants as it was when it made the prefix.
bool IsAskedFor(const std::string& flag) {
    return flag.starts_with("-DSFUMATO_") || flag.starts_with("-DTILING_KEY_VAR=");
}

std::vector<std::string> WithoutFirstIncludes(const std::vector<std::string>& flags) {
    std::vector<std::string> others;
    for (size_t i = 0; i < flags.size(); ++i) {
        if (IsFirstInclude(flags, i)) {
            ++i;
        } else {
            others.push_back(flags[i]);
        }
    }
    return others;
}

}  // namespace

std::optional<PrefixFor> PrefixFor::Of(const CompileOptions& options, const soc::Chip& chip, CodeFor kind,
                                       const Compiler& compiler, const std::vector<std::string>& flags) {
    for (const char* option : {"-I", "-i", "-x", "-W"}) {
        if (std::ranges::any_of(options.flags, [&](const std::string& flag) { return flag.starts_with(option); }))
            return std::nullopt;
    }
    PrefixFor made{compiler, {}, options.include_dirs, true};
    const std::string beside = fs::path(options.source).parent_path().string();
    made.nearer.insert(made.nearer.end(), {beside.empty() ? "." : beside, "."});
    for (const auto& macros : {KindMacros(chip, kind), ChipMacros(chip)}) {
        for (const std::string& macro : macros) made.flags.push_back("-D" + macro);
    }
    for (size_t i = 0; i < flags.size(); ++i) {
        const std::string& flag = flags[i];
        if (flag == "-I" || (flag == "-D" && !compiler.is_clang)) {
            ++i;
        } else if (flag.starts_with("-D") && !IsAskedFor(flag)) {
            if (compiler.is_clang) made.flags.push_back(flag);
        } else if (IsAskedFor(flag)) {
            made.is_shared &= flag == "-DSFUMATO_KERNEL_BUILD" || flag.starts_with("-DSFUMATO_OWN_HEADERS=");
            made.flags.push_back(flag);
        } else if (!flag.starts_with("-Wl,") && flag != "-shared" && flag != "-pipe") {
            made.flags.push_back(flag);
        }
    }
    return made;
}

std::string PrefixFor::Key() const {
    std::error_code error;
    const fs::path program = fs::canonical(compiler.command[0], error);
    std::string text = fmt::format("prefix 3\n{}\n{}\n{}\n{}", FileIdentity(program.string()),
                                   fmt::join(compiler.command, "\x1f"), fmt::join(flags, "\x1f"), HeaderText());
    for (const std::string& dir : LocateIncludeDirs()) text += fs::absolute(dir).string() + '\n';
    return HashBytes(text + Environment("CPATH") + '\n' + Environment("CPLUS_INCLUDE_PATH"));
}

std::string PrefixFor::HeaderText() const {
    std::string text;
    for (size_t i = 0; i < flags.size(); ++i) {
        if (IsFirstInclude(flags, i)) text += fmt::format("#include \"{}\"\n", flags[i + 1]);
    }
    return text + fmt::format("#include <sfumato/kernel_entry.h>\n#include <{}>\n", kOperator);
}

std::vector<std::string> PrefixFor::Command(const std::string& header, const std::string& list,
                                            const std::string& compiled) const {
    std::vector<std::string> command = compiler.command;
    const std::vector<std::string> others = WithoutFirstIncludes(flags);
    command.insert(command.end(), others.begin(), others.end());
    command.insert(command.end(), {"-MD", "-MF", list, "-MT", "object", "-x", "c++-header", header, "-o", compiled});
    return command;
}

bool BeginsWithPrefix(const CompileOptions& options, const std::string& text) {
    if (!options.tiling_headers.empty()) return false;
    const std::vector<Token> tokens = Tokenize(text);
    if (tokens.empty() || tokens[0].kind != TokenKind::kDirective) return false;
    std::string directive;
    for (const char c : tokens[0].text.substr(0, tokens[0].text.find("//"))) {
        if (c != ' ' && c != '\t' && c != '\r') directive += c;
    }
    return directive == fmt::format("#include\"{}\"", kOperator) || directive == fmt::format("#include<{}>", kOperator);
}

std::vector<std::string> WithPrefix(const std::vector<std::string>& flags, const std::string& header) {
    std::vector<std::string> with = {"-include", header};  // before all else, as g++ wants it
    const std::vector<std::string> others = WithoutFirstIncludes(flags);
    with.insert(with.end(), others.begin(), others.end());
    return with;
}

bool NamesPrefix(const std::string& text) {
    return text.find(kPrefixName) != std::string::npos || text.find("PCH") != std::string::npos;
}

}  // namespace sfumato::jit
