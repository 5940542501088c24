// SPDX-License-Identifier: Apache-2.0
// Collectives of hosts: arrivals, and what the last one does.
#include "runtime/world/communicator.h"
#include "runtime/world/rank_texts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

namespace sfumato::runtime {

Communicator::Communicator(std::shared_ptr<CommOrders> orders, std::string name, std::vector<uint32_t> ranks,
                           numeric::CollectiveOrder order, Fault fault)
    : orders_(std::move(orders)),
      name_(std::move(name)),
      ranks_(std::move(ranks)),
      order_(order),
      fault_(std::move(fault)),
      submitted_(ranks_.size()),
      pending_(ranks_.size()) {}

uint64_t Communicator::Pending(uint32_t place) const {
    std::lock_guard lock(mutex_);
    return pending_[place];
}

void Communicator::Tell(Finding finding, const std::string& call, std::span<const uint32_t> places) {
    Report report = ToReport(std::move(finding), call, {});
    report.rank = ranks_[places[0]];
    fault_(report, places);
}

Communicator::Steps Communicator::Next(uint32_t place, Collective call) {
    uint64_t number = 0;
    {
        std::lock_guard lock(mutex_);
        number = submitted_[place]++;
        ++pending_[place];
    }
    if (std::optional<Finding> finding = orders_->Submitted(name_, ranks_, ranks_[place]))
        Tell(std::move(*finding), "", std::vector<uint32_t>{0});
    const World::Name name{call.call, {}};
    const auto self = shared_from_this();
    World::Step arrive{name, [=, call = std::move(call)]() mutable { self->Arrive(number, place, std::move(call)); }};
    World::Step complete{name, [=] { self->Leave(number, place, false); }};
    complete.ready = [=] {
        std::lock_guard lock(self->mutex_);
        return self->rounds_.at(number).done;
    };
    complete.waits_for = [=] { return self->WaitsFor(number); };
    complete.give_up = [=](const Report&) { self->Leave(number, place, true); };
    return {std::move(arrive), std::move(complete)};
}

void Communicator::Arrive(uint64_t number, uint32_t place, Collective call) {
    std::vector<Collective> calls;
    {
        std::lock_guard lock(mutex_);
        Round& round = rounds_[number];
        if (round.calls.empty()) {
            round.calls.resize(size());
            round.came.resize(size());
            round.left.resize(size());
        }
        round.calls[place] = call;
        round.came[place] = true;
        if (round.given_up) {
            round.done = true;
            Tell({Rule::kRankExited, "", "the other ranks have given up, as this one did not come",
                  fmt::format("call {} on {}", number, name_), "the same calls on all ranks",
                  "see what is reported of them"},
                 call.call, std::span(&place, 1));
            return;
        }
        if (!std::ranges::all_of(round.came, [](bool came) { return came; })) return;
        calls = std::move(round.calls);
    }
    std::vector<uint32_t> all(size());
    std::iota(all.begin(), all.end(), 0);
    if (std::optional<Finding> finding = MismatchOf(calls, ranks_)) {
        finding->operand = fmt::format("call {} on {}", number, name_);
        Tell(std::move(*finding), calls[0].call, all);
    } else {
        Perform(calls, order_);
    }
    std::lock_guard lock(mutex_);
    rounds_[number].done = true;
}

void Communicator::Leave(uint64_t number, uint32_t place, bool given_up) {
    std::lock_guard lock(mutex_);
    Round& round = rounds_.at(number);
    round.given_up |= given_up;
    --pending_[place];
    round.left[place] = true;
    if (std::ranges::all_of(round.left, [](bool left) { return left; })) rounds_.erase(number);
}

std::string Communicator::WaitsFor(uint64_t number) const {
    std::lock_guard lock(mutex_);
    const Round& round = rounds_.at(number);
    std::vector<uint32_t> missing;
    for (uint32_t place = 0; place < size(); ++place) {
        if (!round.came[place]) missing.push_back(ranks_[place]);
    }
    return fmt::format("waits for {} in call {} on {}", NameRanks(missing), number, name_);
}

Communicator::Steps Communicator::Next(uint32_t place, const std::string& call, std::vector<Transfer> transfers) {
    const auto self = shared_from_this();
    const auto batch = std::make_shared<Batch>();
    batch->call = call;
    batch->place = place;
    batch->done.resize(transfers.size());
    batch->transfers = std::move(transfers);
    {
        std::lock_guard lock(mutex_);
        ++pending_[place];
    }
    const World::Name name{call, {}};
    World::Step arrive{name, [=] { self->Arrive(batch); }};
    const auto end = [=] {
        std::lock_guard lock(self->mutex_);
        batch->over = true;
        --self->pending_[place];
    };
    World::Step complete{name, end};
    complete.ready = [=] {
        std::lock_guard lock(self->mutex_);
        return std::ranges::all_of(batch->done, [](bool done) { return done; });
    };
    complete.waits_for = [=] { return self->WaitsFor(*batch); };
    complete.give_up = [=](const Report&) { end(); };
    return {std::move(arrive), std::move(complete)};
}

void Communicator::Arrive(const std::shared_ptr<Batch>& batch) {
    for (size_t i = 0; i < batch->transfers.size(); ++i) {
        const Half mine{batch, i};
        const Transfer& transfer = mine.transfer();
        const Key key = transfer.send ? Key{batch->place, transfer.peer} : Key{transfer.peer, batch->place};
        Half other;
        {
            std::lock_guard lock(mutex_);
            std::deque<Half>& others = (transfer.send ? receivers_ : senders_)[key];
            std::erase_if(others, [](const Half& half) { return half.batch->over; });  // given up
            if (others.empty()) {
                (transfer.send ? senders_ : receivers_)[key].push_back(mine);
                continue;
            }
            other = others.front();
            others.pop_front();
        }
        transfer.send ? Meet(mine, other) : Meet(other, mine);
    }
}

void Communicator::Meet(const Half& from, const Half& to) {
    const Transfer &sent = from.transfer(), &got = to.transfer();
    const CommType& type = *CommTypeOf(sent.type);
    if (sent.type == got.type && sent.count == got.count) {
        if (sent.count != 0) std::memmove(got.at, sent.at, sent.count * type.bytes);
    } else {
        const uint32_t places[] = {from.batch->place, to.batch->place};
        Tell({Rule::kCountMismatch, name_, "what is sent is not what the receiver expects",
              fmt::format("rank {}: {}(count {}, {}) to rank {}, which calls {}(count {}, {})", ranks_[places[0]],
                          from.batch->call, sent.count, type.name, ranks_[places[1]], to.batch->call, got.count,
                          CommTypeOf(got.type)->name),
              "the same count and type on both", "transfers between two ranks meet in the order of the calls"},
             from.batch->call, std::span(places, places[0] == places[1] ? 1 : 2));
    }
    std::lock_guard lock(mutex_);
    from.batch->done[from.index] = to.batch->done[to.index] = true;
}

std::string Communicator::WaitsFor(const Batch& batch) const {
    std::lock_guard lock(mutex_);
    std::string text;
    for (size_t i = 0; i < batch.transfers.size(); ++i) {
        const Transfer& transfer = batch.transfers[i];
        if (batch.done[i]) continue;
        text += fmt::format("{}{} rank {}", text.empty() ? "waits " : ", ",
                            transfer.send ? "to send to" : "to receive from", ranks_[transfer.peer]);
    }
    return fmt::format("{} on {}", text, name_);
}

std::optional<Finding> CommOrders::Submitted(const std::string& name, const std::vector<uint32_t>& ranks,
                                             uint32_t rank) {
    std::lock_guard lock(mutex_);
    members_.try_emplace(name, ranks.begin(), ranks.end());
    Counts& mine = submitted_[rank];
    const uint64_t number = mine[name]++;
    auto& open = open_[name];
    open[number].emplace(rank, mine);
    if (open[number].size() < ranks.size()) return std::nullopt;
    std::optional<Finding> finding = Compare(name, number, open[number]);
    open.erase(number);
    return finding;
}

void CommOrders::Forget(const std::string& name) {
    std::lock_guard lock(mutex_);
    members_.erase(name);
    open_.erase(name);
    for (auto& [rank, counts] : submitted_) counts.erase(name);
    std::erase_if(told_, [&name](const auto& pair) { return pair.first == name || pair.second == name; });
}

// All ranks have submitted it: each must have submitted the same elsewhere before.
std::optional<Finding> CommOrders::Compare(const std::string& on, uint64_t number,
                                           const std::map<uint32_t, Counts>& work) {
    const auto count_of = [](const Counts& counts, const std::string& name) {
        const auto found = counts.find(name);
        return found == counts.end() ? 0 : found->second;
    };
    const auto& [first, counts] = *work.begin();
    for (const auto& [rank, others] : work) {
        for (const auto& [name, members] : members_) {
            const uint64_t here = count_of(counts, name), there = count_of(others, name);
            if (here == there || !members.contains(first) || !members.contains(rank)) continue;
            if (!told_.insert(std::minmax(name, on)).second) continue;
            const std::string a = fmt::format("call {} on {}", number, on);
            const std::string b = fmt::format("call {} on {}", std::min(here, there), name);
            const bool swapped = here > there;  // on the first rank
            return Finding{Rule::kCommOrder,
                           "",
                           "two ranks make calls on two communicators in different orders, which may hang a board",
                           fmt::format("rank {}: {}, then {}; rank {}: {}, then {}", first, swapped ? b : a,
                                       swapped ? a : b, rank, swapped ? a : b, swapped ? b : a),
                           "one order on all ranks that both communicators have",
                           fmt::format("exchange the two calls on rank {}", rank)};
        }
    }
    return std::nullopt;
}

}  // namespace sfumato::runtime
