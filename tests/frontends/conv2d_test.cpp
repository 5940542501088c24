// SPDX-License-Identifier: Apache-2.0
// The convolution of examples/conv2d against the definition.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "examples/conv2d/conv2d.cpp"
#include "frontends/convolution.h"

namespace sfumato::frontends_test {

void RunConv2d(const Convolution& c, uint8_t* fm, uint8_t* we, uint8_t* dst) {
    conv2d(fm, we, dst,
           {c.c1, c.h, c.w, c.kh, c.kw, c.cout, c.stride_h, c.stride_w, c.dilation_h, c.dilation_w, c.left, c.right,
            c.top, c.bottom});
}

namespace {

std::string Text(const Convolution& c) {
    return fmt::format("c1 {} map {}x{} filter {}x{} cout {} stride {}x{} dilation {}x{} pads {{{}, {}, {}, {}}}", c.c1,
                       c.h, c.w, c.kh, c.kw, c.cout, c.stride_h, c.stride_w, c.dilation_h, c.dilation_w, c.left,
                       c.right, c.top, c.bottom);
}

Convolution RandomShape(Values* values) {
    const auto any = [&](int low, int high) { return static_cast<uint32_t>(values->Integer(low, high)); };
    for (;;) {
        const Convolution c = {any(1, 4), any(1, 16), any(1, 16), any(1, 4), any(1, 4), any(1, 90), any(1, 3),
                               any(1, 3), any(1, 3),  any(1, 3),  any(0, 4), any(0, 4), any(0, 4),  any(0, 4)};
        if (c.Fits()) return c;
    }
}

void ExpectRight(const Convolution& c, uint64_t seed, const std::vector<std::string>& schedules) {
    const Program program = ConvolutionProgram(
        c, seed, [c](uint8_t* fm, uint8_t* we, uint8_t* dst) { RunConv2d(c, fm, we, dst); });
    for (const std::string& schedule : schedules) {
        const uint32_t blocks = 1 + seed % 3;
        EXPECT_EQ(ConvolutionFailure(program, schedule, blocks), "")
            << Text(c) << " under " << schedule << ", " << blocks << " blocks";
    }
}

TEST(Conv2d, TwoHundredRandomShapes) {
    Values values(1);
    uint32_t several_rows = 0, several_taps = 0, several_columns = 0, tails = 0;
    for (uint64_t i = 0; i < 200 && !HasFailure(); ++i) {
        const Convolution c = RandomShape(&values);
        const uint32_t windows = c.OutH() * c.OutW();
        several_rows += windows > 64;
        several_taps += c.c1 * c.kh * c.kw > 16;
        several_columns += c.Columns() > 4;
        tails += windows % 16 != 0;
        std::vector<std::string> schedules = {"eager"};
        if (i % 5 == 0) schedules.insert(schedules.end(), {"late", "ahead", fmt::format("seed:{}", i)});
        ExpectRight(c, i, schedules);
    }
    // Each way of tiling was met.
    EXPECT_GT(several_rows, 30u);
    EXPECT_GT(several_taps, 30u);
    EXPECT_GT(several_columns, 30u);
    EXPECT_GT(tails, 100u);
}

TEST(Conv2d, ShapesAtTheEdges) {
    const std::vector<std::string> schedules = {"eager", "late", "ahead", "seed:1"};
    ExpectRight({}, 1, schedules);                                   // one window, one tap
    ExpectRight({.h = 3, .w = 3, .kh = 3, .kw = 3}, 2, schedules);   // the filter is the map
    ExpectRight({.h = 1, .w = 40, .kw = 5, .stride_w = 2, .left = 3}, 3, schedules);
    ExpectRight({.h = 40, .w = 1, .kh = 5, .stride_h = 2, .bottom = 3}, 4, schedules);
    ExpectRight({.h = 2, .w = 2, .kh = 4, .kw = 4, .left = 9, .right = 2, .top = 1, .bottom = 7}, 5, schedules);
    ExpectRight({.c1 = 5, .h = 5, .w = 5, .kh = 3, .kw = 3, .cout = 128, .left = 2}, 6, schedules);
    ExpectRight(kPageConvolution, 7, schedules);
}

}  // namespace
}  // namespace sfumato::frontends_test
