// SPDX-License-Identifier: Apache-2.0
#include "timing/l2.h"

#include <algorithm>
#include <bit>

namespace sfumato::timing {
namespace {

constexpr double kMostOwed = 2;  // times what it brings, an access pays at once

constexpr uint64_t MaskOf(uint64_t first, uint64_t last) {
    const uint64_t count = last - first + 1;
    return (count >= 64 ? ~uint64_t{0} : (uint64_t{1} << count) - 1) << first;
}

}  // namespace

L2::L2(uint64_t bytes, std::vector<uint64_t> allocations) : capacity_(bytes / kSector) {
    uint32_t next = 0;
    for (const uint64_t size : allocations) {
        const auto chunks = static_cast<uint32_t>(size / (kSector * kSectors) + 1);
        allocations_.push_back({size, next, chunks});
        next += chunks;
    }
    chunks_.resize(next);
    readers_.resize(next * kLines);
}

void L2::SetCached(uint32_t allocation, bool cached) {
    Allocation& a = allocations_[allocation];
    if (a.touched && a.cached && !cached) touched_bytes_ -= a.bytes;
    if (a.touched && !a.cached && cached) touched_bytes_ += a.bytes;
    a.cached = cached;
}

void L2::Warm(uint32_t allocation) {
    const Allocation& a = allocations_[allocation];
    for (uint64_t at = 0; at * kSector < a.bytes && used_ < capacity_; at += kSectors) {
        const uint64_t last = std::min(kSectors - 1, (a.bytes - at * kSector - 1) / kSector);
        Use(a.first + static_cast<uint32_t>(at / kSectors), 0, last, true, false);
    }
}

void L2::Unlink(uint32_t chunk) {
    Chunk& c = chunks_[chunk];
    (c.before == kNone ? oldest_ : chunks_[c.before].after) = c.after;
    (c.after == kNone ? newest_ : chunks_[c.after].before) = c.before;
    c.listed = false;
}

void L2::MakeNewest(uint32_t chunk) {
    Chunk& c = chunks_[chunk];
    if (newest_ == chunk) return;
    if (c.listed) Unlink(chunk);
    c.before = newest_;
    c.after = kNone;
    (newest_ == kNone ? oldest_ : chunks_[newest_].after) = chunk;
    newest_ = chunk;
    c.listed = true;
}

uint64_t L2::Use(uint32_t chunk, uint64_t first, uint64_t last, bool keep, bool write) {
    Chunk& c = chunks_[chunk];
    uint64_t held = 0, added = 0;
    for (uint64_t word = first / 64; word <= last / 64; ++word) {
        const uint64_t mask = MaskOf(word == first / 64 ? first % 64 : 0, word == last / 64 ? last % 64 : 63);
        const auto here = static_cast<uint64_t>(std::popcount(c.held[word] & mask));
        held += here;
        if (!keep) continue;
        added += static_cast<uint64_t>(std::popcount(mask)) - here;
        c.held[word] |= mask;
        if (!write) continue;
        written_ += static_cast<uint64_t>(std::popcount(mask & ~c.written[word]));
        c.written[word] |= mask;
    }
    if (!keep) return held;
    used_ += added;
    MakeNewest(chunk);
    while (used_ > capacity_ && oldest_ != newest_) {
        Chunk& old = chunks_[oldest_];
        for (const uint64_t word : old.held) used_ -= static_cast<uint64_t>(std::popcount(word));
        for (const uint64_t word : old.written) {
            const auto written = static_cast<uint64_t>(std::popcount(word));
            owed_ += static_cast<double>(written * kSector);
            written_ -= written;
        }
        old.held = old.written = {};
        old.lost = true;
        std::fill_n(readers_.begin() + static_cast<std::ptrdiff_t>(oldest_ * kLines), kLines, uint16_t{0});
        Unlink(oldest_);
    }
    return held;
}

std::vector<uint32_t> L2::OnePass() const {
    std::vector<uint32_t> found;
    for (size_t i = 0; i < allocations_.size(); ++i) {
        const Allocation& a = allocations_[i];
        // Rows that are not aligned meet in a line.
        if (a.cached && !a.written && a.read > 0 && a.again * 10 < a.read) found.push_back(static_cast<uint32_t>(i));
    }
    return found;
}

uint64_t L2::Shared(uint64_t first_line, uint64_t last_line, uint32_t core) {
    const auto self = static_cast<uint16_t>(std::min<uint32_t>(core + 1, kMany - 1));
    uint64_t shared = 0;
    for (uint64_t line = first_line; line <= last_line; ++line) {
        uint16_t& reader = readers_[line];
        reader = reader == 0 || reader == self ? self : kMany;
        shared += reader == kMany;
    }
    return shared;
}

L2::Found L2::Touch(const Access& access) {
    Allocation& a = allocations_[access.allocation];
    if (!a.touched) {
        a.touched = true;
        if (a.cached) touched_bytes_ += a.bytes;
    }
    Found found{.bytes = access.row_bytes * access.rows};
    uint64_t sectors = 0, held = 0, lost = 0, all_lines = 0, shared_lines = 0;
    for (uint64_t row = 0; row < access.rows && access.row_bytes > 0; ++row) {
        const uint64_t begin = access.offset + row * access.pitch, end = begin + access.row_bytes;
        const uint64_t lines = (end - 1) / kLine - begin / kLine + 1;
        const bool whole = begin % kLine == 0 || lines == 1;
        found.charged += static_cast<double>(whole ? access.row_bytes : lines * kLine);
        if (!access.write) {
            const uint64_t base = uint64_t{a.first} * kLines, most = uint64_t{a.chunks} * kLines - 1;
            all_lines += lines;
            shared_lines +=
                Shared(base + std::min(begin / kLine, most), base + std::min((end - 1) / kLine, most), access.core);
        }
        const uint64_t first = begin / kSector, last = (end - 1) / kSector;
        uint64_t here = 0;
        for (uint64_t at = first; at <= last;) {
            const uint64_t chunk_at = std::min<uint64_t>(at / kSectors, a.chunks - 1);
            const uint64_t stop = std::max(at, std::min(last, chunk_at * kSectors + kSectors - 1));
            const auto chunk = a.first + static_cast<uint32_t>(chunk_at);
            Chunk& c = chunks_[chunk];
            const uint64_t had = Use(chunk, at % kSectors, stop % kSectors, a.cached, access.write);
            if (c.lost && !access.write) lost += stop - at + 1 - had;
            here += had;
            at = stop + 1;
        }
        // Of a row that is not aligned, neighbours have brought the ends; they are fetched again with the rest (fitted,
        // dcub_s4).
        const uint64_t all = last - first + 1;
        if (!whole && here + 2 * (kLine / kSector) < all) here = 0;
        sectors += all;
        held += here;
    }
    found.lost = lost * kSector;
    if (a.cached) {
        // Stores go into lines that are free already, unless writing back has fallen behind.
        const double free = access.write ? Reserve() : 0;
        const double most = kMostOwed * static_cast<double>((sectors - held) * kSector);
        found.written_back = std::clamp(owed_ - free, 0.0, most);
        owed_ -= found.written_back;
    } else if (access.write) {
        found.written_back = static_cast<double>(found.bytes);
    }
    // Where rows are not aligned, neighbours meet in their ends alone.
    found.shared = shared_lines * 2 > all_lines;
    if (access.write) {
        a.written = true;
    } else {
        a.again += (held + lost) * kSector;
        a.read += found.bytes;
    }
    found.hit_share = sectors == 0 ? 0 : static_cast<double>(held) / static_cast<double>(sectors);
    return found;
}

}  // namespace sfumato::timing
