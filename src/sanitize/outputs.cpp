// SPDX-License-Identifier: Apache-2.0
// Outputs by provenance: what was written counts, not what stands there.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>
#include <set>

#include "isa/touched.h"
#include "report/finding.h"
#include "sanitize/detectors.h"
#include "sanitize/outputs_written.h"

namespace sfumato::sanitize {
namespace {

// "bytes 64 to 127", and of elements the host knows the type of, "elements 16 to 31 of float".
std::string Range(isa::Span bytes, std::optional<DataType> type) {
    std::string text = fmt::format("bytes {} to {}", bytes.begin, bytes.end - 1);
    if (!type || BitsOf(*type) <= 8) return text;
    const uint64_t size = BitsOf(*type) / 8, first = bytes.begin / size, last = (bytes.end - 1) / size;
    return text + (first == last ? fmt::format(" (element {} of {})", first, CName(*type))
                                 : fmt::format(" (elements {} to {} of {})", first, last, CName(*type)));
}

bool IsSigned(DataType t) {
    return t == DataType::kInt16 || t == DataType::kInt32 || t == DataType::kInt64 || IsFloating(t);
}

// Whether a tensor of one type reads an array of another wrongly (decided): bytes, and unsigned integers as wide as the
// other or in the kernel, are a way to move bits; of integers of one width only the sign differs.
bool Misreads(DataType array, DataType tensor) {
    if (array == tensor || BitsOf(array) <= 8 || BitsOf(tensor) <= 8 || !IsSigned(tensor)) return false;
    const bool integers = !IsFloating(array) && !IsFloating(tensor);
    return BitsOf(array) != BitsOf(tensor) || (IsSigned(array) && !integers);
}

class Outputs;

class OutputsOfCore final
    : public events::Hears<events::Executing, events::Executed, events::Accessed, events::Marked> {
public:
    OutputsOfCore(Outputs& outputs, uint64_t order, events::Tell tell)
        : outputs_(outputs), order_(order), tell_(std::move(tell)) {}

    void On(const events::Executing& event) override;
    void On(const events::Executed& event) override;
    void On(const events::Accessed& event) override;
    void On(const events::Marked& event) override;

private:
    template <class CallOf>
    uint16_t SiteOf(const CallOf& call, Where where);
    void NoteRead(uint32_t allocation, const isa::Span& run);

    Outputs& outputs_;
    const uint64_t order_;
    const events::Tell tell_;
    Where last_where_;
    uint16_t last_site_ = Sites::kNone;
    std::set<uint32_t> named_;                             // allocations a GlobalTensor was set to
    std::set<std::pair<const char*, uint32_t>> reported_;  // lines of atomic stores
};

class Outputs final : public events::Listener {
public:
    explicit Outputs(const LaunchView& view) : launch(view) {
        for (const GmAllocation& a : view.gm) {
            const bool fresh = a.role == GmRole::kOutput || a.role == GmRole::kWorkspace;
            const bool array = a.role == GmRole::kInOut && view.checks.Has(Check::kOutputNotes);
            written.push_back(a.live && a.bytes > 0 && (fresh || array) ? std::make_unique<Written>(a.bytes) : nullptr);
        }
        named_.resize(launch.gm.size());
        if (view.checks.Has(Check::kOutputNotes)) carries = std::make_unique<std::atomic<bool>[]>(launch.gm.size());
    }

    bool WantsOnChip() const override { return false; }
    std::unique_ptr<events::CoreListener> Begin(const events::Place& place, events::Tell tell) override {
        return std::make_unique<OutputsOfCore>(*this, place.order, std::move(tell));
    }
    std::vector<Report> Finish(bool clean) override {
        std::vector<Report> reports;
        for (size_t i = 0; clean && i < written.size(); ++i) {
            const bool carried = launch.gm[i].role == GmRole::kInOut && carries && carries[i];
            if (written[i] && launch.gm[i].role != GmRole::kWorkspace && !carried) AddUnwritten(i, &reports);
        }
        return reports;
    }

    // The tensor that stands for an allocation in reports: that of the lowest core.
    void Name(uint32_t allocation, uint64_t order, DataType type, Where where) {
        std::lock_guard lock(mutex_);
        Named& named = named_[allocation];
        if (order < named.order) named = {order, type, where};
    }

