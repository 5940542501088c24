// SPDX-License-Identifier: Apache-2.0
// What watches a launch for what is wrong beyond a single record: one Detector a check and launch, one CoreDetector for
// each core it runs.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isa/memory_map.h"
#include "isa/record.h"
#include "sanitize/checks.h"
#include "sfumato/flag_identity.h"
#include "sfumato/report.h"
#include "soc/chip.h"
#include "trace/observer.h"

namespace sfumato::sanitize {

// What the bytes of an allocation are before the launch, and after.
enum class GmRole : uint8_t { kUnknown, kInput, kOutput, kInOut, kWorkspace };

struct GmAllocation {
    const uint8_t* base;
    uint64_t bytes;
    std::string name;
    GmRole role;
    bool live;
    std::optional<DataType> type;  // of its elements, where the host says it
    // Behind its end: the rest of its last block of 32 bytes, and how much there is others'.
    uint64_t padding = 0, others = 0;
    uint32_t padding_written = 0;  // bytes of it that an earlier launch wrote, a bit each
};

// Fixed while the launch runs.
struct LaunchView {
    const soc::Chip& chip;
    Checks checks;
    bool auto_sync;
    FlagIdentity flags;
    uint64_t cores;                                                          // of all blocks
    uint8_t fill;                                                            // bytes of memory nobody wrote
    uint8_t gm_fill;                                                         // the same in global memory
    Severity numbers;                                                        // of what Check::kNumbers finds
    std::vector<GmAllocation> gm;                                            // by the allocation of operands
    std::function<std::string(uint64_t order)> name_of;                      // "aiv0"
    std::function<void(const isa::Record&, const isa::MemoryMap&)> execute;  // as the pipes do
    const char* ask_board = "--overflow board";  // how a user of this launch asks for the policy of a board
};

// An access of the scalar unit, at once and in program order.
struct ScalarAccess {
    isa::Memory memory;
    uint32_t allocation;  // GM only
    isa::Span bytes;
    bool write;
    const char* call;  // "GetValue"
    Where where;
    uint64_t index;                   // of the next record
    const uint8_t* before = nullptr;  // what the bytes were, of a write that memory has already
    // A read through a reference comes twice: when the program gets it, and once it has left the element as it was.
    enum class Through : uint8_t { kValue, kReference, kLeftAlone } through = Through::kValue;
};

using trace::CrossSync;

// For Renewed: the source of a high-level call that may overwrite it.
inline constexpr const char* kReusedSource = "isReuseSource";

// Calls about one core come one after another. Its findings go through Tell, which may throw to stop the core.
class CoreDetector {
public:
    virtual ~CoreDetector() = default;

    // A checked record reached its pipe, in program order. in_order: TIK lets it wait for those before it whose order
    // with it decides bytes.
    virtual void Issued(const isa::Record&, bool /*in_order*/) {}
    // Before the offsets or bits that say what a record reaches are checked.
    virtual void Choosing(const isa::Record&, const isa::MemoryMap&) {}
    // A store of the scalar unit that others see from here on, though it runs later; before: the bits it replaces.
    virtual void Posting(const isa::Record&, uint64_t /*before*/) {}
    // Around the execution of a record that moves or computes: memory as it reads it, and with what it wrote.
    virtual void Executing(const isa::Record&, const isa::MemoryMap&) {}
    // Before Executed: the policy `saturate` changed a result.
    virtual void Saturated(const isa::Record&) {}
    virtual void Executed(const isa::Record&, const isa::MemoryMap&) {}
    // A flag was set or waited for, or a barrier passed, in the order of its pipe.
    virtual void Passed(const isa::Record&) {}
    // The bytes that a load shall see instead of those in memory, or nullptr.
    virtual const uint8_t* Scalar(const ScalarAccess&, const isa::MemoryMap&) { return nullptr; }
    // DataCacheCleanAndInvalid: of the line that holds the byte; nullptr: of the whole cache.
    // index: of the next record.
    virtual void Cleaned(const uint32_t* /*allocation*/, uint64_t /*byte*/, uint64_t /*index*/) {}
    // DataSyncBarrier; index: of the next record.
    virtual void Fenced(uint64_t /*index*/) {}
    // These bytes of an on-chip memory begin a new life: AllocTensor, InitBuffer (`call`).
    virtual void Renewed(isa::Memory, isa::Span, const char* /*call*/, Where) {}
    // An asynchronous call reads these bytes until the core has waited for it (`call`); Released: it has, for all.
    virtual void Held(isa::Memory, isa::Span, const char* /*call*/, Where) {}
    virtual void Released() {}
    // SetGlobalBuffer gave a pointer into this allocation elements of a type.
    virtual void GlobalBuffer(uint32_t /*allocation*/, DataType, Where) {}
    virtual void Synced(const CrossSync&) {}
    // A call that issues other records, waits for other cores, or is no instruction at all ("SyncAll"); calls nest.
    virtual void Called(std::string_view /*call*/, Where) {}
    // A rule the record breaks, or is noted for; not yet executed, unless data decide.
    virtual void Found(const isa::Record&, const Report&) {}
    // Its block has ended without a fault.
    virtual void Ended() {}
};

class Detector {
public:
    using Tell = std::function<void(Report)>;

    virtual ~Detector() = default;
    // Whether it must see records that stay inside the core, and accesses of the scalar unit to UB.
    virtual bool WantsOnChip() const = 0;
    // tell: adds chip, kernel and core, and index where it is 0. Several cores may begin at once.
    virtual std::unique_ptr<CoreDetector> Begin(const trace::Place& place, Tell tell) = 0;
    // After the last core: what only the whole launch shows. clean: no core faulted.
    virtual std::vector<Report> Finish(bool /*clean*/) { return {}; }
};

// Those of the checks that are on.
std::vector<std::unique_ptr<Detector>> MakeDetectors(const LaunchView& launch);

}  // namespace sfumato::sanitize
