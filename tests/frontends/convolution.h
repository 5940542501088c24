// SPDX-License-Identifier: Apache-2.0
// Convolutions of small integers: inputs in the chip's layouts and the result of the definition.
#pragma once

#include "frontends/kernels.h"

namespace sfumato::frontends_test {

// Channels in groups of 16; pads left, right, top, bottom.
struct Convolution {
    uint32_t c1 = 1, h = 1, w = 1;
    uint32_t kh = 1, kw = 1, cout = 16;
    uint32_t stride_h = 1, stride_w = 1, dilation_h = 1, dilation_w = 1;
    uint32_t left = 0, right = 0, top = 0, bottom = 0;

    uint32_t SpanH() const { return dilation_h * (kh - 1) + 1; }
    uint32_t SpanW() const { return dilation_w * (kw - 1) + 1; }
    bool Fits() const { return SpanH() <= h + top + bottom && SpanW() <= w + left + right; }
    uint32_t OutH() const { return (h + top + bottom - SpanH()) / stride_h + 1; }
    uint32_t OutW() const { return (w + left + right - SpanW()) / stride_w + 1; }
    uint32_t Columns() const { return (cout + 15) / 16; }
    uint32_t Channels() const { return c1 * 16; }
};

// The parameters of the sample of the LoadData page.
inline constexpr Convolution kPageConvolution = {
    .c1 = 2, .h = 4, .w = 4, .kh = 2, .kw = 2, .dilation_h = 2, .dilation_w = 2, .left = 1, .right = 1, .top = 1, .bottom = 1};

using ConvolutionKernel = std::function<void(uint8_t* fm, uint8_t* we, uint8_t* dst)>;

// Feature map [c1][h][w][16], weights [c1][kh][kw][cout rounded up][16], result [cout / 16][ho * wo][16], all half.
inline Program ConvolutionProgram(const Convolution& c, uint64_t seed, const ConvolutionKernel& kernel) {
    Values values(seed);
    std::vector<int> image(c.Channels() * c.h * c.w), filter(size_t{c.Columns()} * 16 * c.Channels() * c.kh * c.kw, 0);
    std::vector<uint16_t> fm, we, dst;
    for (int& v : image) fm.push_back(HalfBits(v = static_cast<int>(values.Integer(-4, 4))));
    const size_t tap = size_t{c.Columns()} * 16 * 16;  // weights of 16 channels at one place of the filter
    for (size_t i = 0; i < filter.size(); ++i) {
        if (i % tap / 16 < c.cout) filter[i] = static_cast<int>(values.Integer(-3, 3));
        we.push_back(HalfBits(filter[i]));
    }
    for (uint32_t column = 0; column < c.Columns() * 16; column += 16) {
        for (uint32_t oh = 0; oh < c.OutH(); ++oh) {
            for (uint32_t ow = 0; ow < c.OutW(); ++ow) {
                int sum[16] = {};
                for (uint32_t place = 0; place < c.c1 * c.kh * c.kw; ++place) {
                    const uint32_t c1 = place / (c.kh * c.kw);
                    // Below 0 they are large, like those past the end.
                    const uint32_t ih = oh * c.stride_h + place / c.kw % c.kh * c.dilation_h - c.top;
                    const uint32_t iw = ow * c.stride_w + place % c.kw * c.dilation_w - c.left;
                    if (ih >= c.h || iw >= c.w) continue;
                    const int* pixel = &image[((size_t{c1} * c.h + ih) * c.w + iw) * 16];
                    for (uint32_t n = 0; n < 16; ++n) {
                        const int* weight = &filter[place * tap + (column + n) * 16];
                        for (uint32_t c0 = 0; c0 < 16; ++c0) sum[n] += pixel[c0] * weight[c0];
                    }
                }
                for (const int s : sum) dst.push_back(HalfBits(s));
            }
        }
    }
    return {"convolution",
            {"Ascend310P"},
            {In(fm), In(we), Out(dst)},
            [kernel](uint8_t* const* gm) { kernel(gm[0], gm[1], gm[2]); }};
}

inline std::string ConvolutionFailure(const Program& program, const std::string& schedule, uint32_t blocks) {
    const Outcome outcome = Execute(program, program.chips.front(), schedule, blocks, true);
    if (!Quiet(outcome.result)) return outcome.result.findings.front().Text();
    return Difference(program, outcome);
}

// examples/conv2d
void RunConv2d(const Convolution& c, uint8_t* fm, uint8_t* we, uint8_t* dst);

}  // namespace sfumato::frontends_test
