// SPDX-License-Identifier: Apache-2.0
// The runs with moved last bits, and what is told of them.
#include "runtime/launch/last_bit_runs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <vector>

#include "report/finding.h"
#include "runtime/launch/strict.h"
#include "runtime/launch/trail.h"
#include "runtime/memory/image.h"
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
        for (const Trail::Site& site : plain_.sites()) {
            std::vector<std::pair<const char*, Change>> changes;
            const bool product = site.op == isa::Opcode::mmad;
            for (const Move move : {Move::kAway, Move::kToward}) {
                const MovedCall moved{site.op, site.place.where.file, site.place.where.line, move};
                Change change = ChangeBy(moved, left);
                if (change.fault &&
                    (change.fault->rule == Rule::kTimeout || change.fault->rule == Rule::kInterrupted)) {
                    result.findings.push_back(*change.fault);
                    left.Restore();
                    return result;
                }
                if (change.any()) changes.emplace_back(NameOf(moved), std::move(change));
                if (product) break;
            }
            if (!changes.empty()) result.findings.push_back(ReportOf(site, changes));
        }
        left.Restore();
        return result;
    }

private:
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
        // The kernel's own type counts: hosts pass workspaces as bytes.
        std::set<DataType> types = plain_.TypesInGm(allocation);
        const auto& of_host = memory_.impl()->allocations[allocation].type;
        if (types.empty() && of_host) types.insert(*of_host);
        const std::optional<DataType> type = types.size() == 1 ? std::optional(*types.begin()) : std::nullopt;
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
            if (change.fault)
                texts.push_back(fmt::format("the run ends: [{}] {}", Name(change.fault->rule), change.fault->message));
            if (texts.empty()) texts.emplace_back("no byte of an output changes");
            found.push_back(fmt::format("{}: {}", name, fmt::join(texts, "; ")));
            for (const auto& [place, of_call] : change.codes) {
                Trail::Flips& most = codes[place];
                if (of_call.changed > most.changed) most = of_call;
            }
            if (!turn) turn = change.turn;
        }
        const char* what = product ? "the order of its sums" : "a unit in the last place of its results";
        const char* reaches = flips ? "decides integers, comparisons or the way of the kernel" : "reaches outputs";
        Finding finding{
            .rule = flips ? Rule::kLastBitFlips : Rule::kLastBit,
            .message = fmt::format("{} {}", what, reaches),
            .found = fmt::format("{}", fmt::join(found, "; ")),
            .legal = estimate
                         ? "the plain run's, where numbers of boards show the estimate; elsewhere any of these results"
                         : "any of these results: no page says which one a board has",
            .hint = flips ? "keep values off the edge, or let the test take either result (docs/checks/last-bit.md)"
                          : "a test of this output needs a tolerance (docs/checks/last-bit.md)"};
        Report report = ToReport(std::move(finding), site.place.call, site.place.where);
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
    if (options.skip_data) throw Error("check last-bit: a launch that skips data has no bits to move");
    return LastBitRuns(options, memory, once).Run();
}

}  // namespace sfumato::runtime
