// SPDX-License-Identifier: Apache-2.0
// A timeline as Chrome trace events, for Perfetto and chrome://tracing (docs/timeline.md).
#pragma once

#include <cmath>
#include <string>
#include <unordered_map>

#include "trace/timeline.h"
#include "trace/trace_file.h"

namespace sfumato::trace {

class ChromeTrace final : public TimelineSink {
public:
    // A plain file becomes a compressed one beyond this size.
    static constexpr uint64_t kMostPlain = uint64_t{64} << 20;
    explicit ChromeTrace(const std::string& path, uint64_t most_plain = kMostPlain) : file_(path, most_plain) {}

    void Begun(const TimelineFacts&) override;
    void Add(const events::Place&) override;
    void Add(const Slice&) override;
    void Add(const Arrow&) override;
    void Add(const Rate&) override;
    void Ended(std::span<const Report> findings, const TimelineEnd& end) override;
    std::string Close() override { return file_.Close(); }

private:
    int64_t Ticks(double at) const { return std::llround(at * facts_.us * 10000); }  // of 0.1 ns
    void Next();                                                                     // an event
    void Flush();
    void Metadata(uint64_t core, const char* what, std::string_view key, std::string_view value, uint32_t row);
    void NameRow(uint64_t core, uint32_t row);

    TraceFile file_;
    std::string text_;
    TimelineFacts facts_;
    bool any_ = false;
    uint64_t arrows_ = 0;
    std::unordered_map<uint64_t, uint32_t> call_rows_;  // of a core: rows of calls that have a name
};

}  // namespace sfumato::trace
