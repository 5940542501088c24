// SPDX-License-Identifier: Apache-2.0
// The memory of groups: pages that exist once they are touched, among empty addresses.
#include "runtime/world/group.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <set>

#include "sfumato/report.h"
#include "sfumato/round_up.h"
#include "system/memory.h"

namespace sfumato::runtime {
namespace {

constexpr uint64_t kWindowAlignment = uint64_t{2} << 20;  // ranks.md 6.5
constexpr const char* kPartNames[] = {"In", "Out", "Exp", "mc2 workspace", "context"};

// Of all worlds of the process.
struct Groups {
    std::mutex mutex;
    std::vector<Group*> all;
    static Groups& The() {
        static Groups groups;
        return groups;
    }
};

[[noreturn]] void RefuseGroup(const std::string& name, const std::string& what) {
    throw Error(fmt::format("group '{}': {}", name, what));
}

// The same in every run as far as the system lets us: contexts hold them. Behind those that devices have
// (ranks.md 2.1); ThreadSanitizer has no room there.
uint8_t* ReserveAddresses(uint64_t bytes) {
    void* mapped = nullptr;
#if !defined(__SANITIZE_THREAD__)
    constexpr uintptr_t kFirst = 0x280000000000, kLast = 0x2C0000000000, kStep = uintptr_t{1} << 36;
    auto& groups = Groups::The();
    std::lock_guard lock(groups.mutex);
    for (uintptr_t at = kFirst; !mapped && at < kLast; at += kStep) mapped = system::ReserveAddressesAt(at, bytes);
#endif
    if (!mapped) mapped = system::ReserveAddresses(bytes);
    return static_cast<uint8_t*>(mapped);
}

void CheckRanks(const World& world, const std::string& name, const std::vector<uint32_t>& ranks, ContextLayout layout) {
    if (name.empty() || name.size() > kMostGroupName)
        RefuseGroup(name, fmt::format("a name of {} letters; legal are 1 to {}", name.size(), kMostGroupName));
    if (GroupNamed(world, name)) RefuseGroup(name, "there is one of this name already in the world");
    if (ranks.empty()) RefuseGroup(name, "it has no rank");
    if (std::set(ranks.begin(), ranks.end()).size() != ranks.size()) RefuseGroup(name, "a rank is in it twice");
    for (const uint32_t rank : ranks) {
        if (rank >= world.ranks())
            RefuseGroup(name, fmt::format("rank {}; the world has ranks 0 to {}", rank, world.ranks() - 1));
    }
    if (ranks.size() > MostRanks(layout)) {
        const bool a2 = layout == ContextLayout::kCombinedParameter;
        throw UnsupportedError(fmt::format("group '{}' of {} ranks: the context of {} has room for {}{}", name,
                                           ranks.size(), a2 ? "Ascend910B (A2)" : "Ascend910_93 (A3)",
                                           MostRanks(layout),
                                           a2 ? "; Ascend910_9392 and its sisters (A3) take up to 64" : ""));
    }
}

}  // namespace

Group::Group(World& world, std::string name, std::vector<uint32_t> ranks, const std::vector<GlobalMemory*>& memories,
             const GroupOptions& options)
    : world_(world),
      name_(std::move(name)),
      ranks_(std::move(ranks)),
      memories_(memories),
      window_bytes_(options.window_bytes),
      layout_(LayoutOf(options.chip)),
      domain_((CheckRanks(world, name_, ranks_, layout_), world.AddDomain(ranks_))) {
    if (memories_.size() != ranks_.size())
        RefuseGroup(name_, fmt::format("{} memories for {} ranks", memories_.size(), ranks_.size()));
    if (window_bytes_ < 4096 || window_bytes_ > uint64_t{1} << 36)
        RefuseGroup(name_, fmt::format("windows of {} bytes; legal are 4096 to {}", window_bytes_, uint64_t{1} << 36));
    for (uint32_t i = 0; i < kParts; ++i) {
        begin_[i] = of_rank_;
        of_rank_ += RoundUpTo(BytesOf(static_cast<Part>(i)) + 1, kWindowAlignment);  // one empty address at least
    }
    // So that the first part of the first rank can begin at a multiple.
    const uint64_t all = size() * of_rank_;
    base_ = ReserveAddresses(all + kWindowAlignment);
    if (!base_) RefuseGroup(name_, fmt::format("the machine has no room for {} bytes of addresses", all));
    const auto address = reinterpret_cast<uintptr_t>(base_);
    const uint64_t skipped = RoundUpTo(address, kWindowAlignment) - address;
    if (skipped) munmap(base_, skipped);
    base_ += skipped;
    munmap(base_ + all, kWindowAlignment - skipped);
    if (!Open(options.fill)) {
        munmap(base_, all);
        RefuseGroup(name_, fmt::format("the machine has no memory for windows of {} bytes", window_bytes_));
    }
    WriteContexts();
    ShareAll();
    auto& groups = Groups::The();
    std::lock_guard lock(groups.mutex);
    groups.all.push_back(this);
}

namespace {

constexpr uint64_t kPatternBytes = uint64_t{8} << 20;

// Mapped again and again, the file costs its own pages once.
bool FillWithPattern(uint8_t* begin, uint64_t bytes, int file) {
    for (uint64_t at = 0; at < bytes; at += kPatternBytes) {
        if (!system::ShowFileAt(file, std::min(bytes - at, kPatternBytes), begin + at)) return false;
    }
    return true;
}

}  // namespace

uint64_t Group::BytesOf(Part part) const {
    switch (part) {
        case kIn:
        case kOut: return window_bytes_;
        case kExp: return kExpBytes;
        case kWorkspace: return kWorkspaceBytes;
        case kContext: return ContextBytes(layout_);
    }
    return 0;
}

bool Group::Open(bool fill) {
    const int file = fill ? system::FileFilledWith(0xFE, kPatternBytes) : -1;
    bool open = !fill || file >= 0;
    for (uint32_t place = 0; open && place < size(); ++place) {
        for (uint32_t i = 0; open && i < kParts; ++i) {
            const auto part = static_cast<Part>(i);
            open = fill && (part == kIn || part == kOut)
                       ? FillWithPattern(At(place, part), BytesOf(part), file)
                       : mprotect(At(place, part), BytesOf(part), PROT_READ | PROT_WRITE) == 0;
        }
    }
    if (file >= 0) close(file);
    return open;
}

void Group::WriteContexts() {
    std::vector<RankWindows> windows;
    const auto address = [](const uint8_t* p) { return uint64_t{reinterpret_cast<uintptr_t>(p)}; };
    for (uint32_t place = 0; place < size(); ++place)
        windows.push_back({ranks_[place], address(In(place)), address(Out(place)), address(Exp(place))});
    for (uint32_t place = 0; place < size(); ++place) {
        WriteContext(layout_,
                     {place, windows, window_bytes_, kExpBytes, address(Workspace(place)), kWorkspaceBytes, name_},
                     Context(place));
        mprotect(Context(place), BytesOf(kContext), PROT_READ);
    }
}

// Windows are everybody's, the rest is the rank's own.
void Group::ShareAll() {
    const auto share = [this](uint32_t with, uint32_t place, Part part) {
        memories_[with]->impl()->Share(
            At(place, part), BytesOf(part),
            fmt::format("{} of rank {}, group {}", kPartNames[static_cast<int>(part)], ranks_[place], name_),
            ranks_[place]);
    };
    for (uint32_t place = 0; place < size(); ++place) {
        for (uint32_t with = 0; with < size(); ++with) {
            for (const Part part : {kIn, kOut, kExp}) share(with, place, part);
        }
        share(place, place, kWorkspace);
        memories_[place]->impl()->Adopt(Context(place), BytesOf(kContext),
                                        fmt::format("context of rank {}, group {}", ranks_[place], name_));
    }
}

Group::~Group() {
    {
        auto& groups = Groups::The();
        std::lock_guard lock(groups.mutex);
        std::erase(groups.all, this);
    }
    for (GlobalMemory* memory : memories_) {
        for (uint32_t place = 0; place < size(); ++place) {
            for (uint32_t part = 0; part < kParts; ++part) memory->impl()->Unshare(At(place, static_cast<Part>(part)));
        }
    }
    munmap(base_, size() * of_rank_);
}

int Group::PlaceOf(uint32_t world_rank) const {
    const auto at = std::ranges::find(ranks_, world_rank);
    return at == ranks_.end() ? -1 : static_cast<int>(at - ranks_.begin());
}

Group::Place Group::Find(const void* address) const {
    const auto offset = static_cast<uint64_t>(static_cast<const uint8_t*>(address) - base_);
    const uint64_t in_rank = offset % of_rank_;
    const auto after = std::upper_bound(begin_, begin_ + kParts, in_rank);
    const auto part = static_cast<uint32_t>(after - begin_) - 1;
    return {static_cast<Part>(part), static_cast<uint32_t>(offset / of_rank_), in_rank - begin_[part]};
}

Group* GroupOf(const void* address) {
    auto& groups = Groups::The();
    const auto* p = static_cast<const uint8_t*>(address);
    std::lock_guard lock(groups.mutex);
    const auto at = std::ranges::find_if(
        groups.all, [p](const Group* g) { return p >= g->base_ && p < g->base_ + g->size() * g->of_rank_; });
    return at == groups.all.end() ? nullptr : *at;
}

Group* GroupNamed(const World& world, const std::string& name) {
    auto& groups = Groups::The();
    std::lock_guard lock(groups.mutex);
    const auto at =
        std::ranges::find_if(groups.all, [&](const Group* g) { return &g->world() == &world && g->name() == name; });
    return at == groups.all.end() ? nullptr : *at;
}

std::vector<World::Domain> DomainsOf(const World& world, const std::vector<std::string>& names) {
    std::vector<World::Domain> domains;
    for (const std::string& name : names) {
        const Group* group = GroupNamed(world, name);
        if (group && std::ranges::count(domains, group->domain()) == 0) domains.push_back(group->domain());
    }
    return domains;
}

std::string GroupNames(const World& world, uint32_t rank) {
    auto& groups = Groups::The();
    std::lock_guard lock(groups.mutex);
    std::string names;
    for (const Group* group : groups.all) {
        if (&group->world() != &world || group->PlaceOf(rank) < 0) continue;
        names += fmt::format("{}'{}'", names.empty() ? "" : ", ", group->name());
    }
    return names.empty() ? "none" : names;
}

}  // namespace sfumato::runtime
