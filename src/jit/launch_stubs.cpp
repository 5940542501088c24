// SPDX-License-Identifier: Apache-2.0
// Writes the stubs. The header names no type of the kernel, so that whoever includes it needs none of its headers:
// pointers are void*, numbers are types of C, everything else is the address of a value (framework.md 5.2).
#include "jit/launch_stubs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "jit/tokenizer.h"

namespace sfumato::jit {
namespace {

// What typedef and using at any scope declare in a text; "" where two declarations differ.
using Aliases = std::map<std::string, std::string>;

std::string Text(const std::vector<Token>& tokens, size_t begin, size_t end) {
    std::string text;
    for (size_t i = begin; i < end; ++i) text += (i > begin ? " " : "") + tokens[i].text;
    return text;
}

Aliases FindAliases(std::string_view text) {
    const std::vector<Token> tokens = Tokenize(text);
    Aliases aliases;
    const auto add = [&](const std::string& name, const std::string& type) {
        const auto [it, is_new] = aliases.try_emplace(name, type);
        if (!is_new && it->second != type) it->second.clear();
    };
    for (size_t i = 0; i + 3 < tokens.size(); ++i) {
        const bool is_using = tokens[i].Is("using") && tokens[i + 2].Is("=");
        if (!is_using && !tokens[i].Is("typedef")) continue;
        size_t end = i + 1;
        bool plain = true;  // no body, no function, no array
        for (; end < tokens.size() && !tokens[end].Is(";"); ++end)
            plain = plain && !tokens[end].Is("{") && !tokens[end].Is("(") && !tokens[end].Is("[");
        if (!plain || end == tokens.size()) continue;
        if (is_using) {
            add(tokens[i + 1].text, Text(tokens, i + 3, end));
        } else if (end > i + 2) {
            add(tokens[end - 1].text, Text(tokens, i + 1, end - 1));
        }
        i = end;
    }
    return aliases;
}

// The types of C that a parameter may have.
bool IsNumberWord(std::string_view word) {
    constexpr std::array kWords = {"bool",     "char",     "short",    "int",      "long",      "signed",  "unsigned",
                                   "float",    "double",   "int8_t",   "int16_t",  "int32_t",   "int64_t", "uint8_t",
                                   "uint16_t", "uint32_t", "uint64_t", "intptr_t", "uintptr_t", "size_t",  "ptrdiff_t"};
    return std::ranges::find(kWords, word) != kWords.end();
}

// "void*" for a pointer, a type of C for a number; empty: a type of the program's.
std::string TypeOfC(const std::string& type, const Aliases& aliases, int depth = 0) {
    std::vector<Token> words;
    int angles = 0;
    for (Token& t : Tokenize(type)) {
        if (angles == 0 && (t.Is("*") || t.Is("GM_ADDR"))) return "void*";
        angles += t.Is("<") ? 1 : t.Is(">") ? -1 : 0;
        const bool mark = t.text.starts_with("__") && t.text.ends_with("__");
        constexpr std::array kLeft = {"const", "volatile", "std", "::", "typename", "enum"};
        if (!mark && std::ranges::find(kLeft, t.text) == kLeft.end()) words.push_back(std::move(t));
    }
    if (words.empty()) return "";
    const bool number = std::ranges::all_of(words, [](const Token& t) { return IsNumberWord(t.text); });
    if (number) return Text(words, 0, words.size());
    const bool is_name = std::ranges::all_of(words, [](const Token& t) { return t.kind == TokenKind::kIdentifier; });
    const auto alias = aliases.find(words.back().text);
    if (!is_name || alias == aliases.end() || depth == 16) return "";
    return TypeOfC(alias->second, aliases, depth + 1);
}

class Writer {
public:
    Writer(const FoundKernel& kernel, const Aliases& aliases, bool workspace, bool tiling, const TakenNames& taken)
        : kernel_(kernel), code_(CodeName(taken, kernel)) {
        const size_t count = kernel.params.size(), behind = tiling ? 2 : 1;
        workspace_at_ = workspace && count >= behind ? count - behind : count;
        for (const FoundParam& p : kernel.params) types_.push_back(TypeOfC(p.type, aliases));
        by_value_ = std::ranges::find(types_, "") != types_.end();
    }

