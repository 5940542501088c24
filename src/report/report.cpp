// SPDX-License-Identifier: Apache-2.0
// Reports as text and JSON.
#include "sfumato/report.h"

#include <fmt/format.h>

#include <iterator>

#include "report/json.h"
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
        add((r.rank ? fmt::format("rank {}, core ", *r.rank) : "core ") + r.core);
        add(fmt::format("instruction {}", r.index));
    }
    if (!r.chip.empty()) place += (place.empty() ? "(" : " (") + r.chip + ")";
    return place;
}

}  // namespace

const char* Name(Rule rule) { return Info(rule).id; }

const char* Report::Whose() const {
    const OwnerInfo* owner = OwnerOf(rule);
    return Name(owner ? owner->whose : Whose::kProgram);
}

std::string Report::Text() const {
    std::string text = fmt::format("{} [{}] {}", Name(severity), Name(rule), message);
    const auto add = [&text](const char* label, const std::string& value) {
        if (!value.empty()) fmt::format_to(std::back_inserter(text), "\n  {:<7} {}", label, value);
    };
    add("where:", Place(*this));
    for (const RelatedPlace& other : related)
        add("other:", fmt::format("{}:{}{}{}", other.file, other.line, other.note.empty() ? "" : ", ", other.note));
    const std::string subject = operand.empty() || found.empty() ? operand : operand + ": ";
    add("found:", subject + found);
    add("legal:", legal);
    if (const OwnerInfo* owner = OwnerOf(rule)) {
        add("whose:",
            fmt::format("{}: {}", owner->whose == Whose::kSfumato ? "Sfumato's" : "the documentation's", owner->why));
    }
    add("do:", hint);
    return text;
}

OrderedJson ObjectOf(const Report& report) {
    OrderedJson json = {
        {"severity", Name(report.severity)},
        {"rule", Name(report.rule)},
        {"whose", report.Whose()},
        {"chip", report.chip},
        {"kernel", report.kernel},
        {"core", report.core},
        {"instruction", report.instruction},
        {"index", report.index},
        {"operand", report.operand},
        {"message", report.message},
        {"found", report.found},
        {"legal", report.legal},
        {"hint", report.hint},
        {"file", report.file},
        {"line", report.line},
    };
    if (report.rank) json["rank"] = *report.rank;
    if (!report.related.empty()) {
        auto& others = json["related"] = OrderedJson::array();
        for (const RelatedPlace& other : report.related)
            others.push_back({{"file", other.file}, {"line", other.line}, {"note", other.note}});
    }
    return json;
}

std::string Report::Json() const { return Written(ObjectOf(*this)); }

std::string Reading::Text() const {
    std::string text = fmt::format("{} [{}] {}\n  where:  {}:{}", tag, call, reading, file, line);
    if (count > 1) fmt::format_to(std::back_inserter(text), ", {} times", count);
    fmt::format_to(std::back_inserter(text), "\n  source: {}", source);
    if (!option.empty()) fmt::format_to(std::back_inserter(text), "\n  switch: {}", option);
    return text;
}

OrderedJson ObjectOf(const Reading& reading) {
    return {{"call", reading.call},     {"reading", reading.reading}, {"tag", reading.tag},
            {"source", reading.source}, {"switch", reading.option},   {"file", reading.file},
            {"line", reading.line},     {"count", reading.count}};
}

std::string Reading::Json() const { return Written(ObjectOf(*this)); }

std::string Written(const OrderedJson& json, int indent) {
    return json.dump(indent, ' ', false, OrderedJson::error_handler_t::replace);
}

KernelError::KernelError(Report report) : std::runtime_error(report.Text()), report_(std::move(report)) {}

}  // namespace sfumato
