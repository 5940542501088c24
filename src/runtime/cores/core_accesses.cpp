// SPDX-License-Identifier: Apache-2.0
// What the scalar code of a core reads and writes beside its instructions.
#include <algorithm>
#include <cstring>

#include "runtime/cores/core.h"
#include "runtime/cores/local_watch.h"
#include "runtime/launch/launch_state.h"

namespace sfumato::runtime {

void Core::WatchLocal(size_t number, const LocalRange* range) {
    if (!local_watch_) {
        auto made = std::make_unique<LocalWatch>([this](Report report) {
            if (report.index == 0) report.index = records;
            Find(std::move(report));
        });
        local_watch_ = made.get();
        watching_.push_back(std::move(made));
        watches_on_chip_ = true;
        ub_bytes = 0;  // accesses come the long way from here on
    }
    local_watch_->Set(number, range, records);
}

void Core::AwaitScalar(isa::Memory memory, uint32_t allocation, isa::Span bytes, bool write) {
    CheckCancelled();
    if (owes_step_) [[unlikely]] {
        owes_step_ = false;
        worked_out_ = !pipes_.Step();
    }
    if (pipes_.Idle()) return;
    if (!launch_->options.auto_sync || (write && memory == isa::Memory::kGm)) return;
    pipes_.DrainOverlapping(memory, allocation, bytes, write, scalar_waits_for_);
}

void Core::AwaitInOrder(isa::Memory memory, uint32_t allocation, isa::Span bytes) {
    CheckCancelled();
    if (launch_->options.auto_sync)
        pipes_.DrainOverlapping(memory, allocation, bytes, false, kAllPipes & ~SetOf(isa::Pipe::kS));
}

uint8_t* Core::AddressOf(const isa::Operand& operand) {
    return (operand.memory == isa::Memory::kGm ? GmBase(operand.allocation) : MemoryBase(operand.memory)) +
           operand.offset;
}

uint64_t Core::Stored(const isa::Record& store) {
    uint64_t bits = 0;
    std::memcpy(&bits, AddressOf(store.dst()), BitsOf(store.dst().type) / 8);
    return bits;
}

void Core::SetStored(const isa::Record& store, uint64_t bits) {
    if (store.dst().memory == isa::Memory::kGm)
        launch_->stores.Note(place_.order, store.dst().allocation, SpanOf(store, 0));
    std::memcpy(AddressOf(store.dst()), &bits, BitsOf(store.dst().type) / 8);
}

void Core::Posting(const isa::Record& store, uint64_t before) {
    if (!Watches(store)) return;
    for (const auto& watch : watching_) watch->Posting(store, before);
}

const uint8_t* Core::ScalarAccess(isa::Memory memory, uint32_t allocation, isa::Span bytes, bool write,
                                  const char* call, Where where, bool by_reference) {
    StopIfAsked(call, where);
    LookAtReferences(!write);
    if (launch_->options.skip_data && !write) [[unlikely]]
        RefuseSkipped(memory, allocation, call, where);
    AwaitScalar(memory, allocation, bytes, write);
    for (Reference& r : references_) r.Remember();
    using Through = sanitize::ScalarAccess::Through;
    const sanitize::ScalarAccess access{memory,  allocation, bytes,
                                        write,   call,       where,
                                        records, nullptr,    by_reference ? Through::kReference : Through::kValue};
    const uint8_t* instead = TellRaw(access);
    if (!observed_) return instead;
    TellAccess(access);
    AwaitRoom();
    return instead;
}

void Core::TellAccess(const sanitize::ScalarAccess& access) {
    for (trace::Observer* o : launch_->observers) {
        o->Accessed(place_, access.memory, access.allocation, access.bytes, access.write);
        if (o->WantsScalarTouches())
            o->Touched(place_, nullptr, {access.memory, access.allocation, access.bytes, access.write});
    }
}

uint8_t* Core::Refer(isa::Memory memory, uint32_t allocation, isa::Span bytes, uint8_t* element, const char* call,
                     Where where) {
    const bool gm = memory == isa::Memory::kGm;
    // What the program may store waits for readers, too.
    if (!gm) AwaitScalar(memory, allocation, bytes, true);
    const uint8_t* instead = ScalarAccess(memory, allocation, bytes, false, call, where, true);
    if (!observed_ && !(gm ? watched() : watches_on_chip_)) return element;
    for (size_t i = 0; i < references_.size(); ++i) {
        if (references_[i].element == element) DropReference(i);
    }
    if (references_.size() == kMostReferences) DropReference(0);
    if (gm) launch_->stores.Hold();
    Reference& r = references_.emplace_back(Reference{memory, allocation, bytes, element, call, where});
    r.Remember();
    if (!instead || std::memcmp(instead, r.seen.data(), r.size()) == 0) return element;
    // A poll that is given the older bytes.
    r.older = older_[next_older_++ % older_.size()].data();
    std::memcpy(r.older, instead, r.size());
    r.Remember();
    return r.older;
}

void Core::DropReference(size_t at) {
    if (references_[at].memory == isa::Memory::kGm) launch_->stores.Release();
    references_.erase(references_.begin() + static_cast<std::ptrdiff_t>(at));
}

void Core::TellReferences(bool keep) {
    std::vector<Reference> references;
    references.swap(references_);
    for (Reference& r : references) {
        const std::array<uint8_t, 8> before = r.seen;
        r.Remember();
        const bool same = std::memcmp(r.seen.data(), before.data(), r.size()) == 0;
        if (!same && (r.older || r.memory != isa::Memory::kGm || !launch_->stores.ByOthers(place_.order, r))) {
            if (r.older) std::memcpy(r.element, r.older, r.size());
            const sanitize::ScalarAccess write{r.memory, r.allocation, r.bytes, true,
                                               r.call,   r.where,      records, before.data()};
            TellRaw(write);
            if (observed_) TellAccess(write);
        } else {
            if (!std::exchange(r.told, true)) {
                TellRaw({r.memory, r.allocation, r.bytes, false, r.call, r.where, records, nullptr,
                         sanitize::ScalarAccess::Through::kLeftAlone});
            }
            if (r.older) isa::CopyRacy(r.older, r.element, r.size());
            r.Remember();
        }
        r.told = true;
        if (!keep && r.memory == isa::Memory::kGm) launch_->stores.Release();
    }
    if (keep) references_.swap(references);
}

void Core::Cleaned(const void* address) {
    LookAtReferences();
    polling_.Cleaned();
    if (watching_.empty()) return;
    pipes_.DrainPipe(isa::Pipe::kS);  // stores before it are in the cache
    const int gm = address ? FindGm(address) : -1;
    if (address && gm < 0) return;
    const auto allocation = static_cast<uint32_t>(gm);
    for (const auto& watch : watching_) {
        if (address) {
            watch->Cleaned(&allocation,
                           static_cast<uint64_t>(static_cast<const uint8_t*>(address) - GmBase(allocation)), records);
        } else {
            watch->Cleaned(nullptr, 0, records);
        }
    }
}

void Core::SyncsData() {
    LookAtReferences();
    pipes_.DrainPipe(isa::Pipe::kS);
    for (const auto& watch : watching_) watch->Fenced(records);
}

const uint8_t* Core::TellRaw(const sanitize::ScalarAccess& access) {
    const uint8_t* instead = nullptr;
    if (!watches_on_chip_ && (access.memory != isa::Memory::kGm || watching_.empty())) return instead;
    for (const auto& watch : watching_) {
        const uint8_t* seen = watch->Scalar(access, map_);
        if (seen) instead = seen;
    }
    return instead;
}

uint64_t Core::VectorRegister(const isa::VectorRegister& which) {
    CheckCancelled();
    pipes_.DrainOverlapping(isa::Memory::kRegister, 0, which.span(), false);
    uint64_t word = 0;
    std::memcpy(&word, vector_registers_.data() + which.at, sizeof(word));
    return word;
}

}  // namespace sfumato::runtime
