// SPDX-License-Identifier: Apache-2.0
#include "jit/messages.h"

#include <fmt/format.h>

#include <utility>

namespace sfumato::jit {
namespace {

// "k.cpp: In function 'void k()':", "In file included from", "required from here": what leads to the next error.
bool LeadsToError(std::string_view line) {
    for (const char* words : {": In ", ": At global scope", "In file included", "   from ", "required from",
                              "required by", "In instantiation of", "in instantiation of"}) {
        if (line.find(words) != std::string_view::npos && line.find("note:") == std::string_view::npos) return true;
    }
    return false;
}

bool EndsMessages(std::string_view line) {
    return line.ends_with("generated.") || line.starts_with("compilation terminated");
}

}  // namespace

std::vector<std::string_view> Split(std::string_view text, char at) {
    std::vector<std::string_view> parts;
    for (size_t end; (end = text.find(at)) != std::string_view::npos; text.remove_prefix(end + 1)) {
        parts.push_back(text.substr(0, end));
    }
    parts.push_back(text);
    return parts;
}

std::string PlainQuotes(std::string_view text) {
    std::string plain;
    while (!text.empty()) {
        if (text.starts_with("\x1B[")) {
            const size_t end = text.find_first_of("mK");
            text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
            continue;
        }
        const bool quote = text.starts_with("\xE2\x80\x98") || text.starts_with("\xE2\x80\x99");
        plain += quote ? '\'' : text.front();
        text.remove_prefix(quote ? 3 : 1);
    }
    return plain;
}

std::vector<Message> SplitMessages(std::string_view text) {
    std::vector<Message> all;
    std::string leading;
    for (const std::string_view whole : Split(text, '\n')) {
        const std::string line = PlainQuotes(whole);
        if (line.empty() || EndsMessages(line)) continue;
        const bool error = line.find("error:") != std::string::npos;
        if (LeadsToError(line) && !error) {
            leading += fmt::format("{}\n", whole);
            continue;
        }
        const bool note = line.find("note:") != std::string::npos;  // of the error before it, wherever it points
        if (error || all.empty() || (!leading.empty() && !note) || line.find("warning:") != line.npos) {
            all.push_back({std::exchange(leading, {}), error ? line : std::string()});
        }
        all.back().text += fmt::format("{}{}\n", std::exchange(leading, {}), whole);
    }
    if (!leading.empty()) all.push_back({std::move(leading), ""});
    return all;
}

}  // namespace sfumato::jit
