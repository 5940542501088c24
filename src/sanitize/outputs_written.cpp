// SPDX-License-Identifier: Apache-2.0
// The bits of written bytes.
#include "sanitize/outputs_written.h"

#include <algorithm>
#include <bit>
#include <new>

namespace sfumato::sanitize {
namespace {

constexpr auto kRelaxed = std::memory_order_relaxed;

// Bits [first, end) of a word.
constexpr uint64_t Mask(uint64_t first, uint64_t end) {
    return (end == 64 ? ~0ull : (1ull << end) - 1) & ~((1ull << first) - 1);
}

// The bytes of `run` that lie in word w, as bits.
constexpr uint64_t MaskIn(isa::Span run, uint64_t w) {
    return Mask(run.begin > w * 64 ? run.begin - w * 64 : 0, std::min<uint64_t>(64, run.end - w * 64));
}

template <class T>
std::atomic<T>* MakeZeros(uint64_t count) {
    static_assert(std::atomic<T>::is_always_lock_free && sizeof(std::atomic<T>) == sizeof(T));
    auto* zeros = static_cast<std::atomic<T>*>(std::calloc(std::max<uint64_t>(1, count), sizeof(T)));
    return zeros ? zeros : throw std::bad_alloc();
}

}  // namespace

uint16_t Sites::Of(const char* call, Where where) {
    std::lock_guard lock(mutex_);
    auto [at, fresh] = numbers_.try_emplace({where.file, where.line}, static_cast<uint16_t>(sites_.size() + 1));
    if (fresh && sites_.size() < kMost)
        sites_.push_back({where, call});
    else if (fresh)
        at->second = kMost;
    return at->second;
}

Written::Written(uint64_t bytes)
    : bytes_(bytes), bits_(MakeZeros<uint64_t>(bytes / 64 + 1)), sites_(MakeZeros<uint16_t>(bytes / 64 + 1)) {}

void Written::Write(isa::Span run, uint16_t site) {
    run.end = std::min(run.end, bytes_);
    if (run.begin >= run.end) return;
    const uint64_t last = (run.end - 1) / 64;
    for (uint64_t w = run.begin / 64; w <= last; ++w) {
        const uint64_t mask = MaskIn(run, w);
        // Most words are whole, and a word that is written again needs nothing: neither takes a locked instruction.
        if (mask == ~0ull) {
            bits_[w].store(mask, kRelaxed);
            sites_[w].store(site, kRelaxed);
            continue;
        }
        if ((bits_[w].load(kRelaxed) & mask) != mask) bits_[w].fetch_or(mask, kRelaxed);
        if (sites_[w].load(kRelaxed) != site) WritePart(w, mask, site);
    }
}

// A line that is not the word's alone.
void Written::WritePart(uint64_t word, uint64_t mask, uint16_t site) {
    uint16_t before = Sites::kNone;
    if (sites_[word].compare_exchange_strong(before, site, kRelaxed) || before == site) return;
    std::lock_guard lock(mutex_);
    before = sites_[word].load(kRelaxed);
    std::array<uint16_t, 64>& of_bytes = shared_[word];
    if (before != kShared) of_bytes.fill(before);
    for (uint64_t rest = mask; rest != 0; rest &= rest - 1)
        of_bytes[static_cast<size_t>(std::countr_zero(rest))] = site;
    sites_[word].store(kShared, kRelaxed);
}

uint16_t Written::SiteAt(uint64_t byte) const {
    const uint16_t site = sites_[byte / 64].load(kRelaxed);
    return site == kShared ? shared_.at(byte / 64)[byte % 64] : site;
}

bool Written::Has(isa::Span run) const {
    if (run.begin >= run.end) return true;
    const uint64_t last = (run.end - 1) / 64;
    for (uint64_t w = run.begin / 64; w <= last; ++w) {
        const uint64_t mask = MaskIn(run, w);
        if ((bits_[w].load(kRelaxed) & mask) != mask) return false;
    }
    return true;
}

uint64_t Written::Next(uint64_t at, bool written) const {
    while (at < bytes_) {
        const uint64_t word = bits_[at / 64].load(kRelaxed);
        const uint64_t rest = (written ? word : ~word) & Mask(at % 64, 64);
        if (rest != 0) return std::min(bytes_, at / 64 * 64 + static_cast<uint64_t>(std::countr_zero(rest)));
        at = (at / 64 + 1) * 64;
    }
    return bytes_;
}

}  // namespace sfumato::sanitize
