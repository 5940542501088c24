// SPDX-License-Identifier: Apache-2.0
// Options as Python spells them: a word out of a list, refused with the list when it is another.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <utility>

#include "sfumato/data_type.h"
#include "sfumato/launch.h"
#include "sfumato/report.h"

namespace sfumato::python {

template <class T>
T Choose(const char* option, const std::string& word, std::initializer_list<std::pair<const char*, T>> choices) {
    std::string legal;
    for (const auto& [name, value] : choices) {
        if (word == name) return value;
        legal += std::string(legal.empty() ? "'" : ", '") + name + "'";
    }
    throw Error(std::string(option) + "='" + word + "' is not known; legal: " + legal);
}

// None: nobody asks.
inline std::optional<Overflow> OverflowOf(const std::optional<std::string>& word) {
    if (!word) return std::nullopt;
    return Choose<Overflow>(
        "overflow", *word,
        {{"saturate", Overflow::kSaturate}, {"infnan", Overflow::kInfNan}, {"board", Overflow::kBoard}});
}

// True: the Ascend910 reading of CAST_ROUND is ties (conversions.md, "Round modes").
inline bool CastRoundTies(const std::string& word) {
    return Choose<bool>("cast_round", word, {{"page", false}, {"ties", true}});
}

inline FlagIdentity FlagsOf(const std::string& word) {
    return Choose<FlagIdentity>("flags", word, {{"event", FlagIdentity::kEvent}, {"setter", FlagIdentity::kSetter}});
}
inline MmadOrder MmadOrderOf(const std::string& word) {
    return Choose<MmadOrder>("mmad_order", word,
                             {{"sequential", MmadOrder::kSequential}, {"k0-block", MmadOrder::kK0Block}});
}

inline LogOrder LogOrderOf(const std::string& word) {
    return Choose<LogOrder>("log_order", word, {{"issued", LogOrder::kIssued}, {"executed", LogOrder::kExecuted}});
}

// The NumPy and the Ascend C spelling of a type.
inline std::optional<DataType> FindDataType(const std::string& name) {
    for (int i = 0; i < kDataTypeCount; ++i) {
        const auto t = static_cast<DataType>(i);
        if (name == NumpyName(t) || name == CName(t)) return t;
    }
    return std::nullopt;
}

inline DataType DataTypeOf(const std::string& name) {
    if (const auto t = FindDataType(name)) return *t;
    throw Error("'" + name + "' is not a type of the AI Core");
}

}  // namespace sfumato::python
