// SPDX-License-Identifier: Apache-2.0
// What the image loads share (cube.md 3.4 and 3.5): windows on a feature map, the pixels they see under a tap, and the
// copy of those pixels into rows of fractals.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "exec/cube/cube.h"
#include "exec/cube/fractal.h"

namespace sfumato::exec {

// Pixel number of a window that sees padding.
constexpr uint32_t kOutside = ~0u;

struct ImageKernels {
    // Corners of windows, modulo 2^32, and h * width + w of each.
    struct Corners {
        const uint32_t *h, *w, *number;
        size_t count;
        uint32_t height, width;
    };
    void (*pixels)(const Corners& corners, uint32_t dh, uint32_t dw, uint32_t* pixel);
    // CopyPixels of units of 4, 8, 16 and 32 bytes.
    void (*copy[4])(const uint8_t* data, const uint32_t* pixel, size_t count, const uint8_t* pad, uint8_t* to,
                    size_t fractal_pitch);
};

// Up to kLimit windows, a row of the matrix each.
class Windows {
public:
    static constexpr size_t kLimit = 256;

    explicit Windows(const isa::FeatureMap& map) : map_(map) {}
    // h and w: the top left corner, which may lie in the padding.
    void Add(int64_t h, int64_t w) { AddRow(h, w, 0, 1); }
    // `count` of them, `step` pixels apart.
    void AddRow(int64_t h, int64_t w, uint32_t step, size_t count) {
        const auto top = static_cast<uint32_t>(h), left = static_cast<uint32_t>(w);
        const uint32_t first = top * map_.width + left;
        const size_t at = count_;
        for (size_t i = 0; i < count; ++i) {
            const uint32_t right = static_cast<uint32_t>(i) * step;
            h_[at + i] = top;
            w_[at + i] = left + right;
            number_[at + i] = first + right;
        }
        count_ += count;
    }
    void Clear() {
        count_ = 0;
        at_h_ = at_w_ = kOutside;
    }
    size_t Count() const { return count_; }
    // ih * width + iw of the pixel (dh, dw) below and right of each corner, or kOutside. Valid until the next call.
    const uint32_t* Pixels(uint32_t dh, uint32_t dw);
    // kOutside for each.
    const uint32_t* Outside();

private:
    isa::FeatureMap map_;
    size_t count_ = 0;
    uint32_t at_h_ = kOutside, at_w_ = kOutside;  // what pixel_ holds
    // Modulo 2^32: a corner in the padding is a large number, which no pixel of the map has.
    std::array<uint32_t, kLimit> h_, w_, number_, pixel_;
};

// Pixels of `unit` bytes, one after the other: a group of channels of the image.
struct Plane {
    const uint8_t* data;    // the first pixel
    const uint8_t* memory;  // first byte of the memory
    uint64_t offset;        // of the first pixel
    uint64_t boundary;      // not 0: the plane crosses this offset, where addresses start again at 0
    uint32_t unit;          // 4, 8, 16 or 32
};

// The plane `skip` bytes after the record's source, of `pixels` pixels.
Plane PlaneOf(const isa::Record& record, const MemoryMap& memory, uint64_t skip, uint32_t unit, uint64_t pixels,
              uint64_t boundary);

// 32 bytes of a repeated element.
using Pad = std::array<uint8_t, kRowBytes>;
Pad PadOf(DataType type, uint64_t value);

// Pixel i to row i of fractals `fractal_pitch` bytes apart, `to` being the place in the first row.
void CopyPixels(const Plane& plane, const uint32_t* pixel, size_t count, const Pad& pad, uint8_t* to,
                size_t fractal_pitch);

}  // namespace sfumato::exec
