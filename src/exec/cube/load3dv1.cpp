// SPDX-License-Identifier: Apache-2.0
// Load3Dv1: a fractal of 16 windows under one tap a repeat (cube.md 3.4).
#include <algorithm>

#include "exec/cube/image.h"

namespace sfumato::exec {
namespace {

// A small-channel pixel: 4 channels of 16 bits or 8 of 8 bits.
constexpr uint32_t kSmallPixelBytes = 8;

// The top left corner of a window, in feature-map coordinates.
class Corner {
public:
    explicit Corner(const isa::Load3Dv1& p)
        : stride_w_(p.filter.stride_w),
          stride_h_(p.filter.stride_h),
          left_(-int64_t{p.map.left}),
          last_(int64_t{p.map.width} + p.map.right - (int64_t{p.filter.width} - 1) * p.filter.dilation_w - 1),
          h_(p.left_top_h),
          w_(p.left_top_w) {}
    // The next windows of `fractals` fractals. Past the last output row h keeps growing, into the padding.
    void Fill(Windows& windows, size_t fractals) {
        windows.Clear();
        for (size_t i = 0; i < fractals * kFractalRows; ++i) {
            windows.Add(h_, w_);
            w_ += stride_w_;
            if (w_ <= last_) continue;
            w_ = left_;
            h_ += stride_h_;
        }
    }

private:
    const int64_t stride_w_, stride_h_, left_, last_;
    int64_t h_, w_;
};

// Taps, numbered through the groups of channels; kw fastest.
struct Tap {
    uint32_t kw, kh, c1;
    void Advance(const isa::Filter& filter) {
        if (++kw < filter.width) return;
        kw = 0;
        if (++kh < filter.height) return;
        kh = 0;
        ++c1;
    }
};

}  // namespace

bool Execute(const isa::Record& record, const isa::Load3Dv1& p, const MemoryMap& memory) {
    const uint64_t pixels = uint64_t{p.map.height} * p.map.width;
    if (pixels == 0 || p.filter.width == 0 || p.filter.height == 0) return false;
    const uint32_t unit = p.small_channels ? kSmallPixelBytes : kRowBytes;
    const Pad pad = PadOf(record.src0().type, p.pad_value);
    // A first tap outside the filter counts on.
    const uint32_t kh = p.fetch_h + p.fetch_w / p.filter.width;
    Tap tap = {p.fetch_w % p.filter.width, kh % p.filter.height, kh / p.filter.height};
    if (!p.small_channels) tap.c1 += p.c1_index;
    const bool one_tap = p.repeat_mode == 1;
    const size_t fractal_pitch = p.jump_stride * kFractalBytes;
    const size_t together = one_tap ? Windows::kLimit / kFractalRows : 1;
    Windows windows(p.map);
    Corner corner(p);
    uint8_t* dst = memory.Address(record.dst());
    for (size_t r = 0, fractals; r < p.repeats; r += fractals, dst += fractals * fractal_pitch) {
        fractals = std::min(together, p.repeats - r);
        if (r == 0 || one_tap) corner.Fill(windows, fractals);
        Tap seen = tap;
        for (uint32_t at = 0; at < kRowBytes; at += unit, seen.Advance(p.filter)) {
            const Plane plane = PlaneOf(record, memory, seen.c1 * pixels * unit, unit, pixels, p.boundary);
            const uint32_t* pixel = p.small_channels && seen.c1 != 0
                                        ? windows.Outside()
                                        : windows.Pixels(seen.kh * p.filter.dilation_h, seen.kw * p.filter.dilation_w);
            CopyPixels(plane, pixel, windows.Count(), pad, dst + at, fractal_pitch);
        }
        if (!one_tap) tap = seen;
    }
    return false;
}

}  // namespace sfumato::exec
