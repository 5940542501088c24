// SPDX-License-Identifier: Apache-2.0
// What a word that is no name may have meant.
#pragma once

#include <string>
#include <vector>

namespace sfumato::command {

// The names within a third of the word's letters (at least one, at most three) of edits from it, whatever their case,
// or that begin with it, or it with them; the nearest first.
std::vector<std::string> Near(const std::string& word, const std::vector<std::string>& names);

// "; did you mean A, B?", or nothing.
std::string DidYouMean(const std::string& word, const std::vector<std::string>& names);

// The sentence about a first word that is none of the commands.
std::string UnknownCommand(const std::string& word, const std::vector<std::string>& names);

}  // namespace sfumato::command
