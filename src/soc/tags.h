// SPDX-License-Identifier: Apache-2.0
// How sure a statement of chips/*.toml is (docs/contract.md), the surest first.
#pragma once

#include <algorithm>
#include <iterator>
#include <string_view>

namespace sfumato::soc {

struct Tag {
    std::string_view word, meaning;
};
inline constexpr Tag kClaimTags[] = {{"documented", "a public page says it"},
                                     {"recorded", "numbers that a board gave show it"},
                                     {"decided", "the pages are silent or disagree, and this is our reading"},
                                     {"assumed", "there is no public definition"}};

constexpr bool IsTag(std::string_view word) {
    return std::any_of(std::begin(kClaimTags), std::end(kClaimTags),
                       [word](const Tag& tag) { return tag.word == word; });
}

}  // namespace sfumato::soc
