// SPDX-License-Identifier: Apache-2.0
// Records, accesses of the scalar unit and new lives of buffers, as they come.
#include "sanitize/init_core.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "isa/sorts.h"
#include "isa/touched.h"
#include "isa/vector_registers.h"

namespace sfumato::sanitize {
namespace {

using isa::MadeOf;
using isa::Memory;
using isa::Record;
using isa::Rest;
using isa::Span;

// Of one buffer, handed out and never touched; more than the records of a full pipe.
constexpr size_t kMostRenewals = 8192;

Span Both(Span a, Span b) { return {std::max(a.begin, b.begin), std::min(a.end, b.end)}; }

isa::Operand InMemory(Memory memory, Span span) {
    isa::Operand o;
    o.memory = memory;
    o.offset = span.begin;
    o.limit = span.end;
    return o;
}

// Whether operand 2 says where data comes from or goes: by offsets, or bits that choose.
bool IsChosen(const Record& r) {
    switch (Info(r.form()).made_of) {
        case MadeOf::kWeighted:
        case MadeOf::kByOffsets: return true;
        case MadeOf::kByBits: return r.operand_count == 3;
        case MadeOf::kNothing:
        case MadeOf::kLane:
        case MadeOf::kLaneAndScalar:
        case MadeOf::kLaneBit:
        case MadeOf::kLaneChoice:
        case MadeOf::kGroup:
        case MadeOf::kProduct:
        case MadeOf::kElement:
        case MadeOf::kBytes: return false;
    }
    __builtin_unreachable();
}

// Some of what it reaches is undefined whatever it reads: the rest of the last fractals (cube.md 3.5, 4), pads without
// a value (framework.md 3.4).
bool LeavesGaps(const Record&, const isa::Matmul& s) {
    return s.m % isa::kFractalRows != 0 || s.n % isa::kL0CColumns != 0;
}
bool LeavesGaps(const Record&, const isa::MovePad& s) { return !s.pad_defined && s.left + s.right != 0; }
bool LeavesGaps(const Record&, const isa::MergeQueues& s) { return s.suspend; }
bool LeavesGaps(const Record& r, const isa::Load3Dv2& s) {
    const isa::ImageMatrix matrix = MatrixOf(s);
    const uint64_t c0 = isa::C0Of(r.dst().type);
    return s.repeats > 1 || s.m_extension % c0 != 0 || s.m_extension % isa::kFractalRows != 0 ||
           s.k_extension % c0 != 0 || s.k_extension % isa::kFractalRows != 0 ||
           s.m_start + s.m_extension > matrix.rows || s.k_start + s.k_extension > matrix.columns;
}
template <class P>
requires(isa::IsFull(isa::kRestOf<P>)) bool LeavesGaps(const Record&, const P&) { return false; }

bool LeavesGaps(const Record& r) {
    return VisitForm(r, [&](const auto& parameters) { return LeavesGaps(r, parameters); });
}

// How much it writes is known once it has run.
bool IsSuspended(const Record& r) { return Info(r.form()).rest == Rest::kQueues && LeavesGaps(r); }

}  // namespace

InitCore::InitCore(InitDetector& launch, const events::Place& place, events::Tell tell)
    : launch_(launch),
      order_(static_cast<int64_t>(place.order)),
      tell_(std::move(tell)),
      gm_shadow_(launch.launch().gm.size()) {}

InitCore::OnChip& InitCore::ChipOf(Memory memory) {
    auto& on_chip = on_chip_[static_cast<size_t>(memory)];
    if (!on_chip) {
        const bool registers = memory == Memory::kRegister;
        on_chip = std::make_unique<OnChip>(registers ? isa::kVectorRegisterBytes : launch_.launch().chip.Bytes(memory));
    }
    return *on_chip;
}

Shadow& InitCore::ShadowOf(Memory memory, uint32_t allocation) {
    return memory == Memory::kGm ? *launch_.Gm(allocation) : ChipOf(memory).shadow;
}

// No record works on two allocations.
std::unique_lock<std::mutex> InitCore::Lock(const Record& r) {
    for (int i = 0; i < r.operand_count; ++i) {
        const isa::Operand& o = r.operand[static_cast<size_t>(i)];
        if (o.memory == Memory::kGm) return std::unique_lock(ShadowOf(o).mutex);
    }
    return {};
}

void InitCore::On(const events::Marked& event) {
    const auto& [as, memory, allocation, bytes, type, call, where, index] = event;
    if (as != events::Marked::As::kRenewed) return;
    auto& waiting = ChipOf(memory).waiting;
    auto at = std::ranges::find_if(
        waiting, [&, &of = bytes](const Waiting& w) { return w.bytes.begin == of.begin && w.bytes.end == of.end; });
    if (at == waiting.end()) at = waiting.insert(at, {bytes, {}});
    if (at->renewals.size() == kMostRenewals) {
        at->renewals.erase(at->renewals.begin());
        --renewals_;
    }
    at->renewals.push_back({next_index_, call, where});
    ++renewals_;
}

void InitCore::Apply(Memory memory, Span bytes, uint64_t index) {
    if (memory == Memory::kGm || !on_chip_[static_cast<size_t>(memory)]) return;
    OnChip& on_chip = ChipOf(memory);
    for (auto& [span, renewals] : on_chip.waiting) {
        if (renewals.empty() || !span.Overlaps(bytes)) continue;
        const auto due = std::ranges::find_if(renewals, [&](const Renewal& r) { return r.index > index; });
        for (auto renewal = renewals.begin(); renewal != due; ++renewal, --renewals_) {
            on_chip.shadow.Renew(span);
            on_chip.regions.Renew(span, renewal->call, renewal->where);
        }
        renewals.erase(renewals.begin(), due);
    }
}

void InitCore::ApplyTo(const Record& r) {
    for (int i = 0; i < r.operand_count; ++i) Apply(r.operand[static_cast<size_t>(i)].memory, SpanOf(r, i), r.index);
    Apply(Memory::kUb, WordsSpan(r), r.index);
}

InitCore::Sources InitCore::SourcesOf(const Record& r) const {
    Sources sources;
    sources.count = 0;
    const auto add = [&](Memory memory, uint32_t allocation, Span hull, int index) {
        sources.source[sources.count++] = {memory, allocation, hull.begin, hull.end, index};
    };
    for (int i = ReadsDst(r) ? 0 : 1; i < r.operand_count; ++i) {
        if (i > 0 && isa::IsWritten(r, i)) continue;  // the work tensor of a reduction
        const isa::Operand& o = r.operand[static_cast<size_t>(i)];
        add(o.memory, o.allocation, SpanOf(r, i), i);
    }
    const Span words = WordsSpan(r);
    if (words.begin != words.end) add(Memory::kUb, 0, words, -1);
    return sources;
}

// The shape of most short calls, when nothing about it is undefined.
bool InitCore::PackedIsDefined(const Record& r) {
    OnChip* ub = on_chip_[static_cast<size_t>(Memory::kUb)].get();
    if (!r.packed || renewals_ != 0 || !ub || r.control.deq == isa::DeqScale::kVector) return false;
    for (size_t i = 0; i < r.operand_count; ++i) {
        const isa::Operand& o = r.operand[i];
        if (!ub->shadow.Defined({o.offset, o.offset + (r.mask.count << isa::Log2Bits(o.type)) / 8})) return false;
    }
    return true;
}

bool InitCore::Defined(const isa::Operand& o, Span bytes) {
    Shadow& shadow = ShadowOf(o);
    const auto lock = o.memory == Memory::kGm ? std::unique_lock(shadow.mutex) : std::unique_lock<std::mutex>();
    return shadow.Defined(bytes);
}

// A value of the scalar unit, onto what is defined.
bool InitCore::StoreIsDefined(const Record& r) {
    OnChip* ub = on_chip_[static_cast<size_t>(Memory::kUb)].get();
    if (isa::Info(r.op).pipe != isa::Pipe::kS || renewals_ != 0 || !ub || r.dst().memory != Memory::kUb) return false;
    return ub->shadow.Defined(SpanOf(r, 0));
}

void InitCore::On(const events::Executing& event) {
    const Record& record = event.record;
    if (PackedIsDefined(record) || StoreIsDefined(record)) return;
    if (!IsSuspended(record)) Follow(record, event.memory);
}

void InitCore::On(const events::Executed& event) {
    if (IsSuspended(event.record)) Follow(event.record, event.memory);
}

void InitCore::Follow(const Record& record, const isa::MemoryMap& map) {
    if (record.operand_count == 0) return;
    reader_ = {CallName(record), record.where, {}};
    if (renewals_ != 0) ApplyTo(record);
    const auto lock = Lock(record);
    if (isa::IsAtomic(record)) TakeFirstSum(record);
    const Sources sources = SourcesOf(record);
    bool defined = true;
    for (const Source& source : sources) {
        defined = defined && ShadowOf(source.memory, source.allocation).Defined(source.hull());
    }
    if (isa::LeavesUndefined(record)) return Spread(record, &sources, map);
    defined || ExactlyDefined(record, sources, map) ? Write(record, map) : Spread(record, &sources, map);
    if (Has(record.op, isa::kWritesField)) DefineReserved(record);
}

// The elements of proposals that no field has: nobody writes them, and they go along.
void InitCore::DefineReserved(const Record& r) {
    isa::ForEachReserved(r, [&](const Span& bytes) { ShadowOf(r.dst()).Define(bytes); });
}

// A sum onto an output that nobody wrote is what `outputs` reports; here it counts as the first store. One onto the
// padding behind an array stays nobody's.
void InitCore::TakeFirstSum(const Record& r) {
    const isa::Operand& dst = r.dst();
    const GmAllocation& array = launch_.launch().gm[dst.allocation];
    if (array.role == GmRole::kWorkspace) return;
    Shadow& shadow = ShadowOf(dst);
    ForEachRun(r, 0, nullptr, [&](const Span& run) {
        const uint64_t end = std::min(run.end, array.bytes);
        for (uint64_t at = run.begin / kBlock * kBlock; at < end; at += kBlock) {
            if (shadow.Origin(at) == 0) shadow.Define(Both(run, {at, std::min(at + kBlock, end)}));
        }
    });
}

bool InitCore::ExactlyDefined(const Record& r, const Sources& sources, const isa::MemoryMap& map) {
    bool defined = true;
    for (const Source& source : sources) {
        Shadow& shadow = ShadowOf(source.memory, source.allocation);
        if (shadow.Defined(source.hull())) continue;
        EachRun(r, source, map, [&](const Span& run) {
            if (shadow.Defined(run)) return;
            TakePointerWrites(source.memory, source.allocation, run, map);
            defined = defined && shadow.Defined(run);
        });
    }
    return defined;
}

void InitCore::TakePointerWrites(Memory memory, uint32_t allocation, Span run, const isa::MemoryMap& map) {
    if (memory != Memory::kUb && memory != Memory::kGm) return;
    Shadow& shadow = ShadowOf(memory, allocation);
    const bool gm = memory == Memory::kGm;
    const uint8_t* data = gm ? map.gm[allocation] : map.base[static_cast<int>(memory)];
    const uint8_t fill = gm ? launch_.launch().gm_fill : launch_.launch().fill;
    for (uint64_t at = run.begin / kBlock * kBlock; at < run.end; at += kBlock) {
        const Span part = Both(run, {at, at + kBlock});
        if (shadow.Origin(at) != 0 || shadow.Stale(at) || shadow.Defined(part)) continue;
        uint8_t* bits = shadow.Open(part);
        for (uint64_t i = part.begin; i < part.end; ++i) {
            if (data[i] != fill) bits[i] = 0;
        }
        shadow.Close(part);
    }
}

void InitCore::On(const events::Choosing& event) {
    const Record& r = event.record;
    constexpr int chooser = 2;
    if (!IsChosen(r)) return;
    if (renewals_ != 0) ApplyTo(r);
    const isa::Operand& o = r.operand[static_cast<size_t>(chooser)];
    Shadow& shadow = ShadowOf(o);
    reader_ = {CallName(r), r.where, {}};
    uint32_t origin = 0;
    ForEachRun(r, chooser, nullptr, [&](const Span& run) {
        if (shadow.Defined(run)) return;
        TakePointerWrites(o.memory, o.allocation, run, event.memory);
        if (origin == 0) origin = OriginIn(o.memory, o.allocation, run);
        shadow.Define(run);  // said once
    });
    if (origin == 0) return;
    const bool bits = Info(r.form()).made_of == MadeOf::kByBits;
    tell_(MakeReport(
        {CallName(r), OperandName(r, chooser),
         bits ? "takes the bits that choose from data that" : "takes offsets from data that", "", r.where, r.index},
        origin));
}

void InitCore::Write(const Record& r, const isa::MemoryMap& map) {
    if (LeavesGaps(r)) return Spread(r, nullptr, map);
    const uint8_t* ub = map.base[static_cast<int>(Memory::kUb)];
    const Span registers = RegisterWritten(r);
    if (registers.begin != registers.end) ChipOf(Memory::kRegister).shadow.Define(registers);
    for (int i = 0; i < r.operand_count; ++i) {
        if (!isa::IsWritten(r, i)) continue;
        const isa::Operand& dst = r.operand[static_cast<size_t>(i)];
        const Span hull = SpanOf(r, i);
        Shadow& shadow = ShadowOf(dst);
        if (shadow.Defined(hull)) continue;
        r.packed ? shadow.Define(hull) : ForEachRun(r, i, ub, [&](const Span& run) { shadow.Define(run); });
        if (dst.memory != Memory::kGm) ChipOf(dst.memory).regions.Write(hull, CallName(r), r.where);
    }
}

void InitCore::Spread(const Record& r, const Sources* sources, const isa::MemoryMap& map) {
    const uint8_t* ub = map.base[static_cast<int>(Memory::kUb)];
    const uint32_t origin = sources ? OriginOf(r, *sources, map) : 0;
    isa::MemoryMap shadows;
    shadows.gm = gm_shadow_.data();
    shadows.scratch = &scratch_;
    const auto open = [&](const isa::Operand& o, Span span) {
        uint8_t* bytes = ShadowOf(o).Open(span);
        (o.memory == Memory::kGm ? gm_shadow_[o.allocation] : shadows.base[static_cast<int>(o.memory)]) = bytes;
    };
    // A product of what is defined says by itself what is not.
    const bool dst_alone = !sources && Info(r.form()).rest == Rest::kFractals;
    const auto each = [&](const auto& visit) {
        if (dst_alone) return visit(r.dst(), SpanOf(r, 0));
        for (int i = 0; i < r.operand_count; ++i) visit(r.operand[static_cast<size_t>(i)], SpanOf(r, i));
        const Span words = WordsSpan(r), all{0, isa::kVectorRegisterBytes};
        if (words.begin != words.end) visit(InMemory(Memory::kUb, words), words);
        visit(InMemory(Memory::kRegister, all), all);
    };
    each(open);
    Propagate({r, map, shadows, sources == nullptr});
    each([&](const isa::Operand& o, Span span) { ShadowOf(o).Close(span); });

    if (r.dst().memory != Memory::kGm) {
        ChipOf(r.dst().memory).regions.Write(SpanOf(r, 0), CallName(r), r.where);
    }
    for (int i = 0; i < r.operand_count; ++i) {
        if (isa::IsWritten(r, i)) Mark(r, i, origin, ub);
    }
}

// DataCopy stores whole blocks of 32 bytes, from fractals rows of 16 elements: what stands after data in the last one
// of a burst is padding, in memory of which nobody said what it holds (decided). It is dropped.
void InitCore::DropPadding(const Record& r) {
    const Rest rest = Info(r.form()).rest;
    if (rest != Rest::kBlock && rest != Rest::kRow) return;
    if (launch_.launch().gm[r.dst().allocation].role != GmRole::kUnknown) return;
    Shadow& shadow = ShadowOf(r.dst());
    const uint64_t unit = rest == Rest::kRow ? BytesOf(r.dst().type, isa::kL0CColumns) : kBlock;
    ForEachRun(r, 0, nullptr, [&](const Span& run) {
        const Span piece{run.begin + (run.end - run.begin - 1) / unit * unit, run.end};
        if (shadow.Defined(piece)) return;
        uint64_t data = piece.end;
        while (data > piece.begin && !shadow.Defined({data - 1, data})) --data;
        const bool after = data > piece.begin && shadow.Defined({piece.begin, data});
        if (after) shadow.Define(piece);
    });
}

// "; in 'y' they are bytes 96 to 127 and bytes 224 to 255", where a store has several stretches of undefined bytes.
std::string InitCore::OtherRanges(const Record& r, int operand, const uint8_t* ub) {
    constexpr size_t kMost = 3;
    const isa::Operand& dst = r.operand[static_cast<size_t>(operand)];
    Shadow& shadow = ShadowOf(dst);
    std::vector<Span> ranges;
    ForEachRun(r, operand, ub, [&](const Span& run) {
        for (uint64_t at = run.begin; at < run.end && ranges.size() <= kMost; ++at) {
            if (at % kBlock == 0 && shadow.Defined({at, std::min(at + kBlock, run.end)}))
                at += kBlock - 1;
            else if (!shadow.Defined({at, at + 1})) {
                if (ranges.empty() || ranges.back().end != at) ranges.push_back({at, at});
                ranges.back().end = at + 1;
            }
        }
    });
    if (ranges.size() < 2) return "";
    std::string text;
    for (size_t i = 0; i < std::min(ranges.size(), kMost); ++i)
        text += fmt::format("{}bytes {} to {}", i == 0 ? "" : " and ", ranges[i].begin, ranges[i].end - 1);
    return fmt::format("; in '{}' they are {}{}", launch_.launch().gm[dst.allocation].name, text,
                       ranges.size() > kMost ? " and others" : "");
}

// Undefined bytes of a destination know where they come from.
void InitCore::Mark(const Record& r, int operand, uint32_t origin, const uint8_t* ub) {
    const isa::Operand& dst = r.operand[static_cast<size_t>(operand)];
    Shadow& shadow = ShadowOf(dst);
    const GmAllocation* gm = dst.memory == Memory::kGm ? &launch_.launch().gm[dst.allocation] : nullptr;
    const bool matters = gm && gm->role != GmRole::kWorkspace;
    if (matters) DropPadding(r);
    bool told = false;
    const auto mark = [&](const Span& run) {
        if (shadow.Defined(run)) return;
        if (origin == 0) origin = OriginIn(dst.memory, dst.allocation, run);
        // A store that matters is told at the end, unless what it stored is gone then.
        if (matters && !told) {
            told = true;
            const std::string to = fmt::format(" to '{}'", gm->name);
            Report report = MakeReport({CallName(r), "", "stores data that", to, r.where, r.index}, origin);
            report.core_order = order_;
            report.found += OtherRanges(r, operand, ub);
            origin = launch_.origins().Stored(origin, report);
        }
        for (uint64_t at = run.begin / kBlock * kBlock; at < run.end; at += kBlock) {
            const Span part = Both(run, {at, at + kBlock});
            if (!shadow.Defined(part)) shadow.SetOrigin(part, origin);
        }
    };
    r.packed ? mark(SpanOf(r, operand)) : ForEachRun(r, operand, ub, mark);
}

void InitCore::On(const events::Accessed& event) {
    const events::ScalarAccess& access = event.access;
    next_index_ = access.index;
    // What the program is about to store it does not read.
    if (access.through == events::ScalarAccess::Through::kReference) return;
    const Memory memory = access.memory;
    if (renewals_ != 0) Apply(memory, access.bytes, access.index);
    Shadow& shadow = ShadowOf(memory, access.allocation);
    const std::unique_lock<std::mutex> lock =
        memory == Memory::kGm ? std::unique_lock(shadow.mutex) : std::unique_lock<std::mutex>();
    if (shadow.Defined(access.bytes)) return;
    if (access.write) {
        shadow.Define(access.bytes);
        if (memory != Memory::kGm) ChipOf(memory).regions.Write(access.bytes, access.call, access.where);
        return;
    }
    reader_ = {access.call, access.where, {}};
    TakePointerWrites(memory, access.allocation, access.bytes, event.memory);
    const uint32_t origin = OriginIn(memory, access.allocation, access.bytes);
    if (origin == 0) return;
    tell_(MakeReport({access.call, "", "reads data that", "", access.where, access.index}, origin));
}

void InitCore::On(const events::Loading& event) {
    Shadow& shadow = ShadowOf(Memory::kUb, 0);
    if (renewals_ != 0) Apply(Memory::kUb, event.bytes, next_index_);
    event.all = shadow.Defined(event.bytes);
    if (event.all) return;
    const uint8_t* undefined = shadow.Open(event.bytes);
    for (uint64_t at = event.bytes.begin; at < event.bytes.end; ++at) {
        const uint64_t b = at - event.bytes.begin;
        event.defined[b / 64] |= uint64_t{undefined[at] == 0} << (b % 64);
    }
    shadow.Close(event.bytes);
}

}  // namespace sfumato::sanitize