    LaunchStub Run() const { return {kernel_.name, Header(), Definition()}; }

private:
    std::string Type(size_t i) const { return types_[i].empty() ? "const void*" : types_[i]; }
    // What kernels call their parameters may be a macro of whoever includes it: in comments alone.
    std::string Declaration(std::string_view prefix) const {
        std::string text = fmt::format("uint32_t {}{}(uint32_t /*blockDim*/, void* /*stream*/", prefix, kernel_.name);
        for (size_t i = 0; i < types_.size(); ++i) {
            const std::string& name = kernel_.params[i].name;
            text += fmt::format(", {}{}", Type(i), name.empty() ? "" : " /*" + name + "*/");
        }
        return text;
    }
    std::string Parameters(bool generic) const {
        std::string text = "uint32_t blocks, void* stream";
        for (size_t i = 0; i < types_.size(); ++i)
            text += fmt::format(", {} argument{}", generic && types_[i].empty() ? fmt::format("T{}", i) : Type(i), i);
        return text;
    }
    template <class Argument>
    std::string Arguments(Argument argument) const {
        std::string text;
        for (size_t i = 0; i < types_.size(); ++i) text += (i ? ", " : "") + argument(i);
        return text;
    }

    std::string Header() const {
        return fmt::format(
                   "// Written by sfumato build from the kernel {0}: the call behind ACLRT_LAUNCH_KERNEL({0}).\n"
                   "#pragma once\n\n#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n\n"
                   "#ifndef ACLRT_LAUNCH_KERNEL\n#define ACLRT_LAUNCH_KERNEL(kernel) aclrtlaunch_##kernel\n#endif\n\n"
                   "// 0, or an error code when the launch was refused.{1}\n"
                   "#ifdef __cplusplus\nextern \"C\"\n#endif\n{2});\n",
                   kernel_.name,
                   by_value_
                       ? "\n// const void*: the address of a value, in memory of the host or of the device, which is "
                         "copied at the launch."
                       : "",
                   Declaration("aclrtlaunch_")) +
               (by_value_ ? Generic() : "");
    }

    // For C++: the same of a value, whose size is checked, and of any pointer.
    std::string Generic() const {
        std::string types, sizes;
        for (size_t i = 0; i < types_.size(); ++i) {
            if (types_[i].empty()) types += fmt::format("{}class T{}", types.empty() ? "" : ", ", i);
            sizes += (i ? ", " : "") +
                     (types_[i].empty() ? fmt::format("sfumato_launch::Argument<T{}>::kSize", i) : std::string("0"));
        }
        const std::string arguments = Arguments([&](size_t i) {
            return types_[i].empty() ? fmt::format("sfumato_launch::Argument<T{0}>::Address(argument{0})", i)
                                     : fmt::format("argument{}", i);
        });
        return fmt::format(
            "\n#ifdef __cplusplus\n"
            "#ifndef SFUMATO_LAUNCH_ARGUMENT\n#define SFUMATO_LAUNCH_ARGUMENT\nextern \"C++\" {{\n"
            "namespace sfumato_launch {{\n"
            "template <class T>\nstruct Argument {{\n"
            "    static_assert(__is_trivially_copyable(T), \"a kernel's arguments are copied at the launch\");\n"
            "    static constexpr uint64_t kSize = sizeof(T);\n"
            "    static const void* Address(const T& value) {{ return __builtin_addressof(value); }}\n}};\n"
            "template <class T>\nstruct Argument<T*> {{\n    static constexpr uint64_t kSize = 0;\n"
            "    static const void* Address(T* value) {{ return (const void*)value; }}\n}};\n"
            "template <>\nstruct Argument<decltype(nullptr)> {{\n    static constexpr uint64_t kSize = 0;\n"
            "    static const void* Address(decltype(nullptr)) {{ return nullptr; }}\n}};\n"
            "}}  // namespace sfumato_launch\n}}\n#endif\n"
            "extern \"C\" {0}, const uint64_t* /*sizes*/);\n"
            "extern \"C++\" {{\ntemplate <{1}>\ninline uint32_t aclrtlaunch_{2}({3}) {{\n"
            "    const uint64_t sizes[] = {{{4}}};\n    return sfumato_launch_{2}(blocks, stream, {5}, "
            "sizes);\n}}\n}}\n"
            "#endif\n",
            Declaration("sfumato_launch_"), types, kernel_.name, Parameters(true), sizes, arguments);
    }

