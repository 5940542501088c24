// SPDX-License-Identifier: Apache-2.0
#include "host/ranks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <exception>

#include "acl/acl_base.h"
#include "host/acl_call.h"
#include "host/told.h"
#include "runtime/cores/of_thread.h"
#include "runtime/world/group.h"

namespace sfumato::host {
namespace {

constexpr uint32_t kMostDevices = 64;

// The number that the text is, if it is one up to `most`.
std::optional<uint64_t> NumberIn(const std::string& text, uint64_t most) {
    if (text.empty() || text.size() > 9 || !std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; }))
        return std::nullopt;
    const uint64_t number = std::stoull(text);
    return number <= most ? std::optional(number) : std::nullopt;
}

uint32_t DevicesOfEnvironment() {
    const char* text = std::getenv("SFUMATO_DEVICES");
    if (!text || !*text) return 1;
    const auto number = NumberIn(text, kMostDevices);
    if (number && *number > 0) return static_cast<uint32_t>(*number);
    EndProcess(kUsage, fmt::format("SFUMATO_DEVICES is '{}'; legal are 1 to {}", text, kMostDevices));
}

struct ThisThread {
    uint32_t rank = 0;
    uint64_t work = UINT64_MAX;  // that it runs
    std::set<uint32_t> serves;
};
ThisThread& TheThread() { return runtime::OfThread<ThisThread>(); }

}  // namespace

Ranks& Ranks::The() {
    static auto* ranks = new Ranks;  // never destroyed: what other parts of the program destroy may still free blocks
    return *ranks;
}

Ranks::Ranks() : count_(DevicesOfEnvironment()) {
    for (uint32_t r = 0; r < count_; ++r) devices_.push_back(std::make_unique<Device>(r));
    std::atexit(AtExit);
}

Device& Device::Current() { return Ranks::The().current(); }

runtime::World* Ranks::world() {
    if (count_ == 1) return nullptr;
    std::call_once(made_, [this] {
        runtime::RankOrder order;
        try {
            order = RankOrderOfEnvironment();
        } catch (const std::exception&) {
            // The first launch says what is wrong with the options.
        }
        world_ = std::make_unique<runtime::World>(count_, order);
    });
    return world_.get();
}

Device& Ranks::current() { return *devices_[count_ == 1 ? 0 : TheThread().rank]; }

void Ranks::Set(uint32_t rank) {
    TheThread().rank = rank;
    if (TheThread().serves.insert(rank).second) world()->Serve(rank);
}

void Ranks::Leave(uint32_t rank) {
    if (count_ == 1) return;
    std::set<uint32_t>& serves = TheThread().serves;
    if (serves.erase(rank) != 0 && serves.empty()) world()->Leave();
}

Device& Ranks::DeviceOf(const void* stream) {
    if (count_ == 1 || !stream) return current();
    return device(RankOf(Handle::kStream, stream).value_or(current().rank()));
}

// Whoever comes second, the end of the work or of the call that submits it, passes the outcome on.
class Ranks::Ending {
public:
    explicit Ending(Device& device) : device_(device) {}
    void Ended(Outcome outcome) {
        std::lock_guard lock(mutex_);
        if (!later_) {
            outcome_ = std::move(outcome);
        } else if (outcome.code) {
            device_.Keep(outcome.code, outcome.text);
        }
    }
    int Submitted() {
        std::lock_guard lock(mutex_);
        later_ = true;
        return outcome_ ? Said(*outcome_) : 0;
    }
    static int Said(const Outcome& outcome) {
        if (outcome.code && !outcome.text.empty()) Device::Say(outcome.text);
        return outcome.code;
    }

private:
    Device& device_;
    std::mutex mutex_;
    bool later_ = false;
    std::optional<Outcome> outcome_;
};

int Ranks::Submit(const void* stream, Step step) {
    if (count_ == 1) return Ending::Said(step.run());
    Device& device = DeviceOf(stream);
    const auto ending = std::make_shared<Ending>(device);
    const uint64_t number = Begin(KeysOf(step.uses));
    const auto run = [this, run = std::move(step.run), ending, number] {
        ending->Ended(run());
        End(number);
    };
    const auto give_up = [this, also = std::move(step.give_up), ending, number](const Report& report) {
        if (also) also(report);
        Told::The().AddCall(report);
        ending->Ended({ACL_ERROR_FAILURE, report.Text()});
        End(number);
    };
    world()->Submit(
        device.rank(), stream,
        runtime::World::Step{{step.call, step.where}, run, std::move(step.ready), std::move(step.waits_for), give_up});
    return ending->Submitted();
}

bool Ranks::Submit(const void* stream, Launch launch) {
    if (count_ == 1) return launch.run(), true;
    const Device& device = DeviceOf(stream);
    const uint64_t number = Begin(KeysOf(launch.pointers));
    const auto run = [this, run = std::move(launch.run), &device, number] {
        {
            const OnDevice on(device, number);
            run();
        }
        End(number);
    };
    return world()->Submit(
        device.rank(), stream,
        runtime::World::Launch{{launch.call, launch.where}, run, DomainsOf(device.rank(), launch.pointers)});
}

