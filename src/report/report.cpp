// SPDX-License-Identifier: Apache-2.0
// Reports as text and JSON.
#include "sfumato/report.h"

#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>

#include "report/rules.h"

namespace sfumato {
namespace {

// "cast.cpp:27, kernel cast_simple_kernel, core aiv0, instruction 2 (Ascend910B)"; parts that are not known are left
// out.
std::string Place(const Report& r) {
    std::string place;
    const auto add = [&place](const std::string& part) { place += (place.empty() ? "" : ", ") + part; };
    if (!r.file.empty()) add(r.line == 0 ? r.file : fmt::format("{}:{}", r.file, r.line));
    if (!r.kernel.empty()) add("kernel " + r.kernel);
    if (!r.core.empty()) {
        add("core " + r.core);
        add(fmt::format("instruction {}", r.index));
    }
    if (!r.chip.empty()) place += (place.empty() ? "(" : " (") + r.chip + ")";
    return place;
}

// nullptr when the finding is the program's.
const OwnerInfo* Owner(const Report& r) {
    const RuleInfo* info = FindRule(r.rule);
    return info ? OwnerOf(static_cast<Rule>(info - kRules)) : nullptr;
}

}  // namespace

const char* Report::Whose() const {
    const OwnerInfo* owner = Owner(*this);
    return Name(owner ? owner->whose : Whose::kProgram);
}

std::string Report::Text() const {
    std::string text = fmt::format("{} [{}] {}", Name(severity), rule, message);
    const auto add = [&text](const char* label, const std::string& value) {
        if (!value.empty()) fmt::format_to(std::back_inserter(text), "\n  {:<7} {}", label, value);
    };
    add("where:", Place(*this));
    for (const RelatedPlace& other : related)
        add("other:", fmt::format("{}:{}{}{}", other.file, other.line, other.note.empty() ? "" : ", ", other.note));
    const std::string subject = operand.empty() || found.empty() ? operand : operand + ": ";
    add("found:", subject + found);
    add("legal:", legal);
    if (const OwnerInfo* owner = Owner(*this)) {
        add("whose:",
            fmt::format("{}: {}", owner->whose == Whose::kSfumato ? "Sfumato's" : "the documentation's", owner->why));
    }
    add("do:", hint);
    return text;
}

std::string Report::Json() const {
    nlohmann::ordered_json json = {
        {"severity", Name(severity)},
        {"rule", rule},
        {"whose", Whose()},
        {"chip", chip},
        {"kernel", kernel},
        {"core", core},
        {"instruction", instruction},
        {"index", index},
        {"operand", operand},
        {"message", message},
        {"found", found},
        {"legal", legal},
        {"hint", hint},
        {"file", file},
        {"line", line},
    };
    if (!related.empty()) {
        auto& others = json["related"] = nlohmann::ordered_json::array();
        for (const RelatedPlace& other : related)
            others.push_back({{"file", other.file}, {"line", other.line}, {"note", other.note}});
    }
    // A file name or a value may hold bytes that are not UTF-8; they are replaced rather than refused.
    return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

std::string Reading::Text() const {
    std::string text = fmt::format("{} [{}] {}\n  where:  {}:{}", tag, call, reading, file, line);
    if (count > 1) fmt::format_to(std::back_inserter(text), ", {} times", count);
    fmt::format_to(std::back_inserter(text), "\n  source: {}", source);
    if (!option.empty()) fmt::format_to(std::back_inserter(text), "\n  switch: {}", option);
    return text;
}

std::string Reading::Json() const {
    const nlohmann::ordered_json json = {{"call", call},     {"reading", reading}, {"tag", tag},   {"source", source},
                                         {"switch", option}, {"file", file},       {"line", line}, {"count", count}};
    return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

KernelError::KernelError(Report report) : std::runtime_error(report.Text()), report_(std::move(report)) {}

}  // namespace sfumato
