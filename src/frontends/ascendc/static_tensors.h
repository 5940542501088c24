// SPDX-License-Identifier: Apache-2.0
// Kernels without a TPipe, on one core: the state they find, what LocalMemAllocators hand out, what a TPipe would do
// for them (static.md 2).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "frontends/ascendc/context.h"
#include "runtime/pipes/events.h"
#include "sfumato/ascendc/static_tensor.h"

namespace sfumato::ascendc {

class StaticTensors {
public:
    explicit StaticTensors(runtime::Core& core) : core_(core) {}

    // A TPipe sets the state of the core as InitSocState does, hands out memory and ids, and waits for the pipes when
    // it ends.
    void PipeMade(Where where);
    // A tensor was made from an address, or by an allocator.
    void Made();
    LocalView Allocate(AllocatorPlace* place, uint8_t hardware, AscendC::TPosition position, DataType type,
                       uint64_t count, Where where);
    // InitBuffer takes these bytes of a memory.
    void Carved(isa::Memory memory, isa::Span bytes, Where where);

    // A record that is about to be checked; only once a tensor was made.
    void Issuing(const isa::Record& record);
    void FlagSet(uint8_t event, int id, Where where);
    // A call that takes event ids from a TPipe, or works in the end of UB.
    void LibraryCall(const char* call, Where where);
    // Whether the library has ids of its own: the kernel has no TPipe to take them from.
    bool has_ids() const { return made_ && !piped_; }
    int first_id() const { return static_cast<int>(core_.chip().event_ids) - kLibraryIds; }

    void KernelEnd();

private:
    static constexpr int kLibraryIds = 2;
    static constexpr size_t kFlagIds = 16;

    // Reported at the end of a kernel that has made no TPipe.
    struct Late {
        const char* call;
        Finding finding;
        Where where;
        uint64_t index;
    };
    struct Taken {
        isa::Span bytes;
        Where where;
    };
    struct Owners {
        uint32_t allocators = 0;
        std::vector<Taken> taken;
        bool told = false;  // that two hand it out
    };

    Owners& Of(isa::Memory memory) { return owners_[static_cast<size_t>(memory)]; }
    void Keep(const char* call, Where where, Finding finding);
    bool CheckPlace(AllocatorPlace* place, isa::Memory memory, isa::Span bytes, Where where);
    bool TellTwice(const char* call, isa::Memory memory, const std::string& found, const char* hint, Where where);
    void FollowPipes(const isa::Record& record);
    void CheckReserved(const char* call, Where where);

    runtime::Core& core_;
    bool made_ = false, piped_ = false, call_told_ = false;
    std::array<Owners, isa::kMemoryCount> owners_;
    std::vector<Late> late_;
    // In the order of the program: pipes that have begun what the scalar unit has not waited for; of each pipe those
    // whose work so far is done when its own is.
    runtime::PipeSet busy_ = 0;
    std::array<runtime::PipeSet, isa::kPipeCount> behind_{};
    std::array<std::array<runtime::PipeSet, kFlagIds>, runtime::kEventCount> flags_{};  // the same of what a flag says
    struct Begun {
        const char* call = "";
        Where where;
        uint64_t index = 0;
    };
    std::array<Begun, isa::kPipeCount> begun_;  // the latest of each pipe
};

}  // namespace sfumato::ascendc
