// SPDX-License-Identifier: Apache-2.0
// The reads of a core that may be polling.
#include "runtime/cores/polling.h"

#include <algorithm>
#include <utility>

#include "isa/racy.h"

namespace sfumato::runtime {
namespace {

// Other cores may be writing: that is what the poll waits for. FNV-1a over eight bytes at a time.
SFUMATO_RACY uint64_t HashOf(const uint8_t* address, uint64_t bytes) {
    uint64_t hash = 0xCBF29CE484222325u;
    const auto* p = static_cast<const volatile uint8_t*>(address);
    uint64_t word = 0;
    for (uint64_t i = 0; i < bytes; ++i) {
        word = word << 8 | p[i];
        if (i % 8 == 7 || i + 1 == bytes) {
            hash = (hash ^ word) * 0x100000001B3u;
            hash ^= hash >> 29;
        }
    }
    return hash;
}

}  // namespace

void Polling::Forget() {
    reads_.clear();
    rounds_ = 0;
    again_ = 0;
}

void Polling::Cleaned(const uint8_t* line) {
    const auto number = [](const uint8_t* address) { return reinterpret_cast<uint64_t>(address) / kLineBytes; };
    for (Read& read : reads_) {
        if (!line || (number(read.address) <= number(line) && number(line) <= number(read.address + read.bytes - 1)))
            read.in_cache = false;
    }
}

Polling::Found Polling::Again(const uint8_t* address, uint64_t bytes, bool cached, Where where) {
    if (quiet_ == kPatience + 1) Forget();  // something else lay between
    const uint64_t hash = HashOf(address, bytes);
    const auto same = [&](const Read& r) { return r.address == address && r.bytes == bytes; };
    // Mostly the one after the last.
    size_t at = last_ + 1 < reads_.size() ? last_ + 1 : 0;
    if (at >= reads_.size() || !same(reads_[at])) {
        at = static_cast<size_t>(std::ranges::find_if(reads_, same) - reads_.begin());
    }
    if (at == reads_.size()) {
        if (reads_.size() == kMostReads) {
            quiet_ = 0;
            return Found::kOther;
        }
        reads_.push_back({address, bytes, hash, cached, cached, where});
        last_ = at;
        again_ = rounds_ = 0;
        return Found::kOther;
    }
    Read& read = reads_[at];
    last_ = at;
    from_cache_ = cached && read.in_cache;
    if (read.hash != hash) {
        read = {address, bytes, hash, cached, cached, where};
        quiet_ = 0;
        return from_cache_ ? Found::kStale : Found::kChanged;
    }
    read.in_cache = read.cached;
    read.where = where;
    if (++again_ < reads_.size()) return Found::kOther;
    again_ = 0;
    rounds_ = std::exchange(worked_, false) ? 0 : rounds_ + 1;
    return Found::kUnchanged;
}

bool Polling::LastIsStale() const {
    const Read& read = reads_[last_];
    return from_cache_ && HashOf(read.address, read.bytes) != read.hash;
}

bool Polling::Differs() const {
    return std::ranges::any_of(reads_, [](const Read& r) { return HashOf(r.address, r.bytes) != r.hash; });
}

}  // namespace sfumato::runtime
