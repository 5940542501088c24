// SPDX-License-Identifier: Apache-2.0
// The check of numbers: a look at what each record wrote, and at its sources where that is infinite, NaN or limited.
#include <algorithm>
#include <map>
#include <mutex>
#include <string_view>
#include <tuple>
#include <utility>

#include "isa/vector_registers.h"
#include "report/rules.h"
#include "sanitize/detectors.h"
#include "sanitize/init_core.h"
#include "sanitize/numbers_integers.h"
#include "sanitize/numbers_report.h"
#include "sanitize/numbers_results.h"
#include "sanitize/numbers_values.h"
#include "sanitize/unlimited.h"

namespace sfumato::sanitize {
namespace {

using isa::Memory;
using isa::MemoryMap;
using isa::Record;

// What one line did: the first time in full, and how often.
struct LineOfNumbers {
    Report report;
    uint64_t elements = 0, records = 0;
};
// By rule, place, and whether the results were made of data nobody wrote.
using Lines = std::map<std::tuple<Rule, const char*, uint32_t, bool>, LineOfNumbers>;

// What births and flushed numbers are made of.
Magnitudes Finite(const Record&, int, DataType type) { return {0, InfinityOf(type)}; }
Magnitudes NotZero(const Record& r, int operand, DataType type) {
    const bool divisor = MakesOf(r).floats == isa::Floats::kQuotient && operand == 2;
    return {divisor ? 0u : 1u, InfinityOf(type)};
}

// An infinity that a high-level call makes on its way to a finite result: it divides by 1 + e^x (adv.md 4.3). The
// results of the first are no larger than their sources; SwiGLU and GeGLU multiply at the end, which may overflow.
bool DividedByCall(const Record& r) {
    constexpr std::string_view kBounded[] = {"Sigmoid: ", "Gelu: ", "FasterGelu: ", "Silu: ", "Swish: "};
    constexpr std::string_view kProducts[] = {"SwiGLU: Exp", "GeGLU: Exp"};
    const std::string_view name = isa::CallName(r);
    const auto begins = [&name](std::string_view with) { return name.starts_with(with); };
    return std::ranges::any_of(kBounded, begins) || std::ranges::any_of(kProducts, begins);
}

class NumbersOfCore final : public events::Hears<events::Executing, events::Executed> {
public:
    NumbersOfCore(const LaunchView& launch, InitCore& init, Lines& lines, uint64_t order, events::Tell tell)
        : launch_(launch), init_(init), lines_(lines), order_(static_cast<int64_t>(order)), tell_(std::move(tell)) {}

    void On(const events::Executing& event) override {
        const auto& [record, map] = event;
        floats_ = ComputesFloats(record);
        integers_ = IntegerCheckOf(record);
        if (floats_ || integers_ == IntegerCheck::kAfter) before_.Save(record, map);
        if (integers_ == IntegerCheck::kStored) return Sums(record, map);
        if (integers_ != IntegerCheck::kBefore) return;
        Count count(*this, record, Rule::kIntegerOverflow);
        ForEachOverflow(record, map, Overflows(count, record));
        count.Done();
    }
    void On(const events::Executed& event) override {
        const auto& [record, map, limited] = event;
        if (integers_ == IntegerCheck::kAfter) {
            Count count(*this, record, Rule::kIntegerOverflow);
            ForEachProductOverflow(record, before_, map, Overflows(count, record));
            count.Done();
        }
        if (!floats_) return;
        // One look for all that may be wrong: most records have nothing.
        const uint64_t infinity = InfinityOf(record.dst().type), past = MagnitudeOf(record.dst().type) + 1;
        const bool bears = BearsNonFinite(record), rounds = RoundsToZero(record);
        const Bytes results = MemoryOf(record.dst(), map);
        const uint8_t* ub = map.base[static_cast<int>(Memory::kUb)];
        const bool any = (bears || rounds) && AnyOutside(record, results, ub, {rounds, bears ? infinity : past});
        const auto made = [&](Magnitudes inside, SourceMagnitudes of_source) {
            return AnyOutsideOfInside(record, before_, results, ub, inside, of_source);
        };
        if (any && bears && made({0, infinity}, Finite)) Births(record, results, ub);
        if (limited) Hidden(record, map);
        if (any && rounds && made({1, past}, NotZero)) Flushed(record, results, ub);
    }

private:
    // Adds what one record did to its line. Tells of it at the end.
    class Count {
    public:
        Count(NumbersOfCore& core, const Record& record, Rule rule) : core_(core), record_(record), rule_(rule) {}
        // After the last result of the record. A fault may end the core here.
        void Done() {
            for (LineOfNumbers* line : lines_) {
                if (!line) continue;
                ++line->records;
                if (line->report.severity == Severity::kFault && line->records == 1)
                    core_.tell_(WithCount(line->report, line->elements, 1));
            }
        }

        // The result at a byte offset in its memory.
        template <class Make>
        void Add(uint64_t at, const Make& make) {
            const bool nobodys = !core_.init_.Defined(record_.dst(), {at, at + BytesOf(record_.dst().type, 1)});
            if (nobodys && core_.launch_.checks.Has(Check::kInit)) return;
            LineOfNumbers*& line = lines_[nobodys];
            if (!line) {
                line = &core_.lines_[{rule_, record_.where.file, record_.where.line, nobodys}];
                if (line->elements == 0) {
                    line->report = make();
                    line->report.core_order = core_.order_;
                    if (nobodys) line->report.severity = Severity::kNote;
                }
            }
            ++line->elements;
        }

    private:
        NumbersOfCore& core_;
        const Record& record_;
        const Rule rule_;
        LineOfNumbers* lines_[2] = {};  // of data somebody wrote, and of others
    };

