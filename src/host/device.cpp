// SPDX-License-Identifier: Apache-2.0
// Blocks by address, faults nobody has collected, messages nobody has read.
#include "host/device.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>

#include "host/stream_order.h"
#include "host/told.h"
#include "runtime/memory/global_memory.h"
#include "runtime/memory/gm_blocks.h"

namespace sfumato::host {
namespace {

constexpr uint64_t kMostRetired = uint64_t{64} << 20;  // bytes of freed blocks that are remembered

struct Message {
    std::string text, returned;
    std::vector<uint64_t> numbers;  // in Device::unread_
};
Message& TheMessage() {
    thread_local Message message;
    return message;
}

}  // namespace

Device& Device::The() {
    static auto* device = new Device;  // never destroyed: what other parts of the program destroy may still free blocks
    return *device;
}

Device::Device() { std::atexit(AtExit); }

// A failed kernel makes the process fail, and nothing that was said is lost (compat.md, Host side).
void Device::AtExit() {
    Device& device = The();
    std::string text;
    bool failed;
    {
        std::lock_guard lock(device.mutex_);
        for (const auto& [number, said] : device.unread_) text += said + "\n";
        for (const Fault& fault : device.faults_) text += fault.report + "\n";
        failed = !device.faults_.empty();
        if (failed) text += "a kernel failed and no synchronising call has returned it\n";
    }
    std::cout.flush();
    std::fflush(nullptr);
    std::fputs(text.c_str(), stderr);
    const bool written = Told::The().Finish();
    std::fflush(stderr);
    if (failed || !written) _exit(failed ? kFault : kUnwritten);
}

void* Device::Allocate(Block::Kind kind, uint64_t bytes, const char* call) {
    std::lock_guard lock(mutex_);
    const std::string name = fmt::format("{} #{}", call, numbers_[call[0] == 'G' ? 2 : static_cast<int>(kind)]++);
    void* p = nullptr;
    if (kind == Block::Kind::kDevice) {
        p = memory_.Allocate(bytes, name);
    } else {
        p = std::aligned_alloc(64, (bytes + 63) / 64 * 64);
        if (!p) throw Error(fmt::format("'{}' is too large: the machine cannot allocate {} bytes", name, bytes));
    }
    blocks_[reinterpret_cast<uintptr_t>(p)] = {kind, bytes, name};
    StreamOrder::The().MadeBlock(p);
    return p;
}

bool Device::Free(Block::Kind kind, void* p) {
    std::lock_guard lock(mutex_);
    const auto it = blocks_.find(reinterpret_cast<uintptr_t>(p));
    if (it == blocks_.end() || it->second.freed || it->second.capacity || it->second.kind != kind) return false;
    Retire(it);
    return true;
}

// Who still uses a freed block hears so as long as it is remembered; then its memory goes back, and host memory may lie
// there.
void Device::Retire(std::map<uintptr_t, Block>::iterator freed) {
    auto* p = reinterpret_cast<uint8_t*>(freed->first);
    Retired retired{freed->first, p, freed->second.bytes, freed->second.kind};
    if (retired.kind == Block::Kind::kDevice) {
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

Place Device::Find(const void* p) const {
    std::lock_guard lock(mutex_);
    const auto address = reinterpret_cast<uintptr_t>(p);
    auto it = blocks_.upper_bound(address);
    if (it == blocks_.begin()) return {};
    --it;
    const uint64_t offset = address - it->first;
    if (offset > it->second.bytes || (it->second.freed && offset == it->second.bytes)) return {};
    return {it->second, offset};
}

std::string Device::Describe(const void* p) const {
    const Place place = Find(p);
    if (!p) return "nullptr";
    if (!place.block) return fmt::format("host memory ({})", p);
    return fmt::format("'{}'{}{}", place.block->name, place.offset ? fmt::format("+{:#x}", place.offset) : "",
                       place.block->freed ? ", which was freed" : "");
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
    std::lock_guard lock(mutex_);
    message.numbers.push_back(next_);
    unread_[next_++] = text;
}

const char* Device::TakeMessage() {
    Message& message = TheMessage();
    if (message.text.empty()) return nullptr;
    message.returned = std::move(message.text);
    message.text.clear();
    std::lock_guard lock(mutex_);
    for (const uint64_t number : message.numbers) unread_.erase(number);
    message.numbers.clear();
    return message.returned.c_str();
}

void EndProcess(ExitCode code, const std::string& text) {
    std::fflush(stdout);
    std::fprintf(stderr, "%s\n", text.c_str());
    std::exit(code);
}

}  // namespace sfumato::host
