// SPDX-License-Identifier: Apache-2.0
// Ranks with a window each, for tests of worlds: launches submitted for all, and what they leave.
#pragma once
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "frontends/cross_core.h"
#include "runtime/memory/global_memory.h"
#include "runtime/world/world.h"

namespace sfumato {

class Ranks {
public:
    explicit Ranks(uint32_t ranks, runtime::RankOrder order = {}, uint64_t window_bytes = 64 << 10)
        : world(ranks, order), domain(world.AddDomain(All(ranks))), results(ranks) {
        for (uint32_t r = 0; r < ranks; ++r) {
            windows.emplace_back(window_bytes);
            memories.push_back(std::make_unique<GlobalMemory>());
        }
        for (uint32_t r = 0; r < ranks; ++r) {
            for (uint32_t s = 0; s < ranks; ++s)
                memories[r]->impl()->Share(windows[s].data(), window_bytes, "window of rank " + std::to_string(s), s);
        }
    }

    static std::vector<uint32_t> All(uint32_t ranks) {
        std::vector<uint32_t> all(ranks);
        for (uint32_t r = 0; r < ranks; ++r) all[r] = r;
        return all;
    }

    // named: the launch says which domain it is on, and parks at its beginning.
    bool Submit(uint32_t rank, uint32_t blocks, const std::function<void()>& kernel, bool named = true,
                std::string schedule = "eager") {
        std::vector<runtime::World::Domain> domains;
        if (named) domains.push_back(domain);
        return world.Submit(
            rank, nullptr,
            runtime::World::Launch{{"kernel<<<>>>", {}},
                                   [=, this] {
                                       LaunchOptions options;
                                       options.chip = "Ascend910B1";
                                       options.kernel = "kernel";
                                       options.schedule = schedule;
                                       results[rank].push_back(Launch(options, blocks, *memories[rank], kernel));
                                   },
                                   domains});
    }
    void Wait() {
        world.Block({"Wait", {}}, [this] {
            for (uint32_t r = 0; r < world.ranks(); ++r) {
                if (!world.IdleLocked(r)) return false;
            }
            return true;
        });
    }
    std::string Told() const {
        std::string text;
        for (const auto& of_rank : results) {
            for (const LaunchResult& result : of_rank) text += sfumato::Told(result);
        }
        return text;
    }

    std::vector<std::vector<uint8_t>> windows;
    std::vector<std::unique_ptr<GlobalMemory>> memories;
    runtime::World world;
    runtime::World::Domain domain;
    std::vector<std::vector<LaunchResult>> results;
};

}  // namespace sfumato
