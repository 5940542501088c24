// SPDX-License-Identifier: Apache-2.0
#include "jit/second_try.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <regex>
#include <vector>

#include "jit/choices.h"
#include "jit/messages.h"
#include "jit/missing_names.h"
#include "report/rules.h"
#include "sfumato/jit.h"

namespace sfumato::jit {
namespace {

constexpr char kAnyType[] = "-DSFUMATO_ANY_TYPE";

bool IsOwn(const std::string& file) {
    return std::ranges::any_of(LocateIncludeDirs(),
                               [&](const std::string& dir) { return file.starts_with(dir + "/"); });
}

// "k.cpp:14:12": where the program makes the call, which stands innermost in both compilers' lists of instantiations.
std::string PlaceOf(const Message& message) {
    static const std::regex step("^(.+?):([0-9]+:[0-9]+): +(?:required (?:from|by)|note: in instantiation of)");
    for (const std::string_view line : Split(message.text, '\n')) {
        std::match_results<std::string_view::const_iterator> match;
        if (std::regex_search(line.begin(), line.end(), match, step) && !IsOwn(match[1]))
            return fmt::format("{}:{}", match[1].str(), match[2].str());
    }
    return message.error.substr(0, message.error.find(": error:"));
}

// "Abs: no chip has this type; it takes half, float [type-unsupported]" of the line of an error; "" of another error.
std::string TakesOf(const std::string& error) {
    for (const Rule rule : {Rule::kTypeUnsupported, Rule::kTypeMismatch, Rule::kConversionUnsupported}) {
        const size_t end = error.find(fmt::format(" [{}]", Name(rule)));
        if (end == std::string::npos) continue;
        // g++: "static assertion failed: Abs: ..."; clang: "static assertion failed due to requirement '...': Abs:
        // ...", before version 16 "static_assert failed due to requirement '...' "Abs: ..."".
        static const std::regex words("static(?: assertion|_assert) failed(?: due to requirement '.*')?:? \"?(.*)$");
        std::smatch match;
        const std::string head = error.substr(0, end);
        if (std::regex_search(head, match, words)) return fmt::format("{} [{}]", match[1].str(), Name(rule));
    }
    return "";
}

// The errors as warnings; "" where another stopped the compiler, too.
std::string WarningsOfTypes(const std::vector<Message>& messages) {
    std::vector<std::string> warnings;
    for (const Message& message : messages) {
        if (message.error.empty()) continue;
        const std::string takes = TakesOf(message.error);
        if (takes.empty()) return "";
        const size_t rule = takes.rfind(" [");
        std::string warning = fmt::format("{}: warning: {}: a fault when it runs (without this warning: {}){}\n",
                                          PlaceOf(message), takes.substr(0, rule), kAnyType, takes.substr(rule));
        if (std::ranges::find(warnings, warning) == warnings.end()) warnings.push_back(std::move(warning));
    }
    return fmt::format("{}", fmt::join(warnings, ""));
}

constexpr const char* kLent[] = {"CACHE_LINE_SIZE", "ONE_BLOCK_SIZE", "VECTOR_REG_WIDTH", "TOTAL_VEC_LOCAL_SIZE",
                                 "float16_t"};

}  // namespace

SecondTry TryAgain(std::string_view messages, const std::vector<std::string>& tried) {
    const std::vector<Message> all = SplitMessages(messages);
    const auto is_new = [&](const std::string& option) { return std::ranges::find(tried, option) == tried.end(); };
    SecondTry again;
    for (const char* name : kLent) {
        std::string option = fmt::format("-DSFUMATO_DECLARES_{}", name);
        const auto misses = [&](const Message& message) { return Misses(message.error, name); };
        if (is_new(option) && std::ranges::any_of(all, misses)) again.options.push_back(std::move(option));
    }
    if (is_new(kAnyType)) again.warnings = WarningsOfTypes(all);
    if (!again.warnings.empty()) again.options.emplace_back(kAnyType);
    return again;
}

ProcessResult RunCompilerAgain(std::vector<std::string> command) {
    std::string warnings;
    for (;;) {
        ProcessResult done = RunCompilerOnce(command);
        const SecondTry again = done.exit_code == 0 ? SecondTry{} : TryAgain(done.output, command);
        if (again.options.empty()) {
            done.output = warnings + done.output;
            return done;
        }
        command.insert(command.end(), again.options.begin(), again.options.end());
        warnings += again.warnings;
    }
}

}  // namespace sfumato::jit
