// SPDX-License-Identifier: Apache-2.0
// Ranks come together, and give up those that do not come.
#include "host/hccl_comms.h"

#include <cstdio>
#include <cstdlib>

#include "host/ranks.h"
#include "host/stream_order.h"
#include "soc/chip.h"
#include "runtime/world/rank_texts.h"

namespace sfumato::host {
namespace {

using SteadyClock = std::chrono::steady_clock;

// Seconds in a variable of the environment, if they are any.
std::chrono::seconds SecondsIn(const char* variable, int64_t standard) {
    const char* text = std::getenv(variable);
    const long seconds = text ? std::strtol(text, nullptr, 10) : 0;
    return std::chrono::seconds(seconds > 0 ? seconds : standard);
}

// How long ranks are waited for whose devices nobody has set: their threads may not have begun.
std::chrono::seconds ConnectTimeout() {
    return std::min(SecondsIn("HCCL_CONNECT_TIMEOUT", 120), SecondsIn("SFUMATO_RANK_TIMEOUT", 60));
}

uint64_t WindowMb(uint64_t configured) {
    if (configured != 0) return configured;
    const char* text = std::getenv("HCCL_BUFFSIZE");
    const long size = text ? std::strtol(text, nullptr, 10) : 0;
    return size > 0 ? static_cast<uint64_t>(size) : 200;
}

// Calls that do not go together: for the devices of all ranks that made them.
void KeepForRanks(const std::weak_ptr<HcclDomain>& weak, const Report& report, std::span<const uint32_t> places) {
    Told::The().AddCall(report);
    const std::shared_ptr<HcclDomain> domain = weak.lock();
    if (report.severity != Severity::kFault || !domain) {
        std::fflush(stdout);
        std::fprintf(stderr, "%s\n", report.Text().c_str());
        return;
    }
    HcclComms::The().SetError(*domain, places, HCCL_E_RUNTIME);
    for (const uint32_t place : places)
        Ranks::The().device(domain->ranks[place]).Keep(ACL_ERROR_FAILURE, report.Text());
}

}  // namespace

HcclComms& HcclComms::The() {
    static auto* comms = new HcclComms;
    return *comms;
}

uint64_t HcclComms::NextRoot() {
    std::lock_guard lock(mutex_);
    return roots_++;
}

std::optional<HcclRefusal> HcclComms::Check(const Request& request, const HcclJoin& join) const {
    const auto refuse = [](const char* operand, const char* message, std::string found, std::string legal) {
        return HcclRefusal{{Rule::kAclArgument, operand, message, std::move(found), std::move(legal), ""}};
    };
    if (request.size != join.size) {
        return refuse("nRanks", "another rank gave another number of ranks", fmt::format("{}", request.size),
                      fmt::format("{}, as rank {} gave", join.size, join.members.begin()->first));
    }
    if (request.name != join.name || request.window_mb != join.window_mb) {
        return refuse("config", "another rank gave another name or size of the buffer",
                      fmt::format("'{}', {} MB", request.name, request.window_mb),
                      fmt::format("'{}', {} MB", join.name, join.window_mb));
    }
    for (const auto& [rank, member] : join.members) {
        if (rank == request.rank)
            return refuse("rank", "the rank has come already", fmt::format("{}", rank), "each rank once");
        if (member.device == request.member.device) {
            return refuse("rank", "two ranks of a communicator are on one device",
                          fmt::format("ranks {} and {}, device {}", rank, request.rank, member.device),
                          "a device for each rank: aclrtSetDevice before the call");
        }
        if (member.wanted != request.member.wanted)
            return refuse("rankIds", "another rank gave other ranks", "", "the same list on all of them");
    }
    return std::nullopt;
}

std::variant<std::shared_ptr<HcclJoin>, HcclRefusal> HcclComms::Enter(const Request& request) {
    std::shared_ptr<HcclJoin> join;
    {
        std::lock_guard lock(mutex_);
        const auto [found, is_new] = joins_.try_emplace(request.key);
        if (is_new) {
            found->second = std::make_shared<HcclJoin>();
            found->second->key = request.key;
            found->second->name = request.name;
            found->second->window_mb = request.window_mb;
            found->second->size = request.size;
            found->second->is_sub = request.is_sub;
        }
        join = found->second;
        const std::string name = request.name.empty() ? request.key : request.name;
        for (const auto& [comm, rank] : ranks_) {
            if (rank->domain->name != name) continue;
            if (is_new) joins_.erase(found);
            return HcclRefusal{{Rule::kAclArgument, "config", "a communicator has the name already", name,
                                "a name of its own for each communicator", ""}};
        }
        if (auto refused = Check(request, *join)) return *refused;
        join->members[request.rank] = request.member;
        if (join->members.size() < join->size) return join;
        Complete(*join);
        joins_.erase(request.key);
    }
    if (runtime::World* world = Ranks::The().world()) world->Release();
    return join;
}

void HcclComms::Complete(HcclJoin& join) {
    const auto domain = std::make_shared<HcclDomain>();
    domain->name = join.name.empty() ? join.key : join.name;
    domain->window_mb = join.window_mb;
    domain->is_sub = join.is_sub;
    domain->errors.resize(join.size, HCCL_SUCCESS);
    for (const auto& [rank, member] : join.members) domain->ranks.push_back(member.device);
    if (Ranks::The().world()) {
        StreamOrder::The().KeepForComms();
        domain->comm = std::make_shared<runtime::Communicator>(
            orders_, domain->name, domain->ranks, CollectiveOrderOfEnvironment(),
            [weak = std::weak_ptr(domain)](const Report& report, std::span<const uint32_t> places) {
                KeepForRanks(weak, report, places);
            });
    }
    for (const auto& [rank, member] : join.members) {
        void* comm = reinterpret_cast<void*>(next_ += 16);
        ranks_[comm] = std::make_shared<HcclRank>(HcclRank{domain, rank});
        *member.comm = comm;
    }
    join.state = HcclJoin::State::kDone;
}

bool HcclComms::Wait(const AclCall& call, const std::vector<std::shared_ptr<HcclJoin>>& joins) {
    bool all = true;
    for (const std::shared_ptr<HcclJoin>& join : joins) {
        const auto over = [&] {
            std::lock_guard lock(mutex_);
            return join->state != HcclJoin::State::kWaits;
        };
        if (runtime::World* world = Ranks::The().world())
            world->Block({call.name(), {}}, over, [&] { return GiveUp(call, *join); });
        if (join->state == HcclJoin::State::kDone) continue;
        all = false;
        Device::Say(join->told);
    }
    return all;
}

// A rank whose device nobody has set yet may have a thread that is about to begin: only a time says that it has none.
bool HcclComms::GiveUp(const AclCall& call, HcclJoin& join) {
    std::lock_guard lock(mutex_);
    if (join.state != HcclJoin::State::kWaits) return true;
    const runtime::World& world = *Ranks::The().world();
    std::vector<uint32_t> missing;
    for (uint32_t rank = 0; rank < join.size; ++rank) {
        if (!join.members.contains(rank)) missing.push_back(rank);
    }
    const auto is_away = [&join](uint32_t device) {
        return std::ranges::none_of(join.members, [&](const auto& member) { return member.second.device == device; });
    };
    bool all_served = true;
    for (uint32_t device = 0; device < world.ranks(); ++device)
        all_served = all_served && (!is_away(device) || world.IsServedLocked(device));
    const auto now = SteadyClock::now();
    if (!join.since) join.since = now;
    if (!all_served && now - *join.since < ConnectTimeout()) return false;
    Report report =
        ToReport({all_served ? Rule::kDeadlock : Rule::kRankAbsent, "", "other ranks never come",
                  fmt::format("{} of {} on {}; of the devices, {}", runtime::NameRanks(missing), join.size,
                              join.name.empty() ? join.key : join.name, world.StatesLocked(is_away)),
                  "the call on all ranks, by one thread for each device, or between HcclGroupStart and HcclGroupEnd",
                  "make the call for the missing ranks"},
                 call.name(), {});
    Told::The().AddCall(report);
    join.told = report.Text();
    join.state = HcclJoin::State::kGivenUp;
    joins_.erase(join.key);
    return true;
}

std::shared_ptr<HcclRank> HcclComms::Find(HcclComm comm) const {
    std::lock_guard lock(mutex_);
    const auto found = ranks_.find(comm);
    return found == ranks_.end() ? nullptr : found->second;
}

bool HcclComms::WasDestroyed(HcclComm comm) const {
    std::lock_guard lock(mutex_);
    return destroyed_.contains(comm);
}

HcclComm HcclComms::Named(const std::string& name, uint32_t device) const {
    std::lock_guard lock(mutex_);
    for (const auto& [comm, rank] : ranks_) {
        if (rank->domain->name == name && rank->device() == device) return comm;
    }
    return nullptr;
}

void HcclComms::Destroy(HcclComm comm) {
    std::shared_ptr<HcclRank> last;  // ends behind the lock
    std::lock_guard lock(mutex_);
    const auto found = ranks_.find(comm);
    destroyed_[comm] = found->second->domain->name;
    last = found->second;
    ranks_.erase(found);
}

void HcclComms::MakeGroup(HcclDomain& domain) {
    runtime::World* world = Ranks::The().world();
    std::lock_guard lock(groups_mutex_);  // a group takes the world's lock, under which mutex_ may be wanted
    if (domain.group || !world) return;
    std::vector<GlobalMemory*> memories;
    for (const uint32_t device : domain.ranks) memories.push_back(&Ranks::The().device(device).memory());
    runtime::GroupOptions options;
    options.window_bytes = WindowMb(domain.window_mb) << 20;
    options.chip = ChipOfEnvironment();
    domain.group = std::make_unique<runtime::Group>(*world, domain.name, domain.ranks, memories, options);
}

void HcclComms::SetError(HcclDomain& domain, std::span<const uint32_t> places, HcclResult code) {
    std::lock_guard lock(mutex_);
    for (const uint32_t place : places) domain.errors[place] = code;
}

HcclResult HcclComms::ErrorOf(const HcclRank& rank) const {
    std::lock_guard lock(mutex_);
    return rank.domain->errors[rank.place];
}

}  // namespace sfumato::host
