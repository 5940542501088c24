// SPDX-License-Identifier: Apache-2.0
// The memory of devices, the contexts and windows of ranks, and their launch.
#include "devices.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "sfumato/report.h"

namespace sfumato::command {

Devices::Devices(const RunOptions& options) {
    if (options.ranks.count == 0) {
        own_ = std::make_unique<GlobalMemory>(GlobalMemory::Options{.fill = options.launch.fill});
        return;
    }
    window_bytes_ = uint64_t{options.ranks.window_mb} << 20;
    world_ = std::make_unique<RankWorld>(RankWorldOptions{.ranks = options.ranks.count,
                                                          .chip = options.launch.chip,
                                                          .window_bytes = window_bytes_,
                                                          .fill = options.launch.fill});
    for (const auto& [name, ranks] : options.ranks.groups) world_->AddGroup(name, ranks);
}

// A context or window of the rank.
void Devices::Place(Bound& bound, uint32_t rank) {
    const ArgumentSpec& spec = *bound.spec;
    if (spec.kind != ArgumentSpec::Kind::kContext && spec.kind != ArgumentSpec::Kind::kWindow) return;
    try {
        const RankWorld::Place place = world_->PlaceOf(spec.group, rank);
        bound.gm = spec.kind == ArgumentSpec::Kind::kContext ? place.context : place.in.data();
    } catch (const Error& e) {
        throw Error(fmt::format("argument '{}': {}", spec.text, e.what()));
    }
    if (bound.bytes.size() > window_bytes_) {
        throw Error(fmt::format("argument '{}': {} bytes are more than the window's {}", spec.text, bound.bytes.size(),
                                window_bytes_));
    }
    if (!bound.bytes.empty()) std::memcpy(bound.gm, bound.bytes.data(), bound.bytes.size());
}

void Devices::Bind(const RunOptions& options, const std::shared_ptr<CompiledKernels>& kernels, const KernelInfo& kernel,
                   std::span<Bound> bound) {
    for (uint32_t rank = 0; rank < std::max(1u, options.ranks.count); ++rank) {
        const std::span<Bound> own = OfRank(options, bound, rank);
        for (Bound& b : own) Place(b, rank);
        GlobalMemory& memory = world_ ? world_->memory(rank) : *own_;
        calls_.push_back(BindArguments(kernels, kernel, Allocate(own, kernel, memory)));
    }
}

LaunchResult Devices::LaunchOnRanks(const RunOptions& options) {
    RankWorld::Request request;
    request.schedule = options.launch.schedule;
    request.repeat = options.ranks.repeat;
    request.trace = options.launch.trace;
    for (const auto& [name, ranks] : options.ranks.groups) request.groups.push_back(name);
    for (uint32_t rank = 0; rank < options.ranks.count; ++rank) {
        RankWorld::Work work{rank, options.blocks, options.launch, calls_[rank]};
        work.options.schedule = "eager";
        work.options.trace.clear();
        request.works.push_back(std::move(work));
    }
    return world_->Launch(request).whole;
}

}  // namespace sfumato::command
