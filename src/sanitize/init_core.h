// SPDX-License-Identifier: Apache-2.0
// One core's memories, and what its records make of undefined bits.
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "isa/touched.h"
#include "sanitize/init.h"
#include "sanitize/init_flow.h"

namespace sfumato::sanitize {

class InitCore final : public events::Hears<events::Issued, events::Choosing, events::Executing, events::Executed,
                                            events::Accessed, events::Loading, events::Marked> {
public:
    InitCore(InitDetector& launch, const events::Place& place, events::Tell tell);

    void On(const events::Issued& event) override { next_index_ = event.record.index + 1; }
    void On(const events::Choosing& event) override;
    void On(const events::Executing& event) override;
    void On(const events::Executed& event) override;
    void On(const events::Accessed& event) override;
    void On(const events::Loading& event) override;
    void On(const events::Marked& event) override;

    // Whether somebody wrote these bytes of an operand's memory, with what somebody wrote: of a record that executes,
    // its result.
    bool Defined(const isa::Operand& operand, isa::Span bytes);

private:
    // Where bytes are used.
    struct Use {
        const char* call;
        const char* operand;
        std::string what;  // "stores data that"
        std::string to;    // " to 'dst'"
        Where where;
        uint64_t index;
    };
    // A new life of bytes, from the instruction `index` on: records before it may still wait in their pipes.
    struct Renewal {
        uint64_t index;
        const char* call;
        Where where;
    };
    // Those of one buffer, by index.
    struct Waiting {
        isa::Span bytes;
        std::vector<Renewal> renewals;
    };
    struct OnChip {
        Shadow shadow;
        Regions regions;
        std::vector<Waiting> waiting;
        OnChip(uint64_t bytes) : shadow(bytes, Shadow::State::kUndefined), regions(bytes) {}
    };
    // The operands that a record reads, and the words no operand names.
    struct Source {
        isa::Memory memory;
        uint32_t allocation;
        uint64_t begin, end;
        int index;  // -1: the words
        isa::Span hull() const { return {begin, end}; }
    };
    struct Sources {
        Source source[6];
        int count;
        const Source* begin() const { return source; }
        const Source* end() const { return source + count; }
    };

    bool PackedIsDefined(const isa::Record& record);
    bool StoreIsDefined(const isa::Record& record);
    void Follow(const isa::Record& record, const isa::MemoryMap& map);
    OnChip& ChipOf(isa::Memory memory);
    Shadow& ShadowOf(isa::Memory memory, uint32_t allocation);
    Shadow& ShadowOf(const isa::Operand& o) { return ShadowOf(o.memory, o.allocation); }
    std::unique_lock<std::mutex> Lock(const isa::Record& record);
    void Apply(isa::Memory memory, isa::Span bytes, uint64_t index);
    void ApplyTo(const isa::Record& record);

    void DropPadding(const isa::Record& record);
    void DefineReserved(const isa::Record& record);
    std::string OtherRanges(const isa::Record& record, int operand, const uint8_t* ub);
    void Mark(const isa::Record& record, int operand, uint32_t origin, const uint8_t* ub);
    void TakeFirstSum(const isa::Record& record);
    Sources SourcesOf(const isa::Record& record) const;
    template <class Visit>
    void EachRun(const isa::Record& record, const Source& source, const isa::MemoryMap& map, const Visit& visit) {
        if (source.index < 0 || record.packed) return visit(source.hull());
        if (source.index == 0 && isa::ForEachProductRow(record, visit)) return;
        ForEachRun(record, source.index, map.base[static_cast<int>(isa::Memory::kUb)], visit);
    }
    bool ExactlyDefined(const isa::Record& record, const Sources& sources, const isa::MemoryMap& map);
    // Bytes whose content nobody's would not be: the kernel wrote them by a pointer.
    void TakePointerWrites(isa::Memory memory, uint32_t allocation, isa::Span run, const isa::MemoryMap& map);
    void Write(const isa::Record& record, const isa::MemoryMap& map);
    // nullptr: all that it reads is defined.
    void Spread(const isa::Record& record, const Sources* sources, const isa::MemoryMap& map);

    uint32_t OriginOf(const isa::Record& record, const Sources& sources, const isa::MemoryMap& map);
    // Of the first undefined byte of the run; one that is not stale, if there is any. 0: all is defined.
    uint32_t OriginIn(isa::Memory memory, uint32_t allocation, isa::Span run);
    // Of undefined bytes from `at` on that end before `end`.
    uint32_t OriginAt(isa::Memory memory, uint32_t allocation, uint64_t at, uint64_t end);
    Report MakeReport(const Use& use, uint32_t origin) const;

    InitDetector& launch_;
    const int64_t order_;  // of the core
    events::Tell tell_;
    std::array<std::unique_ptr<OnChip>, isa::kMemoryCount> on_chip_;
    uint64_t renewals_ = 0;  // that no record has come to yet
    uint64_t next_index_ = 0;
    Writer reader_;  // what reads now
    std::map<std::tuple<int, uint32_t, uint64_t, uint32_t, bool, uint32_t, uint64_t>, uint32_t> known_origins_;
    isa::Scratch scratch_;
    std::vector<uint8_t*> gm_shadow_;
};

}  // namespace sfumato::sanitize
