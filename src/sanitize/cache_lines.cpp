// SPDX-License-Identifier: Apache-2.0
// Copies of lines, and who disagrees with them.
#include "sanitize/cache_lines.h"

#include <algorithm>
#include <bit>

namespace sfumato::sanitize {
namespace {

// Of the bytes of a span in the line that begins at `begin`.
uint64_t InLine(isa::Span bytes, uint64_t begin) {
    const uint64_t first = std::max(bytes.begin, begin) - begin;
    const uint64_t end = std::min(bytes.end, begin + CacheLines::kLine) - begin;
    return (end == 64 ? ~0ull : (1ull << end) - 1) & ~((1ull << first) - 1);
}

isa::Span SpanIn(uint64_t mask, uint64_t begin) {
    return {begin + static_cast<uint64_t>(std::countr_zero(mask)),
            begin + 64 - static_cast<uint64_t>(std::countl_zero(mask))};
}

}  // namespace

void CacheLines::Scalar(uint32_t allocation, isa::Span bytes, const Access& access, Judge& judge) {
    for (uint64_t begin = LineOf(bytes.begin); begin < bytes.end; begin += kLine) {
        const uint64_t mask = InLine(bytes, begin);
        const Key key(allocation, begin);
        Line& line = lines_[key];
        const bool store = access.kind != Access::Kind::kRead;
        for (auto& [core, copy] : line) {
            if (core == access.core || copy.dirty == 0) continue;
            if (store) {
                judge.Disagrees(Trouble::kLostWrite, copy.store, {begin, begin + kLine});
            } else if (copy.dirty & mask) {
                judge.Disagrees(Trouble::kNotCleaned, copy.store, SpanIn(copy.dirty & mask, begin));
            }
        }
        if (store) JudgeWrittenBack(key, access, judge);
        const auto [own, loaded] = line.try_emplace(access.core);
        Copy& copy = own->second;
        if (loaded) {
            Load(access.core, key);
            copy.unsure = judge.NotAwaited({begin, begin + kLine}, &copy.unsure_write);
        } else if (copy.unsure != 0 && judge.IsAfter(copy.unsure_write)) {
            const uint64_t old = store ? copy.unsure & ~mask : copy.unsure & mask;
            if (old != 0)
                judge.Disagrees(store ? Trouble::kOldLine : Trouble::kStale, copy.unsure_write, SpanIn(old, begin));
            if (old != 0 || store) copy.unsure = 0;
        }
        if (!store) {
            if (const uint64_t stale = copy.foreign & mask) {
                judge.Disagrees(Trouble::kStale, copy.write, SpanIn(stale, begin));
                copy.foreign = 0;
            }
            continue;
        }
        // The line is older than what others have written since: written back whole, it undoes that.
        if (const uint64_t lost = copy.foreign & ~mask) {
            // Where nothing orders the two, it is told as kLostWrite, whoever comes first.
            if (copy.write.core == access.core || judge.IsAfter(copy.write))
                judge.Disagrees(Trouble::kOldLine, copy.write, SpanIn(lost, begin));
            copy.foreign = 0;
        }
        copy.dirty |= mask;
        copy.store = access;
        for (auto& [core, other] : line) {
            if (core == access.core) continue;
            other.foreign |= mask;
            other.write = access;
        }
    }
}

void CacheLines::IsFresh(uint32_t core, uint32_t allocation, uint64_t byte) {
    const auto line = lines_.find({allocation, LineOf(byte)});
    if (line == lines_.end()) return;
    if (const auto copy = line->second.find(core); copy != line->second.end()) copy->second.unsure = 0;
}

void CacheLines::JudgeWrittenBack(const Key& key, const Access& store, Judge& judge) {
    const auto line = written_back_.find(key);
    if (line == written_back_.end()) return;
    for (const auto& [core, earlier] : line->second) {
        if (core != store.core && !judge.IsAfter(earlier))
            judge.Disagrees(Trouble::kLostWrite, earlier, {key.second, key.second + kLine});
    }
}

void CacheLines::Pipe(uint32_t allocation, isa::Span bytes, const Access& access, Judge& judge) {
    const bool store = access.kind != Access::Kind::kRead;
    if (store && !written_back_.empty()) {
        auto at = written_back_.lower_bound({allocation, LineOf(bytes.begin)});
        for (; at != written_back_.end() && at->first.first == allocation && at->first.second < bytes.end; ++at)
            JudgeWrittenBack(at->first, access, judge);
    }
    if (lines_.empty()) return;
    auto at = lines_.lower_bound({allocation, LineOf(bytes.begin)});
    for (; at != lines_.end() && at->first.first == allocation && at->first.second < bytes.end; ++at) {
        const uint64_t begin = at->first.second, mask = InLine(bytes, begin);
        for (auto& [core, copy] : at->second) {
            if (copy.dirty && store) {
                judge.Disagrees(Trouble::kLostWrite, copy.store, {begin, begin + kLine});
                copy.dirty = 0;
            } else if (copy.dirty & mask) {
                judge.Disagrees(Trouble::kNotCleaned, copy.store, SpanIn(copy.dirty & mask, begin));
            }
            if (!store) continue;
            copy.foreign |= mask;
            copy.write = access;
        }
    }
}

void CacheLines::Cleaned(uint32_t core, uint32_t allocation, uint64_t byte, uint64_t tick) {
    const auto line = lines_.find({allocation, LineOf(byte)});
    if (line == lines_.end()) return;
    if (const auto copy = line->second.find(core); copy != line->second.end() && copy->second.dirty != 0) {
        Access& store = written_back_[line->first][core] = copy->second.store;
        store.tick = tick;
    }
    of_core_[core].held -= line->second.erase(core);
    if (line->second.empty()) lines_.erase(line);
}

bool CacheLines::IsDirty(uint32_t core, uint32_t allocation, uint64_t byte) const {
    const auto line = lines_.find({allocation, LineOf(byte)});
    if (line == lines_.end()) return false;
    const auto copy = line->second.find(core);
    return copy != line->second.end() && copy->second.dirty != 0;
}

void CacheLines::CleanedAll(uint32_t core, uint64_t tick) {
    Loaded& loaded = of_core_[core];
    for (const Key& key : loaded.lines) Cleaned(core, key.first, key.second, tick);
    loaded.lines.clear();
}

void CacheLines::Load(uint32_t core, const Key& key) {
    constexpr size_t kFew = 64;
    Loaded& loaded = of_core_[core];
    ++loaded.held;
    loaded.lines.push_back(key);
    if (loaded.lines.size() <= 2 * loaded.held + kFew) return;
    std::ranges::sort(loaded.lines);
    loaded.lines.erase(std::unique(loaded.lines.begin(), loaded.lines.end()), loaded.lines.end());
    std::erase_if(loaded.lines, [&](const Key& line) {
        const auto at = lines_.find(line);
        return at == lines_.end() || !at->second.contains(core);
    });
}

}  // namespace sfumato::sanitize
