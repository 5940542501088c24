// SPDX-License-Identifier: Apache-2.0
// The messages of g++ and clang, one by one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sfumato::jit {

// A message with what belongs to it: the lines that lead to it, its line of the source, its notes.
struct Message {
    std::string text;
    std::string error;  // the line that says "error:", in plain quotes; empty: the message is none
};

std::vector<Message> SplitMessages(std::string_view text);

std::vector<std::string_view> Split(std::string_view text, char at);

// UTF-8 quotation marks, which g++ prints in most locales, as apostrophes; colours left out.
std::string PlainQuotes(std::string_view text);

}  // namespace sfumato::jit
