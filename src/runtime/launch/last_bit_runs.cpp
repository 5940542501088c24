// SPDX-License-Identifier: Apache-2.0
// The runs with moved last bits, and what is told of them.
#include "runtime/launch/last_bit_runs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>
#include <vector>

#include "sfumato/rounding.h"
#include "report/finding.h"
#include "runtime/launch/strict.h"
#include "runtime/launch/trail.h"
#include "runtime/memory/image.h"
#include "sanitize/checks.h"
#include "soc/chip.h"

namespace sfumato::runtime {
namespace {

using Move = isa::LastBits::Move;

constexpr uint64_t kFewUnits = 1 << 12;  // more say nothing to a reader

// An element as a whole number, in its order from the least on: of real numbers, how many of their type lie between two
// is the difference.
uint64_t OrdinalOf(const uint8_t* from, DataType type) {
    const size_t size = BitsOf(type) / 8;
    uint64_t bits = 0;
    std::memcpy(&bits, from, size);
    const uint64_t sign = uint64_t{1} << (size * 8 - 1);
    if (IsFloating(type)) return bits & sign ? sign - (bits & (sign - 1)) : sign + bits;
    const bool is_unsigned =
        type == DataType::kUint8 || type == DataType::kUint16 || type == DataType::kUint32 || type == DataType::kUint64;
    return is_unsigned ? bits : bits ^ sign;
}

// How far two elements of a type lie apart; infinity where one of them is no number.
double DistanceOf(const uint8_t* a, const uint8_t* b, DataType type) {
    if (!IsFloating(type)) {
        const auto [low, high] = std::minmax({OrdinalOf(a, type), OrdinalOf(b, type)});
        return static_cast<double>(high - low);
    }
    const auto value = [type](const uint8_t* from) {
        uint64_t bits = 0;
        std::memcpy(&bits, from, BitsOf(type) / 8);
        const auto format = type == DataType::kHalf       ? numeric::kHalfFormat
                            : type == DataType::kBfloat16 ? numeric::kBfloat16Format
                                                          : numeric::kFloatFormat;
        const numeric::Exact v = numeric::UnpackFloat(format, bits);
        if (v.kind != numeric::Kind::kFinite) return std::numeric_limits<double>::quiet_NaN();
        return std::ldexp(static_cast<double>(v.significand), v.exponent) * (v.negative ? -1 : 1);
    };
    const double distance = std::fabs(value(a) - value(b));
    return distance == distance ? distance : std::numeric_limits<double>::infinity();
}

// Of one output over many runs: which elements moved, and the largest of what they moved by.
struct Spread {
    template <class T>
    struct Most {
        T most{};
        std::string by;
        uint64_t at = 0;
        void Take(T value, const std::string& name, uint64_t element) {
            if (value > most || by.empty()) *this = {value, name, element};
        }
    };
    std::optional<DataType> type;  // none: bytes
    std::vector<bool> moved;       // by element
    Most<double> distance;
    Most<uint64_t> units;

    std::string Text(const std::string& name) const {
        std::string text = fmt::format("'{}'", name);
        if (type) text += fmt::format(" ({})", CName(*type));
        text += fmt::format(": {} of {} {} move", std::ranges::count(moved, true), moved.size(),
                            type ? "elements" : "bytes");
        if (!type) return text;
        text += fmt::format(", by at most {} ({}, element {})", distance.most, distance.by, distance.at);
        if (!IsFloating(*type)) return text;
        return text + fmt::format(", and by at most {} units in the last place ({}, element {})", units.most, units.by,
                                  units.at);
    }
};

// What one moved run changed.
struct Change {
    std::vector<std::string> texts;  // "37 of 4096 elements of 'codes' (int8_t), by at most 1: element 12 from 3 to 4"
    bool flips = false;
    std::map<CallPlace, Trail::Flips> codes;
    std::optional<Trail::Turn> turn;
    std::optional<Report> fault;
    bool any() const { return !texts.empty() || !codes.empty() || turn || fault; }
};

const char* NameOf(const MovedCall& moved) {
    if (moved.op == isa::Opcode::mmad) return "added in its other order";
    return moved.move == Move::kAway ? "moved away from zero" : "moved toward zero";
}

class LastBitRuns {
public:
    LastBitRuns(const LaunchOptions& options, GlobalMemory& memory, const LaunchOnce& once)
        : options_(options), once_(once), memory_(memory), inputs_(memory) {}

