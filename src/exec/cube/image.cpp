// SPDX-License-Identifier: Apache-2.0
// Windows, planes and the copy of pixels.
#include "exec/cube/image.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "exec/targets.h"

#ifndef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/cube/image.cpp"
#endif
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace sfumato::exec {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

// Whole vectors: the arrays hold Windows::kLimit numbers.
void PixelsUnder(const ImageKernels::Corners& corners, uint32_t dh, uint32_t dw, uint32_t* pixel) {
    const hn::CappedTag<uint32_t, Windows::kLimit> d;
    const auto height = hn::Set(d, corners.height);
    const auto width = hn::Set(d, corners.width);
    const auto down = hn::Set(d, dh);
    const auto right = hn::Set(d, dw);
    const auto move = hn::Set(d, dh * corners.width + dw);
    const auto outside = hn::Set(d, kOutside);
    for (size_t i = 0; i < corners.count; i += hn::Lanes(d)) {
        const auto h = hn::Add(hn::LoadU(d, corners.h + i), down);
        const auto w = hn::Add(hn::LoadU(d, corners.w + i), right);
        const auto inside = hn::And(hn::Lt(h, height), hn::Lt(w, width));
        hn::StoreU(hn::IfThenElse(inside, hn::Add(hn::LoadU(d, corners.number + i), move), outside), d, pixel + i);
    }
}

template <size_t kUnit>
HWY_INLINE void CopyUnit(uint8_t* to, const uint8_t* from) {
    if constexpr (kUnit < 16) {
        std::memcpy(to, from, kUnit);
    } else {
        const hn::CappedTag<uint8_t, kUnit> d;
        for (size_t at = 0; at < kUnit; at += hn::Lanes(d)) hn::StoreU(hn::LoadU(d, from + at), d, to + at);
    }
}

// The pixels of a whole fractal follow each other, but for those of the first and the last row: a filter that moves by
// one pixel, whose outer taps may see the padding.
HWY_INLINE bool InnerRowsFollow(const uint32_t* pixel) {
    alignas(64) static constexpr uint32_t kInner[kFractalRows] = {0,   ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u,
                                                                  ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, 0};
    if (pixel[1] == kOutside) return false;
    const hn::CappedTag<uint32_t, kFractalRows> d;
    const auto first = hn::Set(d, pixel[1] - 1);
    auto others = hn::Zero(d);
    for (size_t i = 0; i < kFractalRows; i += hn::Lanes(d)) {
        const auto wrong = hn::Xor(hn::LoadU(d, pixel + i), hn::Add(first, hn::Iota(d, static_cast<uint32_t>(i))));
        others = hn::Or(others, hn::And(wrong, hn::Load(d, kInner + i)));
    }
    return hn::AllTrue(d, hn::Eq(others, hn::Zero(d)));
}

template <size_t kUnit>
void CopyUnits(const uint8_t* data, const uint32_t* pixel, size_t count, const uint8_t* pad, uint8_t* to,
               size_t fractal_pitch) {
    for (size_t first = 0; first < count; first += kFractalRows, pixel += kFractalRows, to += fractal_pitch) {
        const auto copy = [&](size_t i) {
            const uint32_t number = pixel[i];
            const size_t at = number == kOutside ? 0 : number * kUnit;
            const uint8_t* from = number == kOutside ? pad : data;
            CopyUnit<kUnit>(to + i * kRowBytes, from + at);
        };
        const size_t rows = HWY_MIN(kFractalRows, count - first);
        if (rows == kFractalRows && InnerRowsFollow(pixel)) {
            const uint8_t* from = data + pixel[1] * kUnit;
            copy(0);
            for (size_t i = 1; i + 1 < kFractalRows; ++i, from += kUnit) CopyUnit<kUnit>(to + i * kRowBytes, from);
            copy(kFractalRows - 1);
        } else {
            for (size_t i = 0; i < rows; ++i) copy(i);
        }
    }
}

}  // namespace

const ImageKernels* ImageKernelsOfTarget() {
    static constexpr ImageKernels kKernels = {PixelsUnder, {CopyUnits<4>, CopyUnits<8>, CopyUnits<16>, CopyUnits<32>}};
    return &kKernels;
}

}  // namespace HWY_NAMESPACE
}  // namespace sfumato::exec
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sfumato::exec {

namespace {
PerTarget<ImageKernels> images([]() -> const void* { return SFUMATO_FOR_TARGET(ImageKernelsOfTarget)(); });
}  // namespace

const uint32_t* Windows::Pixels(uint32_t dh, uint32_t dw) {
    if (dh == at_h_ && dw == at_w_) return pixel_.data();
    at_h_ = dh;
    at_w_ = dw;
    images.Get().pixels({h_.data(), w_.data(), number_.data(), count_, map_.height, map_.width}, dh, dw, pixel_.data());
    return pixel_.data();
}

const uint32_t* Windows::Outside() {
    at_h_ = at_w_ = kOutside;
    std::fill_n(pixel_.begin(), count_, kOutside);
    return pixel_.data();
}

Plane PlaneOf(const isa::Record& record, const MemoryMap& memory, uint64_t skip, uint32_t unit, uint64_t pixels,
              uint64_t boundary) {
    const isa::Operand& src = record.src0();
    const uint8_t* start = memory.Address(src) - src.offset;
    uint64_t offset = src.offset + skip;
    if (boundary != 0) {
        offset %= boundary;
        if (offset + pixels * unit <= boundary) boundary = 0;
    }
    return {start + offset, start, offset, boundary, unit};
}

Pad PadOf(DataType type, uint64_t value) {
    if (type == DataType::kInt4) {
        type = DataType::kUint8;
        value = (value & 15) * 0x11;
    }
    Pad pad;
    const size_t bytes = BytesOf(type, 1);
    for (size_t i = 0; i < pad.size(); i += bytes) std::memcpy(&pad[i], &value, bytes);
    return pad;
}

void CopyPixels(const Plane& plane, const uint32_t* pixel, size_t count, const Pad& pad, uint8_t* to,
                size_t fractal_pitch) {
    if (plane.boundary == 0) {
        const int log2_unit = std::countr_zero(plane.unit);
        return images.Get().copy[log2_unit - 2](plane.data, pixel, count, pad.data(), to, fractal_pitch);
    }
    for (size_t i = 0; i < count; ++i) {
        uint8_t* row = to + i / kFractalRows * fractal_pitch + i % kFractalRows * kRowBytes;
        const uint64_t first = plane.offset + uint64_t{pixel[i]} * plane.unit;
        for (uint32_t b = 0; b < plane.unit; ++b) {
            row[b] = pixel[i] == kOutside ? pad[b] : plane.memory[(first + b) % plane.boundary];
        }
    }
}

}  // namespace sfumato::exec
#endif
