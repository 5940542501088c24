// SPDX-License-Identifier: Apache-2.0
// The page of a timeline.
#include "trace/html_timeline.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <sstream>

#include "trace/json_text.h"

namespace sfumato::trace {
namespace {

struct ViewFile {
    const char *name, *text;
};
constexpr ViewFile kView[] = {
#include "view.inc"
};

// Sources are shown beside their instructions: as much of them as a page can carry.
constexpr size_t kMostSource = 1 << 20;

std::string Base64(const std::string& bytes) {
    constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    out.reserve(bytes.size() / 3 * 4 + 4);
    const auto byte = [&](size_t i) { return i < bytes.size() ? static_cast<uint8_t>(bytes[i]) : 0u; };
    for (size_t i = 0; i < bytes.size(); i += 3) {
        const uint32_t three = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
        for (int digit = 0; digit < 4; ++digit) {
            const bool padding = i + static_cast<size_t>(digit) > bytes.size();
            out += padding ? '=' : kDigits[three >> (18 - 6 * digit) & 63];
        }
    }
    return out;
}

std::string Compressed(const std::string& bytes) {
    std::string out(compressBound(bytes.size()), '\0');
    uLongf size = out.size();
    compress2(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size(),
              3);
    out.resize(size);
    return out;
}

// Little-endian, at the next multiple of 4.
template <class T>
void Append(std::string& out, const std::vector<T>& values) {
    for (const T value : values) {
        for (size_t i = 0; i < sizeof(T); ++i) out += static_cast<char>(value >> (8 * i));
    }
    while (out.size() % 4) out += '\0';
}

}  // namespace

void HtmlTimeline::View(std::string_view ending, std::string_view before, std::string_view behind) {
    for (const ViewFile& part : kView) {
        if (!std::string_view(part.name).ends_with(ending)) continue;
        file_.Write(before);
        file_.Write(part.text);
        file_.Write(behind);
    }
}

void HtmlTimeline::Begun(const TimelineFacts& facts) {
    facts_ = facts;
    View("head.html");
    file_.Write("<style>\n");
    View(".css");
    file_.Write("</style>\n");
    View("body.html");
}

void HtmlTimeline::Add(const events::Place& place) {
    places_ += places_.empty() ? "" : ",\n";
    fmt::format_to(std::back_inserter(places_), R"({{"core":{},"name":)", place.order);
    AppendJson(places_, place.name);
    places_ += '}';
}

uint32_t HtmlTimeline::Text(std::string_view text) {
    const auto [at, added] = texts_.try_emplace(std::string(text), static_cast<uint32_t>(texts_.size()));
    if (added) {
        text_bytes_ += text;
        text_ends_.push_back(static_cast<uint32_t>(text_bytes_.size()));
    }
    return at->second;
}

void HtmlTimeline::Add(const Slice& s) {
    const int64_t begin = std::llround(s.begin * kTicks), end = std::llround(s.end * kTicks);
    int64_t& row_end = row_end_[s.core << 16 | s.row];
    const std::string_view path = s.where.file;
    if (!path.empty() && !files_.contains(path)) files_.emplace(path, true);
    slices_.core.Add(s.core);
    slices_.row.Add(s.row);
    slices_.kind.Add(static_cast<uint64_t>(s.kind));
    slices_.gap.Add(static_cast<uint64_t>(begin - row_end));
    slices_.length.Add(static_cast<uint64_t>(end - begin));
    slices_.name.Add(Text(s.name));
    slices_.file.Add(Text(path));
    slices_.line.Add(s.where.line);
    slices_.record.Add(s.index - last_record_);
    slices_.details.Add(Text(s.details));
    slices_.bytes.Add(s.bytes);
    slices_.note.Add(Text(s.note));
    ++slices_before_;
    slices_.after.Add(s.after ? slices_before_ - s.after : 0);
    slices_.causes.Add(s.causes);
    row_end = end;
    last_record_ = s.index;
    if (slices_.core.values.size() >= kPerChunk) Flush();
}

void HtmlTimeline::Add(const Arrow& a) {
    const int64_t from = std::llround(a.from.at * kTicks);
    arrows_.from_core.Add(a.from.core);
    arrows_.to_core.Add(a.to.core);
    arrows_.from_row.Add(a.from.row);
    arrows_.to_row.Add(a.to.row);
    arrows_.from.Add(static_cast<uint64_t>(from - last_arrow_));
    arrows_.length.Add(static_cast<uint64_t>(std::llround(a.to.at * kTicks) - from));
    arrows_.name.Add(Text(a.name));
    last_arrow_ = from;
    if (arrows_.from.values.size() >= kPerChunk) Flush();
}

void HtmlTimeline::Add(const Rate& rate) {
    rates_ += rates_.empty() ? "" : ",\n";
    rates_ += '[';
    AppendJson(rates_, rate.name);
    fmt::format_to(std::back_inserter(rates_), ",{:.10g},{:.5g}]", rate.at, rate.value);
}

// A chunk: three counts (texts, slices, arrows), the ends of the texts, the columns in the order below, the texts.
void HtmlTimeline::Flush() {
    std::string out;
    Append(out, std::vector<uint32_t>{static_cast<uint32_t>(text_ends_.size()),
                                      static_cast<uint32_t>(slices_.core.values.size()),
                                      static_cast<uint32_t>(arrows_.from.values.size())});
    Append(out, text_ends_);
    for (const auto* column :
         {&slices_.core, &slices_.gap, &slices_.length, &slices_.name, &slices_.file, &slices_.line, &slices_.record,
          &slices_.details, &slices_.bytes, &slices_.note, &slices_.after, &slices_.causes})
        Append(out, column->values);
    Append(out, slices_.row.values);
    Append(out, slices_.kind.values);
    for (const auto* column : {&arrows_.from_core, &arrows_.to_core, &arrows_.from, &arrows_.length, &arrows_.name})
        Append(out, column->values);
    Append(out, arrows_.from_row.values);
    Append(out, arrows_.to_row.values);
    out += text_bytes_;
    file_.Write("<script type=\"application/x-sfumato\">");
    file_.Write(Base64(Compressed(out)));
    file_.Write("</script>\n");
    slices_ = {};
    arrows_ = {};
    texts_.clear();
    text_bytes_.clear();
    text_ends_.clear();
}

// "</" would end the script.
void HtmlTimeline::Script(const char* id, const std::string& json) {
    std::string safe;
    for (size_t i = 0; i < json.size(); ++i) {
        safe += json[i];
        if (json[i] == '<') safe.replace(safe.size() - 1, 1, "\\u003c");
    }
    file_.Write(fmt::format("<script type=\"application/json\" id=\"{}\">", id));
    file_.Write(safe);
    file_.Write("</script>\n");
}

// What an estimate says of the whole launch.
std::string HtmlTimeline::EstimateJson(const TimelineEnd& end) const {
    std::string json = fmt::format(R"("estimate":)");
    AppendJson(json, facts_.estimate ? end.error : "");
    json += fmt::format(R"(,"time":{},"last":{},"causes":[)", end.estimate.empty() ? "null" : end.estimate, end.last);
    for (const std::string& cause : end.causes) {
        json += &cause == &end.causes.front() ? "" : ",";
        AppendJson(json, cause);
    }
    json += "],\"uses\":[";
    for (const PlaceUse& use : end.uses) {
        json += &use == &end.uses.front() ? "" : ",\n";
        fmt::format_to(std::back_inserter(json),
                       R"({{"core":{},"begin":{:.10g},"end":{:.10g},"busy":[{:.10g}],"waiting":[{:.10g}]}})", use.core,
                       use.begin, use.end, fmt::join(use.busy, ","), fmt::join(use.waiting, ","));
    }
    return json + "],";
}

void HtmlTimeline::Ended(std::span<const Report> findings, const TimelineEnd& end) {
    Flush();
    std::string facts = fmt::format(R"({{"version":"{}","unit":"{}","us":{},"ticks":{},"blocks":{},"chip":)",
                                    SFUMATO_VERSION, facts_.unit, facts_.us, kTicks, facts_.blocks);
    AppendJson(facts, facts_.chip);
    facts += R"(,"kernel":)";
    AppendJson(facts, facts_.kernel);
    facts += ',' + EstimateJson(end) + "\"places\":[" + places_ + "],\"rates\":[" + rates_ + "],\"findings\":[";
    for (const Report& finding : findings) {
        facts += &finding == &findings.front() ? "" : ",\n";
        facts += finding.Json();
        facts.back() = ',';
        facts += R"("text":)";
        AppendJson(facts, finding.Text());
        facts += '}';
    }
    facts += "],\"sources\":{";
    size_t room = kMostSource;
    bool first = true;
    for (const auto& [path, unused] : files_) {
        std::ostringstream text;
        text << std::ifstream(path, std::ios::binary).rdbuf();
        if (text.str().empty() || text.str().size() > room) continue;
        room -= text.str().size();
        facts += first ? "" : ",\n";
        first = false;
        AppendJson(facts, path);
        facts += ':';
        AppendJson(facts, text.str());
    }
    Script("facts", facts + "}}");
    View(".js", "<script>\n", "</script>\n");
    file_.Write("</body>\n</html>\n");
}

}  // namespace sfumato::trace