    LaunchResult Run() {
        LaunchResult result = once_(options_, {plain_.Watch()});
        if (!result.ok() || plain_.sites().empty()) return result;
        const Image left(memory_);
        const auto checks = sanitize::Checks::Parse(options_.check);
        const bool goes_on = !checks.Has(sanitize::Check::kLastBit) || MoveEachCall(left, &result);
        if (goes_on && checks.Has(sanitize::Check::kMmadOrder)) AddInEachWay(left, &result);
        left.Restore();
        return result;
    }

private:
    // False: the time is over.
    bool MoveEachCall(const Image& left, LaunchResult* result) {
        for (const Trail::Site& site : plain_.sites()) {
            std::vector<std::pair<const char*, Change>> changes;
            const bool product = site.op == isa::Opcode::mmad;
            for (const Move move : {Move::kAway, Move::kToward}) {
                const MovedCall moved{site.op, site.place.where.file, site.place.where.line, move};
                Change change = ChangeBy(moved, left);
                if (IsOver(change, result)) return false;
                if (change.any()) changes.emplace_back(NameOf(moved), std::move(change));
                if (product) break;
            }
            if (!changes.empty()) result->findings.push_back(ReportOf(site, changes));
        }
        return true;
    }

    static bool IsOver(const Change& change, LaunchResult* result) {
        if (!change.fault || (change.fault->rule != Rule::kTimeout && change.fault->rule != Rule::kInterrupted))
            return false;
        result->findings.push_back(*change.fault);
        return true;
    }

    // All Mmad of real numbers in one way, run by run.
    void AddInEachWay(const Image& left, LaunchResult* result) {
        std::vector<isa::Accumulation> ways;
        for (const DataType type : plain_.multiplied()) {
            for (const isa::Accumulation& way : isa::Accumulations(type)) {
                if (std::ranges::count(ways, way) == 0) ways.push_back(way);
            }
        }
        std::map<uint32_t, Spread> spreads;
        Change all;
        size_t changing = 0;
        for (const isa::Accumulation& way : ways) {
            const std::string name = isa::NameOf(way);
            Change change =
                ChangeBy({.op = isa::Opcode::mmad, .file = "", .line = 0, .move = Move::kNone, .way = way}, left);
            if (IsOver(change, result)) return;
            changing += change.any() ? 1 : 0;
            all.flips = all.flips || change.flips || change.fault;
            if (change.fault) {
                if (!all.fault) all.texts.push_back(fmt::format("by {} {}", name, EndText(*change.fault)));
                all.fault = change.fault;
                continue;
            }
            left.ForEachDifferent([&](uint32_t allocation, const uint8_t* before, const uint8_t* now, uint64_t bytes) {
                Widen(&spreads[allocation], allocation, before, now, bytes, name);
                return true;
            });
            KeepMost(change, &all.codes);
            if (!all.turn) all.turn = change.turn;
        }
        if (changing == 0) return;
        std::vector<std::string> found = {
            fmt::format("over {} ways to add, of which {} change something", ways.size(), changing)};
        for (const auto& [allocation, spread] : spreads) found.push_back(spread.Text(left.NameOf(allocation)));
        found.insert(found.end(), all.texts.begin(), all.texts.end());
        all.flips = all.flips || !all.codes.empty() || all.turn;
        result->findings.push_back(WaysReport(fmt::format("{}", fmt::join(found, "; ")), all));
    }

    void Widen(Spread* spread, uint32_t allocation, const uint8_t* before, const uint8_t* now, uint64_t bytes,
               const std::string& way) const {
        if (spread->moved.empty()) {
            const std::optional<DataType> type = TypeOf(allocation);
            if (type && BitsOf(*type) >= 8) spread->type = type;
            spread->moved.resize(bytes / (spread->type ? BitsOf(*type) / 8 : 1));
        }
        const uint64_t size = spread->type ? BitsOf(*spread->type) / 8 : 1;
        for (uint64_t i = 0; i < spread->moved.size(); ++i) {
            const uint8_t *a = before + i * size, *b = now + i * size;
            if (std::memcmp(a, b, size) == 0) continue;
            spread->moved[i] = true;
            if (!spread->type) continue;
            const auto [low, high] = std::minmax({OrdinalOf(a, *spread->type), OrdinalOf(b, *spread->type)});
            spread->distance.Take(DistanceOf(a, b, *spread->type), way, i);
            spread->units.Take(high - low, way, i);
        }
    }

