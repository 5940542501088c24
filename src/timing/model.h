// SPDX-License-Identifier: Apache-2.0
// The model of time: it watches a launch that runs under the eager schedule, and works out when its records would run
// on a board. Cores are fed as they run; the model goes on as far as every core's next step is known, and lets cores
// that are ahead rest, so that its memory does not grow with the launch.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <queue>
#include <unordered_map>
#include <vector>

#include "sfumato/estimate.h"
#include "sfumato/flag_identity.h"
#include "soc/chip.h"
#include "soc/timing.h"
#include "timing/core_run.h"
#include "timing/cost.h"
#include "timing/feed.h"
#include "timing/kept.h"
#include "timing/l2.h"
#include "timing/ledger.h"
#include "timing/path.h"
#include "timing/ports.h"
#include "events/listener.h"

namespace sfumato::timing {

class Model final : public events::Listener, private CoreRun::Launch {
public:
    struct Setup {
        const soc::Chip& chip;
        TimeOptions options;
        Drawing* drawing = nullptr;  // may be null
        uint64_t blocks = 1;
        uint32_t cubes = 0, vectors = 1;  // of a block
        uint64_t blocks_at_once = 1;
        std::vector<uint64_t> allocations;  // of global memory: bytes
        std::vector<uint32_t> inputs;       // of these, oldest first
        // What a CrossCoreSetFlag raises: called in the order of time. Each model has its own.
        using SetFlag = std::function<std::vector<uint64_t>(uint64_t core, uint8_t mode, uint32_t id)>;
        std::function<SetFlag()> make_set_flag;
        std::function<bool(uint64_t counter)> is_barrier;  // all cores meet there
        FlagIdentity flags = FlagIdentity::kEvent;
    };
    // without: the cause it leaves out.
    explicit Model(Setup setup, Without without = Without::kNothing);
    ~Model() override;

    void LaunchBegun(const events::LaunchFacts& facts) override;
    std::unique_ptr<events::CoreListener> Begin(const events::Place& place, events::Tell) override;

    // After the last core.
    TimeEstimate Estimate();
    // Instead of it where the launch had a fault: goes on as far as cores got.
    void Stop();

private:
    static constexpr uint8_t kCounter = 255;  // Step::mode: the key is a counter, not a flag
    // The launch again, from the events that were kept: microseconds of core time.
    double Replay(const Kept& kept, const std::vector<uint32_t>& uncached);
    std::vector<TimeHint> Hints(const TimeEstimate& base, bool all_cores);
    double SetPipes(TimeEstimate* estimate) const;
    void SetPath(const Path::Sums& path, TimeEstimate* estimate) const;
    void SetError(const Path::Sums& path, TimeEstimate* estimate) const;
    struct Step {  // to come, in the order of time
        enum class Kind : uint8_t { kRaise, kBlockEnd, kStart };
        Cycles at;
        Kind kind;
        uint32_t core;
        uint64_t order;  // among equals
        isa::Pipe pipe;
        uint64_t key;
        uint8_t mode;
        Path::Node node;
        bool operator>(const Step& o) const {
            if (at != o.at) return at > o.at;
            if (core != o.core) return core > o.core;
            return order > o.order;
        }
    };
    struct Counter {
        std::deque<std::pair<Cycles, Path::Node>> raises;
        std::vector<uint32_t> waiting;
    };

    // CoreRun::Launch.
    void StartAt(Cycles at, uint32_t core, isa::Pipe pipe) override;
    void SetCrossAt(Cycles at, uint32_t core, const Event& event, Path::Node node) override;
    void RaiseAt(Cycles at, uint32_t core, uint64_t counter, Path::Node node) override;
    bool Reached(uint32_t core, const Event& event, Cycles* at, Path::Node* node) override;
    void Ended(Cycles at, uint32_t core) override;
    std::string TakeText(uint32_t core, uint64_t index) override;
    void Placed(uint32_t core, uint32_t scope, Cycles begin, Cycles end) override;

    class OfCore;
    Event& Append(Feed& feed, Event&& event);
    void Issued(Feed& feed, const isa::Record& record, bool in_order);
    void Accessed(Feed& feed, const events::ScalarAccess& access);
    void Awaits(Feed& feed, const events::Sync& wait);
    void Raises(Feed& feed, uint64_t counter);
    bool HasRoom(Feed& feed) const;
    void FlushScalar(Feed& feed);
    void WaitForOperands(Feed& feed, const isa::Record& record);
    void HandOver(Feed& feed);
    void Offer(Feed& feed);
    void Receive(Feed& feed);
    void Advance();
    bool RunCores();
    void Take(const Step& step);
    void BeginTransfer(const Step& step);
    void Raise(uint64_t counter, Cycles at, Path::Node node, uint32_t by);
    void BeginBlock(Cycles at, Path::Node node);
    void FoldPath();
    // Their bits.
    uint32_t NoteCauses(const Event& event, const L2::Found& found);
    void TellFlow(Cycles at);
    uint32_t cores_per_block() const { return setup_.cubes + setup_.vectors; }

    const Setup setup_;
    const Without without_;
    const soc::TimingProduct& product_;
    const soc::Timing& timing_;
    const double cycles_per_us_;
    Costs costs_;
    soc::TimingConstants constants_;
    Setup::SetFlag set_flag_;
    std::string kernel_;
    mutable std::mutex mutex_;
    L2 l2_;
    Ports ports_;
    Path path_;
    Ledger ledger_;
    Kept kept_;
    const CoreRun::Common common_;
    std::vector<std::unique_ptr<Feed>> feeds_;
    std::vector<std::unique_ptr<CoreRun>> runs_;  // begun and not ended
    std::vector<uint32_t> runnable_;
    std::vector<uint32_t> left_;  // cores of a block that have not ended
    std::priority_queue<Step, std::vector<Step>, std::greater<>> steps_;
    std::unordered_map<uint64_t, Counter> counters_;
    std::unordered_map<uint32_t, Cycles> began_;                                            // cores
    std::unordered_map<uint64_t, std::vector<std::pair<Cycles, Path::Node>>> ended_nodes_;  // of blocks that run
    std::array<Cycles, 2> busy_{};  // from begin to end, by kind: all cores
    std::vector<double> alone_;     // of the transfer of a pipe of a core
    uint64_t next_block_ = 0, starving_ = 0, order_ = 0, ended_blocks_ = 0;
    bool stopped_ = false;
    Cycles last_ = 0;
    Path::Node last_node_ = Path::kStart;
};

}  // namespace sfumato::timing
