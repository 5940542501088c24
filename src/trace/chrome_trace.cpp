// SPDX-License-Identifier: Apache-2.0
// Chrome trace events.
#include "trace/chrome_trace.h"

#include <fmt/format.h>

#include "trace/json_text.h"

namespace sfumato::trace {
namespace {

constexpr size_t kPart = 1 << 20;  // bytes kept before they are written

// Perfetto orders the rows of a core by this, with calls above the pipes.
uint32_t SortIndex(uint32_t row) { return row < kRows ? 100 + row : row - kRows; }

}  // namespace

void ChromeTrace::Flush() {
    file_.Write(text_);
    text_.clear();
}

void ChromeTrace::Next() {
    if (text_.size() > kPart) Flush();
    text_ += any_ ? ",\n" : "\n";
    any_ = true;
}

void ChromeTrace::Begun(const TimelineFacts& facts) {
    facts_ = facts;
    text_ += R"({"displayTimeUnit":"ns","traceEvents":[)";
}

void ChromeTrace::Metadata(uint64_t core, const char* what, std::string_view key, std::string_view value,
                           uint32_t row) {
    Next();
    fmt::format_to(std::back_inserter(text_), R"({{"ph":"M","pid":{},"tid":{},"name":"{}","args":{{"{}":{}}}}})", core,
                   row, what, key, value);
}

void ChromeTrace::NameRow(uint64_t core, uint32_t row) {
    Metadata(core, "thread_name", "name", '"' + RowName(row) + '"', row);
    Metadata(core, "thread_sort_index", "sort_index", std::to_string(SortIndex(row)), row);
}

void ChromeTrace::Add(const events::Place& place) {
    std::string name;
    AppendJson(name, place.name);
    Metadata(place.order, "process_name", "name", name, 0);
    Metadata(place.order, "process_sort_index", "sort_index", std::to_string(place.order), 0);
    for (uint32_t row = 0; row < kRows; ++row) NameRow(place.order, row);
}

void ChromeTrace::Add(const Slice& slice) {
    if (slice.row >= kRows) {
        uint32_t& named = call_rows_[slice.core];
        for (; kRows + named <= slice.row; ++named) NameRow(slice.core, kRows + named);
    }
    Next();
    const auto out = std::back_inserter(text_);
    fmt::format_to(out, FMT_STRING(R"({{"ph":"X","pid":{},"tid":{},"ts":)"), slice.core, slice.row);
    // Ends and begins that are one time stay one: slices that follow each other do not overlap.
    const int64_t begin = Ticks(slice.begin);
    AppendTenThousandths(text_, begin);
    text_ += R"(,"dur":)";
    AppendTenThousandths(text_, Ticks(slice.end) - begin);
    text_ += R"(,"name":)";
    AppendJson(text_, slice.name);
    text_ += R"(,"cat":")";
    text_ += Name(slice.kind);
    fmt::format_to(out, FMT_STRING(R"(","args":{{"record":{})"), slice.index);
    const std::string_view path = slice.where.file;
    if (!path.empty()) {
        text_ += R"(,"line":)";
        const std::string_view file = path.substr(path.rfind('/') + 1);
        AppendJson(text_, file);
        text_.back() = ':';
        fmt::format_to(out, FMT_STRING("{}\""), slice.where.line);
    }
    if (!slice.details.empty()) {
        text_ += R"(,"operands":)";
        AppendJson(text_, slice.details);
    }
    if (slice.bytes) fmt::format_to(out, FMT_STRING(R"(,"bytes":{})"), slice.bytes);
    if (!slice.note.empty()) {
        const bool report = slice.kind != Slice::Kind::kRecord;
        text_ += report ? R"(,"report":)" : R"(,"cost":)";
        AppendJson(text_, slice.note);
    }
    text_ += "}}";
}

void ChromeTrace::Add(const Arrow& arrow) {
    const uint64_t id = ++arrows_;
    const auto end = [&](const char* phase, const Point& point, const char* more) {
        Next();
        fmt::format_to(std::back_inserter(text_), FMT_STRING(R"({{"ph":"{}","id":{},"pid":{},"tid":{},"ts":)"), phase,
                       id, point.core, point.row);
        AppendTenThousandths(text_, Ticks(point.at));
        text_ += R"(,"cat":"wait","name":)";
        AppendJson(text_, arrow.name);
        text_ += more;
    };
    end("s", arrow.from, "}");
    end("f", arrow.to, R"(,"bp":"e"})");
}

void ChromeTrace::Add(const Rate& rate) {
    Next();
    text_ += R"({"ph":"C","pid":-1,"name":)";
    AppendJson(text_, rate.name);
    text_ += R"(,"ts":)";
    AppendTenThousandths(text_, Ticks(rate.at));
    text_ += R"(,"args":{"value":)";
    fmt::format_to(std::back_inserter(text_), "{:.6g}", rate.value);
    text_ += "}}";
}

void ChromeTrace::Ended(std::span<const Report> findings, const TimelineEnd& end) {
    const auto text = [&](const char* key, std::string_view value) {
        text_ += key;
        AppendJson(text_, value);
    };
    text(R"(],"otherData":{"tool":)", "sfumato");
    text(R"(,"version":)", SFUMATO_VERSION);
    text(R"(,"chip":)", facts_.chip);
    text(R"(,"kernel":)", facts_.kernel);
    fmt::format_to(std::back_inserter(text_), R"(,"blocks":{},"estimate":{})", facts_.blocks, facts_.estimate);
    text(R"(,"unit":)", facts_.unit);
    if (facts_.estimate) {
        text(R"(,"error":)", end.error);
    } else {
        text(R"(,"times":)", "none: a microsecond here is a step of the run's order");
    }
    text_ += R"(},"findings":[)";
    for (const Report& finding : findings) {
        if (&finding != &findings.front()) text_ += ",\n";
        text_ += finding.Json();
    }
    text_ += "]}\n";
    Flush();
}

}  // namespace sfumato::trace
