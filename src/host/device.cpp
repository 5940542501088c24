// SPDX-License-Identifier: Apache-2.0
// Blocks by address, faults nobody has collected, messages nobody has read.
#include "host/device.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>

#include "host/ranks.h"
#include "host/stream_order.h"
#include "host/told.h"
#include "runtime/cores/of_thread.h"
#include "runtime/memory/global_memory.h"
#include "runtime/memory/gm_blocks.h"
#include "runtime/world/group.h"

namespace sfumato::host {
namespace {

constexpr uint64_t kMostRetired = uint64_t{64} << 20;  // bytes of freed blocks that are remembered

struct Message {
    std::string text, returned;
    std::vector<uint64_t> numbers;  // in Unread
};
Message& TheMessage() { return runtime::OfThread<Message>(); }

// What was said to any thread and not read, in order.
struct Unread {
    std::mutex mutex;
    std::map<uint64_t, std::string> texts;
    uint64_t next = 0;
};
Unread& TheUnread() {
    static auto* unread = new Unread;
    return *unread;
}

}  // namespace

std::atomic<LaunchWatcher*> Device::watcher = nullptr;

std::string Device::TextOfFaults() const {
    std::lock_guard lock(mutex_);
    std::string text;
    for (const Fault& fault : faults_) text += fault.report + "\n";
    return text;
}

// A failed kernel makes the process fail, and nothing that was said is lost (compat.md, Host side).
void Ranks::AtExit() {
    Ranks& ranks = The();
    ranks.WaitAtExit();
    std::string text, faults;
    {
        std::lock_guard lock(TheUnread().mutex);
        for (const auto& [number, said] : TheUnread().texts) text += said + "\n";
    }
    for (uint32_t r = 0; r < ranks.count(); ++r) faults += ranks.device(r).TextOfFaults();
    text += faults;
    if (!faults.empty()) text += "a kernel failed and no synchronising call has returned it\n";
    std::cout.flush();
    std::fflush(nullptr);
    std::fputs(text.c_str(), stderr);
    const bool written = Told::The().Finish();
    std::fflush(stderr);
    if (!faults.empty() || !written) _exit(!faults.empty() ? kFault : kUnwritten);
}

void* Device::Allocate(Block::Kind kind, uint64_t bytes, const char* call) {
    std::lock_guard lock(mutex_);
    const std::string name = fmt::format("{} #{}", call, numbers_[call[0] == 'G' ? 2 : static_cast<int>(kind)]++);
    void* p = nullptr;
    if (kind == Block::Kind::kDevice) {
        p = memory_.Allocate(bytes, name);
    } else {
        p = std::aligned_alloc(64, (bytes / 64 + 1) * 64);  // one past its end is no other's begin
        if (!p) throw Error(fmt::format("'{}' is too large: the machine cannot allocate {} bytes", name, bytes));
    }
    Block& block = blocks_[reinterpret_cast<uintptr_t>(p)] = {kind, bytes, name};
    ShareBlock(reinterpret_cast<uintptr_t>(p), block);
    StreamOrder::The().MadeBlock(p);
    return p;
}

bool Device::Free(Block::Kind kind, void* p) {
    std::lock_guard lock(mutex_);
    const auto it = blocks_.find(reinterpret_cast<uintptr_t>(p));
    if (it == blocks_.end() || it->second.freed || it->second.capacity || it->second.kind != kind) return false;
    RetireBehind(it);
    return true;
}

void Device::RetireBehind(std::map<uintptr_t, Block>::iterator freed) {
    const uint64_t number = Ranks::The().NextWork();
    if (Ranks::The().FirstWork() == number) return Retire(freed);
    freed->second.freed = true;
    freed->second.freed_behind = number;
    passing_.push_back({freed->first, number});
}

void Device::RetirePassed(uint64_t number) {
    std::lock_guard lock(mutex_);
    std::erase_if(passing_, [&](const Passing& passing) {
        if (passing.number > number) return false;
        if (const auto it = blocks_.find(passing.base); it != blocks_.end()) Retire(it);
        return true;
    });
}

// Who still uses a freed block hears so as long as it is remembered; then its memory goes back, and host memory may lie
// there.
void Device::Retire(std::map<uintptr_t, Block>::iterator freed) {
    auto* p = reinterpret_cast<uint8_t*>(freed->first);
    Retired retired{freed->first, p, freed->second.bytes, freed->second.kind};
    if (retired.kind == Block::Kind::kDevice) {
        for (Device* peer : peers_) peer->memory_.impl()->Unshare(p);
        const auto ended = memory_.impl()->End(p);
        retired.block = ended.block;
        retired.bytes = ended.bytes;
    }
    freed->second.freed = true;
    retired_.push_back(retired);
    retired_bytes_ += retired.bytes;
    while (retired_bytes_ > kMostRetired) {
        const Retired oldest = retired_.front();
        retired_.pop_front();
        retired_bytes_ -= oldest.bytes;
        blocks_.erase(oldest.base);
        if (oldest.kind == Block::Kind::kDevice) {
            DeleteBlock(oldest.block, oldest.bytes, memory_.impl()->options.alignment, false);
        } else {
            std::free(oldest.block);
        }
    }
}

Place Device::FindOwn(const void* p) const {
    std::lock_guard lock(mutex_);
    const auto address = reinterpret_cast<uintptr_t>(p);
    auto it = blocks_.upper_bound(address);
    if (it == blocks_.begin()) return {};
    --it;
    const uint64_t offset = address - it->first;
    if (offset > it->second.bytes || (it->second.freed && offset == it->second.bytes)) return {};
    Place place{it->second, offset, rank_};
    if (place.block->freed_behind > Ranks::WorkOfThread()) place.block->freed = false;
    return place;
}

Place Device::Find(const void* p) {
    Ranks& ranks = Ranks::The();
    Place found;
    const uint32_t current = Current().rank();  // mostly its own
    for (uint32_t r = 0; r < ranks.count(); ++r) {
        Place place = ranks.device((current + r) % ranks.count()).FindOwn(p);
        // Blocks of two devices may touch: one past the end of one is the begin of the other.
        if (place.block && (!found.block || found.offset == found.block->bytes)) found = std::move(place);
        if (found.block && found.offset < found.block->bytes) break;
    }
    return found.block || ranks.count() == 1 ? found : ranks.FindInGroup(p);
}

bool Device::MayReach(const void* p) const {
    std::lock_guard lock(memory_.impl()->mutex);
    return memory_.impl()->Find(p) >= 0;
}

Place Ranks::FindInGroup(const void* p) {
    const runtime::Group* group = runtime::GroupOf(p);
    if (!group || &group->world() != world()) return {};
    for (const uint32_t rank : group->ranks()) {
        const GlobalMemory::Impl& memory = *device(rank).memory().impl();
        std::lock_guard lock(memory.mutex);
        const int index = memory.Find(p);
        if (index < 0) continue;
        const auto& found = memory.allocations[static_cast<size_t>(index)];
        return {Block{Block::Kind::kDevice, found.bytes, found.name},
                static_cast<uint64_t>(static_cast<const uint8_t*>(p) - found.base),
                group->ranks()[group->Find(p).place]};
    }
    return {};
}

Device* Device::OwnerOf(const void* p) {
    if (Ranks::The().count() == 1) return &Current();
    const Place place = Find(p);
    return place.block && place.offset == 0 ? &Ranks::The().device(place.rank) : nullptr;
}

std::string Device::Describe(const void* p) {
    const Place place = Find(p);
    if (!p) return "nullptr";
    if (!place.block) return fmt::format("host memory ({})", p);
    return fmt::format("'{}'{}{}{}", place.block->name, place.offset ? fmt::format("+{:#x}", place.offset) : "",
                       Ranks::The().count() > 1 ? fmt::format(" of device {}", place.rank) : "",
                       place.block->freed ? ", which was freed" : "");
}

void Device::ShareBlock(uintptr_t base, const Block& block) const {
    if (peers_.empty() || block.kind != Block::Kind::kDevice) return;
    auto* p = reinterpret_cast<uint8_t*>(base);
    memory_.impl()->OpenToOthers(p, rank_);
    for (Device* peer : peers_) {
        peer->memory_.impl()->Unshare(p);
        peer->memory_.impl()->Share(p, block.bytes, fmt::format("{} of device {}", block.name, rank_), rank_);
    }
}

void Device::ShareWith(Device& peer) {
    std::lock_guard lock(mutex_);
    peers_.push_back(&peer);
    for (const auto& [base, block] : blocks_) {
        if (!block.freed) ShareBlock(base, block);
    }
}

void Device::UnshareWith(Device& peer) {
    std::lock_guard lock(mutex_);
    std::erase(peers_, &peer);
    for (const auto& [base, block] : blocks_) {
        if (block.kind == Block::Kind::kDevice) peer.memory_.impl()->Unshare(reinterpret_cast<uint8_t*>(base));
    }
}

void Device::Keep(int code, const std::string& text) {
    {
        std::lock_guard lock(mutex_);
        faults_.push_back({code, text});
    }
    if (LaunchWatcher* w = watcher) w->FaultKept();
}

std::vector<Device::Fault> Device::TakeFaults() {
    std::vector<Fault> faults;
    {
        std::lock_guard lock(mutex_);
        faults.swap(faults_);
    }
    if (LaunchWatcher* w = watcher; w && !faults.empty()) w->FaultsCollected();
    return faults;
}

int Device::Collect() {
    const std::vector<Fault> faults = TakeFaults();
    for (const Fault& fault : faults) Say(fault.report);
    return faults.empty() ? 0 : faults.front().code;
}

std::string Device::CollectTexts() {
    std::string texts;
    for (const Fault& fault : TakeFaults()) texts += (texts.empty() ? "" : "\n") + fault.report;
    return texts;
}

void Device::Say(const std::string& text) {
    Message& message = TheMessage();
    message.text += (message.text.empty() ? "" : "\n") + text;
    Ranks::The();  // at exit it prints what is left
    Unread& unread = TheUnread();
    std::lock_guard lock(unread.mutex);
    message.numbers.push_back(unread.next);
    unread.texts[unread.next++] = text;
}

const char* Device::TakeMessage() {
    Message& message = TheMessage();
    if (message.text.empty()) return nullptr;
    message.returned = std::move(message.text);
    message.text.clear();
    std::lock_guard lock(TheUnread().mutex);
    for (const uint64_t number : message.numbers) TheUnread().texts.erase(number);
    message.numbers.clear();
    return message.returned.c_str();
}

void EndProcess(ExitCode code, const std::string& text) {
    std::fflush(stdout);
    std::fprintf(stderr, "%s\n", text.c_str());
    std::exit(code);
}

}  // namespace sfumato::host
