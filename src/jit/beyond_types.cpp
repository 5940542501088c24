// SPDX-License-Identifier: Apache-2.0
#include "jit/beyond_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <vector>

#include "jit/messages.h"
#include "report/rules.h"
#include "sfumato/jit.h"

namespace sfumato::jit {
namespace {

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
        // g++: "static assertion failed: Abs: ..."; clang: "static assertion failed due to requirement '...': Abs: ..."
        static const std::regex words("static (?:assertion|_assert) failed[^:]*(?:'.*')?: \"?(.*)$");
        std::smatch match;
        const std::string head = error.substr(0, end);
        if (std::regex_search(head, match, words)) return fmt::format("{} [{}]", match[1].str(), Name(rule));
    }
    return "";
}

}  // namespace

std::optional<std::string> WarningsOfTypes(std::string_view messages) {
    std::vector<std::string> warnings;
    for (const Message& message : SplitMessages(messages)) {
        if (message.error.empty()) continue;
        const std::string takes = TakesOf(message.error);
        if (takes.empty()) return std::nullopt;
        const size_t rule = takes.rfind(" [");
        std::string warning = fmt::format("{}: warning: {}: a fault when it runs (without this warning: {}){}\n",
                                          PlaceOf(message), takes.substr(0, rule), kAnyType, takes.substr(rule));
        if (std::ranges::find(warnings, warning) == warnings.end()) warnings.push_back(std::move(warning));
    }
    if (warnings.empty()) return std::nullopt;
    std::string all;
    for (const std::string& warning : warnings) all += warning;
    return all;
}

}  // namespace sfumato::jit
