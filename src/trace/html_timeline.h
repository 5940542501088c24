// SPDX-License-Identifier: Apache-2.0
// A timeline as one page: the viewer (view/), and the data in compressed chunks, which the viewer unpacks.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "trace/timeline.h"
#include "trace/trace_file.h"

namespace sfumato::trace {

class HtmlTimeline final : public TimelineSink {
public:
    explicit HtmlTimeline(const std::string& path) : file_(path) {}

    void Begun(const TimelineFacts&) override;
    void Add(const events::Place&) override;
    void Add(const Slice&) override;
    void Add(const Arrow&) override;
    void Add(const Rate&) override;
    void Ended(std::span<const Report> findings, const TimelineEnd& end) override;
    std::string Close() override { return file_.Close(); }

private:
    static constexpr uint32_t kPerChunk = 1 << 15;  // slices, or arrows
    static constexpr double kTicks = 16;            // of a unit; times in chunks are whole numbers of them

    // Numbers of one kind, one after another: such columns compress to a few bits a number.
    template <class T>
    struct Column {
        std::vector<T> values;
        void Add(uint64_t value) { values.push_back(static_cast<T>(value)); }
    };
    struct Slices {
        Column<uint8_t> row, kind;
        // gap: from the end of the slice before in its row. record: difference to the slice before. after: how many
        // slices before this one; 0: none.
        Column<uint32_t> core, gap, length, name, file, line, record, details, bytes, note, after, causes;
    };
    struct Arrows {
        Column<uint8_t> from_row, to_row;
        // from: difference to the arrow before; length: of the arrow.
        Column<uint32_t> from_core, to_core, from, length, name;
    };
    uint32_t Text(std::string_view text);
    // Parts of the viewer whose names end so, each between the two texts.
    void View(std::string_view ending, std::string_view before = {}, std::string_view behind = {});
    void Flush();
    void Script(const char* type, const std::string& json);
    std::string EstimateJson(const TimelineEnd& end) const;

    TraceFile file_;
    TimelineFacts facts_;
    std::string places_, rates_;  // JSON
    Slices slices_;
    Arrows arrows_;
    // Of a chunk.
    std::unordered_map<std::string, uint32_t> texts_;
    std::string text_bytes_;
    std::vector<uint32_t> text_ends_;
    std::unordered_map<uint64_t, int64_t> row_end_;  // by core and row, over all chunks
    int64_t last_arrow_ = 0;
    uint64_t last_record_ = 0, slices_before_ = 0;
    std::map<std::string, bool, std::less<>> files_;  // of the lines
};

}  // namespace sfumato::trace
