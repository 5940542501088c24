// SPDX-License-Identifier: Apache-2.0
// Settings of a tiling as words: each is asked for once, the rest is refused.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "sfumato/tiling/tiling_of.h"
#include "tiling/cube_words.h"

namespace sfumato::tiling {

class Settings {
public:
    // Throws when a key stands twice.
    Settings(std::string call, const TilingSettings& given);

    std::optional<std::string> Word(const std::string& key);
    int32_t Number(const std::string& key);                     // throws when it is missing
    int32_t Number(const std::string& key, int32_t otherwise);  // likewise not
    bool Flag(const std::string& key);                          // false without it
    Dimensions Shape(const std::string& key);
    Dimensions Shape(const std::string& key, const Dimensions& otherwise);
    DataType Type(const std::string& key);
    DataType Type(const std::string& key, DataType otherwise);
    uint32_t TypeSize(const std::string& key) { return BitsOf(Type(key)) / 8; }
    // Throws when a key was given that nothing asked for.
    void Done() const;

    const std::string& call() const { return call_; }

private:
    std::string Needed(const std::string& key);
    std::string call_;
    TilingSettings given_;
    std::set<std::string> asked_;
};

// "half", "float16", "bfloat16_t" ...; nothing for other words.
std::optional<DataType> TypeNamed(std::string_view word);
// Words with any of the separators between.
std::vector<std::string> Split(std::string_view text, std::string_view separators);
// Throws with `what` for what is no integer of 32 bits.
int32_t ParseInt(const std::string& what, const std::string& text);

}  // namespace sfumato::tiling
