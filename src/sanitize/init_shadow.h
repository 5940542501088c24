// SPDX-License-Identifier: Apache-2.0
// Which bits of a memory somebody has written: one shadow bit a bit, 1 where nobody has.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <mutex>
#include <vector>

#include "isa/record.h"

namespace sfumato::sanitize {

constexpr uint64_t kBlock = isa::kBlockBytes;

// Memory of the host that costs nothing until it is touched, then zeros.
class LazyBytes {
public:
    explicit LazyBytes(uint64_t bytes);
    ~LazyBytes();
    LazyBytes& operator=(LazyBytes&&) = delete;
    // nullptr until the first call of Get.
    uint8_t* Get();
    uint8_t* get() const { return begin_; }
    uint64_t size() const { return bytes_; }

private:
    uint64_t bytes_;
    uint8_t* begin_ = nullptr;
};

// Most chunks are whole: written, or not. Only for the others do the shadow's bytes say anything.
class Shadow {
public:
    static constexpr uint64_t kChunk = 256;
    enum class State : uint8_t { kDefined, kUndefined, kMixed, kUnseen };

    // kUnseen: blocks of 32 bytes of `data` that hold nothing but `fill` are undefined; looked at when first needed.
    Shadow(uint64_t bytes, State initial, const uint8_t* data = nullptr, uint8_t fill = 0);

    uint64_t size() const { return bytes_; }
    bool Defined(isa::Span span) {
        span.end = std::min(span.end, bytes_);  // moves of whole blocks may read a little past the end
        if (span.begin >= span.end) return true;
        const uint64_t first = span.begin / kChunk, last = (span.end - 1) / kChunk;
        if (last - first > 1) return DefinedChunks(span);
        return (states_[first] == State::kDefined && states_[last] == State::kDefined) || DefinedChunks(span);
    }
    void Define(isa::Span span);
    // As nobody's bytes: without an origin.
    void Undefine(isa::Span span);
    // The bytes begin a new life: those that were written become stale.
    void Renew(isa::Span span);

    // The shadow's bytes, by the offset in the memory, right within the span until Close. Close once all that was
    // written is there.
    uint8_t* Open(isa::Span span);
    void Close(isa::Span span);

    // Somebody wrote the block of 32 bytes in an earlier life.
    bool Stale(uint64_t at) const { return !written_.empty() && ((written_[at / kChunk] >> (at / 32 % 8)) & 1); }
    // What tainted the block; 0: its undefined bits are those nobody wrote.
    uint32_t Origin(uint64_t at) const { return origins_.get() ? OriginsIn()[at / 32] : 0; }
    void SetOrigin(isa::Span span, uint32_t origin);
    // Calls visit(chunk) for each that is not all defined, if an origin was ever set.
    void ForEachTainted(const std::function<void(isa::Span chunk)>& visit);

    std::mutex mutex;  // global memory's, which cores share; the others' belong to one core

private:
    bool DefinedChunks(isa::Span span);
    uint32_t* OriginsIn() const { return reinterpret_cast<uint32_t*>(origins_.get()); }
    isa::Span ChunkAt(uint64_t chunk) const;
    void See(uint64_t chunk);
    // The chunk's shadow bytes become what its state says.
    uint8_t* Spread(uint64_t chunk);
    void Settle(uint64_t chunk);
    void Fill(isa::Span span, State state);

    uint64_t bytes_;
    const uint8_t* data_;
    uint8_t fill_;
    std::vector<State> states_;
    LazyBytes shadow_;
    LazyBytes origins_;
    std::vector<uint8_t> written_;  // a bit for each 32 bytes
};

}  // namespace sfumato::sanitize
