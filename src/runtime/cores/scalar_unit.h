// SPDX-License-Identifier: Apache-2.0
// What the scalar code of a core reads and writes beside its instructions (framework.md 2.5 to 2.8).
#pragma once

#include <array>
#include <vector>

#include "events/event.h"
#include "runtime/cores/references.h"
#include "runtime/pipes/pipes.h"

namespace sfumato::runtime {

class Core;

class ScalarUnit {
public:
    ScalarUnit(Core& core, isa::CoreKind kind);
    ~ScalarUnit();
    ScalarUnit& operator=(ScalarUnit&&) = delete;

    // Reads or writes bytes directly: waits as auto_sync and the schedule say. Returns the bytes that a load shall see
    // instead of those in memory, or nullptr.
    const uint8_t* Access(isa::Memory memory, uint32_t allocation, isa::Span bytes, bool write, const char* call,
                          Where where, bool by_reference = false);
    // The same of an element that the program gets a reference to: a read, and a write when its bytes differ at the
    // core's next call (decided). Returns the reference.
    uint8_t* Refer(isa::Memory memory, uint32_t allocation, isa::Span bytes, uint8_t* element, const char* call,
                   Where where);
    // Tells of an access, without waiting: also of one through a pointer of the kernel's own.
    const uint8_t* Tell(const events::ScalarAccess& access);
    // The waiting alone, for an access that is a record by itself.
    void Await(isa::Memory memory, uint32_t allocation, isa::Span bytes, bool write);
    // A read that TIK synchronises: waits for the pending writers on any pipe.
    void AwaitInOrder(isa::Memory memory, uint32_t allocation, isa::Span bytes);
    // Of references: looks what the program has done with them since. They stay while it only reads.
    void LookAtReferences(bool keep = false) {
        if (!references_.empty()) [[unlikely]]
            TellReferences(keep);
    }

    // DataSyncBarrier: what the scalar unit has stored is there.
    void Fence();
    // DataCacheCleanAndInvalid of the line at an address, or of the whole cache (nullptr).
    void Clean(const void* address, const char* call, Where where);

private:
    void CleanShared(uint32_t allocation, const void* address, const char* call, Where where);
    [[gnu::cold]] void TellReferences(bool keep);
    void Drop(size_t at);
    // Scalar code of a launch that skips data may read what the host gave, and nothing that instructions write.
    void RefuseSkipped(isa::Memory memory, uint32_t allocation, const char* call, Where where);

    Core& core_;
    const PipeSet waits_for_;  // what auto_sync makes an element access wait for
    static constexpr size_t kMostReferences = 16;
    std::vector<Reference> references_;                          // the latest, oldest first
    std::array<std::array<uint8_t, 8>, kMostReferences> older_;  // of references that do not show memory itself
    size_t next_older_ = 0;
    std::array<uint8_t, 8> loaded_{};  // what the load of shared memory that was told of last sees
};

}  // namespace sfumato::runtime
