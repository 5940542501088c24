// SPDX-License-Identifier: Apache-2.0
// Combinations of template parameters as people write them (framework.md 4.7).
#pragma once

#include <string>
#include <string_view>

#include "sfumato/tiling/type_words.h"
#include "sfumato/tiling_template.h"

namespace sfumato::tiling {

// "MODE=3,FAST=1" as a key; a parameter that has one value only may be left out.
struct ParsedTemplate {
    enum class Problem : uint8_t { kNone, kForm, kName, kValue, kMissing };
    uint64_t key = 0;
    Problem problem = Problem::kNone;
    std::string_view at;  // the name or value in question
};
constexpr ParsedTemplate ParseTemplate(const TemplateGroup& declared, std::string_view text) {
    using Problem = ParsedTemplate::Problem;
    uint64_t values[kMostTemplateParams] = {};
    bool given[kMostTemplateParams] = {};
    while (!text.empty()) {
        const std::string_view part = text.substr(0, text.find(','));
        text.remove_prefix(part.size() < text.size() ? part.size() + 1 : text.size());
        const size_t equals = part.find('=');
        if (equals == std::string_view::npos) return {0, Problem::kForm, part};
        const std::string_view name = part.substr(0, equals), word = part.substr(equals + 1);
        size_t index = 0;
        while (index < declared.count && declared.params[index].name != name) ++index;
        if (index == declared.count) return {0, Problem::kName, name};
        const TemplateParam& p = declared.params[index];
        uint64_t value = 0;
        const int type = NumberOfType(word);
        if (word == "true" || word == "True") {
            value = 1;
        } else if (p.kind == TemplateKind::kDatatype && type >= 0) {
            value = static_cast<uint64_t>(type);
        } else if (word != "false" && word != "False") {
            if (word.empty()) return {0, Problem::kValue, part};
            for (const char c : word) {
                if (c < '0' || c > '9') return {0, Problem::kValue, part};
                value = value * 10 + static_cast<uint64_t>(c - '0');
            }
        }
        if (!p.Has(value)) return {0, Problem::kValue, part};
        values[index] = value;
        given[index] = true;
    }
    ParsedTemplate parsed;
    unsigned shift = 0;
    for (size_t i = 0; i < declared.count; ++i) {
        const TemplateParam& p = declared.params[i];
        const bool single = p.count == 1 && p.ranges[0].low == p.ranges[0].high;
        if (!given[i] && !single) return {0, Problem::kMissing, p.name};
        parsed.key |= (given[i] ? values[i] : p.ranges[0].low) << (shift & 63);
        shift += p.bits;
    }
    return parsed;
}

// "MODE=3 FAST=1".
inline std::string CombinationText(const TemplateGroup& declared, uint64_t key) {
    std::string text;
    for (size_t i = 0; i < declared.count; ++i) {
        const uint64_t value = ValueIn(declared, key, i);
        const char* type = declared.params[i].kind == TemplateKind::kDatatype ? NameOfType(value) : nullptr;
        text += std::string(i ? " " : "") + declared.params[i].name + "=" + (type ? type : std::to_string(value));
    }
    return text;
}

// "MODE=0 FAST=0|1; MODE=3 FAST=1": the groups in order.
inline std::string SelectionText(const TemplateGroup& declared, const TemplateSelection& selection) {
    std::string text;
    for (size_t g = 0; g < selection.count; ++g) {
        text += g ? "; " : "";
        for (size_t i = 0; i < declared.count; ++i) {
            text += std::string(i ? " " : "") + declared.params[i].name + "=";
            const TemplateGroup& group = selection.groups[g];
            const size_t at = group.Find(declared.params[i].name);
            for (size_t r = 0; at < group.count && r < group.params[at].count; ++r) {
                const TemplateParam::Range range = group.params[at].ranges[r];
                const char* type = group.params[at].kind == TemplateKind::kDatatype && range.low == range.high
                                       ? NameOfType(range.low)
                                       : nullptr;
                text += std::string(r ? "|" : "") + (type ? type : std::to_string(range.low));
                if (range.low != range.high) text += ".." + std::to_string(range.high);
            }
        }
    }
    return text;
}

}  // namespace sfumato::tiling
