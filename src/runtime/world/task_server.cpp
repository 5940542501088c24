// SPDX-License-Identifier: Apache-2.0
// Tasks of clients in kernels: which belong together, and when they are performed.
#include "runtime/world/task_server.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <utility>

#include "events/event.h"
#include "runtime/world/rank_texts.h"

namespace sfumato::runtime {
namespace {

constexpr uint64_t kMostRepeats = 256;  // of a handle: a byte says how many

}  // namespace

TaskServer::Launches& TaskServer::Of(const Client& client) {
    Launches& launches = launches_[client.place];
    if (launches.last == client.launch) return launches;
    launches = {client.launch, launches.count + 1, UINT64_MAX};
    ForgetPassed();
    return launches;
}

// All ranks are in later launches.
void TaskServer::ForgetPassed() {
    if (launches_.size() < ranks_.size()) return;
    uint64_t least = UINT64_MAX;
    for (const auto& [place, launches] : launches_) least = std::min(least, launches.count);
    std::erase_if(rounds_, [least](const auto& round) { return round.first.first < least; });
}

TaskServer::Key TaskServer::KeyOf(const Client& client, int handle) const {
    return {launches_.at(client.place).count, handle};
}

TaskServer::Round& TaskServer::RoundOf(const Key& key) {
    Round& round = rounds_[key];
    if (round.tasks.empty()) {
        round.tasks.resize(ranks_.size());
        round.committed.resize(ranks_.size());
        round.prepared.resize(ranks_.size());
        static std::atomic<uint64_t> next = events::Sync::kOfWorld;
        round.first_counter = next.fetch_add(kMostRepeats);
    }
    return round;
}

bool TaskServer::Sends(const Client& client, uint64_t core) {
    std::lock_guard lock(mutex_);
    Launches& launches = Of(client);
    if (launches.sender == UINT64_MAX) launches.sender = core;
    return launches.sender == core;
}

std::optional<Finding> TaskServer::Prepare(const Client& client, int handle, std::vector<Collective> tasks) {
    std::lock_guard lock(mutex_);
    Of(client);
    Round& round = RoundOf(KeyOf(client, handle));
    round.tasks[client.place] = std::move(tasks);
    round.prepared[client.place] = true;
    if (!std::ranges::all_of(round.prepared, [](bool prepared) { return prepared; })) return std::nullopt;
    std::vector<Collective> first;
    for (const auto& of_rank : round.tasks) {
        if (of_rank.empty()) return std::nullopt;  // no repetition
        first.push_back(of_rank[0]);
    }
    std::optional<Finding> finding = MismatchOf(first, ranks_);
    if (finding) finding->operand = fmt::format("handle {} on '{}'", handle, name_);
    return finding;
}

void TaskServer::Commit(const Client& client, int handle) {
    std::lock_guard lock(mutex_);
    Round& round = RoundOf(KeyOf(client, handle));
    ++round.committed[client.place];
    while (round.done < *std::ranges::min_element(round.committed)) {
        std::vector<Collective> calls;
        for (const auto& of_rank : round.tasks) {
            if (round.done < of_rank.size()) calls.push_back(of_rank[round.done]);
        }
        ++round.done;
        if (calls.size() == ranks_.size()) Perform(calls, numeric::CollectiveOrder::kRank);
    }
}

uint64_t TaskServer::CounterOf(const Client& client, int handle, uint32_t task) {
    std::lock_guard lock(mutex_);
    Of(client);
    return RoundOf(KeyOf(client, handle)).first_counter + task;
}

uint32_t TaskServer::Completed(const Client& client, int handle) const {
    std::lock_guard lock(mutex_);
    const auto launches = launches_.find(client.place);
    if (launches == launches_.end() || launches->second.last != client.launch) return 0;
    const auto round = rounds_.find(KeyOf(client, handle));
    return round == rounds_.end() ? 0 : round->second.done;
}

std::string TaskServer::StateOf(const Client& client, int handle, uint32_t task) const {
    std::lock_guard lock(mutex_);
    const auto launches = launches_.find(client.place);
    const auto round = launches == launches_.end() ? rounds_.end() : rounds_.find(KeyOf(client, handle));
    if (round == rounds_.end()) return "no rank has prepared it";
    std::vector<uint32_t> committed, prepared, neither;
    for (uint32_t place = 0; place < ranks_.size(); ++place) {
        const bool has = round->second.committed[place] > task;
        (has ? committed : round->second.prepared[place] ? prepared : neither).push_back(ranks_[place]);
    }
    std::string text;
    for (const auto& [ranks, what] : {std::pair{committed, "committed"}, std::pair{prepared, "prepared, not committed"},
                                      std::pair{neither, "not prepared"}}) {
        if (!ranks.empty()) text += fmt::format("{}{} by {}", text.empty() ? "" : ", ", what, NameRanks(ranks));
    }
    return text;
}

}  // namespace sfumato::runtime
