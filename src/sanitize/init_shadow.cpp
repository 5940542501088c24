// SPDX-License-Identifier: Apache-2.0
// The shadow of a memory, chunk by chunk.
#include "sanitize/init_shadow.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <new>

#include "system/memory.h"

namespace sfumato::sanitize {
namespace {

bool AllAre(const uint8_t* p, uint64_t n, uint8_t value) {
    return n == 0 || (p[0] == value && std::memcmp(p, p + 1, n - 1) == 0);
}

}  // namespace

LazyBytes::LazyBytes(uint64_t bytes) : bytes_(bytes) {}

LazyBytes::~LazyBytes() {
    if (begin_) munmap(begin_, bytes_);
}

uint8_t* LazyBytes::Get() {
    if (begin_ || bytes_ == 0) return begin_;
    void* p = system::ReserveZeros(bytes_);
    if (!p) throw std::bad_alloc();
    return begin_ = static_cast<uint8_t*>(p);
}

Shadow::Shadow(uint64_t bytes, State initial, const uint8_t* data, uint8_t fill)
    : bytes_(bytes),
      data_(data),
      fill_(fill),
      states_((bytes + kChunk - 1) / kChunk, initial),
      shadow_((states_.size() + 1) * kChunk),
      origins_((states_.size() + 1) * kChunk / kBlock * sizeof(uint32_t)) {}

isa::Span Shadow::ChunkAt(uint64_t chunk) const { return {chunk * kChunk, std::min(bytes_, (chunk + 1) * kChunk)}; }

void Shadow::See(uint64_t chunk) {
    const isa::Span span = ChunkAt(chunk);
    uint8_t* shadow = shadow_.Get() + span.begin;
    std::memset(shadow, 0, kChunk);
    for (uint64_t at = span.begin; at < span.end; at += kBlock) {
        const uint64_t n = std::min(kBlock, span.end - at);
        if (AllAre(data_ + at, n, fill_)) std::memset(shadow + (at - span.begin), 0xFF, n);
    }
    states_[chunk] = State::kMixed;
    Settle(chunk);
}

uint8_t* Shadow::Spread(uint64_t chunk) {
    if (states_[chunk] == State::kUnseen) See(chunk);
    uint8_t* shadow = shadow_.Get() + chunk * kChunk;
    if (states_[chunk] == State::kMixed) return shadow;
    std::memset(shadow, states_[chunk] == State::kUndefined ? 0xFF : 0, kChunk);
    states_[chunk] = State::kMixed;
    return shadow;
}

void Shadow::Settle(uint64_t chunk) {
    const isa::Span span = ChunkAt(chunk);
    const uint8_t* shadow = shadow_.get() + span.begin;
    // Who fills a chunk in order need not look at all of it every time.
    if ((shadow[0] != 0 && shadow[0] != 0xFF) || shadow[span.end - span.begin - 1] != shadow[0]) return;
    if (AllAre(shadow, span.end - span.begin, shadow[0]))
        states_[chunk] = shadow[0] ? State::kUndefined : State::kDefined;
}

bool Shadow::DefinedChunks(isa::Span span) {
    const uint64_t first = span.begin / kChunk, last = (span.end - 1) / kChunk;
    for (uint64_t chunk = first; chunk <= last; ++chunk) {
        const uint64_t left = last - chunk;
        if (left >= 16) {
            uint64_t words[2];
            std::memcpy(words, &states_[chunk], sizeof(words));
            if ((words[0] | words[1]) == 0) {
                chunk += 15;
                continue;
            }
        }
        if (states_[chunk] == State::kDefined) continue;
        if (states_[chunk] == State::kUnseen) {
            See(chunk);
            if (states_[chunk] == State::kDefined) continue;
        }
        if (states_[chunk] == State::kUndefined) return false;
        const uint64_t begin = std::max(span.begin, chunk * kChunk), end = std::min(span.end, (chunk + 1) * kChunk);
        if (!AllAre(shadow_.get() + begin, end - begin, 0)) return false;
    }
    return true;
}

void Shadow::Fill(isa::Span span, State state) {
    span.end = std::min(span.end, bytes_);
    const auto part = [&](uint64_t chunk, uint64_t begin, uint64_t end) {
        if (states_[chunk] == state || begin >= end) return;
        std::memset(Spread(chunk) + (begin - chunk * kChunk), state == State::kUndefined ? 0xFF : 0, end - begin);
        Settle(chunk);
    };
    if (span.begin >= span.end) return;
    // The last chunk is whole where the memory ends.
    const uint64_t first = (span.begin + kChunk - 1) / kChunk;
    const uint64_t last = span.end >= bytes_ ? states_.size() : span.end / kChunk;
    if (first > last) return part(last, span.begin, span.end);
    if (first * kChunk > span.begin) part(first - 1, span.begin, first * kChunk);
    std::fill(states_.begin() + static_cast<ptrdiff_t>(first), states_.begin() + static_cast<ptrdiff_t>(last), state);
    if (last < states_.size()) part(last, last * kChunk, span.end);
}

void Shadow::Define(isa::Span span) { Fill(span, State::kDefined); }

void Shadow::Undefine(isa::Span span) {
    Fill(span, State::kUndefined);
    if (origins_.get()) SetOrigin(span, 0);
}

void Shadow::Renew(isa::Span span) {
    if (written_.empty()) written_.resize(states_.size());
    span.end = std::min(span.end, bytes_);
    for (uint64_t at = span.begin / kBlock * kBlock; at < span.end;) {
        const uint64_t chunk = at / kChunk, end = std::min(span.end, (chunk + 1) * kChunk);
        if (at == chunk * kChunk && !origins_.get()) {
            // Chunks that are whole, as most are, together.
            uint64_t whole = chunk;
            while (whole < span.end / kChunk && states_[whole] != State::kMixed) ++whole;
            for (uint64_t i = chunk; i < whole; ++i) {
                if (states_[i] == State::kDefined) written_[i] = 0xFF;
            }
            if (whole != chunk) {
                at = whole * kChunk;
                continue;
            }
        }
        if (states_[chunk] == State::kUndefined && !origins_.get()) {
            at = end;
            continue;
        }
        if (states_[chunk] == State::kDefined && at == chunk * kChunk && end == at + kChunk) {
            written_[chunk] = 0xFF;
            at = end;
            continue;
        }
        for (; at < end; at += kBlock) {
            const uint64_t n = std::min(kBlock, bytes_ - at);
            const bool written = states_[chunk] == State::kDefined || Origin(at) != 0 ||
                                 (states_[chunk] == State::kMixed && !AllAre(shadow_.get() + at, n, 0xFF));
            if (written) written_[chunk] = static_cast<uint8_t>(written_[chunk] | 1u << (at / kBlock % 8));
        }
    }
    Undefine(span);
}

uint8_t* Shadow::Open(isa::Span span) {
    for (uint64_t chunk = span.begin / kChunk; chunk * kChunk < std::min(span.end, bytes_); ++chunk) Spread(chunk);
    return shadow_.Get();
}

void Shadow::Close(isa::Span span) {
    for (uint64_t chunk = span.begin / kChunk; chunk * kChunk < std::min(span.end, bytes_); ++chunk) {
        if (states_[chunk] == State::kMixed) Settle(chunk);
    }
}

void Shadow::SetOrigin(isa::Span span, uint32_t origin) {
    if (span.begin >= span.end || (origin == 0 && !origins_.get())) return;
    origins_.Get();
    std::fill(OriginsIn() + span.begin / kBlock, OriginsIn() + (span.end + kBlock - 1) / kBlock, origin);
}

void Shadow::ForEachTainted(const std::function<void(isa::Span chunk)>& visit) {
    if (!origins_.get()) return;
    for (uint64_t chunk = 0; chunk < states_.size(); ++chunk) {
        if (states_[chunk] == State::kUndefined || states_[chunk] == State::kMixed) visit(ChunkAt(chunk));
    }
}

}  // namespace sfumato::sanitize
