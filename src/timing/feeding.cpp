// SPDX-License-Identifier: Apache-2.0
// What cores tell the model while they run: events of records, in lots that the model takes when it is free.
#include "timing/model.h"

#include "events/flag_key.h"

namespace sfumato::timing {

using isa::Pipe;

namespace {

constexpr size_t kHandOver = 128;    // events a core keeps before it offers them to the model
constexpr size_t kMostFresh = 1024;  // and before it waits for the model to take them
constexpr size_t kOfferAgain = 32;
constexpr size_t kRoom = 2048;  // events of a core in the model, above which it rests
constexpr uint64_t kCacheLine = 64;

}  // namespace

OperandOrder::Waits OperandOrder::Issue(const isa::Record& record) {
    Waits waits{};
    const auto own = static_cast<size_t>(record.pipe);
    if (own >= recent_.size()) return waits;
    const uint64_t number = ++recent_[own].count;
    for (const events::Access& access : events::Accesses(record)) {
        for (size_t pipe = 0; pipe < recent_.size(); ++pipe) {
            if (pipe == own) continue;
            for (const Touched& there : recent_[pipe].touched) {
                if (there.number > waits[pipe] && events::Conflict(there.access, access)) waits[pipe] = there.number;
            }
        }
        Recent& recent = recent_[own];
        if (recent.touched.size() < kRemembered) {
            recent.touched.push_back({access, number});
        } else {
            recent.touched[recent.next++ % kRemembered] = {access, number};
        }
    }
    return waits;
}

class Model::OfCore final
    : public events::Hears<events::Issued, events::Accessed, events::Sync, events::Call, events::Marked> {
public:
    OfCore(Model& model, const events::Place& place) : model_(model), feed_(*model.feeds_[place.order]) {
        feed_.place = place;
        feed_.fresh.reserve(kHandOver);
        feed_.enough = kHandOver;
        Drawing* const drawing = model_.setup_.drawing;
        if (!drawing) return;
        const std::lock_guard lock(model_.mutex_);
        drawing->Core(place);
        feed_.scopes.emplace([drawing, core = place.order](const trace::Slice& call) { drawing->Scope(core, call); });
    }
    ~OfCore() override {
        model_.FlushScalar(feed_);
        Event end;
        end.kind = Event::Kind::kEnd;
        end.index = feed_.index;
        feed_.fresh.push_back(std::move(end));
        model_.HandOver(feed_);
    }
    OfCore& operator=(OfCore&&) = delete;

    void On(const events::Issued& event) override { model_.Issued(feed_, event.record, event.in_order); }
    void On(const events::Accessed& event) override {
        if (event.access.IsCall()) model_.Accessed(feed_, event.access);
    }
    void On(const events::Sync& sync) override {
        using Kind = events::Sync::Kind;
        if (sync.kind == Kind::kWaits) model_.Awaits(feed_, sync);
        if (sync.counter >= events::Sync::kOfWorld) return;  // launches that join a world are not timed
        if (sync.kind == Kind::kRaised || sync.kind == Kind::kArrived || sync.kind == Kind::kEnded)
            model_.Raises(feed_, sync.counter);
    }
    void On(const events::Call& call) override {
        using Kind = events::Call::Kind;
        if (!feed_.scopes) return;
        const std::lock_guard lock(model_.mutex_);
        if (call.kind == Kind::kBegun || call.kind == Kind::kRange) feed_.scopes->Begin(call.name, call.where);
        if (call.kind == Kind::kEnded) feed_.scopes->End();
    }
    void On(const events::Marked& event) override {
        using As = events::Marked::As;
        if (event.as != As::kCached && event.as != As::kUncached) return;
        const std::lock_guard lock(model_.mutex_);
        model_.l2_.SetCached(event.allocation, event.as == As::kCached);
        model_.kept_.cache_hints.emplace_back(event.allocation, event.as == As::kCached);
    }
    bool HasRoom() const override { return model_.HasRoom(feed_); }
    bool AsksForRoom() const override { return true; }

private:
    Model& model_;
    Feed& feed_;
};

std::unique_ptr<events::CoreListener> Model::Begin(const events::Place& place, events::Tell) {
    return std::make_unique<OfCore>(*this, place);
}

// Accesses of the scalar unit between two records are one event.
void Model::FlushScalar(Feed& feed) {
    if (feed.scalar == 0) return;
    Event e;
    e.kind = feed.scalar_reads ? Event::Kind::kScalarRead : Event::Kind::kScalar;
    e.cost.work = static_cast<float>(feed.scalar);
    e.index = feed.index;
    feed.fresh.push_back(std::move(e));
    feed.scalar = 0;
    feed.scalar_reads = false;
}

Event& Model::Append(Feed& feed, Event&& event) {
    FlushScalar(feed);
    feed.fresh.push_back(std::move(event));
    return feed.fresh.back();
}

// The compiler of TIK sets flags between pipes where the order of two records decides bytes.
void Model::WaitForOperands(Feed& feed, const isa::Record& record) {
    const OperandOrder::Waits waits = feed.order.Issue(record);
    for (size_t pipe = 0; pipe < waits.size(); ++pipe) {
        if (waits[pipe] == 0) continue;
        Event& wait = feed.fresh.emplace_back();
        wait.kind = Event::Kind::kAfter;
        wait.pipe = record.pipe;
        wait.from = static_cast<Pipe>(pipe);
        wait.to = record.pipe;
        wait.sync.count = waits[pipe];
        wait.index = record.index;
        wait.where = record.where;
        wait.call = "wait";
    }
}

void Model::Issued(Feed& feed, const isa::Record& record, bool in_order) {
    feed.index = record.index + 1;
    if (isa::Info(record.op).pipe == isa::Pipe::kS) {
        if (!isa::IsControl(record)) feed.scalar += timing_.constants.scalar_store;
        return;  // Awaits tells of a wait
    }
    if (feed.scalar != 0) FlushScalar(feed);
    if (in_order) WaitForOperands(feed, record);
    Event& event = feed.fresh.emplace_back();
    costs_.Price(record, feed.prices, event);
    if (const isa::Flag* flag = FlagOf(record)) event.sync.key = events::FlagKey(*flag, setup_.flags);
    if (setup_.drawing && (event.kind == Event::Kind::kWork || event.kind == Event::Kind::kTransfer)) {
        const std::lock_guard lock(mutex_);
        event.scope = feed.scopes->Issued(record.index);
    }
    if (setup_.drawing) {
        event.has_text = true;
        feed.fresh_texts.emplace_back(record.index, isa::Print(record));
    }
    if (feed.fresh.size() >= feed.enough) Offer(feed);
}

void Model::Accessed(Feed& feed, const events::ScalarAccess& access) {
    const auto& c = timing_.constants;
    if (access.memory != isa::Memory::kGm) {
        feed.scalar += access.write ? c.scalar_store : c.scalar_load;
        feed.scalar_reads = feed.scalar_reads || !access.write;
        return;
    }
    if (feed.cache.empty()) feed.cache.assign(static_cast<size_t>(c.dcache_bytes) / kCacheLine, ~uint64_t{0});
    const uint64_t line = uint64_t{access.allocation} << 48 | access.bytes.begin / kCacheLine;
    uint64_t& held = feed.cache[(access.bytes.begin / kCacheLine) % feed.cache.size()];
    feed.scalar += held == line ? c.scalar_gm_hit : c.scalar_gm;
    held = line;
}

void Model::Awaits(Feed& feed, const events::Sync& wait) {
    Event e;
    e.kind = Event::Kind::kAwait;
    e.sync.key = wait.counter;
    e.sync.count = wait.level;
    e.takes = wait.takes;
    e.index = feed.index;
    e.call = "wait";
    Append(feed, std::move(e));
    HandOver(feed);
}

void Model::Raises(Feed& feed, uint64_t counter) {
    Event e;
    e.kind = Event::Kind::kRaise;
    e.sync.key = counter;
    e.index = feed.index;
    Append(feed, std::move(e));
    HandOver(feed);
}

bool Model::HasRoom(Feed& feed) const {
    const size_t held = feed.held.load(std::memory_order_relaxed);
    if (held > kRoom) feed.resting.store(true, std::memory_order_relaxed);
    if (held < kRoom / 2) feed.resting.store(false, std::memory_order_relaxed);
    return !feed.resting.load(std::memory_order_relaxed);
}

void Model::HandOver(Feed& feed) {
    const std::lock_guard lock(mutex_);
    Receive(feed);
}

// While another core has the model, this one goes on: to sleep and to be woken costs more than a lot of events.
void Model::Offer(Feed& feed) {
    std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock) {
        if (feed.fresh.size() < kMostFresh) {
            feed.enough = feed.fresh.size() + kOfferAgain;
            return;
        }
        lock.lock();
    }
    feed.enough = kHandOver;
    Receive(feed);
}

void Model::Receive(Feed& feed) {
    for (auto& text : feed.fresh_texts) feed.texts.insert(std::move(text));
    feed.fresh_texts.clear();
    kept_.Add(feed.place.order, feed.fresh);
    feed.stream.Take(feed.fresh);
    if (feed.fresh.capacity() < kHandOver) feed.fresh.reserve(kHandOver);
    if (feed.starving) {
        feed.starving = false;
        --starving_;
        runnable_.push_back(static_cast<uint32_t>(feed.place.order));
    }
    feed.held.store(feed.stream.size(), std::memory_order_relaxed);
    if (path_.WantsFolding()) FoldPath();
    if (starving_ == 0) Advance();
}

}  // namespace sfumato::timing