    // Bytes of an output that no instruction wrote and that a raw pointer did not change either.
    isa::Span NextGap(const GmAllocation& a, const Written& map, uint64_t at) const {
        const bool by_value = a.role != GmRole::kInOut;  // what an array held before the launch is gone
        const auto untouched = [&](uint64_t byte) { return !by_value || a.base[byte] == launch.gm_fill; };
        uint64_t begin = map.Next(at, false);
        while (begin < a.bytes && !untouched(begin)) begin = map.Next(begin + 1, false);
        const uint64_t most = map.Next(begin, true);
        uint64_t end = by_value ? begin : most;
        const uint64_t fill = launch.gm_fill * 0x0101010101010101u;
        for (uint64_t word; end + sizeof(word) <= most; end += sizeof(word)) {
            std::memcpy(&word, a.base + end, sizeof(word));
            if (word != fill) break;
        }
        while (end < most && untouched(end)) ++end;
        return {begin, end};
    }

    const LaunchView& launch;
    std::vector<std::unique_ptr<Written>> written;  // by allocation; nullptr where nobody asks
    Sites sites;
    // By allocation: the launch has read what it wrote there. An array of the host that carries data or flags from step
    // to step is none to fill (decided). nullptr: nobody asks.
    std::unique_ptr<std::atomic<bool>[]> carries;

private:
    struct Named {
        uint64_t order = UINT64_MAX;
        DataType type = DataType::kUint8;
        Where where;
    };

    void AddUnwritten(size_t allocation, std::vector<Report>* reports) const;

