// SPDX-License-Identifier: Apache-2.0
// What the qualifiers of local memory mean in declarations and casts: __ubuf__ T a[N] becomes a reference to memory of
// the core, (__ubuf__ T*)n an address of it (sfumato/ascendc/local_memory.h).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "jit/qualifiers.h"
#include "jit/tokenizer.h"

namespace sfumato::jit {

// What is refused, at a byte of the source.
struct LocalRefusal {
    size_t at;
    uint32_t line;
    std::string message;
};
struct LocalEdits {
    std::vector<Edit> edits;
    std::vector<LocalRefusal> refused;
};

// Whether LocalMemoryEdits may find something.
bool MentionsLocalMemory(std::string_view source, const MacroWords& words);

// Of the tokens of a source, or of a #define ("define" first). Lines stay; so do columns, but behind a declaration in a
// macro or in parentheses on its line.
LocalEdits LocalMemoryEdits(std::string_view source, const std::vector<Token>& tokens, bool define,
                            const MacroWords& words);

}  // namespace sfumato::jit
