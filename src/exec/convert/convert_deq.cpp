// SPDX-License-Identifier: Apache-2.0
// Conversions with a dequantisation scale: int32 to half, int16 to int8 and uint8 (conversions.md).
#include "exec/targets.h"

#include <algorithm>
#include <cstring>

#include "exec/convert/convert.h"
#include "numeric/convert.h"

#ifndef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/convert/convert_deq.cpp"
#endif
#include "hwy/foreach_target.h"

#include "hwy/highway.h"

#include "exec/convert/convert_to_half-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sfumato::exec {
namespace HWY_NAMESPACE {

// A vector deqscale has 16 words, of which lane i takes the one at lane0 + i. A kernel below keeps them twice, so that
// a vector of lanes can load its words from any of the first 16 on.
constexpr size_t kDeqWords = 16;

// ---- int32 x half scale to half. The product is exact in double; rounded to odd, its float still gives the same half
// as one rounding would. Scales of inf and NaN come through both unchanged.

template <Overflow kOverflow>
struct ScaleToHalf {
    using Src = int32_t;
    using Dst = uint16_t;
    using D = hn::CappedTag<double, kDeqWords>;
    using DF = hn::Rebind<float, D>;
    using Sink = NarrowSink<HalfFormat, Rounding::kRint, kOverflow>;
    static size_t Lanes() { return hn::Lanes(D()); }

    double scale[2 * kDeqWords];

    template <class Acc>
    HWY_INLINE void Step(const int32_t* src, uint16_t* dst, size_t i, Acc& acc) const {
        const D dd;
        const auto value = hn::PromoteTo(dd, hn::LoadU(hn::Rebind<int32_t, D>(), src));
        const auto product = hn::Mul(value, hn::LoadU(dd, scale + i % kDeqWords));
        Sink::Store(DF(), RoundDoubleToFloat<Rounding::kOdd>(dd, product), dst, acc);
    }

    static bool Run(const RunArgs& args) {
        const auto widen = [](uint64_t word) HWY_ATTR {
            const hn::CappedTag<float, 1> d;
            const auto bits = hn::Set(hn::Rebind<uint16_t, decltype(d)>(), static_cast<uint16_t>(word));
            return static_cast<double>(hn::GetLane(HalfToFloat(d, bits)));
        };
        ScaleToHalf kernel;
        std::fill_n(kernel.scale, 2 * kDeqWords, widen(args.deq_word));
        for (size_t i = 0; args.deq_words && i < 2 * kDeqWords; ++i) {
            kernel.scale[i] = widen(args.deq_words[(args.lane0 + i) % kDeqWords]);
        }
        auto acc = hn::Zero(Unsigned<DF>());
        ForEach(kernel, args, acc);
        return Sink::Replaced(DF(), acc);
    }
};

bool RunScaleToHalf(const RunArgs& args) {
    return args.overflow == Overflow::kSaturate ? ScaleToHalf<Overflow::kSaturate>::Run(args)
                                                : ScaleToHalf<Overflow::kInfNan>::Run(args);
}

// ---- int16 to 8 bits: the page rounds twice, the product to float, and that to an integer in [-256, 255].

template <class T>
struct DeqToByte {
    using Src = int16_t;
    using Dst = T;
    using D = hn::CappedTag<float, kDeqWords>;
    static size_t Lanes() { return hn::Lanes(D()); }

    float scale[2 * kDeqWords];
    int32_t offset[2 * kDeqWords];

    template <class Acc>
    HWY_INLINE void Step(const int16_t* src, T* dst, size_t i, Acc&) const {
        const D d;
        const hn::Rebind<T, D> d8;
        const size_t word = i % kDeqWords;
        const auto product = hn::Mul(IntSource<int16_t>::Load(d, src), hn::LoadU(d, scale + word));
        const auto v = OffsetProduct(d, product, hn::LoadU(Signed<D>(), offset + word));
        hn::StoreU(hn::DemoteTo(d8, v), d8, dst);
    }

    static bool Run(const RunArgs& args) {
        DeqToByte kernel;
        for (size_t i = 0; i < 2 * kDeqWords; ++i) {
            const uint64_t word = args.deq_words ? args.deq_words[(args.lane0 + i) % kDeqWords] : args.deq_word;
            const uint32_t bits = numeric::DeqScaleFloatBits(word);
            std::memcpy(&kernel.scale[i], &bits, sizeof(bits));
            kernel.offset[i] = numeric::DeqOffset(word);
        }
        char unused = 0;
        ForEach(kernel, args, unused);
        return false;
    }
};

// Bit 46 of a word says signed or unsigned, too, but the type of the destination decides (conversions.md, bit 46).
RunFn FindDeq(const Conversion& c) {
    const bool has_words = c.deq == isa::DeqScale::kWord || c.deq == isa::DeqScale::kVector;
    if (c.src == DataType::kInt32 && c.dst == DataType::kHalf) {
        return c.deq == isa::DeqScale::kHalf || c.deq == isa::DeqScale::kVector ? &RunScaleToHalf : nullptr;
    }
    if (c.src == DataType::kInt16 && c.dst == DataType::kInt8 && has_words) return &DeqToByte<int8_t>::Run;
    if (c.src == DataType::kInt16 && c.dst == DataType::kUint8 && has_words) return &DeqToByte<uint8_t>::Run;
    return nullptr;
}

}  // namespace HWY_NAMESPACE
}  // namespace sfumato::exec
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sfumato::exec {

ConvertFinder ConvertDeqFinder() { return SFUMATO_FOR_TARGET(FindDeq); }

}  // namespace sfumato::exec
#endif