    VisitOverflow Overflows(Count& count, const Record& record) {
        return [&count, &record, this](uint64_t at, const Sources& sources, const std::string& exact) {
            count.Add(at, [&] { return OverflowReport(launch_, record, at, sources, exact); });
        };
    }

    // An atomic addition: the record once more without it, into a copy.
    void Sums(const Record& record, const MemoryMap& map) {
        const isa::Span hull = isa::SpanOf(record, 0);
        Record plain = record;
        plain.control.atomic = isa::Atomic::kNone;
        std::vector<uint8_t> stored(hull.end - hull.begin);
        std::vector<uint8_t*> gm(map.gm, map.gm + launch_.gm.size());
        std::vector<uint8_t> registers(map.base[static_cast<int>(Memory::kRegister)],
                                       map.base[static_cast<int>(Memory::kRegister)] + isa::kVectorRegisterBytes);
        const Bytes apart{stored.data(), hull.begin};
        gm[record.dst().allocation] = apart.At(0);
        MemoryMap elsewhere = map;
        elsewhere.gm = gm.data();
        elsewhere.base[static_cast<int>(Memory::kRegister)] = registers.data();
        launch_.execute(plain, elsewhere);
        Count count(*this, record, Rule::kIntegerOverflow);
        ForEachSumOverflow(record, MemoryOf(record.dst(), map), apart, Overflows(count, record));
        count.Done();
    }

    void Births(const Record& record, const Bytes& results, const uint8_t* ub) {
        const DataType type = record.dst().type;
        Count nans(*this, record, Rule::kNanBorn), infinities(*this, record, Rule::kInfBorn);
        const bool divided = DividedByCall(record);
        ForEachResult(
            record, before_, results, ub, [type](uint64_t bits) { return !IsFinite(type, bits); },
            [&](uint64_t at, uint64_t bits, const Sources& sources) {
                if (!sources.finite || divided) return;
                const bool nan = IsNan(type, bits);
                (nan ? nans : infinities).Add(at, [&] { return BirthReport(launch_, record, at, bits, sources); });
            });
        nans.Done();
        infinities.Done();
    }

    // The record once more, without the policy: what is infinite or NaN then was hidden.
    void Hidden(const Record& record, const MemoryMap& map) {
        Unlimited unlimited(record, before_, map, launch_.gm.size(), launch_.execute);
        const Bytes results = MemoryOf(record.dst(), map);
        const DataType type = record.dst().type;
        Count count(*this, record, Rule::kSaturationHidden);
        ForEachResult(
            record, before_, unlimited.results(), map.base[static_cast<int>(Memory::kUb)],
            [type](uint64_t bits) { return !IsFinite(type, bits); },
            [&](uint64_t at, uint64_t bits, const Sources& sources) {
                const uint64_t limited = BitsAt(type, results.At(at));
                if (IsFinite(type, limited))
                    count.Add(at, [&] { return HiddenReport(launch_, record, at, bits, limited, sources); });
            });
        count.Done();
    }

    void Flushed(const Record& record, const Bytes& results, const uint8_t* ub) {
        const DataType type = record.dst().type;
        Count count(*this, record, Rule::kSubnormalFlushed);
        ForEachResult(
            record, before_, results, ub, [type](uint64_t bits) { return IsZero(type, bits); },
            [&](uint64_t at, uint64_t, const Sources& sources) {
                if (sources.finite && RoundedToZero(record, sources))
                    count.Add(at, [&] { return FlushedReport(launch_, record, at, sources); });
            });
        count.Done();
    }

    const LaunchView& launch_;
    InitCore& init_;
    Lines& lines_;
    const int64_t order_;
    const events::Tell tell_;
    Before before_;
    bool floats_ = false;  // of the record that executes
    IntegerCheck integers_ = IntegerCheck::kNone;
};

class Numbers final : public events::Listener {
public:
    Numbers(const LaunchView& launch, InitDetector& init) : launch_(launch), init_(init) {}

    bool WantsOnChip() const override { return true; }
    std::unique_ptr<events::CoreListener> Begin(const events::Place& place, events::Tell tell) override {
        std::lock_guard lock(mutex_);
        return std::make_unique<NumbersOfCore>(launch_, init_.Of(place.order), by_core_[place.order], place.order,
                                               std::move(tell));
    }
    // The counts are those of all cores; after a fault, of the one that is named, as the others were stopped anywhere.
    std::vector<Report> Finish(bool clean) override {
        std::map<std::tuple<Rule, std::string, uint32_t, bool, uint64_t>, LineOfNumbers> lines;
        for (auto& [order, of_core] : by_core_) {
            for (auto& [key, line] : of_core) {
                const auto& [rule, file, number, nobodys] = key;
                LineOfNumbers& sum = lines[{rule, file, number, nobodys, clean ? 0 : order}];
                if (sum.records == 0) sum.report = std::move(line.report);
                sum.elements += line.elements;
                sum.records += line.records;
            }
        }
        std::vector<Report> reports;
        for (auto& [key, line] : lines) {
            if (line.report.severity != Severity::kFault)  // that one was told at once
                reports.push_back(WithCount(std::move(line.report), line.elements, line.records));
        }
        std::ranges::stable_sort(reports, [](const Report& a, const Report& b) { return a.index < b.index; });
        return reports;
    }

private:
    const LaunchView& launch_;
    InitDetector& init_;
    std::mutex mutex_;
    std::map<uint64_t, Lines> by_core_;
};

}  // namespace

std::unique_ptr<events::Listener> MakeNumbers(const LaunchView& launch, InitDetector& init) {
    return std::make_unique<Numbers>(launch, init);
}

}  // namespace sfumato::sanitize
