// SPDX-License-Identifier: Apache-2.0
// Knows the errors that both compilers have; about all others the other one is asked.
#include "jit/other_compiler.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "jit/process.h"

namespace sfumato::jit {
namespace {

std::string FirstErrorLine(const std::string& messages) {
    const size_t error = messages.find("error: ");
    if (error == std::string::npos) return "";
    const size_t line = messages.rfind('\n', error), end = messages.find('\n', error);
    const size_t begin = line == std::string::npos ? 0 : line + 1;
    return messages.substr(begin, end == std::string::npos ? end : end - begin);
}

// The other would say the same: it costs the time of a compile to ask it.
bool IsForBoth(const std::string& error) {
    constexpr const char* kWords[] = {"was not declared",
                                      "has not been declared",
                                      "does not name a",
                                      "is not a member of",
                                      "has no member named",
                                      "No such file",
                                      "expected ",
                                      "no matching function",
                                      "static assertion failed",
                                      "error: #error",
                                      "undeclared",
                                      "file not found",
                                      "unknown type name",
                                      "no member named",
                                      "static_assert failed",
                                      "static assertion",
                                      "incomplete type",
                                      "redefinition of",
                                      "not declared in",
                                      "unterminated",
                                      "cannot convert",
                                      "no viable",
                                      "[sfumato-",
                                      "no matching",
                                      "invalid operands",
                                      "too few arguments",
                                      "too many arguments",
                                      "is private within",
                                      "deleted function",
                                      "is ambiguous",
                                      "cannot initialize",
                                      "is a private member",
                                      "no match for",
                                      "is protected",
                                      "use of deleted function",
                                      "no type named",
                                      "invalid use of",
                                      "constraints not",
                                      "must return",
                                      "control reaches"};
    return std::ranges::any_of(kWords, [&](const char* w) { return error.find(w) != std::string::npos; });
}

constexpr const char* kInClass = "explicit specialization in non-namespace scope";

}  // namespace

std::optional<Compiler> OtherCompiler(const Compiler& compiler, const std::string& messages) {
    const std::string error = FirstErrorLine(messages);
    if (error.empty() || IsForBoth(error) || !Environment("SFUMATO_CXX").empty()) return std::nullopt;
    const std::string name = compiler.is_clang ? "g++" : "clang++";
    const int oldest = compiler.is_clang ? kOldestGcc : kOldestClang;
    std::vector<std::string> names = {name};
    for (int version = oldest + 12; version >= oldest; --version) names.push_back(fmt::format("{}-{}", name, version));
    for (const std::string& candidate : names) {
        const std::string path = FindProgram(candidate);
        if (path.empty()) continue;
        const ProcessResult asked = RunProcess({path, "-dumpversion"}, "");
        if (asked.exit_code == 0 && std::atoi(asked.output.c_str()) >= oldest)
            return Compiler{{path}, name == "clang++"};
    }
    return std::nullopt;
}

std::string TakenByOther(const std::string& source, const Compiler& other, const Compiler& compiler,
                         const std::string& messages) {
    return fmt::format("{}: compiled with {}, since {} refuses it: {}", source, other.command[0], compiler.command[0],
                       FirstErrorLine(messages));
}

std::string NeedsOther(const Compiler& compiler, const std::string& messages) {
    if (const std::string old = TooOld(compiler); !old.empty()) return old;
    if (compiler.is_clang || messages.find(kInClass) == std::string::npos) return "";
    return fmt::format(
        "g++ takes no explicit specialization inside a class (CWG 727), clang does: install clang++ {} or newer{}",
        kOldestClang, Environment("SFUMATO_CXX").empty() ? "" : ", and name it in SFUMATO_CXX or unset that");
}

}  // namespace sfumato::jit
