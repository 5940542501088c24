// SPDX-License-Identifier: Apache-2.0
// What is wrong with a command line, in the words of the other errors.
#pragma once

#include <string>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace sfumato::command {

// The sentence about an error of CLI11's that `app` threw: the word, what is legal, the nearest name of one unknown.
std::string Plain(const CLI::App& app, const CLI::ParseError& error);

}  // namespace sfumato::command
