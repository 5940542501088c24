// SPDX-License-Identifier: Apache-2.0
#include "runtime/memory/touched_memory.h"

#include <algorithm>
#include <mutex>
#include <tuple>

#include "isa/touched.h"
#include "runtime/launch/launch.h"
#include "runtime/memory/global_memory.h"

namespace sfumato::runtime {
namespace {

struct Run {
    uint32_t allocation;
    bool write;
    isa::Span span;
    auto Key() const { return std::tuple(allocation, write, span.begin); }
};

// Runs that touch or overlap become one.
void Merge(std::vector<Run>& runs) {
    std::ranges::sort(runs, [](const Run& a, const Run& b) { return a.Key() < b.Key(); });
    size_t kept = 0;
    for (const Run& run : runs) {
        if (kept > 0) {
            Run& last = runs[kept - 1];
            if (last.allocation == run.allocation && last.write == run.write && run.span.begin <= last.span.end) {
                last.span.end = std::max(last.span.end, run.span.end);
                continue;
            }
        }
        runs[kept++] = run;
    }
    runs.resize(kept);
}

class Collector final : public events::Listener {
public:
    std::unique_ptr<events::CoreListener> Begin(const events::Place&, events::Tell) override {
        return std::make_unique<OfCore>(*this);
    }
    std::vector<Run> Runs() {
        Merge(runs_);
        return std::move(runs_);
    }

private:
    class OfCore final : public events::Hears<events::Executed, events::Accessed> {
    public:
        explicit OfCore(Collector& all) : all_(all) {}
        // Of records the runs count, not their hull: rows of two launches may lie between each other.
        void On(const events::Executed& event) override {
            const isa::Record& record = event.record;
            for (int i = 0; i < record.operand_count; ++i) {
                const isa::Operand& o = record.operand[static_cast<size_t>(i)];
                if (o.memory != isa::Memory::kGm) continue;
                isa::ForEachRun(record, i, nullptr, [&](const isa::Span& span) {
                    all_.Add({o.allocation, i == 0, span});
                });
            }
        }
        void On(const events::Accessed& event) override {
            const events::ScalarAccess& access = event.access;
            if (access.memory == isa::Memory::kGm && access.IsCall())
                all_.Add({access.allocation, access.write, access.bytes});
        }

    private:
        Collector& all_;
    };

    void Add(const Run& run) {
        std::lock_guard lock(mutex_);
        runs_.push_back(run);
        if (runs_.size() < limit_) return;
        Merge(runs_);
        limit_ = std::max(limit_, 2 * runs_.size());
    }

    std::mutex mutex_;
    std::vector<Run> runs_;
    size_t limit_ = 4096;
};

}  // namespace

LaunchResult LaunchTouching(const LaunchOptions& options, uint32_t blocks, GlobalMemory& memory,
                            const std::function<void()>& kernel, std::vector<TouchedBytes>& touched) {
    Collector collector;
    LaunchResult result = LaunchObserved(options, blocks, memory, kernel, &collector);
    std::lock_guard lock(memory.impl()->mutex);
    for (const Run& run : collector.Runs()) {
        const uint8_t* base = memory.impl()->allocations[run.allocation].base;
        touched.push_back({base + run.span.begin, run.span.end - run.span.begin, run.write});
    }
    return result;
}

}  // namespace sfumato::runtime
