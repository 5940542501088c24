// SPDX-License-Identifier: Apache-2.0
// Pages of borrowed arrays, and the signal of a raw pointer that meets their empty addresses.
#include "runtime/memory/borrowed.h"

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <mutex>
#include <new>
#include <thread>

#include "system/memory.h"

namespace sfumato::runtime {

namespace {

// Own pages of ended launches are kept: making them anew takes longer than filling them. Memory that can be seen at two
// addresses is shared with a forked process, so that gets none of it.
constexpr uint64_t kLargestKept = 256 << 20;
struct Kept {
    std::atomic<uint8_t*> mapping;  // it begins with its size
};
std::array<Kept, 4> kept_mappings;
std::atomic<uint32_t> next_kept;

uint64_t SizeOfKept(const uint8_t* mapping) {
    uint64_t bytes = 0;
    std::memcpy(&bytes, mapping, sizeof bytes);
    return bytes;
}

uint8_t* TakeMapping(uint64_t bytes) {
    for (Kept& slot : kept_mappings) {
        uint8_t* mapping = slot.mapping.exchange(nullptr);
        if (mapping && SizeOfKept(mapping) == bytes) return mapping;
        if (mapping) mapping = slot.mapping.exchange(mapping);
        if (mapping) munmap(mapping, SizeOfKept(mapping));  // another thread filled the slot meanwhile
    }
    return static_cast<uint8_t*>(system::ReserveShowable(bytes));
}

void KeepMapping(uint8_t* mapping, uint64_t bytes) {
    if (bytes <= kLargestKept) {
        std::memcpy(mapping, &bytes, sizeof bytes);
        for (Kept& slot : kept_mappings) {
            uint8_t* none = nullptr;
            if (slot.mapping.compare_exchange_strong(none, mapping)) return;
        }
        mapping = kept_mappings[next_kept++ % kept_mappings.size()].mapping.exchange(mapping);
        if (!mapping) return;
        bytes = SizeOfKept(mapping);
    }
    munmap(mapping, bytes);
}

// Every borrowed array whose empty addresses exist, for the handler.
struct Listed {
    std::atomic<uintptr_t> begin, end;
    std::atomic<Borrowed*> array;
};
std::array<Listed, 256> listed;
std::mutex list_mutex;  // of the two below, and for changes of the list
uint32_t listed_count = 0;
std::array<struct sigaction, 2> handlers_before;  // of SIGSEGV and SIGBUS
constexpr std::array<int, 2> kSignals{SIGSEGV, SIGBUS};

void OnSignal(int number, siginfo_t* info, void* context) {
    const auto address = reinterpret_cast<uintptr_t>(info->si_addr);
    for (const Listed& one : listed) {
        if (address < one.begin.load() || address >= one.end.load()) continue;
        if (Borrowed* array = one.array.load()) return array->Open();
    }
    const struct sigaction& before = handlers_before[number == SIGSEGV ? 0 : 1];
    if (before.sa_flags & SA_SIGINFO) return before.sa_sigaction(number, info, context);
    if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) return before.sa_handler(number);
    signal(number, SIG_DFL);  // and the instruction is tried again
}

bool Enlist(Borrowed* array, uint8_t* begin, uint64_t bytes) {
    static const bool forgets = [] {
        pthread_atfork(nullptr, nullptr, [] {
            for (Kept& slot : kept_mappings) slot.mapping = nullptr;  // not mapped here
        });
        return true;
    }();
    (void)forgets;
    std::lock_guard lock(list_mutex);
    const auto slot = std::ranges::find_if(listed, [](const Listed& one) { return !one.array.load(); });
    if (slot == listed.end()) return false;
    slot->begin = reinterpret_cast<uintptr_t>(begin);
    slot->end = reinterpret_cast<uintptr_t>(begin) + bytes;
    slot->array = array;
    if (listed_count++ != 0) return true;
    struct sigaction mine {};
    mine.sa_sigaction = OnSignal;
    mine.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigemptyset(&mine.sa_mask);
    for (size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &mine, &handlers_before[i]);
    return true;
}

void Delist(Borrowed* array) {
    std::lock_guard lock(list_mutex);
    for (Listed& one : listed) {
        if (one.array.load() == array) one.array = nullptr;
    }
    if (--listed_count != 0) return;
    for (size_t i = 0; i < kSignals.size(); ++i) {
        struct sigaction now {};
        sigaction(kSignals[i], nullptr, &now);
        // Another one that came meanwhile stays; it may know of ours, which then finds nothing and hands on.
        if (now.sa_sigaction == OnSignal) sigaction(kSignals[i], &handlers_before[i], nullptr);
    }
}

}  // namespace

