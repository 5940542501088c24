// SPDX-License-Identifier: Apache-2.0
// The grammar of the names, and the members of the family.
#include "isa/accumulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "sfumato/report.h"

namespace sfumato::isa {
namespace {

using Kind = Accumulation::Kind;

// A name, and what stands behind it with colons between: numbers of products, of bits, a rounding.
struct Grammar {
    const char* name;
    Kind kind;
    bool group, width_and_rounding;
};
constexpr Grammar kGrammar[] = {
    {"sequential", Kind::kSequential, false, false},
    {"k0-block", Kind::kK0Block, false, false},
    {"sequential-rounded", Kind::kSequentialRounded, false, false},
    {"sequential-fused", Kind::kSequentialFused, false, false},
    {"exact-with-c", Kind::kExactWithC, true, false},
    {"exact-then-c", Kind::kExactThenC, true, false},
    {"tree", Kind::kTree, true, false},
    {"aligned", Kind::kAligned, true, true},
};

// The text up to the next colon, and the rest of it.
std::string_view UpToColon(std::string_view& rest) {
    const size_t colon = rest.find(':');
    const std::string_view part = rest.substr(0, colon);
    rest = colon == std::string_view::npos ? std::string_view() : rest.substr(colon + 1);
    return part;
}

std::optional<uint8_t> NumberIn(std::string_view text, int least, int most) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || text[0] == '0' || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value < least || value > most ? std::nullopt : std::optional(static_cast<uint8_t>(value));
}

std::optional<Accumulation> WayOf(std::string_view name) {
    const auto colons = static_cast<int>(std::ranges::count(name, ':'));
    std::string_view rest = name;
    const std::string_view word = UpToColon(rest);
    const auto* form = std::ranges::find_if(kGrammar, [&](const Grammar& f) { return word == f.name; });
    if (form == std::end(kGrammar)) return std::nullopt;
    if (colons != (form->width_and_rounding ? 3 : form->group ? 1 : 0)) return std::nullopt;
    Accumulation way{.kind = form->kind};
    if (form->group) {
        const auto group = NumberIn(UpToColon(rest), kLeastGroup, kMostGroup);
        if (!group) return std::nullopt;
        way.group = *group;
    }
    if (form->width_and_rounding) {
        const auto width = NumberIn(UpToColon(rest), kLeastWidth, kMostWidth);
        if (!width || (rest != "trunc" && rest != "rn")) return std::nullopt;
        way.width = *width;
        way.nearest = rest == "rn";
    }
    return way;
}

}  // namespace

Accumulation ParseAccumulation(std::string_view name, std::string_view what) {
    if (const auto way = WayOf(name)) return *way;
    throw Error(fmt::format(
        "{}: '{}' is no way to add products; legal are sequential, k0-block, sequential-rounded, sequential-fused, "
        "exact-with-c:N, exact-then-c:N, tree:N, aligned:N:W:trunc and aligned:N:W:rn, with N from {} to {} products "
        "and W from {} to {} bits (docs/last-bits.md)",
        what, name, kLeastGroup, kMostGroup, kLeastWidth, kMostWidth));
}

std::string NameOf(const Accumulation& way) {
    const Grammar& form = *std::ranges::find_if(kGrammar, [&](const Grammar& f) { return f.kind == way.kind; });
    std::string name = form.name;
    if (form.group) name += fmt::format(":{}", way.group);
    if (form.width_and_rounding) name += fmt::format(":{}:{}", way.width, way.nearest ? "rn" : "trunc");
    return name;
}

std::vector<Accumulation> Accumulations(DataType type) {
    const auto unit = static_cast<uint8_t>(256 / BitsOf(type));
    std::vector<Accumulation> all = {{Kind::kSequentialRounded}, {Kind::kSequentialFused}};
    for (const int group : {2, 4, int{unit}, 2 * unit, 4 * unit}) {
        const auto n = static_cast<uint8_t>(group);
        for (const Kind kind : {Kind::kExactWithC, Kind::kExactThenC, Kind::kTree}) all.push_back({kind, n});
        for (const uint8_t width : {24, 25, 26, 27, 28, 30, 32}) {
            for (const bool nearest : {false, true}) all.push_back({Kind::kAligned, n, width, nearest});
        }
    }
    return all;
}

AccumulationChoice ParseAccumulations(std::string_view text) {
    AccumulationChoice choice;
    if (text.empty()) return choice;
    const std::pair<std::string_view, Accumulation*> types[] = {
        {"half", &choice.half}, {"bfloat16", &choice.bfloat16}, {"float", &choice.real}, {"hf32", &choice.hf32}};
    std::vector<const Accumulation*> named;
    std::optional<Accumulation> others;
    for (std::string_view rest = text;;) {
        const size_t comma = rest.find_first_of(",+");
        const std::string_view part = rest.substr(0, comma);
        const size_t equals = part.find('=');
        const auto* of_type =
            std::ranges::find_if(types, [&](const auto& t) { return t.first == part.substr(0, equals); });
        if (equals == std::string_view::npos && !others) {
            others = ParseAccumulation(part, "mmad_order");
        } else if (equals == std::string_view::npos || of_type == std::end(types) ||
                   std::ranges::count(named, of_type->second) > 0) {
            throw Error(
                fmt::format("mmad_order: '{}' of '{}' says nothing new; legal are one way to add for all, and "
                            "TYPE=WAY once for half, bfloat16, float and hf32",
                            part, text));
        } else {
            *of_type->second =
                ParseAccumulation(part.substr(equals + 1), fmt::format("mmad_order: {}", of_type->first));
            named.push_back(of_type->second);
        }
        if (comma == std::string_view::npos) break;
        rest.remove_prefix(comma + 1);
    }
    for (const auto& [name, way] : types) {
        if (others && std::ranges::count(named, way) == 0) *way = *others;
    }
    return choice;
}

}  // namespace sfumato::isa
