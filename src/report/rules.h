// SPDX-License-Identifier: Apache-2.0
// The rules as an enum and a table.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "sfumato/report.h"

namespace sfumato {

enum class Rule : uint16_t {
#define SFUMATO_RULE(name, id, finder, severity, known, groups, sentence, source) name,
#include "report/rules.inc"
#undef SFUMATO_RULE
    kCount
};
constexpr int kRuleCount = static_cast<int>(Rule::kCount);

// Who finds it: src/check in a record, the Ascend C front end and the runtime in a program, the TIK front end in a
// script, the command in a crash or in a kernel it has compiled, the build and the runtime in a host program, the
// checks of --check in a launch.
enum class Finder : uint8_t { kRecord, kProgram, kTik, kCommand, kHost, kSanitize };

// What decides: the types and forms of a call's arguments alone, so that TIK refuses the call while the program is
// built even when values are computed later; or values.
enum class Known : uint8_t { kTypes, kValues };

struct RuleInfo {
    const char* id;
    Finder finder;
    Severity severity;
    Known known;
    const char* groups;  // of instructions, with spaces between
    const char* sentence;
    const char* source;
};

inline constexpr RuleInfo kRules[kRuleCount] = {
#define SFUMATO_RULE(name, id, finder, severity, known, groups, sentence, source) \
    {id, Finder::finder, Severity::severity, Known::known, groups, sentence, source},
#include "report/rules.inc"
#undef SFUMATO_RULE
};

// Whose a finding is: to mend in the program, to build in Sfumato, or open because the pages are silent or disagree.
enum class Whose : uint8_t { kProgram, kSfumato, kPages };

struct OwnerInfo {
    Rule rule;
    Whose whose;
    const char* why;  // one clause
};

// Rules whose findings are not the program's alone; the others are.
inline constexpr OwnerInfo kOwners[] = {
#define SFUMATO_OWNER(rule, whose, why) {Rule::rule, Whose::whose, why},
#include "report/owners.inc"
#undef SFUMATO_OWNER
};

// nullptr for those of the program.
constexpr const OwnerInfo* OwnerOf(Rule rule) {
    for (const OwnerInfo& owner : kOwners) {
        if (owner.rule == rule) return &owner;
    }
    return nullptr;
}

constexpr const char* Name(Whose whose) {
    return whose == Whose::kProgram ? "program" : whose == Whose::kSfumato ? "sfumato" : "documentation";
}

constexpr const RuleInfo& Info(Rule rule) { return kRules[static_cast<int>(rule)]; }

constexpr std::optional<Rule> FindRule(std::string_view id) {
    for (int i = 0; i < kRuleCount; ++i) {
        if (kRules[i].id == id) return static_cast<Rule>(i);
    }
    return std::nullopt;
}

}  // namespace sfumato
