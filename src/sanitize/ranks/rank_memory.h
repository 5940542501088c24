// SPDX-License-Identifier: Apache-2.0
// Memory that several ranks touch, by address: who touched which bytes of it last.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sanitize/history.h"

namespace sfumato::sanitize {

class RankMemory {
public:
    // A window, or a block of peer memory.
    struct Region {
        const uint8_t* base;
        uint64_t bytes;
        std::string name;
        uint32_t owner;  // its rank
        bool live = true;
        std::map<uint64_t, std::unique_ptr<History>> chunks = {};  // by number; only those touched
        std::map<uint64_t, uint64_t> polled = {};                  // what polls read: ends by begin, apart
    };

    // The number of the region that begins there; another one where it is not what it was.
    uint32_t Of(const uint8_t* base, uint64_t bytes, const std::string& name, uint32_t owner) {
        const auto at = by_base_.find(base);
        if (at != by_base_.end()) {
            const Region& known = regions_[at->second];
            if (known.bytes == bytes && known.name == name && known.owner == owner) return at->second;
            Forget(base);
        }
        regions_.push_back({base, bytes, name, owner});
        return by_base_[base] = static_cast<uint32_t>(regions_.size() - 1);
    }
    // Its bytes begin a new life.
    void Forget(const uint8_t* base) {
        const auto at = by_base_.find(base);
        if (at == by_base_.end()) return;
        Region& region = regions_[at->second];
        region.live = false;
        region.chunks.clear();
        region.polled.clear();
        by_base_.erase(at);
    }
    void ForgetAll() {
        for (Region& region : regions_) region.chunks.clear();
    }
    const Region& operator[](uint32_t number) const { return regions_[number]; }
    size_t size() const { return regions_.size(); }
    // The number of the one that holds the address, or -1.
    int64_t Find(const uint8_t* address) const {
        auto at = by_base_.upper_bound(address);
        if (at == by_base_.begin()) return -1;
        --at;
        return address < at->first + regions_[at->second].bytes ? static_cast<int64_t>(at->second) : -1;
    }

    // meet(earlier, bytes) for those that the access meets, which is the last one from here on.
    template <class Meet>
    void Touch(uint32_t number, isa::Span run, const Access& access, const Meet& meet) {
        Region& region = regions_[number];
        run.end = std::min(run.end, region.bytes);
        while (run.begin < run.end) {
            const uint64_t chunk = run.begin / kChunk, begin = chunk * kChunk;
            const isa::Span part{run.begin - begin, std::min(run.end, begin + kChunk) - begin};
            auto& history = region.chunks[chunk];
            if (!history) history = std::make_unique<History>(&pasts_, std::min(kChunk, region.bytes - begin));
            Judging<Meet> judge(begin, meet);
            history->Touch(part, access, judge);
            run.begin = begin + part.end;
        }
    }
    // Null: nobody has touched it.
    const Past* At(uint32_t number, uint64_t byte) const {
        const auto& chunks = regions_[number].chunks;
        const auto at = chunks.find(byte / kChunk);
        return at == chunks.end() ? nullptr : at->second->At(byte % kChunk);
    }
    // A poll has read these bytes.
    void Polled(uint32_t number, isa::Span run) {
        auto& polled = regions_[number].polled;
        auto at = polled.upper_bound(run.begin);
        if (at != polled.begin() && std::prev(at)->second >= run.begin) {
            --at;
            if (at->second >= run.end) return;
            run.begin = at->first;
        }
        while (at != polled.end() && at->first <= run.end) {
            run.end = std::max(run.end, at->second);
            at = polled.erase(at);
        }
        polled[run.begin] = run.end;
    }
    bool IsPolled(uint32_t number, isa::Span run) const {
        const auto& polled = regions_[number].polled;
        const auto at = polled.upper_bound(run.begin);
        return at != polled.begin() && std::prev(at)->second >= run.end;
    }

private:
    static constexpr uint64_t kChunk = uint64_t{1} << 20;
    template <class Meeting>
    class Judging final : public History::Judge {
    public:
        Judging(uint64_t begin, const Meeting& meeting) : begin_(begin), meeting_(meeting) {}
        void Meet(const Access& earlier, const History::Stretch& stretch) override {
            const isa::Span bytes = stretch.Bytes();
            meeting_(earlier, isa::Span{bytes.begin + begin_, bytes.end + begin_});
        }

    private:
        const uint64_t begin_;
        const Meeting& meeting_;
    };

    Pasts pasts_;
    std::vector<Region> regions_;
    std::map<const uint8_t*, uint32_t> by_base_;
};

}  // namespace sfumato::sanitize
