// SPDX-License-Identifier: Apache-2.0
// Copies of fractals, and transposes of squares of 1, 2 and 4-byte elements by interleaving rows.
#include "exec/cube/fractal.h"

#include <utility>

#include "exec/targets.h"

#ifndef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/cube/fractal.cpp"
#endif
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

// Vectors that cannot stand in an array, or have one lane.
#if HWY_HAVE_SCALABLE || HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
#define SFUMATO_INTERLEAVE 0
#else
#define SFUMATO_INTERLEAVE 1
#endif

HWY_BEFORE_NAMESPACE();
namespace sfumato::exec {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

#if SFUMATO_INTERLEAVE
// The rows of a matrix of kRows x kRows in each 16-byte block: log2(kRows) perfect shuffles transpose it.
template <size_t kSpan, class D, class V, size_t kRows, size_t... kPair>
HWY_INLINE void Shuffle(D d, V (&v)[kRows], std::index_sequence<kPair...> pairs) {
    V w[kRows];
    ((w[2 * kPair] = hn::InterleaveLower(d, v[kPair], v[kPair + kRows / 2]),
      w[2 * kPair + 1] = hn::InterleaveUpper(d, v[kPair], v[kPair + kRows / 2])),
     ...);
    ((v[2 * kPair] = w[2 * kPair], v[2 * kPair + 1] = w[2 * kPair + 1]), ...);
    if constexpr (kSpan > 2) Shuffle<kSpan / 2>(d, v, pairs);
}

// 16 bytes of a row into each block of a vector: block 1 is kRows rows further down, and becomes the second half of a
// row of the result.
template <class D, class T = hn::TFromD<D>>
HWY_INLINE hn::Vec<D> LoadRow(D d, const uint8_t* at, size_t rows) {
    if constexpr (hn::MaxLanes(d) * sizeof(T) == 32) {
        const hn::Half<D> half;
        const auto low = hn::LoadU(half, reinterpret_cast<const T*>(at));
        return hn::Combine(d, hn::LoadU(half, reinterpret_cast<const T*>(at + 32 * rows)), low);
    } else {
        return hn::LoadU(d, reinterpret_cast<const T*>(at));
    }
}

// Rows of the result that hold columns [half * kRows, (half + 1) * kRows) of a square, one vector wide.
template <typename T, size_t... kRow>
HWY_INLINE void Columns(const uint8_t* src, uint8_t* dst, std::index_sequence<kRow...>) {
    constexpr size_t kRows = sizeof...(kRow);
    const hn::CappedTag<T, 32 / sizeof(T)> d;
    hn::Vec<decltype(d)> v[kRows] = {LoadRow(d, src + 32 * kRow, kRows)...};
    Shuffle<kRows>(d, v, std::make_index_sequence<kRows / 2>());
    (hn::StoreU(v[kRow], d, reinterpret_cast<T*>(dst + 32 * kRow)), ...);
}

template <typename T>
HWY_INLINE void Square(const uint8_t* src, uint8_t* const (&dst)[2]) {
    constexpr size_t kRows = 16 / sizeof(T);
    constexpr size_t kBytes = hn::MaxLanes(hn::CappedTag<uint8_t, 32>());
    for (size_t half = 0; half < 2; ++half) {
        for (size_t at = 0; at < 32; at += kBytes) {
            Columns<T>(src + 16 * half + 2 * at * kRows, dst[half] + at, std::make_index_sequence<kRows>());
        }
    }
}
#else
template <typename T>
void Square(const uint8_t* src, uint8_t* const (&dst)[2]) {
    constexpr size_t kSide = 32 / sizeof(T);
    for (size_t row = 0; row < kSide; ++row) {
        uint8_t* to = dst[2 * row / kSide] + row % (kSide / 2) * 32;
        for (size_t i = 0; i < kSide; ++i)
            hwy::CopyBytes<sizeof(T)>(src + 32 * i + row * sizeof(T), to + i * sizeof(T));
    }
}
#endif

template <typename T>
void TransposeAs(const Squares& squares) {
    Squares s = squares;
    for (size_t i = 0; i < s.count; ++i) {
        Square<T>(s.src, s.dst);
        s.src += s.src_step;
        s.dst[0] += s.dst_step;
        s.dst[1] += s.dst_step;
    }
}

void Copy(const uint8_t* src, ptrdiff_t src_step, uint8_t* dst, size_t dst_step, size_t count) {
    const hn::CappedTag<uint8_t, 64> d;
    for (size_t i = 0; i < count; ++i, src += src_step, dst += dst_step) {
        for (size_t at = 0; at < kFractalBytes; at += hn::Lanes(d)) hn::StoreU(hn::LoadU(d, src + at), d, dst + at);
    }
}

}  // namespace

const FractalKernels* FractalKernelsOfTarget() {
    static constexpr FractalKernels kKernels = {Copy,
                                                {TransposeAs<uint8_t>, TransposeAs<uint16_t>, TransposeAs<uint32_t>}};
    return &kKernels;
}

}  // namespace HWY_NAMESPACE
}  // namespace sfumato::exec
HWY_AFTER_NAMESPACE();
#undef SFUMATO_INTERLEAVE

#if HWY_ONCE
namespace sfumato::exec {

namespace {
PerTarget<FractalKernels> fractals([]() -> const void* { return SFUMATO_FOR_TARGET(FractalKernelsOfTarget)(); });
}  // namespace

void CopyFractals(const uint8_t* src, ptrdiff_t src_step, uint8_t* dst, size_t dst_step, size_t count) {
    fractals.Get().copy(src, src_step, dst, dst_step, count);
}

void TransposeSquares(uint32_t element_bytes, const Squares& squares) {
    fractals.Get().transpose[element_bytes / 2](squares);
}

}  // namespace sfumato::exec
#endif
