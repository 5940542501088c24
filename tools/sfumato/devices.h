// SPDX-License-Identifier: Apache-2.0
// Where `sfumato run` runs a kernel: on one device, or on the ranks of a world.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "bound_arguments.h"
#include "options.h"
#include "sfumato/rank_world.h"

namespace sfumato::command {

// Those of `bound` that are one rank's; without ranks all.
template <class T>
std::span<T> OfRank(const RunOptions& options, std::span<T> bound, uint32_t rank) {
    const size_t each = bound.size() / (options.ranks.count ? options.ranks.count : 1);
    return bound.subspan(rank * each, each);
}

class Devices {
public:
    // Throws Error for ranks, groups and windows that cannot be.
    explicit Devices(const RunOptions& options);

    // Allocates and fills the memory of all arguments. `bound` gets the addresses. Throws Error.
    void Bind(const RunOptions& options, const std::shared_ptr<CompiledKernels>& kernels, const KernelInfo& kernel,
              std::span<Bound> bound);
    LaunchResult Launch(const RunOptions& options) {
        return sfumato::Launch(options.launch, options.blocks, *own_, calls_[0]);
    }
    LaunchResult LaunchOnRanks(const RunOptions& options);
    // Of one device; null for ranks.
    const GlobalMemory* memory() const { return own_.get(); }
    uint64_t window_bytes() const { return window_bytes_; }

private:
    void Place(Bound& bound, uint32_t rank);

    std::unique_ptr<GlobalMemory> own_;
    std::unique_ptr<RankWorld> world_;
    uint64_t window_bytes_ = 0;
    std::vector<std::function<void()>> calls_;  // by rank
};

}  // namespace sfumato::command