std::unique_ptr<Borrowed> Borrowed::New(const uint8_t* host, uint64_t bytes, uint8_t guard) {
    if (bytes > UINT64_MAX / 4) return nullptr;
    void* seen = system::ReserveAddresses(MappingBytesOf(bytes));
    if (!seen) return nullptr;
    std::unique_ptr<Borrowed> array(new Borrowed(host, bytes, guard, static_cast<uint8_t*>(seen)));
    if (!Enlist(array.get(), array->seen_, array->MappingBytes())) return nullptr;
    return array;
}

Borrowed::Borrowed(const uint8_t* host, uint64_t bytes, uint8_t guard, uint8_t* seen)
    : host_(host),
      bytes_(bytes),
      pages_((bytes + kPage - 1) / kPage),
      guard_(guard),
      seen_(seen),
      states_(std::make_unique<std::atomic<uint8_t>[]>(pages_)) {}

Borrowed::~Borrowed() {
    Delist(this);
    munmap(seen_, MappingBytes());
    if (uint8_t* own = own_.load()) KeepMapping(own, MappingBytes());
}

uint64_t Borrowed::MappingBytesOf(uint64_t bytes) { return kLead + (bytes + kGuardBytes + kLead - 1) / kLead * kLead; }

// The first one to come makes them.
uint8_t* Borrowed::MakeOwn() {
    uint8_t* own = own_.load(std::memory_order_acquire);
    if (own) return own;
    uint8_t* made = TakeMapping(MappingBytes());
    if (!made) throw std::bad_alloc();
    std::memset(made + kLead - kGuardBytes, guard_, kGuardBytes);
    std::memset(made + kLead + bytes_, guard_, kGuardBytes);
    std::memcpy(made + kLead + bytes_, tail_, tail_bytes_);
    if (own_.compare_exchange_strong(own, made, std::memory_order_acq_rel)) return made;
    KeepMapping(made, MappingBytes());
    return own;
}

void Borrowed::TakePage(uint64_t page, bool whole) {
    std::atomic<uint8_t>& state = states_[page];
    uint8_t now = state.load(std::memory_order_acquire);
    if (now == kOwn) return;
    if (now == kHosts && state.compare_exchange_strong(now, kBeingCopied, std::memory_order_acquire)) {
        const uint64_t at = page * kPage;
        if (!whole)
            std::memcpy(own_.load(std::memory_order_relaxed) + kLead + at, host_ + at, std::min(kPage, bytes_ - at));
        state.store(kOwn, std::memory_order_release);
        return;
    }
    while (state.load(std::memory_order_acquire) != kOwn) std::this_thread::yield();
}

const uint8_t* Borrowed::ForReading(isa::Span span) {
    if (!own_.load(std::memory_order_acquire) && span.end <= bytes_) return host_;
    const uint64_t first = span.begin / kPage, last = std::min(pages_, (span.end + kPage - 1) / kPage);
    bool hosts = span.end <= bytes_;  // behind the last byte lie the guards, which the host does not have
    for (uint64_t page = first; page < last && hosts; ++page) hosts = states_[page].load() == kHosts;
    if (hosts) return host_;
    return ForWriting(span, false);
}

uint8_t* Borrowed::ForWriting(isa::Span span, bool whole) {
    uint8_t* content = Content(MakeOwn());
    const uint64_t last = std::min(pages_, (span.end + kPage - 1) / kPage);
    for (uint64_t page = span.begin / kPage; page < last; ++page) {
        const uint64_t begin = page * kPage, end = std::min(begin + kPage, bytes_);
        TakePage(page, whole && span.begin <= begin && end <= span.end);
    }
    return content;
}

void Borrowed::Open() {
    while (opening_.test_and_set(std::memory_order_acquire)) std::this_thread::yield();
    if (!opened_.load(std::memory_order_relaxed)) {
        ForWriting({0, bytes_}, false);
        if (!system::ShowAlsoAt(own_.load(), MappingBytes(), seen_)) std::abort();
        opened_.store(true, std::memory_order_release);
    }
    opening_.clear(std::memory_order_release);
}

}  // namespace sfumato::runtime
