// SPDX-License-Identifier: Apache-2.0
// Names of rows and slices.
#include "trace/timeline.h"

#include <fmt/format.h>

#include "trace/chrome_trace.h"
#include "trace/html_timeline.h"

namespace sfumato::trace {

std::string RowName(uint32_t row) {
    constexpr const char* kNames[] = {"SCALAR", "VECTOR", "CUBE", "MTE1", "MTE2", "MTE3", "FIXP", "FLOWCTRL", "CALLS"};
    if (row <= static_cast<uint32_t>(kRows)) return kNames[row];
    return "CALLS " + std::to_string(row - static_cast<uint32_t>(kRows) + 1);
}

Row RowOf(isa::Pipe pipe) {
    switch (pipe) {
        case isa::Pipe::kV: return Row::kVector;
        case isa::Pipe::kM: return Row::kCube;
        case isa::Pipe::kMte1: return Row::kMte1;
        case isa::Pipe::kMte2: return Row::kMte2;
        case isa::Pipe::kMte3: return Row::kMte3;
        case isa::Pipe::kFix: return Row::kFixp;
        case isa::Pipe::kAll: return Row::kFlow;
        case isa::Pipe::kS:
        case isa::Pipe::kCount:
        case isa::Pipe::kByOperands: break;
    }
    return Row::kScalar;
}

const char* Name(Slice::Kind kind) {
    constexpr const char* kNames[] = {"record", "wait", "barrier", "call", "never satisfied", "not executed", "fault"};
    return kNames[static_cast<int>(kind)];
}

void AddFault(TimelineSink* sink, const Report& fault, uint64_t core, double since, double end) {
    const std::string text = fault.Text();
    Slice slice{core, static_cast<uint32_t>(Row::kScalar), Slice::Kind::kFault, since, end, Name(fault.rule)};
    slice.where = {fault.file.c_str(), fault.line};
    slice.index = fault.index;
    slice.note = text;
    sink->Add(slice);
}

std::unique_ptr<TimelineSink> OpenTimeline(const std::string& path) {
    if (path.ends_with(".json") || path.ends_with(".json.gz")) return std::make_unique<ChromeTrace>(path);
    if (path.ends_with(".html")) return std::make_unique<HtmlTimeline>(path);
    throw Error(fmt::format(
        "trace '{}': its name says what it becomes: .html (a page), .json or .json.gz (Chrome trace events)", path));
}

}  // namespace sfumato::trace
