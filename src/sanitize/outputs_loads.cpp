// SPDX-License-Identifier: Apache-2.0
// Loads into UB and L1 that no instruction and no scalar access reads: who brought each block of 32 bytes.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <tuple>
#include <utility>
#include <vector>

#include "isa/spans.h"
#include "isa/touched.h"
#include "report/finding.h"
#include "sanitize/detectors.h"
#include "sanitize/outputs_owners.h"

namespace sfumato::sanitize {
namespace {

using isa::Memory;

// The loads of one array at one line. Data decide what some of them are for: only where no one is read are they a
// mistake (decided).
struct LoadsAt {
    Report first;  // of the first one nobody read
    uint64_t loads = 0;
    bool used = false;
};

class LoadsOfCore final : public events::Hears<events::Executing, events::Accessed, events::CoreEnded> {
public:
    using Lines = std::map<std::tuple<const char*, uint32_t, uint32_t>, LoadsAt>;  // file, line, allocation

    LoadsOfCore(const LaunchView& launch, Lines& lines, uint64_t order)
        : launch_(launch), lines_(lines), order_(static_cast<int64_t>(order)) {}

    // Before it executes: what it writes may be what it reads.
    void On(const events::Executing& event) override {
        const isa::Record& record = event.record;
        if (record.operand_count == 0) return;
        const Memory to = record.dst().memory;
        const bool load = record.operand_count > 1 && record.src0().memory == Memory::kGm && Marks(to);
        // Most records meet no load that still waits for its reader.
        if (waiting_ == 0 && !load) return;
        const uint8_t* ub = event.memory.base[static_cast<int>(Memory::kUb)];
        for (int i = isa::Has(record.op, isa::kReadsDst) ? 0 : 1; i < record.operand_count; ++i) {
            const Memory from = record.operand[static_cast<size_t>(i)].memory;
            if (!Marks(from) || !Waits(from, isa::SpanOf(record, i))) continue;
            isa::ForEachRun(record, i, ub, [&](const isa::Span& run) { Read(from, run); });
        }
        Read(Memory::kUb, isa::WordsSpan(record));
        if (!Marks(to) || (!load && !Waits(to, isa::SpanOf(record, 0)))) return;
        written_.Clear();
        isa::ForEachRun(record, 0, ub, [&](const isa::Span& run) {
            // A block that is overwritten in part may still be read.
            written_.Add(load ? BlocksAround(run) : BlocksIn(run));
        });
        const std::vector<isa::Span>& blocks = written_.Ordered();
        if (blocks.empty()) return;
        Owners(to).Give(blocks, load ? Open(record, blocks) : BlockOwners::kNobody,
                        [this](uint32_t number, uint64_t lost) {
                            if ((loads_[number - 1].blocks -= lost) == 0) Close(number, false);
                        });
    }
    void On(const events::Accessed& event) override {
        // A reference that may be written may be read, too.
        if (Marks(event.access.memory)) Read(event.access.memory, event.access.bytes);
    }
    void On(const events::CoreEnded&) override {
        std::vector<uint32_t> left;
        for (uint32_t number = 1; number <= loads_.size(); ++number) {
            if (loads_[number - 1].blocks != 0) left.push_back(number);
        }
        std::ranges::sort(left, [this](uint32_t a, uint32_t b) { return loads_[a - 1].index < loads_[b - 1].index; });
        for (const uint32_t number : left) Close(number, false);
    }

private:
    // One that nobody has read yet, and of whose blocks some are not overwritten.
    struct Load {
        Where where;
        const char* call;
        uint64_t index;
        uint32_t allocation;
        Memory to;
        isa::Span from, dst;
        uint64_t blocks = 0;
    };

    static bool Marks(Memory memory) { return memory == Memory::kUb || memory == Memory::kL1; }
    static isa::Span BlocksAround(isa::Span bytes) {
        return {bytes.begin / isa::kBlockBytes, (bytes.end + isa::kBlockBytes - 1) / isa::kBlockBytes};
    }
    static isa::Span BlocksIn(isa::Span bytes) {
        return {(bytes.begin + isa::kBlockBytes - 1) / isa::kBlockBytes, bytes.end / isa::kBlockBytes};
    }
    BlockOwners& Owners(Memory memory) { return owners_[memory == Memory::kUb ? 0 : 1]; }
    bool Waits(Memory memory, isa::Span hull) {
        return hull.begin < hull.end && Owners(memory).FirstIn(BlocksAround(hull)) != BlockOwners::kNobody;
    }

