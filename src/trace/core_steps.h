// SPDX-License-Identifier: Apache-2.0
// The steps of one core. The events hold the lock of all.
#pragma once

#include <array>
#include <deque>
#include <string>
#include <vector>

#include "events/flags.h"
#include "trace/call_scopes.h"
#include "trace/hazards.h"
#include "trace/steps.h"

namespace sfumato::trace {

class CoreSteps final : public events::Hears<events::Issued, events::Executed, events::Skipped, events::Accessed,
                                             events::Sync, events::Call> {
public:
    CoreSteps(Steps* steps, events::Place place);
    ~CoreSteps() override;
    CoreSteps& operator=(CoreSteps&&) = delete;

    void On(const events::Issued& event) override;
    void On(const events::Executed& event) override;
    void On(const events::Skipped& event) override;
    void On(const events::Accessed& event) override;
    void On(const events::Sync& sync) override;
    void On(const events::Call& call) override;

private:
    struct Pending {
        isa::Record record;
        double issued;  // the scalar unit's step
        uint32_t scope;
        bool in_order;
    };
    struct Waiting {
        Point from;
        std::string name;
    };
    struct RowState {
        double free = 0;            // from this step on
        Point last{0, 0, -1};       // inside its last slice
        std::vector<Waiting> into;  // arrows to its next slice
    };
    struct FlagSet {
        double at = 0;
        Point from{0, 0, -1};
    };

    RowState& At(Row row) { return rows_[static_cast<size_t>(row)]; }
    const RowState& At(Row row) const { return rows_[static_cast<size_t>(row)]; }
    double& ScalarStep() { return At(Row::kScalar).free; }
    void Done(const isa::Record& record);
    // What the core had not done when it ended.
    Steps::Stopped Stood();
    Pending TakePending(const isa::Record& record);
    void RunRecord(const isa::Record& record, const Pending& pending);
    void Pass(const isa::Record& record, const isa::Flag& flag, double from);
    void Pass(const isa::Record& record, const isa::Barrier& barrier, double from);
    void Pass(const isa::Record&, const isa::CrossFlag&, double) {}  // Synced
    void Join(const Moment& other);
    // Everything issued has ended.
    double AllFree() const;
    // What the pipe of a record has done; of all: nullptr.
    Moment DoneBy(const isa::Record* record) const;
    void Place_(Row row, Slice slice);

    Steps* steps_;
    events::Place place_;
    std::array<RowState, kRows> rows_;
    std::array<std::deque<Pending>, isa::kPipeCount> pending_;
    events::Flags<FlagSet> flags_;
    Hazards hazards_;
    CallScopes scopes_;
    // For other cores; empty: none.
    std::string waits_for_;
    Where waits_at_;
    uint64_t issued_ = 0;
    std::string details_;
};

}  // namespace sfumato::trace
