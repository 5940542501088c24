// SPDX-License-Identifier: Apache-2.0
// Registers from type to type (arch950.md 2.8): which lanes meet, and what is written. Both sides are taken as lanes as
// wide as the wider type: of the narrower one, the layout says which part of each lane holds the element.
#pragma once

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "exec/registers/byte_masks.h"
#include "exec/registers/casting.h"

namespace sfumato::exec::casts {

template <uint32_t kBytes>
using Word =
    std::conditional_t<kBytes == 1, uint8_t,
                       std::conditional_t<kBytes == 2, uint16_t, std::conditional_t<kBytes == 4, uint32_t, uint64_t>>>;

template <class S, class D>
using WiderOf = std::conditional_t<(sizeof(S) > sizeof(D)), S, D>;

constexpr bool IsPair(DataType t) { return BitsOf(t) == 4; }

// The pattern of an element of T; of two, where either type has two a byte.
template <DataType T, DataType Other>
using CastBits = Word<(BitsOf(T) << (IsPair(T) || IsPair(Other) ? 1 : 0)) / 8>;

// Two elements at once where either type has two a byte.
template <DataType From, DataType To>
constexpr uint64_t ElementOrPair(const How& how, uint64_t bits) {
    if constexpr (IsPair(From) || IsPair(To)) {
        return casts::Element<From, To>(how, bits) | casts::Element<From, To>(how, bits >> BitsOf(From)) << BitsOf(To);
    } else {
        return casts::Element<From, To>(how, bits);
    }
}

// Lanes of a cast: of sources of `from` bytes to results of `to`.
struct CastLanes {
    uint32_t from = 0, to = 0, part = 0;

    CastLanes(uint32_t from_bytes, uint32_t to_bytes, uint8_t layout)
        : from(from_bytes), to(to_bytes), part(layout % (Wide() / std::min(from, to))) {}
    uint32_t Wide() const { return std::max(from, to); }
    uint32_t SourceAt() const { return from < to ? part * from : 0; }  // bytes into the lane
    uint32_t ResultAt() const { return to < from ? part * to : 0; }
};

// The lowest bit of each lane whose source element is on.
inline masks::ByteBits ActiveLanes(const MaskRegister* mask, const CastLanes& lanes) {
    masks::ByteBits on = mask == nullptr ? masks::kAllBytes : mask->bits;
    for (uint64_t& word : on) word = word >> lanes.SourceAt() & LowestBits(lanes.Wide());
    return on;
}

// Which bytes of the results are known: those of elements made of known bytes, and zeros written for any other reason.
inline masks::ByteBits KnownResults(const masks::ByteBits& source, const masks::ByteBits& on, const CastLanes& lanes) {
    if (source == masks::kAllBytes) return source;
    masks::ByteBits known;
    const uint64_t result_bytes = (uint64_t{1} << lanes.to) - 1;
    for (size_t i = 0; i < known.size(); ++i) {
        const uint64_t element = source[i] >> lanes.SourceAt();
        uint64_t whole = element;
        for (uint32_t byte = 1; byte < lanes.from; ++byte) whole &= element >> byte;
        known[i] = ~((on[i] & ~whole) * result_bytes << lanes.ResultAt());
    }
    return known;
}

// Runs `loop(in, out, source_at, result_at)` on lanes as wide as the wider type. It gets elements out of lanes by a
// shift of `source_at` bits, and puts results there by one of `result_at`.
template <class S, class D, class Loop>
void CastRegister(const RegisterCall& c, const Loop& loop) {
    using W = WiderOf<S, D>;
    constexpr uint32_t kLanes = kRegisterBytes / sizeof(W);
    const CastLanes lanes(sizeof(S), sizeof(D), c.layout);
    alignas(64) W in[kLanes], out[kLanes];
    std::memcpy(in, c.src0->bytes.data(), kRegisterBytes);
    loop(in, out, 8 * lanes.SourceAt(), 8 * lanes.ResultAt());
    const masks::ByteBits on = ActiveLanes(c.mask, lanes);
    masks::ByteBits bytes = on;
    for (uint64_t& word : bytes) word *= sizeof(W) == 8 ? 0xFF : (uint64_t{1} << sizeof(W)) - 1;
    const masks::ByteBits known = KnownResults(c.src0->known, on, lanes);
    masks::Store(reinterpret_cast<const uint8_t*>(out), known, bytes, false, c.dst);
}

}  // namespace sfumato::exec::casts
