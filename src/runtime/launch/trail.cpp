// SPDX-License-Identifier: Apache-2.0
// Keeping the trail of a run, and where two part.
#include "runtime/launch/trail.h"

#include <algorithm>
#include <cstring>
#include <tuple>

#include "isa/touched.h"

namespace sfumato::runtime {

bool CallPlace::operator==(const CallPlace& o) const {
    return where.line == o.where.line && !std::strcmp(call, o.call) && !std::strcmp(where.file, o.where.file);
}

bool CallPlace::operator<(const CallPlace& o) const {
    const int files = std::strcmp(where.file, o.where.file);
    return files != 0
               ? files < 0
               : std::tuple(where.line, std::string_view(call)) < std::tuple(o.where.line, std::string_view(o.call));
}

namespace {

CallPlace PlaceOf(const isa::Record& r) { return {isa::CallName(r), r.where}; }

// A conversion of real numbers to integers, or a comparison of them.
bool MakesCodes(const isa::Record& r) {
    if (r.operand_count < 2 || !IsFloating(r.src0().type)) return false;
    return r.form() == isa::Form::kCompare || !IsFloating(r.dst().type);
}

bool IsSite(const isa::Record& r) {
    return Has(r.op, isa::kMovesLastBit) || (r.op == isa::Opcode::mmad && IsFloating(r.dst().type));
}

}  // namespace

class Trail::CoreFeed final : public events::Hears<events::Issued, events::Executed> {
public:
    CoreFeed(Trail* trail, uint64_t core) : trail_(*trail), core_(core) {}
    ~CoreFeed() override { trail_.Add(core_, std::move(of_core_), sites_, multiplied_, stores_); }
    CoreFeed(const CoreFeed&) = delete;
    CoreFeed& operator=(const CoreFeed&) = delete;

    void On(const events::Issued& event) override {
        const isa::Record& record = event.record;
        of_core_.steps.push_back(PlaceOf(record));
        if (!IsSite(record)) return;
        if (record.op == isa::Opcode::mmad) multiplied_.insert(record.src0().type);
        const Site site{record.op, of_core_.steps.back()};
        const auto same = [&](const Site& s) { return s.op == site.op && s.place == site.place; };
        if (std::none_of(sites_.begin(), sites_.end(), same)) sites_.push_back(site);
    }

    void On(const events::Executed& event) override {
        const isa::Record& record = event.record;
        if (record.operand_count == 0) return;
        if (record.dst().memory == isa::Memory::kGm) stores_[record.dst().allocation].insert(record.dst().type);
        if (!MakesCodes(record)) return;
        const bool compares = record.form() == isa::Form::kCompare;
        Codes codes{record.index, PlaceOf(record), compares ? 1 : BitsOf(record.dst().type), {}};
        isa::Operand start = record.dst();
        start.offset = 0;
        const uint8_t* base = event.memory.Address(start);
        isa::ForEachRun(record, 0, nullptr, [&](const isa::Span& run) {
            codes.bytes.insert(codes.bytes.end(), base + run.begin, base + run.end);
        });
        of_core_.codes.push_back(std::move(codes));
    }

private:
    Trail& trail_;
    const uint64_t core_;
    OfCore of_core_;
    std::vector<Site> sites_;
    std::set<DataType> multiplied_;
    std::map<uint32_t, std::set<DataType>> stores_;
};

class Trail::Feed final : public events::Listener {
public:
    explicit Feed(Trail* trail) : trail_(trail) {}
    std::unique_ptr<events::CoreListener> Begin(const events::Place& place, events::Tell) override {
        return std::make_unique<CoreFeed>(trail_, place.order);
    }

private:
    Trail* trail_;
};

std::unique_ptr<events::Listener> Trail::Watch() { return std::make_unique<Feed>(this); }

void Trail::Add(uint64_t core, OfCore trail, const std::vector<Site>& sites, const std::set<DataType>& multiplied,
                const std::map<uint32_t, std::set<DataType>>& stores) {
    // Pipes execute out of the program's order.
    std::sort(trail.codes.begin(), trail.codes.end(), [](const Codes& a, const Codes& b) { return a.index < b.index; });
    const std::lock_guard lock(mutex_);
    cores_[core] = std::move(trail);
    for (const Site& site : sites) {
        const auto before = [](const Site& a, const Site& b) {
            return a.place < b.place || (!(b.place < a.place) && a.op < b.op);
        };
        const auto at = std::lower_bound(sites_.begin(), sites_.end(), site, before);
        if (at == sites_.end() || before(site, *at)) sites_.insert(at, site);
    }
    multiplied_.insert(multiplied.begin(), multiplied.end());
    for (const auto& [allocation, types] : stores) stores_[allocation].insert(types.begin(), types.end());
}

std::set<DataType> Trail::TypesInGm(uint32_t allocation) const {
    const auto found = stores_.find(allocation);
    return found == stores_.end() ? std::set<DataType>() : found->second;
}

std::map<CallPlace, Trail::Flips> Trail::FlipsTo(const Trail& other) const {
    std::map<CallPlace, Flips> flips;
    for (const auto& [core, here] : cores_) {
        const auto there = other.cores_.find(core);
        if (there == other.cores_.end()) continue;
        const size_t common = std::min(here.codes.size(), there->second.codes.size());
        for (size_t i = 0; i < common; ++i) {
            const Codes &a = here.codes[i], &b = there->second.codes[i];
            if (a.index != b.index || !(a.place == b.place) || a.bytes.size() != b.bytes.size()) break;
            Flips& of_call = flips[a.place];
            of_call.compares = a.bits == 1;
            of_call.of += a.bytes.size() * 8 / a.bits;
            if (a.bytes == b.bytes) continue;
            if (a.bits < 8) {
                const unsigned element = (1u << a.bits) - 1;
                for (size_t byte = 0; byte < a.bytes.size(); ++byte) {
                    const unsigned differs = a.bytes[byte] ^ b.bytes[byte];
                    for (unsigned bit = 0; bit < 8; bit += a.bits) of_call.changed += (differs >> bit & element) != 0;
                }
            } else {
                const size_t size = a.bits / 8;
                for (size_t at = 0; at + size <= a.bytes.size(); at += size)
                    of_call.changed += std::memcmp(&a.bytes[at], &b.bytes[at], size) != 0;
            }
        }
    }
    std::erase_if(flips, [](const auto& of_call) { return of_call.second.changed == 0; });
    return flips;
}

std::optional<Trail::Turn> Trail::TurnTo(const Trail& other) const {
    for (const auto& [core, here] : cores_) {
        const auto there = other.cores_.find(core);
        if (there == other.cores_.end()) continue;
        const auto &a = here.steps, &b = there->second.steps;
        const auto [at_a, at_b] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
        if (at_a == a.end() && at_b == b.end()) continue;
        return Turn{at_a == a.end() ? CallPlace() : *at_a, at_b == b.end() ? CallPlace() : *at_b};
    }
    return std::nullopt;
}

}  // namespace sfumato::runtime
