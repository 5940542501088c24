// SPDX-License-Identifier: Apache-2.0
// What a core does for its pipes: runs a record when the schedule says so, and tells of it.
#pragma once

#include <mutex>
#include <optional>
#include <vector>

#include "isa/memory_map.h"
#include "runtime/pipes/pipes.h"
#include "sanitize/limited.h"
#include "sfumato/register_call.h"

namespace sfumato::runtime {

class Core;
class LaunchState;

class Execution final : public PipeClient {
public:
    Execution(Core& core, LaunchState& launch);

    void ExecuteRecord(const isa::Record& record) override;
    void Passed(const isa::Record& control) override;
    uint64_t Stored(const isa::Record& store) override;
    void SetStored(const isa::Record& store, uint64_t bits) override;
    void Posting(const isa::Record& store, uint64_t before) override;
    void SetCrossFlag(const isa::Record& set) override;
    void FlagSetTwice(const isa::Record& second, const Where& first, const isa::Record* wait) override;
    void Deadlock(const isa::Record& wait) override;

    // Around an access and what is told of it: of global memory that ranks share, no other core comes between.
    class Touch {
    public:
        Touch(Execution& execution, bool global);
        ~Touch() { execution_.LeaveTouch(); }
        Touch& operator=(Touch&&) = delete;

    private:
        Execution& execution_;
    };
    // Of a core that a jump has taken out of one, which destroys nothing.
    void LeaveTouch() {
        if (touch_) touch_.unlock();
    }
    // Calls on registers, inside a vector function.
    static bool Runs(RegisterOp op, DataType type, DataType to);
    static uint32_t Run(const RegisterCall& call, const RegisterControl& control);

    // Whether a result was limited under the policy `saturate` since the core began or ClearOverflow.
    bool overflowed() const { return overflowed_; }
    void ClearOverflow() { overflowed_ = false; }
    // Whether `saturate` is in force, nobody asked for it, and a board has another policy.
    bool LimitsUnasked() const;

private:
    void Execute(const isa::Record& record);
    // True: a result was limited.
    bool Run(const isa::Record& record);
    const isa::MemoryMap& MapOf(const isa::Record& record);
    void NoteLimited(const isa::Record& record, const isa::MemoryMap& map);
    // With LaunchOptions::skip_data: what the record would write is not there.
    void Skip(const isa::Record& record);

    Core& core_;
    LaunchState& launch_;
    std::vector<uint8_t*> gm_places_;  // as the core's map, for the record that runs; empty: no array is borrowed
    isa::MemoryMap borrowed_map_;      // that map with them
    std::unique_lock<std::mutex> touch_;
    bool overflowed_ = false;
    std::optional<sanitize::Limited> limited_;  // where nobody asked for the policy, and a board has another
};

}  // namespace sfumato::runtime
