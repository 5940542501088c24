// SPDX-License-Identifier: Apache-2.0
// The model's slices as those of a timeline that is written: rows, costs, arrows inside slices, mean rates.
#include "timing/drawing.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace sfumato::timing {
namespace {

using Lines = std::vector<std::string>;

class Recorder final : public trace::TimelineSink {
public:
    Lines lines;

    void Begun(const trace::TimelineFacts& f) override {
        lines.push_back(fmt::format("{} {} {} blocks, {:g} us a {}, estimate {}", f.chip, f.kernel, f.blocks, f.us,
                                    f.unit, f.estimate));
    }
    void Add(const trace::Place& place) override { lines.push_back(place.name); }
    void Add(const trace::Slice& s) override {
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
    void Ended(std::span<const Report>, std::string_view) override {}
    std::string Close() override { return ""; }
};

Slice Work(isa::Pipe pipe, double begin, double end, const char* call) {
    Slice slice;
    slice.id = {0, 3};
    slice.pipe = pipe;
    slice.call = call;
    slice.begin = begin;
    slice.end = end;
    return slice;
}

Arrow FlagArrow(isa::Pipe from, isa::Pipe to, double from_at, double to_at) {
    Arrow arrow;
    arrow.from_pipe = from;
    arrow.to_pipe = to;
    arrow.from = from_at;
    arrow.to = to_at;
    arrow.flag = 1;
    return arrow;
}

TEST(Drawing, SlicesHaveOperandsAndTheirCost) {
    Recorder seen;
    Drawing drawing(&seen, 2);
    drawing.Begun({"Ascend910B1", "kernel", 2000, 800, 2});
    drawing.Core({isa::CoreKind::kVector, 0, 0, 1, 0, "aiv0"});
    Slice add = Work(isa::Pipe::kV, 10, 104, "Add");
    add.text = "#3 PIPE_V    Add dst=UB+0:half src0=UB+64:half count=128  add.cpp:7";
    add.cost.head = 22;
    add.cost.work = 64;
    add.cost.conflict = 8;
    add.cause = Cause::kFlag;
    drawing.Took(add);
    Slice copy = Work(isa::Pipe::kMte2, 0, 100, "DataCopy");
    copy.text = "#4 PIPE_MTE2 DataCopy dst=UB+0:half src=GM#0+32:half";
    copy.cost.work = 60;
    copy.cost.shared = 40;
    copy.cost.latency = 182;
    copy.cost.bytes = 1000;
    copy.cost.charged = 1500;
    copy.cost.assumed = true;
    drawing.Took(copy);
    EXPECT_EQ(
        seen.lines,
        (Lines{"Ascend910B1 kernel 2 blocks, 0.0005 us a cycle, estimate true", "aiv0",
               "VECTOR 10..104 record Add [dst=UB+0:half src0=UB+64:half count=128] 0 head 22 + work 64 + bank "
               "conflicts 8 cycles; begins when: it waited for a flag",
               "MTE2 0..100 record DataCopy [dst=UB+0:half src=GM#0+32:half] 1000 work 60 + sharing 40 cycles, seen "
               "182 later; costs as 1500 bytes: short or unaligned rows; assumed; begins when: the block began"}));
}

TEST(Drawing, WaitsOfTheScalarUnitAreInTheirRows) {
    Recorder seen;
    Drawing drawing(&seen, 1);
    for (const auto& [kind, pipe] : {std::pair{SliceKind::kBarrier, isa::Pipe::kS},
                                     {SliceKind::kBarrier, isa::Pipe::kV},
                                     {SliceKind::kCross, isa::Pipe::kS},
                                     {SliceKind::kResult, isa::Pipe::kS},
                                     {SliceKind::kFlag, isa::Pipe::kM}}) {
        Slice slice = Work(pipe, 0, 8, "wait");
        slice.kind = kind;
        drawing.Took(slice);
    }
    drawing.Took(Work(isa::Pipe::kV, 8, 8, "nothing"));
    EXPECT_EQ(seen.lines,
              (Lines{"FLOWCTRL 0..8 barrier wait [] 0 ", "VECTOR 0..8 barrier wait [] 0 ",
                     "FLOWCTRL 0..8 barrier wait [] 0 ", "SCALAR 0..8 wait wait [] 0 ", "CUBE 0..8 wait wait [] 0 "}));
}

TEST(Drawing, ArrowsBeginAndEndInSlices) {
    Recorder seen;
    Drawing drawing(&seen, 1);
    drawing.Linked(FlagArrow(isa::Pipe::kMte2, isa::Pipe::kV, 100, 282));  // nothing to point from
    drawing.Took(Work(isa::Pipe::kMte2, 0, 100, "DataCopy"));
    drawing.Took(Work(isa::Pipe::kMte2, 300, 400, "DataCopy"));
    Slice wait = Work(isa::Pipe::kV, 20, 282, "WaitFlag");
    wait.kind = SliceKind::kFlag;
    drawing.Took(wait);
    drawing.Linked(FlagArrow(isa::Pipe::kMte2, isa::Pipe::kV, 282, 282));
    // The flag was set in time: the arrow leads to the work behind the wait, which comes later.
    drawing.Linked(FlagArrow(isa::Pipe::kMte2, isa::Pipe::kV, 400, 600));
    drawing.Took(Work(isa::Pipe::kV, 282, 600, "Mul"));
    drawing.Took(Work(isa::Pipe::kV, 600, 700, "Add"));
    Lines arrows;
    for (const std::string& line : seen.lines) {
        if (line.find("->") != std::string::npos) arrows.push_back(line);
    }
    EXPECT_EQ(arrows, (Lines{"MTE2 99.2 -> VECTOR 281.6: PIPE_MTE2 to PIPE_V, id 1",
                             "MTE2 399.2 -> VECTOR 600: PIPE_MTE2 to PIPE_V, id 1"}));
}

TEST(Drawing, RatesAreMeansOfStretches) {
    Recorder seen;
    Drawing drawing(&seen, 1);
    drawing.Begun({"Ascend910B1", "kernel", 2000, 800, 1});
    seen.lines.clear();
    drawing.Flow({0, 100, 50, 0});
    drawing.Flow({250, 0, 50, 0});
    for (int i = 0; i < 1000; ++i) drawing.Flow({500.0 + i, 10, 0, 400});
    drawing.Ended(2000);
    EXPECT_EQ(seen.lines,
              (Lines{"GM GB/s 200 from 0", "L2 GB/s 0 from 0", "GM GB/s 20 from 500", "L2 GB/s 800 from 500"}));
}

TEST(Drawing, CallsKeepTheirRow) {
    Recorder seen;
    Drawing drawing(&seen, 1);
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
