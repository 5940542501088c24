// SPDX-License-Identifier: Apache-2.0
// Accesses of the scalar unit, and what becomes of references.
#include "runtime/cores/scalar_unit.h"

#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "isa/racy.h"
#include "report/finding.h"
#include "runtime/cores/core.h"
#include "runtime/launch/launch_state.h"
#include "runtime/world/held_stores.h"

namespace sfumato::runtime {
namespace {

constexpr uint64_t kCacheLine = 64;

}  // namespace

// What the compiler inserts is for cores with a vector unit (framework.md 2.5).
ScalarUnit::ScalarUnit(Core& core, isa::CoreKind kind)
    : core_(core),
      waits_for_(kind == isa::CoreKind::kCube
                     ? PipeSet{0}
                     : SetOf(isa::Pipe::kV) | SetOf(isa::Pipe::kMte2) | SetOf(isa::Pipe::kMte3)) {}

ScalarUnit::~ScalarUnit() {
    while (!references_.empty()) Drop(0);
}

void ScalarUnit::Await(isa::Memory memory, uint32_t allocation, isa::Span bytes, bool write) {
    core_.stopping().IfAsked();
    core_.polls().StepIfOwed();
    if (core_.pipes().Idle()) return;
    if (!core_.launch().options.auto_sync || (write && memory == isa::Memory::kGm)) return;
    core_.pipes().DrainOverlapping(memory, allocation, bytes, write, waits_for_);
}

void ScalarUnit::AwaitInOrder(isa::Memory memory, uint32_t allocation, isa::Span bytes) {
    core_.stopping().IfAsked();
    if (core_.launch().options.auto_sync)
        core_.pipes().DrainOverlapping(memory, allocation, bytes, false, kAllPipes & ~SetOf(isa::Pipe::kS));
}

const uint8_t* ScalarUnit::Access(isa::Memory memory, uint32_t allocation, isa::Span bytes, bool write,
                                  const char* call, Where where, bool by_reference) {
    core_.stopping().IfAsked(call, where);
    LookAtReferences(!write);
    if (core_.launch().work && memory == isa::Memory::kGm && core_.launch().IsShared(allocation)) [[unlikely]] {
        core_.waits().Join(call, where);
        if (HeldStores* const held = core_.held()) held->Touch(allocation, bytes);
    }
    if (core_.launch().options.skip_data && !write) [[unlikely]]
        RefuseSkipped(memory, allocation, call, where);
    Await(memory, allocation, bytes, write);
    for (Reference& r : references_) r.Remember();
    using Through = events::ScalarAccess::Through;
    const uint8_t* instead = Tell({memory, allocation, bytes, write, call, where, core_.next_index(), nullptr,
                                   by_reference ? Through::kReference : Through::kValue});
    if (!core_.told().rooms().empty()) core_.waits().AwaitRoom();
    return instead;
}

uint8_t* ScalarUnit::Refer(isa::Memory memory, uint32_t allocation, isa::Span bytes, uint8_t* element, const char* call,
                           Where where) {
    const bool gm = memory == isa::Memory::kGm;
    // What the program may store waits for readers, too.
    if (!gm) Await(memory, allocation, bytes, true);
    const uint8_t* instead = Access(memory, allocation, bytes, false, call, where, true);
    if (!core_.told().Hears<events::Accessed>(!gm)) return element;
    for (size_t i = 0; i < references_.size(); ++i) {
        if (references_[i].element == element) Drop(i);
    }
    if (references_.size() == kMostReferences) Drop(0);
    if (gm) core_.launch().stores.Hold();
    Reference& r = references_.emplace_back(Reference{memory, allocation, bytes, element, call, where});
    r.Remember();
    if (!instead || std::memcmp(instead, r.seen.data(), r.size()) == 0) return element;
    // A poll that is given the older bytes.
    r.older = older_[next_older_++ % older_.size()].data();
    std::memcpy(r.older, instead, r.size());
    r.Remember();
    return r.older;
}

void ScalarUnit::Drop(size_t at) {
    if (references_[at].memory == isa::Memory::kGm) core_.launch().stores.Release();
    references_.erase(references_.begin() + static_cast<std::ptrdiff_t>(at));
}

void ScalarUnit::TellReferences(bool keep) {
    std::vector<Reference> references;
    references.swap(references_);
    for (Reference& r : references) {
        const std::array<uint8_t, 8> before = r.seen;
        r.Remember();
        const bool same = std::memcmp(r.seen.data(), before.data(), r.size()) == 0;
        if (!same &&
            (r.older || r.memory != isa::Memory::kGm || !core_.launch().stores.ByOthers(core_.place().order, r))) {
            if (r.older) std::memcpy(r.element, r.older, r.size());
            Tell({r.memory, r.allocation, r.bytes, true, r.call, r.where, core_.next_index(), before.data()});
        } else {
            if (!std::exchange(r.told, true)) {
                Tell({r.memory, r.allocation, r.bytes, false, r.call, r.where, core_.next_index(), nullptr,
                      events::ScalarAccess::Through::kLeftAlone});
            }
            if (r.older) isa::CopyRacy(r.older, r.element, r.size());
            r.Remember();
        }
        r.told = true;
        if (!keep && r.memory == isa::Memory::kGm) core_.launch().stores.Release();
    }
    if (keep) references_.swap(references);
}

void ScalarUnit::Clean(const void* address, const char* call, Where where) {
    LookAtReferences();
    core_.polls().Cleaned(static_cast<const uint8_t*>(address));
    // Checks hear of the stores before it: they are in the cache.
    if (!core_.launch().detectors.empty()) core_.pipes().DrainPipe(isa::Pipe::kS);
    if (!address) return core_.Synced({.kind = events::Sync::Kind::kCleaned});
    const int gm = core_.FindGm(address);
    if (gm < 0) return;
    const auto allocation = static_cast<uint32_t>(gm);
    if (core_.launch().work && core_.launch().IsShared(allocation)) CleanShared(allocation, address, call, where);
    const events::Sync::Line line{
        allocation, static_cast<uint64_t>(static_cast<const uint8_t*>(address) - core_.GmBase(allocation))};
    core_.Synced({.kind = events::Sync::Kind::kCleaned, .line = &line});
}

// The line is cleaned for what is read there next, with calls that are seen or through a pointer.
void ScalarUnit::CleanShared(uint32_t allocation, const void* address, const char* call, Where where) {
    core_.stopping().IfAsked(call, where);
    core_.waits().Join(call, where);
    const uint64_t past = reinterpret_cast<uint64_t>(address) % kCacheLine;
    const uint8_t* const line = static_cast<const uint8_t*>(address) - past;
    if (HeldStores* const held = core_.held()) {
        const auto begin = static_cast<uint64_t>(line - core_.GmBase(allocation));
        held->Touch(allocation, {begin, begin + kCacheLine});
    }
    core_.polls().StepIfOwed();
    core_.polls().CleanedShared(line, call, where);
}

void ScalarUnit::Fence() {
    LookAtReferences();
    core_.pipes().DrainPipe(isa::Pipe::kS);
    core_.Synced({.kind = events::Sync::Kind::kFenced});
}

const uint8_t* ScalarUnit::Tell(const events::ScalarAccess& access) {
    const bool gm = access.memory == isa::Memory::kGm;
    if (!core_.told().Hears<events::Accessed>(!gm)) return nullptr;
    const uint8_t* instead = nullptr;
    const Execution::Touch touch(core_.execution(), gm);
    // Of ranks, the load sees what was judged, whatever others store before the program looks.
    const uint64_t bytes = access.bytes.end - access.bytes.begin;
    if (gm && !access.write && bytes <= loaded_.size() && core_.launch().work &&
        core_.launch().IsShared(access.allocation)) {
        isa::CopyRacy(loaded_.data(), core_.GmBase(access.allocation) + access.bytes.begin, bytes);
        instead = loaded_.data();
    }
    core_.told()(events::Accessed{access, core_.map(), instead}, !gm);
    return instead;
}

void ScalarUnit::RefuseSkipped(isa::Memory memory, uint32_t allocation, const char* call, Where where) {
    if (memory == isa::Memory::kGm && !core_.launch().unwritten[allocation].load(std::memory_order_relaxed)) return;
    core_.findings().AddHere(
        {.rule = Rule::kSkippedData,
         .message = "the kernel reads what an instruction that was skipped would have written",
         .found =
             fmt::format("a read of {}", memory == isa::Memory::kGm ? core_.Gm(allocation).name : isa::Name(memory)),
         .legal = "scalar code that depends on the arguments and on input arrays alone",
         .hint = "estimate this kernel without --skip-data"},
        call, where);
}

}  // namespace sfumato::runtime
