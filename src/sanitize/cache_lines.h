// SPDX-License-Identifier: Apache-2.0
// The data caches of the scalar units (framework.md 2.8): lines of 64 bytes, written back whole, seen by nobody else.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "sanitize/history.h"

namespace sfumato::sanitize {

class CacheLines {
public:
    static constexpr uint64_t kLine = 64;
    static constexpr uint64_t LineOf(uint64_t byte) { return byte / kLine * kLine; }

    enum class Trouble : uint8_t {
        kNotCleaned,  // bytes are read while the new ones are still in a core's cache
        kStale,       // the scalar unit reads what it has cached, and others have written since
        kLostWrite,   // a line that is dirty in one cache is written by another core or pipe
        kOldLine      // the scalar unit stores into a line it has cached, and others have written since
    };
    class Judge {
    public:
        virtual ~Judge() = default;
        // earlier: the scalar store, or the write that the cache does not know.
        virtual void Disagrees(Trouble trouble, const Access& earlier, isa::Span bytes) = 0;
        // Whether the access waits for this one of another core.
        virtual bool IsAfter(const Access& earlier) = 0;
        // The bytes of a line, a bit each, that others have written and that the access does not wait for; the last of
        // these writes.
        virtual uint64_t NotAwaited(isa::Span line, Access* last) = 0;
    };

    // The scalar unit of a core loads or stores through its cache.
    void Scalar(uint32_t allocation, isa::Span bytes, const Access& access, Judge& judge);
    // A load of the core has seen what it waits for: its copy of the line is as new as that.
    void IsFresh(uint32_t core, uint32_t allocation, uint64_t byte);
    // A pipe reads or writes global memory.
    void Pipe(uint32_t allocation, isa::Span bytes, const Access& access, Judge& judge);
    // DataCacheCleanAndInvalid of the line that holds a byte, or of all.
    void Cleaned(uint32_t core, uint32_t allocation, uint64_t byte, uint64_t tick);
    void CleanedAll(uint32_t core, uint64_t tick);
    // Whether the core's copy of the line that holds a byte has stores that nobody sees yet.
    bool IsDirty(uint32_t core, uint32_t allocation, uint64_t byte) const;

private:
    // A core's copy of a line.
    struct Copy {
        uint64_t dirty = 0, foreign = 0;  // bytes it has stored; bytes others have written since it was loaded
        Access store, write;              // the last of each
        // Bytes others had written when it was loaded, though nothing made the load wait for them: in another order it
        // has the old ones.
        uint64_t unsure = 0;
        Access unsure_write;
    };
    using Line = std::map<uint32_t, Copy>;  // by core
    using Key = std::pair<uint32_t, uint64_t>;

    void JudgeWrittenBack(const Key& key, const Access& store, Judge& judge);

    std::map<Key, Line> lines_;
    // The last stores that cores have cleaned out of a line, with the time of that: a core that loads the line before
    // has the old bytes, and stores them back.
    std::map<Key, std::map<uint32_t, Access>> written_back_;
    // Lines a core has loaded since all were cleaned; with some that it has cleaned alone.
    struct Loaded {
        std::vector<Key> lines;
        size_t held = 0;
    };
    void Load(uint32_t core, const Key& key);

    std::map<uint32_t, Loaded> of_core_;
};

}  // namespace sfumato::sanitize
