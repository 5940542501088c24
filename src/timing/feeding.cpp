// SPDX-License-Identifier: Apache-2.0
// What cores tell the model while they run: events of records, in lots that the model takes when it is free.
#include "timing/model.h"

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
    for (int i = 0; i < record.operand_count; ++i) {
        const isa::Operand& operand = record.operand[static_cast<size_t>(i)];
        const Touched here{operand.memory, operand.allocation, isa::SpanOf(record, i), isa::IsWritten(record, i),
                           number};
        for (size_t pipe = 0; pipe < recent_.size(); ++pipe) {
            if (pipe == own) continue;
            for (const Touched& there : recent_[pipe].touched) {
                const bool meet = there.memory == here.memory && there.allocation == here.allocation &&
                                  there.bytes.begin < here.bytes.end && here.bytes.begin < there.bytes.end;
                if (meet && (there.written || here.written) && there.number > waits[pipe]) waits[pipe] = there.number;
            }
        }
        Recent& recent = recent_[own];
        if (recent.touched.size() < kRemembered) {
            recent.touched.push_back(here);
        } else {
            recent.touched[recent.next++ % kRemembered] = here;
        }
    }
    return waits;
}

void Model::BlockBegun(const trace::Place& place) {
    Feed& feed = FeedOf(place);
    feed.place = place;
    feed.fresh.reserve(kHandOver);
    feed.enough = kHandOver;
    if (!setup_.drawing) return;
    const std::lock_guard lock(mutex_);
    setup_.drawing->Core(place);
    feed.scopes.emplace([this, core = place.order](const trace::Slice& call) { setup_.drawing->Scope(core, call); });
}

void Model::BlockEnded(const trace::Place& place) {
    Feed& feed = FeedOf(place);
    FlushScalar(feed);
    Event end;
    end.kind = Event::Kind::kEnd;
    end.index = feed.index;
    feed.fresh.push_back(std::move(end));
    HandOver(feed);
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

Event& Model::Append(const trace::Place& place, Event&& event) {
    Feed& feed = FeedOf(place);
    FlushScalar(feed);
    feed.fresh.push_back(std::move(event));
    return feed.fresh.back();
}

void Model::InOrder(const trace::Place& place, const isa::Record&) { FeedOf(place).in_order = true; }

// The compiler of TIK sets flags between pipes where the order of two records decides bytes.
void Model::WaitForOperands(Feed& feed, const isa::Record& record) {
    feed.in_order = false;
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

void Model::Issued(const trace::Place& place, const isa::Record& record) {
    Feed& feed = FeedOf(place);
    feed.index = record.index + 1;
    if (isa::Info(record.op).pipe == isa::Pipe::kS) {
        if (!isa::IsControl(record)) feed.scalar += timing_.constants.scalar_store;
        return;  // Awaits tells of a wait
    }
    if (feed.scalar != 0) FlushScalar(feed);
    if (feed.in_order) WaitForOperands(feed, record);
    Event& event = feed.fresh.emplace_back();
    costs_.Price(record, feed.prices, event);
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

void Model::Accessed(const trace::Place& place, isa::Memory memory, uint32_t allocation, isa::Span bytes, bool write) {
    Feed& feed = FeedOf(place);
    const auto& c = timing_.constants;
    if (memory != isa::Memory::kGm) {
        feed.scalar += write ? c.scalar_store : c.scalar_load;
        feed.scalar_reads = feed.scalar_reads || !write;
        return;
    }
    if (feed.cache.empty()) feed.cache.assign(static_cast<size_t>(c.dcache_bytes) / kCacheLine, ~uint64_t{0});
    const uint64_t line = uint64_t{allocation} << 48 | bytes.begin / kCacheLine;
    uint64_t& held = feed.cache[(bytes.begin / kCacheLine) % feed.cache.size()];
    feed.scalar += held == line ? c.scalar_gm_hit : c.scalar_gm;
    held = line;
}

void Model::Awaits(const trace::Place& place, uint64_t counter, uint64_t at_least, bool takes) {
    Event e;
    e.kind = Event::Kind::kAwait;
    e.sync.key = counter;
    e.sync.count = at_least;
    e.takes = takes;
    e.index = FeedOf(place).index;
    e.call = "wait";
    Append(place, std::move(e));
    HandOver(FeedOf(place));
}

void Model::Raises(const trace::Place& place, uint64_t counter) {
    Event e;
    e.kind = Event::Kind::kRaise;
    e.sync.key = counter;
    e.index = FeedOf(place).index;
    Append(place, std::move(e));
    HandOver(FeedOf(place));
}

void Model::CallBegun(const trace::Place& place, const char* name, Where where) {
    if (!setup_.drawing) return;
    const std::lock_guard lock(mutex_);
    FeedOf(place).scopes->Begin(name, where);
}

void Model::CallEnded(const trace::Place& place) {
    if (!setup_.drawing) return;
    const std::lock_guard lock(mutex_);
    FeedOf(place).scopes->End();
}

void Model::CacheHint(const trace::Place&, uint32_t allocation, bool cached) {
    const std::lock_guard lock(mutex_);
    l2_.SetCached(allocation, cached);
    kept_.cache_hints.emplace_back(allocation, cached);
}

bool Model::HasRoom(const trace::Place& place) const {
    Feed& feed = *feeds_[place.order];
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
