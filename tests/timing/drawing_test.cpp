// SPDX-License-Identifier: Apache-2.0
// The model's slices as those of a timeline that is written: rows, costs, arrows inside slices, mean rates.
#include "timing/drawing.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "report/rules.h"
#include "timing/path.h"
#include "timing/without.h"
#include "trace/call_scopes.h"

namespace sfumato::timing {
namespace {

using Lines = std::vector<std::string>;

class Recorder final : public trace::TimelineSink {
public:
    Lines lines;
    std::vector<uint32_t> causes;

    void Begun(const trace::TimelineFacts& f) override {
        lines.push_back(fmt::format("{} {} {} blocks, {:g} us a {}, estimate {}", f.chip, f.kernel, f.blocks, f.us,
                                    f.unit, f.estimate));
    }
    void Add(const events::Place& place) override { lines.push_back(place.name); }
    void Add(const trace::Slice& s) override {
        causes.push_back(s.causes);
        lines.push_back(fmt::format("{} {:g}..{:g} {} {} [{}] {} {}", trace::RowName(s.row), s.begin, s.end,
                                    trace::Name(s.kind), s.name, s.details, s.bytes, s.note));
    }
    void Add(const trace::Arrow& a) override {
        lines.push_back(fmt::format("{} {:g} -> {} {:g}: {}", trace::RowName(a.from.row), a.from.at,
                                    trace::RowName(a.to.row), a.to.at, a.name));
    }
    void Add(const trace::Rate& r) override {
        lines.push_back(fmt::format("{} {:g} from {:g}", r.name, r.value, r.at));
    }
    void Ended(std::span<const Report>, const trace::TimelineEnd&) override {}
    std::string Close() override { return ""; }
};

using Row = trace::Row;

trace::Slice Work(Row row, double begin, double end, const char* call) {
    trace::Slice slice;
    slice.row = static_cast<uint32_t>(row);
    slice.index = 3;
    slice.name = call;
    slice.begin = begin;
    slice.end = end;
    return slice;
}

trace::Slice Wait(Row row, double begin, double end) {
    trace::Slice slice = Work(row, begin, end, "WaitFlag");
    slice.kind = trace::Slice::Kind::kWait;
    return slice;
}

trace::Arrow FlagArrow(double from_at, double to_at) {
    return {{0, static_cast<uint32_t>(Row::kMte2), from_at},
            {0, static_cast<uint32_t>(Row::kVector), to_at},
            "PIPE_MTE2 to PIPE_V, id 1"};
}

void Begin(Drawing* drawing, uint32_t blocks) {
    const std::string chip = "Ascend910B1", kernel = "kernel";
    drawing->Begun({chip, kernel, blocks, blocks}, 2000);
}

TEST(Drawing, SlicesHaveOperandsAndTheirCost) {
    Recorder seen;
    Drawing drawing(&seen);
    Begin(&drawing, 2);
    drawing.Core({isa::CoreKind::kVector, 0, 0, 1, 0, "aiv0"});
    trace::Slice add = Work(Row::kVector, 10, 104, "Add");
    add.details = "#3 PIPE_V    Add dst=UB+0:half src0=UB+64:half count=128  add.cpp:7";
    drawing.Worked(add, {.head = 22, .work = 64, .conflict = 8}, Cause::kFlag);
    trace::Slice copy = Work(Row::kMte2, 0, 100, "DataCopy");
    copy.details = "#4 PIPE_MTE2 DataCopy dst=UB+0:half src=GM#0+32:half";
    drawing.Worked(copy, {.work = 60, .latency = 182, .shared = 40, .bytes = 1000, .charged = 1500, .assumed = true},
                   Cause::kStart);
    drawing.Worked(Work(Row::kVector, 104, 104, "nothing"), {}, Cause::kPipe);
    EXPECT_EQ(
        seen.lines,
        (Lines{"Ascend910B1 kernel 2 blocks, 0.0005 us a cycle, estimate true", "aiv0",
               "VECTOR 10..104 record Add [dst=UB+0:half src0=UB+64:half count=128] 0 head 22 + work 64 + bank "
               "conflicts 8 cycles; begins when: it waited for a flag",
               "MTE2 0..100 record DataCopy [dst=UB+0:half src=GM#0+32:half] 1000 work 60 + sharing 40 cycles, seen "
               "182 later; costs as 1500 bytes: short or unaligned rows; assumed; begins when: the block began"}));
}

TEST(Drawing, ArrowsBeginAndEndInSlices) {
    Recorder seen;
    Drawing drawing(&seen);
    drawing.Linked(FlagArrow(100, 282));  // nothing to point from
    drawing.Took(Work(Row::kMte2, 0, 100, "DataCopy"));
    drawing.Took(Work(Row::kMte2, 300, 400, "DataCopy"));
    drawing.Took(Wait(Row::kVector, 20, 282));
    drawing.Linked(FlagArrow(282, 282));
    // The flag was set in time: the arrow leads to the work behind the wait, which comes later.
    drawing.Linked(FlagArrow(400, 600));
    drawing.Took(Work(Row::kVector, 282, 600, "Mul"));
    drawing.Took(Work(Row::kVector, 600, 700, "Add"));
    Lines arrows;
    for (const std::string& line : seen.lines) {
        if (line.find("->") != std::string::npos) arrows.push_back(line);
    }
    EXPECT_EQ(arrows, (Lines{"MTE2 99.2 -> VECTOR 281.6: PIPE_MTE2 to PIPE_V, id 1",
                             "MTE2 399.2 -> VECTOR 600: PIPE_MTE2 to PIPE_V, id 1"}));
}

TEST(Drawing, RatesAreMeansOfStretches) {
    Recorder seen;
    Drawing drawing(&seen);
    Begin(&drawing, 1);
    seen.lines.clear();
    drawing.Flow(0, 150, 0);
    drawing.Flow(250, 50, 0);
    for (int i = 0; i < 1000; ++i) drawing.Flow(500.0 + i, 10, 400);
    drawing.Ended(2000, 0);
    EXPECT_EQ(seen.lines,
              (Lines{"GM GB/s 200 from 0", "L2 GB/s 0 from 0", "GM GB/s 20 from 500", "L2 GB/s 800 from 500"}));
}

TEST(Drawing, SlicesAreNumberedAndNameTheirCauses) {
    Recorder seen;
    Drawing drawing(&seen);
    EXPECT_EQ(drawing.Worked(Work(Row::kMte2, 0, 100, "DataCopy"), {.causes = BitOf(Without::kSmall)}, Cause::kStart),
              1u);
    drawing.Took(Wait(Row::kVector, 0, 282));
    drawing.Scope(0, Work(Row::kCalls, 0, 300, "Softmax"));
    EXPECT_EQ(drawing.Worked(Work(Row::kVector, 5, 5, "nothing"), {}, Cause::kPipe), 0u);
    EXPECT_EQ(drawing.Worked(Work(Row::kVector, 282, 300, "Add"), {}, Cause::kIssue), 4u);
    EXPECT_EQ(seen.causes, (std::vector<uint32_t>{BitOf(Without::kSmall), 0, 0, BitOf(Without::kIssue)}));
    drawing.Used({1, 0, 10, {}, {}});
    drawing.Used({0, 0, 20, {}, {}});
    drawing.Ended(300, 4);
    EXPECT_EQ(drawing.end().last, 4u);
    EXPECT_EQ(drawing.end().uses[0].end, 20);
    EXPECT_EQ(drawing.end().causes.at(static_cast<size_t>(Without::kSmall)), "copies too small");
}

TEST(Drawing, AFaultStandsBehindWhatItsCoreDid) {
    Recorder seen;
    Drawing drawing(&seen);
    events::Place first{isa::CoreKind::kVector, 0, 0, 1, 0, "aiv0"}, second = first;
    second.order = 1;
    second.name = "aiv1";
    drawing.Core(first);
    drawing.Core(second);
    drawing.Took(Work(Row::kMte2, 0, 800, "DataCopy"));
    seen.lines.clear();
    Report fault, warning;
    fault.core = "aiv1";
    fault.rule = Rule::kUbAlignment;
    warning.core = "aiv0";
    warning.severity = Severity::kWarning;
    drawing.Stopped(std::vector<Report>{warning, fault, fault});
    ASSERT_EQ(seen.lines.size(), 1u);
    EXPECT_EQ(seen.lines[0].rfind("SCALAR 0..900 fault ub-alignment", 0), 0u) << seen.lines[0];
}

TEST(Path, KeepsTheLatestSliceOfWhatItFolds) {
    Path path;
    Path::Step step;
    Path::Node leaf = Path::kStart, other = Path::kStart;
    for (uint32_t i = 1; i <= 100; ++i) {
        leaf = path.Add(leaf, step);
        path.SetSlice(leaf, i);
        if (i == 40) other = path.Add(leaf, step);
    }
    EXPECT_EQ(path.SliceOf(other), 40u);
    path.Fold({&leaf, &other});
    EXPECT_EQ(path.SliceOf(leaf), 100u);
    EXPECT_EQ(path.SliceOf(other), 40u);
    EXPECT_EQ(path.SliceOf(path.Add(leaf, step)), 100u);
}

TEST(Drawing, CallsKeepTheirRow) {
    Recorder seen;
    Drawing drawing(&seen);
    trace::Slice call;
    call.row = trace::CallRows().Place(0, 10, 20);
    call.kind = trace::Slice::Kind::kCall;
    call.begin = 10;
    call.end = 20;
    call.name = "Softmax";
    drawing.Scope(0, call);
    EXPECT_EQ(seen.lines, (Lines{"CALLS 10..20 call Softmax [] 0 "}));
}

}  // namespace
}  // namespace sfumato::timing