int Ranks::Submit(const void* stream, const std::string& call, std::vector<const void*> pointers,
                  std::function<Outcome()> run) {
    if (count_ == 1) return Ending::Said(run());
    const auto ending = std::make_shared<Ending>(DeviceOf(stream));
    Submit(stream, Launch{call, {}, std::move(pointers), [run = std::move(run), ending] { ending->Ended(run()); }});
    return ending->Submitted();
}

std::vector<runtime::World::Domain> Ranks::DomainsOf(uint32_t rank, const std::vector<const void*>& pointers) {
    std::vector<runtime::World::Domain> domains;
    for (const void* p : pointers) {
        const runtime::Group* group = runtime::GroupOf(p);
        if (!group || group->PlaceOf(rank) < 0 || std::ranges::find(domains, group->domain()) != domains.end())
            continue;
        domains.push_back(group->domain());
    }
    return domains;
}

void Ranks::Run(const void* stream, Launch launch) {
    if (count_ == 1) return launch.run();
    std::exception_ptr thrown;
    const std::string call = launch.call;
    launch.run = [&thrown, run = std::move(launch.run)] {
        try {
            run();
        } catch (...) {
            thrown = std::current_exception();
        }
    };
    if (!Submit(stream, std::move(launch))) WaitFor(call.c_str(), stream);
    if (thrown) std::rethrow_exception(thrown);
}

void Ranks::WaitUntil(const char* call, const std::function<bool()>& done) {
    if (count_ > 1) world()->Block({call, {}}, done);
}

void Ranks::WaitFor(const char* call, const void* stream) {
    WaitUntil(call, [&, rank = DeviceOf(stream).rank()] { return world_->IdleLocked(rank, stream); });
}

void Ranks::WaitForDevice(const char* call, const Device& device) {
    WaitUntil(call, [&] { return world_->IdleLocked(device.rank()); });
}

void Ranks::WaitForBlocks(const char* call, const std::vector<const void*>& addresses) {
    if (count_ == 1) return;
    WaitUntil(call, [&, keys = KeysOf(addresses)] { return !Uses(keys); });
}

void Ranks::Drive(const char* call) {
    if (count_ > 1) world()->Drive({call, {}});
}

// What was submitted runs, as it would have with one device.
void Ranks::WaitAtExit() {
    if (!world_ || runtime::World::Current() || runtime::World::IsDriver()) return;
    WaitUntil("exit", [this] {
        for (uint32_t r = 0; r < count_; ++r) {
            if (!world_->IdleLocked(r)) return false;
        }
        return true;
    });
}

std::vector<uintptr_t> Ranks::KeysOf(const std::vector<const void*>& addresses) const {
    std::vector<uintptr_t> keys;
    for (const void* p : addresses) {
        const auto address = reinterpret_cast<uintptr_t>(p);
        const Place place = Device::Find(p);
        const runtime::Group* group = runtime::GroupOf(p);  // whose windows are used together
        if (place.block) keys.push_back(group ? reinterpret_cast<uintptr_t>(group) : address - place.offset);
    }
    return keys;
}

uint64_t Ranks::Begin(std::vector<uintptr_t> keys) {
    std::lock_guard lock(mutex_);
    works_[next_] = std::move(keys);
    return next_++;
}

void Ranks::End(uint64_t number) {
    uint64_t first = 0;
    {
        std::lock_guard lock(mutex_);
        works_.erase(number);
        first = works_.empty() ? next_ : works_.begin()->first;
    }
    for (const auto& device : devices_) device->RetirePassed(first);
}

bool Ranks::Uses(const std::vector<uintptr_t>& keys) {
    std::lock_guard lock(mutex_);
    return std::ranges::any_of(works_, [&](const auto& work) {
        return std::ranges::any_of(work.second,
                                   [&](uintptr_t key) { return std::ranges::find(keys, key) != keys.end(); });
    });
}

uint64_t Ranks::NextWork() {
    if (count_ == 1) return 0;
    std::lock_guard lock(mutex_);
    return next_;
}

uint64_t Ranks::FirstWork() {
    if (count_ == 1) return 0;
    std::lock_guard lock(mutex_);
    return works_.empty() ? next_ : works_.begin()->first;
}

bool Ranks::MayTouch(uint32_t rank, uint32_t peer) {
    if (rank == peer) return true;
    std::lock_guard lock(mutex_);
    return peers_.contains({rank, peer});
}

bool Ranks::SetPeerAccess(uint32_t rank, uint32_t peer, bool enabled) {
    {
        std::lock_guard lock(mutex_);
        if (enabled ? !peers_.emplace(rank, peer).second : peers_.erase({rank, peer}) == 0) return false;
    }
    enabled ? device(peer).ShareWith(device(rank)) : device(peer).UnshareWith(device(rank));
    return true;
}

uint64_t Ranks::WorkOfThread() { return TheThread().work; }

OnDevice::OnDevice(const Device& device, uint64_t work)
    : rank_(std::exchange(TheThread().rank, device.rank())), work_(std::exchange(TheThread().work, work)) {}
OnDevice::~OnDevice() {
    TheThread().rank = rank_;
    TheThread().work = work_;
}

}  // namespace sfumato::host
