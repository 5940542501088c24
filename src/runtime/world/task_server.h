// SPDX-License-Identifier: Apache-2.0
// The server of a group, which does what clients in kernels prepare and commit (ranks.md 7.3): a task is performed when
// the last rank has committed it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "runtime/world/collective.h"

namespace sfumato::runtime {

class TaskServer {
public:
    // ranks: their numbers in reports, by place.
    TaskServer(std::string name, std::vector<uint32_t> ranks) : name_(std::move(name)), ranks_(std::move(ranks)) {}

    // A client of a rank's launch. The n-th launches of all ranks with a client belong together, and of these the
    // clients' tasks by their handles.
    struct Client {
        uint32_t place = 0;
        const void* launch = nullptr;
    };
    // Only the first core of a launch that prepares or commits sends: the calls of others give the handles alone.
    bool Sends(const Client& client, uint64_t core);
    // `tasks` of the handle, one for each repetition. A finding at the last rank's when the ranks' differ.
    std::optional<Finding> Prepare(const Client& client, int handle, std::vector<Collective> tasks);
    // The next task of the handle may run.
    void Commit(const Client& client, int handle);
    // The number by which events name a task of the handle, from Sync::kOfWorld on: no other of the process has it.
    uint64_t CounterOf(const Client& client, int handle, uint32_t task);
    // How many tasks of the handle are complete.
    uint32_t Completed(const Client& client, int handle) const;
    // "it is committed by ranks 0, 1; rank 2 has prepared it; rank 3 has not", of a task.
    std::string StateOf(const Client& client, int handle, uint32_t task) const;

private:
    struct Round {
        std::vector<std::vector<Collective>> tasks;  // by place
        std::vector<uint32_t> committed;
        std::vector<bool> prepared;
        uint32_t done = 0;
        uint64_t first_counter = 0;
    };
    struct Launches {
        const void* last = nullptr;
        uint64_t count = 0;
        uint64_t sender = UINT64_MAX;  // of the last one
    };
    using Key = std::pair<uint64_t, int>;  // launch, handle
    Key KeyOf(const Client& client, int handle) const;
    Launches& Of(const Client& client);
    Round& RoundOf(const Key& key);
    void ForgetPassed();

    const std::string name_;
    const std::vector<uint32_t> ranks_;
    mutable std::mutex mutex_;
    std::map<uint32_t, Launches> launches_;  // by place
    std::map<Key, Round> rounds_;
};

}  // namespace sfumato::runtime
