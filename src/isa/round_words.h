// SPDX-License-Identifier: Apache-2.0
// How calls spell round modes: Cast as CAST_RINT (Name), vec_conv by words, names of conversions by a letter.
#pragma once

#include <optional>
#include <string_view>

#include "isa/record.h"

namespace sfumato::isa {

struct RoundWords {
    const char *tik, *tik_alias;
    const char* letter;  // the last of vconv_f322s32r
};
// By Rounding. What is kAway in a record is spelled as kRound.
inline constexpr RoundWords kRoundWords[] = {
    {"none", "", ""},         {"round", "round", "r"},         {"floor", "floor", "f"},
    {"ceil", "ceiling", "c"}, {"away-zero", "away-zero", "a"}, {"to-zero", "to-zero", "z"},
    {"odd", "odd", "o"}};

inline std::optional<Rounding> RoundingNamed(Api api, std::string_view word) {
    for (size_t i = 0; i < std::size(kRoundWords); ++i) {
        const auto rounding = static_cast<Rounding>(i);
        const RoundWords& words = kRoundWords[i];
        if (api == Api::kAscendC ? word == Name(rounding) : word == words.tik || word == words.tik_alias)
            return rounding;
    }
    return std::nullopt;
}

constexpr const char* RoundWord(Api api, Rounding rounding) {
    if (rounding == Rounding::kAway) rounding = Rounding::kRound;
    return api == Api::kAscendC ? Name(rounding) : kRoundWords[static_cast<size_t>(rounding)].tik;
}

}  // namespace sfumato::isa