    std::mutex mutex_;
    std::vector<Named> named_;
};

void Outputs::AddUnwritten(size_t allocation, std::vector<Report>* reports) const {
    const GmAllocation& a = launch.gm[allocation];
    const Written& map = *written[allocation];
    const Named& named = named_[allocation];
    const bool output = a.role == GmRole::kOutput, known = named.order != UINT64_MAX;
    const auto type = a.type ? a.type : known ? std::optional(named.type) : std::nullopt;
    // Bytes of an element that a raw store left as they were are no gap.
    const uint64_t size = type ? std::max(1u, BitsOf(*type) / 8) : 1;
    isa::Span first, second;
    uint64_t ranges = 0, bytes = 0;
    for (isa::Span gap = NextGap(a, map, 0); gap.begin < a.bytes; gap = NextGap(a, map, gap.end)) {
        const isa::Span whole{(gap.begin + size - 1) / size * size,
                              gap.end == a.bytes ? gap.end : gap.end / size * size};
        if (whole.begin >= whole.end) continue;
        if (ranges++ < 2) (ranges == 1 ? first : second) = whole;
        bytes += whole.end - whole.begin;
    }
    const bool nothing = bytes == a.bytes;
    if (ranges == 0 || (!output && nothing)) return;  // an array nobody writes to is an input

    Report report = ReportOf(Rule::kOutputUnwritten);
    if (!output) report.severity = Severity::kNote;
    report.operand = a.name;
    report.allocation = static_cast<int64_t>(allocation);
    report.message = nothing  ? fmt::format("nothing is written to the output '{}'", a.name)
                     : output ? fmt::format("a part of the output '{}' is written by nobody", a.name)
                              : fmt::format("a part of '{}' is written, the rest is left as it was", a.name);
    report.found = Range(first, type);
    if (ranges == 2)
        report.found += fmt::format(" and {}; {} of {} bytes", Range(second, type), bytes, a.bytes);
    else if (ranges > 2)
        report.found += fmt::format(" first; {} such ranges, {} of {} bytes", ranges, bytes, a.bytes);
    else if (!nothing)
        report.found += fmt::format("; {} of {} bytes", bytes, a.bytes);
    report.legal = output ? "every byte of an output is written: what it held before is undefined"
                          : "an array that the kernel is to fill is written whole";
    report.hint = nothing ? "store the result with DataCopy, to the tensor that was set to this argument"
                  : ranges == 1 && first.end == a.bytes
                      ? fmt::format("check the length of the last tile and the number of blocks: {}",
                                    launch.chip.StoresAnyLength()
                                        ? "DataCopyPad stores any length"
                                        : "the last copy may begin earlier, so that it ends where the data ends")
                      : "check the offset of each block and the strides of the store";
    if (known) {
        report.file = named.where.file;
        report.line = named.where.line;
    }
    const uint16_t site = first.begin > 0 ? map.SiteAt(first.begin - 1) : Sites::kNone;
    if (site != Sites::kNone) {
        report.related.push_back({sites[site].where.file, sites[site].where.line,
                                  fmt::format("{} writes up to byte {}", sites[site].call, first.begin - 1)});
    }
    reports->push_back(std::move(report));
}

template <class CallOf>
uint16_t OutputsOfCore::SiteOf(const CallOf& call, Where where) {
    if (last_site_ == Sites::kNone || where.file != last_where_.file || where.line != last_where_.line) {
        last_where_ = where;
        last_site_ = outputs_.sites.Of(call(), where);
    }
    return last_site_;
}

void OutputsOfCore::NoteRead(uint32_t allocation, const isa::Span& run) {
    if (!outputs_.carries || outputs_.launch.gm[allocation].role != GmRole::kInOut) return;
    const Written* map = outputs_.written[allocation].get();
    std::atomic<bool>& carries = outputs_.carries[allocation];
    if (map && !carries.load(std::memory_order_relaxed) && map->Any(run))
        carries.store(true, std::memory_order_relaxed);
}

void OutputsOfCore::On(const events::Executing& event) {
    const auto& [record, memory] = event;
    const uint8_t* ub = memory.base[static_cast<int>(isa::Memory::kUb)];
    for (int i = 1; outputs_.carries && i < record.operand_count; ++i) {
        const isa::Operand& o = record.operand[static_cast<size_t>(i)];
        if (o.memory != isa::Memory::kGm) continue;
        isa::ForEachRun(record, i, ub, [&](const isa::Span& run) { NoteRead(o.allocation, run); });
    }
    if (!isa::IsAtomic(record)) return;
    const isa::Operand& dst = record.dst();
    const GmAllocation& a = outputs_.launch.gm[dst.allocation];
    const Written* map = outputs_.written[dst.allocation].get();
    if (!map || a.role == GmRole::kInOut) return;
    isa::Span first;
    uint64_t bytes = 0;
    isa::ForEachRun(record, 0, ub, [&](const isa::Span& run) {
        if (map->Has(run)) return;
        for (isa::Span gap = outputs_.NextGap(a, *map, run.begin); gap.begin < run.end;
             gap = outputs_.NextGap(a, *map, gap.end)) {
            gap.end = std::min(gap.end, run.end);
            if (bytes == 0) first = gap;
            bytes += gap.end - gap.begin;
        }
    });
    if (bytes == 0 || !reported_.emplace(record.where.file, record.where.line).second) return;

    Report report =
        ToReport({Rule::kAtomicUninitialised, a.name, "an atomic store combines with what nobody wrote",
                  fmt::format("{}; {} bytes of this store", Range(first, dst.type), bytes),
                  "global memory that was cleared or written before: an output and a workspace start undefined",
                  record.api == isa::Api::kTik
                      ? "make the tensor with is_atomic_add=True, which clears it, or store zeros first"
                      : "clear it first, e.g. by InitGlobalMemory, with SyncAll before the atomic stores"},
                 isa::CallName(record), record.where);
    report.index = record.index;
    tell_(std::move(report));
}

void OutputsOfCore::On(const events::Executed& event) {
    const isa::Record& record = event.record;
    if (record.operand_count == 0 || record.dst().memory != isa::Memory::kGm) return;
    Written* map = outputs_.written[record.dst().allocation].get();
    if (!map) return;
    const uint16_t site = SiteOf([&record] { return isa::CallName(record); }, record.where);
    isa::ForEachRun(record, 0, event.memory.base[static_cast<int>(isa::Memory::kUb)],
                    [&](const isa::Span& run) { map->Write(run, site); });
}

void OutputsOfCore::On(const events::Accessed& event) {
    const events::ScalarAccess& access = event.access;
    if (access.memory != isa::Memory::kGm || access.through == events::ScalarAccess::Through::kReference) return;
    if (!access.write) return NoteRead(access.allocation, access.bytes);
    if (Written* map = outputs_.written[access.allocation].get())
        map->Write(access.bytes, SiteOf([&access] { return access.call; }, access.where));
}

void OutputsOfCore::On(const events::Marked& event) {
    const auto& [as, memory, allocation, bytes, type, call, where, index] = event;
    if (as != events::Marked::As::kElements) return;
    if (!named_.insert(allocation).second) return;
    outputs_.Name(allocation, order_, type, where);
    const GmAllocation& a = outputs_.launch.gm[allocation];
    if (!a.type || a.role == GmRole::kWorkspace || !Misreads(*a.type, type)) return;
    Report report =
        ToReport({Rule::kDtypeDiffers, a.name, fmt::format("the tensor's elements are not those of '{}'", a.name),
                  fmt::format("a GlobalTensor<{}> on an array of {}", CName(type), NumpyName(*a.type)),
                  fmt::format("GlobalTensor<{}>; bytes and unsigned integers stand for any type", CName(*a.type)),
                  fmt::format("pass the array as {}, or change the tensor's type", NumpyName(type))},
                 "SetGlobalBuffer", where);
    report.index = index;
    tell_(std::move(report));
}

}  // namespace

std::unique_ptr<events::Listener> MakeOutputs(const LaunchView& launch) { return std::make_unique<Outputs>(launch); }

}  // namespace sfumato::sanitize