    uint32_t Open(const isa::Record& record, const std::vector<isa::Span>& blocks) {
        if (free_.empty()) {
            loads_.emplace_back();
            free_.push_back(static_cast<uint32_t>(loads_.size()));
        }
        const uint32_t number = free_.back();
        free_.pop_back();
        ++waiting_;
        Load& load = loads_[number - 1] = {
            record.where,        isa::CallName(record),  record.index,          record.src0().allocation,
            record.dst().memory, isa::SpanOf(record, 1), isa::SpanOf(record, 0)};
        for (const isa::Span& run : blocks) load.blocks += run.end - run.begin;
        return number;
    }
    void Close(uint32_t number, bool used) {
        Load& load = loads_[number - 1];
        LoadsAt& line = lines_[{load.where.file, load.where.line, load.allocation}];
        line.used = line.used || used;
        if (line.loads++ == 0 && !used) line.first = ReportOfLoad(load);
        load.blocks = 0;
        --waiting_;
        free_.push_back(number);
    }
    // A load is used once a block of it is read.
    void Read(Memory memory, isa::Span run) {
        if (run.begin >= run.end || Owners(memory).empty()) return;
        while (const uint32_t number = Owners(memory).FirstIn(BlocksAround(run))) {
            Owners(memory).RemoveOwner(number);
            Close(number, true);
        }
    }
    Report ReportOfLoad(const Load& load) const {
        Report report = ToReport(
            {Rule::kLoadUnused, "dst", "what it loads is never used",
             fmt::format("bytes {} to {} of '{}' in {} bytes {} to {}", load.from.begin, load.from.end - 1,
                         launch_.gm[load.allocation].name, isa::Name(load.to), load.dst.begin, load.dst.end - 1),
             "a load whose data an instruction or GetValue reads before it is overwritten",
             "remove the load, or check which tensor the computation reads"},
            load.call, load.where);
        report.core_order = order_;
        report.index = load.index;
        return report;
    }

    const LaunchView& launch_;
    Lines& lines_;
    const int64_t order_;
    std::vector<Load> loads_;     // by number, from 1
    std::vector<uint32_t> free_;  // numbers of loads that are done
    uint64_t waiting_ = 0;        // loads that are not
    BlockOwners owners_[2];       // of UB and L1: the loads that wait, by number
    BlockRuns written_;           // of the record that executes
};

class Loads final : public events::Listener {
public:
    explicit Loads(const LaunchView& launch) : launch_(launch) {}

    bool WantsOnChip() const override { return true; }
    std::unique_ptr<events::CoreListener> Begin(const events::Place& place, events::Tell) override {
        std::lock_guard lock(mutex_);
        return std::make_unique<LoadsOfCore>(launch_, by_core_[place.order], place.order);
    }
    std::vector<Report> Finish(bool clean) override {
        std::map<std::tuple<std::string, uint32_t, uint32_t>, LoadsAt> lines;
        for (auto& [order, of_core] : by_core_) {
            for (auto& [where, line] : of_core) {
                const auto& [file, number, allocation] = where;
                LoadsAt& sum = lines[{file, number, allocation}];
                if (sum.loads == 0) sum.first = std::move(line.first);
                sum.loads += line.loads;
                sum.used = sum.used || line.used;
            }
        }
        std::vector<Report> reports;
        for (auto& [where, line] : lines) {
            if (!clean || line.used) continue;
            if (line.loads > 1) line.first.found += fmt::format("; all {} loads of it at this line", line.loads);
            reports.push_back(std::move(line.first));
        }
        return reports;
    }

private:
    const LaunchView& launch_;
    std::mutex mutex_;
    std::map<uint64_t, LoadsOfCore::Lines> by_core_;
};

}  // namespace

std::unique_ptr<events::Listener> MakeLoads(const LaunchView& launch) { return std::make_unique<Loads>(launch); }

}  // namespace sfumato::sanitize
