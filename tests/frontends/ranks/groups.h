// SPDX-License-Identifier: Apache-2.0
// Launches on every rank of a group, for tests of kernels that communicate.
#pragma once
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "frontends/cross_core.h"
#include "runtime/memory/global_memory.h"
#include "runtime/world/context_structs.h"
#include "runtime/world/group.h"
#include "sfumato/tiling/hccl_tiling.h"

namespace sfumato {

constexpr const char* kA2 = "Ascend910B1";
constexpr const char* kA3 = "Ascend910_9392";

inline std::vector<runtime::RankOrder> EveryOrder() {
    using Kind = runtime::RankOrder::Kind;
    return {{Kind::kEager, 0}, {Kind::kLate, 0}, {Kind::kSkew, 1},
            {Kind::kSeed, 1},  {Kind::kSeed, 2}, {Kind::kSeed, 3}};
}

class OnRanks {
public:
    explicit OnRanks(uint32_t ranks, runtime::RankOrder order = {}, const char* chip = kA3,
                     uint64_t window_bytes = 1 << 20)
        : world(ranks, order), results(ranks), chip_(chip), window_bytes_(window_bytes) {
        for (uint32_t r = 0; r < ranks; ++r) memories.push_back(std::make_unique<GlobalMemory>());
        std::vector<uint32_t> all(ranks);
        for (uint32_t r = 0; r < ranks; ++r) all[r] = r;
        group = Make("tp", all);
    }

    std::unique_ptr<runtime::Group> Make(const std::string& name, const std::vector<uint32_t>& ranks) {
        std::vector<GlobalMemory*> of;
        for (const uint32_t r : ranks) of.push_back(memories[r].get());
        return std::make_unique<runtime::Group>(world, name, ranks, of,
                                                runtime::GroupOptions{window_bytes_, false, chip_});
    }
    void Submit(uint32_t rank, const std::function<void()>& kernel, std::vector<std::string> groups = {"tp"},
                uint32_t blocks = 1, const char* chip = nullptr) {
        const auto run = [=, this] {
            LaunchOptions options;
            options.chip = chip ? chip : chip_;
            options.kernel = "kernel";
            options.groups = groups;
            if (adjust) adjust(options);
            results[rank].push_back(Launch(options, blocks, *memories[rank], kernel));
        };
        world.Submit(rank, nullptr,
                     runtime::World::Launch{{"kernel<<<>>>", {}}, run, runtime::DomainsOf(world, groups)});
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
    std::vector<Report> Findings() const {
        std::vector<Report> all;
        for (const auto& of_rank : results) {
            for (const LaunchResult& result : of_rank)
                all.insert(all.end(), result.findings.begin(), result.findings.end());
        }
        return all;
    }

    std::vector<std::unique_ptr<GlobalMemory>> memories;
    runtime::World world;
    std::unique_ptr<runtime::Group> group;
    std::vector<std::vector<LaunchResult>> results;
    std::function<void(LaunchOptions&)> adjust;  // of every launch

private:
    const char* const chip_;
    const uint64_t window_bytes_;
};

// As operators of several ranks have it in their tiling data.
struct TilingOfRanks {
    Mc2InitTiling init;
    Mc2CcTiling gather, reduce;
    uint32_t count;
};
// HcclCMDType.
constexpr uint32_t kAllReduce = 2, kAllGather = 6;

inline TilingOfRanks TilingFor(const std::string& group) {
    TilingOfRanks tiling{};
    Mc2CcTilingConfig config(group, kAllGather, "AllGather=level0:doublering");
    EXPECT_EQ(config.GetTiling(tiling.init), 0u);
    EXPECT_EQ(config.GetTiling(tiling.gather), 0u);
    EXPECT_EQ(config.SetOpType(kAllReduce), 0u);
    EXPECT_EQ(config.GetTiling(tiling.reduce), 0u);
    return tiling;
}

}  // namespace sfumato
