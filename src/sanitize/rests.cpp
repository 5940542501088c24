// SPDX-License-Identifier: Apache-2.0
// Counts uses of readings, core by core.
#include "sanitize/rests.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "report/rules.h"
#include "sanitize/values.h"

namespace sfumato::sanitize {
namespace {

using isa::Api;
using isa::Opcode;
using isa::Record;

constexpr int kTypeBits = 4;

// What the table of Mmad speaks of.
bool MultipliesMatrices(Opcode op) { return isa::Info(op).makes.integers == isa::Integers::kMatrix; }

uint64_t KeyOf(Api api, uint32_t which) { return static_cast<uint64_t>(api) << 32 | which; }

// The options in whose place a record stands.
bool ChoosesBits(const std::string& option) {
    return option.find("--estimate") != std::string::npos || option.find("--div") != std::string::npos ||
           option.find("--mmad-order") != std::string::npos;
}

const char* TypeName(DataType type, Api api) { return api == Api::kTik ? NumpyName(type) : CName(type); }

}  // namespace

class CoreRests final
    : public events::Hears<events::Issued, events::Executing, events::Executed, events::Found, events::Call> {
public:
    CoreRests(Rests* rests, uint64_t order) : rests_(rests), order_(order) {}
    ~CoreRests() override {
        std::lock_guard lock(rests_->mutex_);
        for (const auto& [call, of_call] : uses_) {
            for (const auto& [key, use] : of_call) Join(&rests_->uses_[{call, key}], use);
        }
        for (const auto& [key, use] : others_) Join(&rests_->uses_[key], use);
        rests_->rules_of_records_.merge(rules_);
    }
    CoreRests& operator=(CoreRests&&) = delete;

    void On(const events::Issued& event) override { next_ = event.record.index + 1; }

    void On(const events::Executing& event) override {
        const auto& [record, map] = event;
        wanted_ = 0;
        for (const Rests::Which which : Of(record).behaviours) {
            const soc::Conditions& when = Behaviour(which).when;
            // Data are looked at only where they alone decide.
            if (when.values() != 0 && when.Hold({record, rests_->chip_, ~0u})) wanted_ |= when.values();
        }
        values_ = SourceValues(record, map, wanted_);
    }

    void On(const events::Executed& event) override {
        const auto& [record, map, limited] = event;
        if (limited) values_ |= soc::kResultLimit;
        const bool recorded = rests_->record_ && rests_->decided_by_record_(record);
        if (recorded) Count(record, Rests::kOfRecord);
        const Rests::Candidates& candidates = Of(record);
        if (candidates.behaviours.empty() && !candidates.claims) return;
        const soc::Use use{record, rests_->chip_, values_ | ResultValues(record, map, wanted_)};
        for (const Rests::Which which : candidates.behaviours) {
            if (recorded && ChoosesBits(Behaviour(which).option)) continue;
            if (Behaviour(which).when.Hold(use)) Count(record, which);
        }
        if (candidates.claims) Count(record, Rests::ClaimOf(record));
    }

    void On(const events::Found& event) override {
        const auto& [record, report] = event;
        rules_.insert(report.rule);
        if (report.severity == Severity::kFault) return;
        for (const auto& [rule, which] : Of(record).of_rules) {
            if (rule == report.rule) Count(record, which);
        }
    }

    void On(const events::Call& call) override {
        using Kind = events::Call::Kind;
        if (call.kind != Kind::kMade && call.kind != Kind::kBegun) return;
        const auto found = rests_->of_call_.find(call.name);
        if (found == rests_->of_call_.end()) return;
        for (const Rests::Which which : found->second) {
            Join(&others_[{found->first, KeyOf(Api::kAscendC, which)}], {order_, next_, call.where, 1});
        }
    }

private:
    const soc::Behaviour& Behaviour(Rests::Which which) const {
        return rests_->data_.behaviours[which & ~Rests::kOfTik];
    }

    const Rests::Candidates& Of(const Record& record) const {
        return rests_->candidates_[static_cast<size_t>(record.api)][static_cast<size_t>(record.op)];
    }

    void Count(const Record& record, Rests::Which which) {
        const char* call = (which & Rests::kOfTik) ? soc::kTikGroup : isa::CallName(record);
        Join(&uses_[call][KeyOf(record.api, which)], {order_, record.index, record.where, 1});
    }

    static void Join(Rests::Uses* all, const Rests::Uses& more) {
        const uint64_t count = all->count + more.count;
        if (all->count == 0 || std::tie(more.order, more.index) < std::tie(all->order, all->index)) *all = more;
        all->count = count;
    }

    Rests* rests_;
    const uint64_t order_;
    uint64_t next_ = 0;                 // index of the next record
    uint32_t wanted_ = 0, values_ = 0;  // of the data of the record that executes
    // By the name's address: one call may have several, so the names are compared when the core ends.
    std::unordered_map<const char*, std::unordered_map<uint64_t, Rests::Uses>> uses_;
    std::map<std::pair<std::string, uint64_t>, Rests::Uses> others_;
    std::set<Rule> rules_;
};

bool Rests::IsOpen(const soc::Behaviour& b) const {
    return !b.documented() && (b.when.Possible(chip_, Api::kAscendC) || b.when.Possible(chip_, Api::kTik));
}

Rests::Rests(const LaunchView& launch)
    : chip_(launch.chip), record_(launch.record), decided_by_record_(launch.decided_by_record) {
    for (Which i = 0; i < data_.behaviours.size(); ++i) {
        const soc::Behaviour& b = data_.behaviours[i];
        if (!IsOpen(b)) continue;
        for (const std::string& call : b.calls) of_call_[call].push_back(i);
        if (!b.calls.empty()) continue;
        for (int o = 0; o < isa::kOpcodeCount; ++o) {
            const bool stands = soc::StandsOn(b, soc::InstructionOf(data_, static_cast<Opcode>(o)));
            for (const Api api : {Api::kAscendC, Api::kTik}) {
                const bool of_tik = api == Api::kTik && soc::IsOfTik(b);
                if (!(stands || of_tik) || !b.when.Possible(chip_, api)) continue;
                Candidates& all = candidates_[static_cast<size_t>(api)][o];
                const Which which = of_tik ? i | kOfTik : i;
                for (const std::string& rule : b.when.findings()) all.of_rules.emplace_back(*FindRule(rule), which);
                if (b.when.findings().empty()) all.behaviours.push_back(which);
            }
        }
    }
    for (int o = 0; o < isa::kOpcodeCount; ++o) {
        for (const Api api : {Api::kAscendC, Api::kTik}) {
            const std::string& tag = chip_.claims[static_cast<size_t>(api)][static_cast<size_t>(o)].tag;
            candidates_[static_cast<size_t>(api)][o].claims = !tag.empty() && tag != "documented";
        }
    }
    for (const soc::MatmulRow& row : chip_.mmad) {
        for (int o = 0; o < isa::kOpcodeCount; ++o) {
            if (!MultipliesMatrices(static_cast<Opcode>(o))) continue;
            Candidates& all = candidates_[static_cast<size_t>(row.api)][static_cast<size_t>(o)];
            all.claims = all.claims || row.tag != "documented";
        }
    }
}

std::unique_ptr<events::CoreListener> Rests::Begin(const events::Place& place, events::Tell) {
    return std::make_unique<CoreRests>(this, place.order);
}

// The types that the chip's table speaks of: of Mmad all three, else the one that makes the call's name legal.
Rests::Which Rests::ClaimOf(const Record& r) {
    Which which = kClaims | static_cast<Which>(r.op) << (3 * kTypeBits);
    const bool compares = Info(r.form()).made_of == isa::MadeOf::kLaneBit;
    which |= static_cast<Which>(r.operand[compares ? 1 : 0].type);
    if (!MultipliesMatrices(r.op)) return which;
    return which | static_cast<Which>(r.src0().type) << kTypeBits |
           static_cast<Which>(r.src1().type) << (2 * kTypeBits);
}

Reading Rests::Describe(Which which, Api api) const {
    Reading reading;
    if (which == kOfRecord) {
        reading.reading = fmt::format("The last bits are those of a record of {}.", record_->soc);
        reading.tag = "recorded";
        reading.source =
            fmt::format("{} of {}, {}", record_->probes,
                        record_->contributor.empty() ? "nobody named" : record_->contributor, record_->file);
        reading.option = "--numerics";
        return reading;
    }
    if ((which & kClaims) == 0) {
        const soc::Behaviour& b = data_.behaviours[which & ~kOfTik];
        reading.reading = b.text;
        reading.tag = b.tag;
        reading.source = b.source;
        reading.option = b.option;
        return reading;
    }
    const auto type = [which](int i) { return static_cast<DataType>(which >> (i * kTypeBits) & 15); };
    const auto op = static_cast<Opcode>((which & ~kClaims) >> (3 * kTypeBits));
    if (MultipliesMatrices(op)) {
        const soc::MatmulRow* row = chip_.Mmad(api, type(1), type(2), type(0));
        reading.reading = fmt::format("{} multiplies {} and {} into {}.", chip_.name, TypeName(type(1), api),
                                      TypeName(type(2), api), TypeName(type(0), api));
        reading.tag = row ? row->tag : "";
        reading.source = row ? row->source : "";
        return reading;
    }
    const soc::Claim& claim = chip_.claims[static_cast<size_t>(api)][static_cast<size_t>(op)];
    reading.reading = fmt::format("{} has {} for {}.", chip_.name,
                                  api == Api::kTik ? isa::Info(op).tik : isa::Info(op).ascendc, TypeName(type(0), api));
    reading.tag = claim.tag;
    reading.source = claim.source;
    return reading;
}

std::vector<Reading> Rests::Readings(const std::vector<Report>& findings) const {
    std::vector<Reading> readings;
    for (const auto& [key, use] : uses_) {
        Reading r = Describe(static_cast<Which>(key.second), static_cast<Api>(key.second >> 32));
        if (r.tag == "documented") continue;  // a row of Mmad beside one that is not
        r.call = key.first;
        r.file = use.where.file;
        r.line = use.where.line;
        r.count = use.count;
        readings.push_back(std::move(r));
    }
    // Findings of calls that are no records.
    for (Which i = 0; i < data_.behaviours.size(); ++i) {
        const soc::Behaviour& b = data_.behaviours[i];
        const auto& rules = b.when.findings();
        if (!IsOpen(b)) continue;
        std::map<std::string, Reading> of_call;
        for (const Report& report : findings) {
            if (std::find(rules.begin(), rules.end(), Name(report.rule)) == rules.end() ||
                report.severity == Severity::kFault || rules_of_records_.contains(report.rule)) {
                continue;
            }
            Reading& r = of_call[report.instruction];
            if (r.count++ > 0) continue;
            r = Describe(i, Api::kAscendC);
            r.call = report.instruction;
            r.file = report.file;
            r.line = report.line;
            r.count = 1;
        }
        for (auto& [call, r] : of_call) readings.push_back(std::move(r));
    }
    std::stable_sort(readings.begin(), readings.end(),
                     [](const Reading& a, const Reading& b) { return a.call < b.call; });
    return readings;
}

}  // namespace sfumato::sanitize
