// SPDX-License-Identifier: Apache-2.0
// What sfumato-tablegen writes from the chip data and chips/behaviours.toml.
#pragma once

#include <map>
#include <string>

namespace sfumato::tablegen {

// The text of generated/sfumato/ascendc/cast_pairs.h.
std::string CastPairs();

// The text of SfumatoChips.cmake: the macros of every chip name.
std::string CMakeChips();

// Every generated page of docs/, by its path below docs/.
std::map<std::string, std::string> Pages();

// The "What is supported" table of the README.
std::string ReadmeTable();

}  // namespace sfumato::tablegen