    static std::string EndText(const Report& fault) {
        return fmt::format("the run ends: [{}] {}", Name(fault.rule), fault.message);
    }

    static void KeepMost(const Change& change, std::map<CallPlace, Trail::Flips>* codes) {
        for (const auto& [place, of_call] : change.codes) {
            Trail::Flips& most = (*codes)[place];
            if (of_call.changed > most.changed) most = of_call;
        }
    }

    // The type of an output's elements, as the kernel has it: hosts pass workspaces as bytes.
    std::set<DataType> TypesOf(uint32_t allocation) const {
        std::set<DataType> types = plain_.TypesInGm(allocation);
        const auto& of_host = memory_.impl()->allocations[allocation].type;
        if (types.empty() && of_host) types.insert(*of_host);
        return types;
    }
    std::optional<DataType> TypeOf(uint32_t allocation) const {
        const std::set<DataType> types = TypesOf(allocation);
        return types.size() == 1 ? std::optional(*types.begin()) : std::nullopt;
    }

    Change ChangeBy(const MovedCall& moved, const Image& left) {
        inputs_.Restore();
        Trail trail;
        const LaunchResult again = once_(Quiet(options_), {trail.Watch(), &moved});
        Change change;
        for (const Report& report : again.findings) {
            if (report.severity == Severity::kFault && !change.fault) change.fault = report;
        }
        if (change.fault) return change;
        left.ForEachDifferent([&](uint32_t allocation, const uint8_t* before, const uint8_t* now, uint64_t bytes) {
            change.texts.push_back(OutputText(left, allocation, before, now, bytes, &change.flips));
            return true;
        });
        change.codes = plain_.FlipsTo(trail);
        change.turn = plain_.TurnTo(trail);
        return change;
    }

    std::string OutputText(const Image& left, uint32_t allocation, const uint8_t* before, const uint8_t* now,
                           uint64_t bytes, bool* flips) const {
        const std::set<DataType> types = TypesOf(allocation);
        const std::optional<DataType> type = TypeOf(allocation);
        *flips = *flips || (!types.empty() && std::ranges::none_of(types, IsFloating));
        const bool typed = type && BitsOf(*type) >= 8;
        const uint64_t size = typed ? BitsOf(*type) / 8 : 1, elements = bytes / size;
        uint64_t changed = 0, first = 0, most = 0, furthest = 0;
        for (uint64_t i = elements; i-- > 0;) {
            if (std::memcmp(before + i * size, now + i * size, size) == 0) continue;
            ++changed;
            first = i;
            if (!typed) continue;
            const auto [low, high] =
                std::minmax({OrdinalOf(now + i * size, *type), OrdinalOf(before + i * size, *type)});
            if (high - low < most) continue;
            most = high - low;
            furthest = i;
        }
        const auto element = [&](const uint8_t* from, uint64_t at) {
            return ValueText(type, {from + at * size, from + (at + 1) * size});
        };
        std::string text = fmt::format("{} of {} {} of '{}'", changed, elements, typed ? "elements" : "bytes",
                                       left.NameOf(allocation));
        if (typed) text += fmt::format(" ({})", CName(*type));
        text += " change";
        const char* units = !typed || !IsFloating(*type) ? ""
                            : most == 1                  ? " unit in the last place"
                                                         : " units in the last place";
        if (typed && most <= kFewUnits) {
            text += fmt::format(", by at most {}{}", most, units);
        } else if (typed) {
            text += fmt::format(", element {} most: from {} to {}", furthest, element(before, furthest),
                                element(now, furthest));
        }
        return text + fmt::format(", the first {} from {} to {}", first, element(before, first), element(now, first));
    }