    // Names of the kernel's parameters stand in none of these functions. A kernel of a header may be in several
    // sources.
    std::string Definition() const {
        const std::string mark = fmt::format("extern \"C\" __attribute__((visibility(\"default\"){})) uint32_t ",
                                             kernel_.line == 0 ? ", weak" : "");
        const std::string arguments = Arguments([&](size_t i) {
            if (types_[i].empty()) return fmt::format("value{}.Get()", i);
            const std::string name = fmt::format("argument{}", i);
            return i == workspace_at_ ? "::sfumato::host::UserWorkspace(" + name + ")" : name;
        });
        std::string values;
        for (size_t i = 0; i < types_.size(); ++i) {
            if (!types_[i].empty()) continue;
            values += fmt::format(
                "    ::sfumato::host::Parameter<decltype(&::{1}), {0}> value{0};\n"
                "    if (!value{0}.Take(SFUMATO_SITE(\"::{1}\"), {0}, argument{0}, sizes ? sizes[{0}] : 0)) return "
                "100000;\n",
                i, code_);
        }
        // The kernel gets the part behind the system's, which GetSysWorkSpacePtr finds.
        const std::string note = workspace_at_ < types_.size()
                                     ? fmt::format(
                                           "[[maybe_unused]] static const ::sfumato::host::QualifierNote "
                                           "sfumato_workspace_{}{{\"{}\", \"HAVE_WORKSPACE {}\"}};\n",
                                           kernel_.name, kernel_.QualifiedName(), workspace_at_)
                                     : "";
        const std::string launch =
            fmt::format("{}    return SFUMATO_LAUNCH(::{}).On(blocks, nullptr, stream)({}) ? 0 : 100000;\n}}\n", values,
                        code_, arguments);
        const std::string plain =
            fmt::format("{}{}aclrtlaunch_{}({}) {{\n", note, mark, kernel_.name, Parameters(false));
        if (!by_value_) return plain + launch;
        return fmt::format(
            "{0}sfumato_launch_{1}({2}, const uint64_t* sizes) {{\n{3}{4}"
            "    return sfumato_launch_{1}(blocks, stream, {5}, nullptr);\n}}\n",
            mark, kernel_.name, Parameters(false), launch, plain,
            Arguments([](size_t i) { return fmt::format("argument{}", i); }));
    }

    const FoundKernel& kernel_;
    std::string code_;
    std::vector<std::string> types_;
    bool by_value_;
    size_t workspace_at_;
};

}  // namespace

std::vector<LaunchStub> WriteLaunchStubs(const std::vector<FoundKernel>& kernels, std::string_view text, bool workspace,
                                         bool tiling, const TakenNames& taken) {
    std::optional<Aliases> aliases;
    std::vector<LaunchStub> stubs;
    for (const FoundKernel& kernel : kernels) {
        const auto same = [&](const LaunchStub& stub) { return stub.kernel == kernel.name; };
        if (kernel.is_template || !kernel.is_definition || std::ranges::any_of(stubs, same)) continue;
        if (!aliases) aliases = FindAliases(text);
        stubs.push_back(Writer(kernel, *aliases, workspace, tiling, taken).Run());
    }
    return stubs;
}

}  // namespace sfumato::jit
