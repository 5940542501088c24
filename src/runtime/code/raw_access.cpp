// SPDX-License-Identifier: Apache-2.0
// Sorts accesses by where they go. Most go to the kernel's own stack and end there.
#include "runtime/code/raw_access.h"

#include <cxxabi.h>
#include <fmt/format.h>

#include <cstring>
#include <mutex>
#include <set>

#include "report/finding.h"
#include "runtime/code/source_lines.h"
#include "runtime/launch/launch_state.h"
#include "runtime/memory/global_memory.h"
#include "system/memory.h"

namespace sfumato::runtime {
namespace {

constexpr uintptr_t kNullPage = 4096;
constexpr uint64_t kNear = uint64_t{1} << 20;  // beyond it a distance says nothing

// For as long as the process lives: records keep the pointer.
const char* Keep(const std::string& text) {
    static std::mutex mutex;
    static auto* kept = new std::set<std::string>;
    std::lock_guard lock(mutex);
    return kept->insert(text).first->c_str();
}

// Whether the bytes lie in [begin, begin + size).
bool Within(uintptr_t address, uint64_t bytes, uintptr_t begin, uint64_t size) {
    return address - begin < size && bytes <= size - (address - begin);
}

}  // namespace

RawAccess::RawAccess(Core& core)
    : core_(core),
      stack_(reinterpret_cast<uintptr_t>(core.memory().stack().bottom)),
      stack_bytes_(core.memory().stack().bytes) {
    core.raw = this;
}

RawAccess::~RawAccess() {
    core_.raw = nullptr;
    if (heard_) core_.launch().raw_heard = true;
}

void RawAccess::Leave() { std::longjmp(*core_.stopping().landing, 1); }

bool RawAccess::Find(Report report, bool harmless) {
    if (!harmless) report.severity = Severity::kFault;
    report.index = core_.next_index();
    try {
        core_.findings().Add(std::move(report));
    } catch (const StopCore&) {
        return false;
    }
    return harmless;
}

bool RawAccess::Tell(isa::Memory memory, uint32_t allocation, isa::Span bytes, bool write, const Site& site) {
    if (site.own) return true;
    try {
        core_.scalar().Tell({memory, allocation, bytes, write, "a raw pointer", site.where, core_.next_index(), nullptr,
                             events::ScalarAccess::Through::kPointer});
    } catch (const StopCore&) {
        return false;
    }
    return true;
}

RawAccess::Site& RawAccess::SlotOf(const void* at) {
    const auto address = reinterpret_cast<uintptr_t>(at);
    return sites_[(address ^ address >> 9) % sites_.size()];
}

const RawAccess::Site& RawAccess::SiteOf(const void* at, const char* own) {
    const auto address = reinterpret_cast<uintptr_t>(at);
    Site& site = SlotOf(at);
    if (site.at == at) return site;
    bool in_own = false;
    const std::vector<CodeFrame> frames = FramesAt(reinterpret_cast<const void*>(address - 1));
    const CodeFrame frame = UserFrame(frames, core_.launch().source, own, &in_own);
    // A function of the system's headers that was not inlined is called by Sfumato's as well.
    site = {at, in_own || (!frames.empty() && frame.line == 0), {Keep(frame.file), frame.line}};
    return site;
}

bool RawAccess::Access(const void* pointer, uint64_t bytes, bool write, const void* at, const char* own) {
    heard_ = true;
    const auto address = reinterpret_cast<uintptr_t>(pointer);
    if (bytes == 0 || Within(address, bytes, stack_, stack_bytes_)) return true;
    // Sfumato's headers read what the launch shares, and memories for what they stand for, again and again.
    if (const Site& known = SlotOf(at); known.at == at && known.own) return true;
    bool goes_on = true;
    // UB first: to know that an address is not in global memory takes a search.
    if (InUb(address, bytes, write, at, own, &goes_on) || InGm(address, bytes, write, at, own, &goes_on))
        return goes_on;
    return Outside(address, bytes, write, at, own);
}

bool RawAccess::InGm(uintptr_t address, uint64_t bytes, bool write, const void* at, const char* own, bool* goes_on) {
    if (!Within(address, bytes, gm_begin_, gm_bytes_)) {
        const int found = core_.FindGm(reinterpret_cast<const void*>(address));
        if (found < 0) return false;
        const auto allocation = static_cast<uint32_t>(found);
        const auto begin = reinterpret_cast<uintptr_t>(core_.GmBase(allocation));
        const uint64_t size = core_.Gm(allocation).bytes;
        if (!Within(address, bytes, begin, size)) return false;
        gm_begin_ = begin, gm_bytes_ = size, gm_ = allocation;
    }
    const uint64_t offset = address - gm_begin_;
    if (core_.told().Hears<events::Accessed>())
        *goes_on = Tell(isa::Memory::kGm, gm_, {offset, offset + bytes}, write, SiteOf(at, own));
    return true;
}

bool RawAccess::InUb(uintptr_t address, uint64_t bytes, bool write, const void* at, const char* own, bool* goes_on) {
    const auto begin = reinterpret_cast<uintptr_t>(core_.memory().Base(isa::Memory::kUb));
    if (begin == 0 || !Within(address, bytes, begin, core_.memory().Bytes(isa::Memory::kUb))) return false;
    const uint64_t offset = address - begin;
    if (core_.told().Hears<events::Accessed>(true))
        *goes_on = Tell(isa::Memory::kUb, 0, {offset, offset + bytes}, write, SiteOf(at, own));
    return true;
}

bool RawAccess::Outside(uintptr_t address, uint64_t bytes, bool write, const void* at, const char* own) {
    if (Within(address, bytes, reinterpret_cast<uintptr_t>(exception_), exception_bytes_)) return true;
    if (modules_.Holds(address, bytes, write, at)) return true;
    const Site& site = SiteOf(at, own);
    if (site.own) return true;
    const auto* pointer = reinterpret_cast<const uint8_t*>(address);
    const GmPlace place = core_.launch().memory.impl()->PlaceOf(pointer, bytes);
    const bool touchable = system::CanTouch(address, bytes, write), null = address < kNullPage;
    const bool on_chip = CoreMemory::IsIn(pointer);
    const bool host = touchable && !on_chip && place.kind == GmPlace::Kind::kFar;
    // Without lines it is not known whether a header did it.
    if (host && site.where.line == 0) return true;
    Report report = ReportOf(host ? Rule::kRawHostMemory : Rule::kRawOutOfBounds);
    report.message =
        fmt::format("a raw pointer {} {} byte{} {}", write ? "writes" : "reads", bytes, bytes == 1 ? "" : "s",
                    null   ? "through a null pointer"
                    : host ? "of the host's own memory"
                           : "outside every allocation");
    if (null) {
        report.found = fmt::format("address {:#x}", address);
    } else if (on_chip) {
        const auto ub = reinterpret_cast<uintptr_t>(core_.memory().Base(isa::Memory::kUb));
        report.found =
            core_.memory().Holds(pointer) && address >= ub
                ? fmt::format("byte {} of UB, which has {}", address - ub, core_.memory().Bytes(isa::Memory::kUb))
                : CoreMemory::Describe(pointer);
        if (report.found.empty()) report.found = "the stack of another core";
    } else {
        const bool near = !host || place.distance <= kNear;
        report.operand = near ? place.name : "";
        report.found = near ? place.text : "far from every allocation";
    }
    report.legal = "bytes of GM allocations, of the core's own memories, and the kernel's own variables";
    report.hint = host ? "pass the data as an argument of the kernel: a core has no memory of the host, and no heap"
                       : "check the index against the size that the kernel was given";
    report.file = site.where.file;
    report.line = site.where.line;
    // Guard bytes and other cores' memories are there to be touched; the host's is not for a kernel to change.
    return Find(std::move(report), touchable && (!write || on_chip || place.kind == GmPlace::Kind::kGuard));
}

}  // namespace sfumato::runtime

