// SPDX-License-Identifier: Apache-2.0
// Element types that a call does not take, in code that may never run: templates hold branches that a value chooses.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sfumato::jit {

// With it such a type compiles, and is a fault when the call runs (SFUMATO_TYPES, types.h).
inline constexpr char kAnyType[] = "-DSFUMATO_ANY_TYPE";

// What a compiler said that was stopped by such types alone, as warnings at the lines of the program, each ended by a
// line break. None where something else stopped it: kAnyType does not help then.
std::optional<std::string> WarningsOfTypes(std::string_view messages);

}  // namespace sfumato::jit