    // Of what several runs with one call moved changed.
    Report ReportOf(const Trail::Site& site, const std::vector<std::pair<const char*, Change>>& changes) const {
        const bool product = site.op == isa::Opcode::mmad;
        const bool estimate = site.op == isa::Opcode::vrec || site.op == isa::Opcode::vrsqrt;
        bool flips = false;
        std::vector<std::string> found;
        std::map<CallPlace, Trail::Flips> codes;
        std::optional<Trail::Turn> turn;
        for (const auto& [name, change] : changes) {
            flips = flips || change.flips || !change.codes.empty() || change.turn || change.fault;
            std::vector<std::string> texts = change.texts;
            if (change.fault) texts.push_back(EndText(*change.fault));
            if (texts.empty()) texts.emplace_back("no byte of an output changes");
            found.push_back(fmt::format("{}: {}", name, fmt::join(texts, "; ")));
            KeepMost(change, &codes);
            if (!turn) turn = change.turn;
        }
        const char* what = product ? "the order of its sums" : "a unit in the last place of its results";
        Finding finding{
            .rule = flips ? Rule::kLastBitFlips : Rule::kLastBit,
            .message = fmt::format("{} {}", what, Reaches(flips)),
            .found = fmt::format("{}", fmt::join(found, "; ")),
            .legal = estimate
                         ? "the plain run's, where numbers of boards show the estimate; elsewhere any of these results"
                         : "any of these results: no page says which one a board has",
            .hint = flips ? "keep values off the edge, or let the test take either result (docs/checks/last-bit.md)"
                          : "a test of this output needs a tolerance (docs/checks/last-bit.md)"};
        return Completed(ToReport(std::move(finding), site.place.call, site.place.where), codes, turn);
    }

    Report WaysReport(std::string found, const Change& all) const {
        Finding finding{.rule = all.flips ? Rule::kLastBitFlips : Rule::kLastBit,
                        .message = fmt::format("the way in which Mmad adds {}", Reaches(all.flips)),
                        .found = std::move(found),
                        .legal = "any of these results: no page says how a board adds",
                        .hint = "a test of this output needs a tolerance as wide (docs/checks/last-bit.md)"};
        const auto is_mmad = [](const Trail::Site& site) { return site.op == isa::Opcode::mmad; };
        const auto first = std::ranges::find_if(plain_.sites(), is_mmad);
        Report report = ToReport(std::move(finding), first->place.call, first->place.where);
        for (auto site = std::next(first); site != plain_.sites().end(); ++site) {
            if (is_mmad(*site))
                report.related.push_back({site->place.where.file, site->place.where.line, "adds so, too"});
        }
        return Completed(std::move(report), all.codes, all.turn);
    }

    static const char* Reaches(bool flips) {
        return flips ? "decides integers, comparisons or the way of the kernel" : "reaches outputs";
    }

    Report Completed(Report report, const std::map<CallPlace, Trail::Flips>& codes,
                     const std::optional<Trail::Turn>& turn) const {
        for (const auto& [place, of_call] : codes) {
            report.related.push_back({place.where.file, place.where.line,
                                      fmt::format("{}: {} of {} {} change", place.call, of_call.changed, of_call.of,
                                                  of_call.compares ? "comparisons" : "integers")});
        }
        if (turn) {
            const auto step = [](const CallPlace& p) { return *p.call ? p.call : "the end of the kernel"; };
            const CallPlace& at = *turn->here.call ? turn->here : turn->there;
            report.related.push_back(
                {at.where.file, at.where.line,
                 fmt::format("the kernel goes another way: {} instead of {}", step(turn->there), step(turn->here))});
        }
        ApplyStrict(options_, &report);
        return Stamped(std::move(report), soc::FindChip(options_.chip).name, options_.kernel);
    }

    const LaunchOptions& options_;
    const LaunchOnce& once_;
    GlobalMemory& memory_;
    const Image inputs_;
    Trail plain_;
};

}  // namespace

LaunchResult LaunchWithLastBits(const LaunchOptions& options, GlobalMemory& memory, const LaunchOnce& once) {
    if (options.skip_data) throw Error("check last-bit, mmad-order: a launch that skips data has no bits to move");
    return LastBitRuns(options, memory, once).Run();
}

}  // namespace sfumato::runtime