namespace {

sfumato::runtime::RawAccess* Watcher() {
    sfumato::runtime::Core* core = sfumato::runtime::CurrentCore();
    return core ? core->raw : nullptr;
}

}  // namespace

void SfumatoRawAccess(const void* address, size_t bytes, bool write, const void* at, const char* own_headers) {
    auto* raw = Watcher();
    if (raw && !raw->Access(address, bytes, write, at, own_headers)) raw->Leave();
}

void* SfumatoRawMove(void* to, const void* from, size_t bytes, const void* at, const char* own_headers) {
    auto* raw = Watcher();
    if (raw && !(raw->Access(from, bytes, false, at, own_headers) && raw->Access(to, bytes, true, at, own_headers)))
        raw->Leave();
    return std::memmove(to, from, bytes);
}

void* SfumatoRawFill(void* to, int byte, size_t bytes, const void* at, const char* own_headers) {
    auto* raw = Watcher();
    if (raw && !raw->Access(to, bytes, true, at, own_headers)) raw->Leave();
    return std::memset(to, byte, bytes);
}

void* SfumatoRawException(size_t bytes) {
    void* exception = abi::__cxa_allocate_exception(bytes);
    if (auto* raw = Watcher()) raw->Throws(exception, bytes);
    return exception;
}

void SfumatoDoubt(sfumato::raw::Doubt doubt, const void* data, uintptr_t left, uintptr_t right,
                  const char* own_headers) {
    auto* raw = Watcher();
    if (raw && !raw->Doubt(doubt, data, left, right, own_headers)) raw->Leave();
}
