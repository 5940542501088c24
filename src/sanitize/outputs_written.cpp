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
T* MakeZeros(uint64_t count) {
    auto* zeros = static_cast<T*>(std::calloc(count, sizeof(T)));
    return zeros ? zeros : throw std::bad_alloc();
}
static_assert(std::atomic<uint64_t>::is_always_lock_free && sizeof(std::atomic<uint64_t>) == sizeof(uint64_t) &&
              sizeof(std::atomic<bool>) == 1);

// Elements [first, end), four at once where they lie together.
void FillAtomic(uint16_t* sites, uint64_t first, uint64_t end, uint16_t site) {
    using Four __attribute__((may_alias)) = uint64_t;
    constexpr uint64_t kFour = sizeof(Four) / sizeof(*sites);
    for (; first < end && first % kFour != 0; ++first) __atomic_store_n(sites + first, site, __ATOMIC_RELAXED);
    for (; first + kFour <= end; first += kFour)
        __atomic_store_n(reinterpret_cast<Four*>(sites + first), site * 0x0001000100010001u, __ATOMIC_RELAXED);
    for (; first < end; ++first) __atomic_store_n(sites + first, site, __ATOMIC_RELAXED);
}

constexpr uint64_t kGroup = 64;  // words

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
    : bytes_(bytes),
      bits_(MakeZeros<std::atomic<uint64_t>>(bytes / 64 + 1)),
      groups_(MakeZeros<std::atomic<bool>>(bytes / 64 / kGroup + 1)),
      sites_(MakeZeros<uint16_t>(bytes / 64 + 1)) {}

uint64_t Written::Word(uint64_t w) const {
    return groups_[w / kGroup].load(kRelaxed) ? ~0ull : bits_[w].load(kRelaxed);
}

void Written::Write(isa::Span run, uint16_t site) {
    run.end = std::min(run.end, bytes_);
    if (run.begin >= run.end) return;
    // Most words are whole, and a word that is written again needs nothing: neither takes a locked instruction.
    const uint64_t end = (run.end - 1) / 64 + 1, whole_begin = (run.begin + 63) / 64, whole_end = run.end / 64;
    FillAtomic(sites_.get(), whole_begin, whole_end, site);
    for (uint64_t w = run.begin / 64; w < end;) {
        if (w < whole_begin || w >= whole_end) {
            const uint64_t mask = MaskIn(run, w);
            if ((bits_[w].load(kRelaxed) & mask) != mask) bits_[w].fetch_or(mask, kRelaxed);
            if (__atomic_load_n(&sites_[w], __ATOMIC_RELAXED) != site) WritePart(w, mask, site);
            ++w;
            continue;
        }
        const uint64_t next_group = (w / kGroup + 1) * kGroup, stop = std::min(whole_end, next_group);
        if (w % kGroup == 0 && stop == next_group) {
            groups_[w / kGroup].store(true, kRelaxed);
            w = stop;
        }
        for (; w < stop; ++w) bits_[w].store(~0ull, kRelaxed);
    }
}

// A line that is not the word's alone.
void Written::WritePart(uint64_t word, uint64_t mask, uint16_t site) {
    uint16_t before = Sites::kNone;
    if (__atomic_compare_exchange_n(&sites_[word], &before, site, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED) ||
        before == site) {
        return;
    }
    std::lock_guard lock(mutex_);
    before = __atomic_load_n(&sites_[word], __ATOMIC_RELAXED);
    std::array<uint16_t, 64>& of_bytes = shared_[word];
    if (before != kShared) of_bytes.fill(before);
    for (uint64_t rest = mask; rest != 0; rest &= rest - 1)
        of_bytes[static_cast<size_t>(std::countr_zero(rest))] = site;
    __atomic_store_n(&sites_[word], kShared, __ATOMIC_RELAXED);
}

uint16_t Written::SiteAt(uint64_t byte) const {
    const uint16_t site = __atomic_load_n(&sites_[byte / 64], __ATOMIC_RELAXED);
    return site == kShared ? shared_.at(byte / 64)[byte % 64] : site;
}

bool Written::Has(isa::Span run) const {
    if (run.begin >= run.end) return true;
    const uint64_t last = (run.end - 1) / 64;
    for (uint64_t w = run.begin / 64; w <= last; ++w) {
        const uint64_t mask = MaskIn(run, w);
        if ((Word(w) & mask) != mask) return false;
    }
    return true;
}

uint64_t Written::Next(uint64_t at, bool written) const {
    while (at < bytes_) {
        if (!written && groups_[at / 64 / kGroup].load(kRelaxed)) {
            at = (at / 64 / kGroup + 1) * 64 * kGroup;
            continue;
        }
        const uint64_t word = Word(at / 64);
        const uint64_t rest = (written ? word : ~word) & Mask(at % 64, 64);
        if (rest != 0) return std::min(bytes_, at / 64 * 64 + static_cast<uint64_t>(std::countr_zero(rest)));
        at = (at / 64 + 1) * 64;
    }
    return bytes_;
}

}  // namespace sfumato::sanitize
