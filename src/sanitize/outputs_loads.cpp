// SPDX-License-Identifier: Apache-2.0
// Loads into UB and L1 that no instruction and no scalar access reads: a mark on each block of 32 bytes.
#include <fmt/format.h>

#include <map>
#include <mutex>
#include <tuple>
#include <utility>

#include "isa/spans.h"
#include "isa/touched.h"
#include "report/finding.h"
#include "sanitize/outputs.h"

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

class LoadsOfCore final : public CoreDetector {
public:
    using Lines = std::map<std::tuple<const char*, uint32_t, uint32_t>, LoadsAt>;  // file, line, allocation

    LoadsOfCore(const LaunchView& launch, Lines& lines, std::string core)
        : launch_(launch), lines_(lines), core_(std::move(core)) {}

    // Before it executes: what it writes may be what it reads.
    void Executing(const isa::Record& record, const isa::MemoryMap& memory) override {
        const uint8_t* ub = memory.base[static_cast<int>(Memory::kUb)];
        for (int i = isa::Has(record.op, isa::kReadsDst) ? 0 : 1; i < record.operand_count; ++i) {
            const Memory from = record.operand[static_cast<size_t>(i)].memory;
            if (Marks(from)) isa::ForEachRun(record, i, ub, [&](const isa::Span& run) { Read(from, run); });
        }
        const isa::Span words = isa::WordsSpan(record);
        if (words.begin < words.end) Read(Memory::kUb, words);
        if (record.operand_count == 0 || !Marks(record.dst().memory)) return;
        const bool load = record.operand_count > 1 && record.src0().memory == Memory::kGm;
        const uint32_t mark = load ? Open(record) : 0;
        isa::ForEachRun(record, 0, ub, [&](const isa::Span& run) { Write(record.dst().memory, run, mark); });
    }
    const uint8_t* Scalar(const ScalarAccess& access, const isa::MemoryMap&) override {
        // A reference that may be written may be read, too.
        if (Marks(access.memory)) Read(access.memory, access.bytes);
        return nullptr;
    }
    void Ended() override {
        for (size_t i = 0; i < loads_.size(); ++i) {
            if (loads_[i].blocks != 0) Close(loads_[i]);
        }
    }

private:
    // One whose data lie in at least one block.
    struct Load {
        Where where;
        const char* call;
        uint64_t index;
        uint32_t allocation;
        Memory to;
        isa::Span from, dst;
        uint64_t blocks = 0;
        bool used = false;
    };

    static bool Marks(Memory memory) { return memory == Memory::kUb || memory == Memory::kL1; }

    uint32_t Open(const isa::Record& record) {
        if (free_.empty()) {
            loads_.emplace_back();
            free_.push_back(static_cast<uint32_t>(loads_.size()));
        }
        const uint32_t mark = free_.back();
        loads_[mark - 1] = {
            record.where,        isa::CallName(record),  record.index,          record.src0().allocation,
            record.dst().memory, isa::SpanOf(record, 1), isa::SpanOf(record, 0)};
        if (loads_[mark - 1].dst.begin == loads_[mark - 1].dst.end) return 0;  // moves nothing
        free_.pop_back();
        return mark;
    }
    void Close(const Load& load) {
        LoadsAt& line = lines_[{load.where.file, load.where.line, load.allocation}];
        line.used = line.used || load.used;
        if (line.loads++ == 0 && !load.used) line.first = ReportOfLoad(load);
    }
    // A block now holds what load `mark` brought, or nothing of a load.
    void Mark(std::vector<uint32_t>& marks, uint64_t block, uint32_t mark) {
        const uint32_t before = std::exchange(marks[block], mark);
        if (before == mark) return;
        if (mark != 0) ++loads_[mark - 1].blocks;
        if (before == 0 || --loads_[before - 1].blocks != 0) return;
        Close(loads_[before - 1]);
        free_.push_back(before);
    }
    std::vector<uint32_t>& MarksOf(Memory memory, uint64_t end) {
        std::vector<uint32_t>& marks = marks_[memory == Memory::kUb ? 0 : 1];
        if (marks.size() * isa::kBlockBytes < end) marks.resize(end / isa::kBlockBytes + 1);
        return marks;
    }
    void Read(Memory memory, isa::Span run) {
        std::vector<uint32_t>& marks = MarksOf(memory, run.end);
        for (uint64_t i = run.begin / isa::kBlockBytes; i * isa::kBlockBytes < run.end; ++i) {
            if (marks[i] == 0) continue;
            loads_[marks[i] - 1].used = true;
            Mark(marks, i, 0);
        }
    }
    // A block that is overwritten in part may still be read.
    void Write(Memory memory, isa::Span run, uint32_t mark) {
        std::vector<uint32_t>& marks = MarksOf(memory, run.end);
        const uint64_t first = mark ? run.begin : run.begin + isa::kBlockBytes - 1;
        const uint64_t end = mark ? run.end + isa::kBlockBytes - 1 : run.end;
        for (uint64_t i = first / isa::kBlockBytes; i < end / isa::kBlockBytes; ++i) Mark(marks, i, mark);
    }
    Report ReportOfLoad(const Load& load) const {
        Report report = ReportOf(Rule::kLoadUnused);
        report.core = core_;
        report.instruction = load.call;
        report.index = load.index;
        report.operand = "dst";
        report.message = fmt::format("{}: what it loads is never used", load.call);
        report.found =
            fmt::format("bytes {} to {} of '{}' in {} bytes {} to {}", load.from.begin, load.from.end - 1,
                        launch_.gm[load.allocation].name, isa::Name(load.to), load.dst.begin, load.dst.end - 1);
        report.legal = "a load whose data an instruction or GetValue reads before it is overwritten";
        report.hint = "remove the load, or check which tensor the computation reads";
        report.file = load.where.file;
        report.line = load.where.line;
        return report;
    }

    const LaunchView& launch_;
    Lines& lines_;
    const std::string core_;
    std::vector<Load> loads_;
    std::vector<uint32_t> free_;      // numbers of loads that are done
    std::vector<uint32_t> marks_[2];  // of UB and L1: the number of the load each block holds, from 1
};

class Loads final : public Detector {
public:
    explicit Loads(const LaunchView& launch) : launch_(launch) {}

    bool WantsOnChip() const override { return true; }
    std::unique_ptr<CoreDetector> Begin(const trace::Place& place, Tell) override {
        std::lock_guard lock(mutex_);
        return std::make_unique<LoadsOfCore>(launch_, by_core_[place.order], place.name);
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

std::unique_ptr<Detector> MakeLoads(const LaunchView& launch) { return std::make_unique<Loads>(launch); }

}  // namespace sfumato::sanitize
