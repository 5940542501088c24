// SPDX-License-Identifier: Apache-2.0
// The rules as an enum and a table.
#pragma once

#include <cstdint>

#include "sfumato/report.h"

namespace sfumato::check {

enum class Rule : uint8_t {
#define SFUMATO_RULE(name, id, severity, sentence, source) name,
#include "check/rules.inc"
#undef SFUMATO_RULE
    kCount
};
constexpr int kRuleCount = static_cast<int>(Rule::kCount);

struct RuleInfo {
    const char* id;
    Severity severity;
    const char* sentence;
    const char* source;
};

inline constexpr RuleInfo kRules[kRuleCount] = {
#define SFUMATO_RULE(name, id, severity, sentence, source) {id, Severity::severity, sentence, source},
#include "check/rules.inc"
#undef SFUMATO_RULE
};

constexpr const RuleInfo& Info(Rule rule) { return kRules[static_cast<int>(rule)]; }

}  // namespace sfumato::check
