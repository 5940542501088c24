// SPDX-License-Identifier: Apache-2.0
// The launch as far as every core's next step is known: cores, transfers, flags between cores, blocks.
#include "timing/model.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "isa/geometry.h"

namespace sfumato::timing {

using isa::Pipe;

namespace {

std::string WhyNone(const soc::Chip& chip) {
    if (chip.timing && chip.timing->Product(chip.product)) return "";
    return fmt::format("no estimate of time for {}: no public figures are known; there are some for {}", chip.product,
                       fmt::join(soc::ChipsWithTiming(), ", "));
}

constexpr double kStepsOfOwed = 8;

const soc::TimingProduct& ProductOf(const soc::Chip& chip) {
    const std::string why = WhyNone(chip);
    if (!why.empty()) throw UnsupportedError(why);
    return *chip.timing->Product(chip.product);
}

trace::PlaceUse UseOf(uint32_t core, Cycles begin, Cycles end, const Ledger::Pipes& pipes) {
    trace::PlaceUse use{core, begin, end, {}, {}};
    for (size_t p = 0; p < pipes.size(); ++p) {
        const auto row = static_cast<size_t>(trace::RowOf(static_cast<Pipe>(p)));
        use.busy[row] = pipes[p].busy;
        use.waiting[row] = pipes[p].waiting;
    }
    return use;
}

uint64_t KeptOf(const TimeOptions& options) {
    switch (options.gains) {
        case TimeOptions::Gains::kSmall: return TimeOptions::kKept;
        case TimeOptions::Gains::kAll: return UINT64_MAX;
        case TimeOptions::Gains::kNone: break;
    }
    return 0;
}

}  // namespace

Model::Model(Setup setup, Without without)
    : setup_(std::move(setup)),
      without_(without),
      product_(ProductOf(setup_.chip)),
      timing_(*setup_.chip.timing),
      cycles_per_us_(product_.megahertz),
      costs_(timing_),
      constants_(timing_.constants),
      set_flag_(setup_.make_set_flag()),
      l2_(without == Without::kRereads ? UINT64_MAX / 2 : static_cast<uint64_t>(product_.l2_mib * 1048576),
          setup_.allocations),
      ports_(product_.gm_tbs * 1e6 / cycles_per_us_,
             (setup_.options.l2_warm ? timing_.constants.warm_rate : timing_.constants.l2_total) * 1e6 / cycles_per_us_,
             timing_.constants.l2_in * 1e6 / cycles_per_us_),
      kept_(setup_.blocks * cores_per_block(), KeptOf(setup_.options)),
      common_{constants_,    without == Without::kIssue ? 0 : setup_.options.scalar_cycles, *this, path_, ledger_,
              setup_.drawing} {
    Remove(without_, constants_);
    const uint64_t cores = setup_.blocks * cores_per_block();
    for (uint64_t i = 0; i < cores; ++i) feeds_.push_back(std::make_unique<Feed>());
    runs_.resize(cores);
    left_.assign(setup_.blocks, cores_per_block());
    if (setup_.options.l2_warm) {
        for (const uint32_t input : setup_.inputs) l2_.Warm(input);
    }
}

Model::~Model() = default;

void Model::LaunchBegun(const events::LaunchFacts& facts) {
    kernel_ = facts.kernel;
    if (setup_.drawing) setup_.drawing->Begun(facts, cycles_per_us_);
    while (next_block_ < std::min(setup_.blocks, setup_.blocks_at_once)) BeginBlock(0, Path::kStart);
}

// False: some core has to be fed first.
bool Model::RunCores() {
    while (!runnable_.empty()) {
        const uint32_t core = runnable_.back();
        runnable_.pop_back();
        CoreRun* run = runs_[core].get();
        Feed& feed = *feeds_[core];
        if (!run || feed.starving) continue;
        const bool fed = run->Run();
        feed.held.store(feed.stream.size(), std::memory_order_relaxed);
        if (!fed) {
            feed.starving = true;
            ++starving_;
        }
    }
    return starving_ == 0 || stopped_;
}

void Model::Advance() {
    for (;;) {
        if (!RunCores()) return;
        if (path_.WantsFolding()) FoldPath();
        const Cycles next = steps_.empty() ? Ports::kNever : steps_.top().at;
        if (ports_.NextEnd() <= next) {
            const Cycles now = ports_.NextEnd();
            if (now >= Ports::kNever) return;
            const uint32_t who = ports_.End();
            const uint32_t core = who / isa::kPipeCount;
            const auto pipe = static_cast<Pipe>(who % isa::kPipeCount);
            runs_[core]->TransferEnded(pipe, now, alone_[who]);
            runnable_.push_back(core);
            TellFlow(now);
        } else {
            const Step step = steps_.top();
            steps_.pop();
            Take(step);
        }
    }
}

void Model::Stop() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    Advance();
}

void Model::Take(const Step& step) {
    switch (step.kind) {
        case Step::Kind::kStart: return BeginTransfer(step);
        case Step::Kind::kBlockEnd:
            for (uint32_t i = 0; i < cores_per_block(); ++i)
                runs_[step.core / cores_per_block() * cores_per_block() + i].reset();
            if (next_block_ < setup_.blocks) BeginBlock(step.at, step.node);
            return;
        case Step::Kind::kRaise:
            if (step.mode == kCounter) return Raise(step.key, step.at, step.node, step.core);
            for (const uint64_t counter : set_flag_(step.core, step.mode, static_cast<uint32_t>(step.key)))
                Raise(counter, step.at, step.node, step.core);
            return;
    }
}

void Model::BeginTransfer(const Step& step) {
    const auto& c = constants_;
    CoreRun& run = *runs_[step.core];
    const Event& e = run.Transfer(step.pipe);
    const bool cube = feeds_[step.core]->place.kind == isa::CoreKind::kCube;
    l2_.WriteBack(ports_.TakeIdle(step.at) / c.gm_write_back);
    const L2::Found found =
        l2_.Touch({e.copy.allocation, e.copy.rows, e.copy.offset, e.copy.row_bytes, e.copy.pitch, step.core, e.write});
    Ports::Want want{Ports::kL2, 0};
    double bytes = found.charged;
    if (e.write) {
        want.cap = cube ? c.l2_write_aic : c.gm_store_rate;
        // What --l2 warm was fitted on has one rate for what is read and written.
        if (!setup_.options.l2_warm) want.port = Ports::kStore;
        ledger_.gm_written += found.bytes;
    } else {
        double l2_cap = cube ? c.l2_read_aic : c.l2_read_aiv;
        if (cube && found.shared) l2_cap *= c.l2_shared_panel;
        double gm_cap = c.gm_core_rate;
        if (found.shared && found.hit_share == 0) gm_cap *= c.gm_same_address;
        const double miss = 1 - found.hit_share;
        ledger_.gm_read += found.bytes;
        ledger_.l2_hits += found.hit_share * static_cast<double>(found.bytes);
        if (miss > 0) {
            // What hits goes by at its own rate, as if it were fewer bytes of global memory.
            const double share = static_cast<double>(e.copy.efficiency);
            want = {Ports::kGm, gm_cap / share, 1, share};
            bytes = found.charged * (miss / share + found.hit_share * want.cap / l2_cap);
            ledger_.gm_moved += found.charged * miss / share;
        } else {
            want.cap = l2_cap;
        }
    }
    if (found.written_back > 0) {
        // In steps, so that there are few groups of transfers.
        const double owed = found.written_back / bytes;
        want.gm += c.gm_write_back * std::round(kStepsOfOwed * owed) / kStepsOfOwed;
        ledger_.gm_moved += found.written_back;
    }
    if (found.bytes != 0 && found.charged > 1.05 * static_cast<double>(found.bytes)) ++ledger_.unaligned;
    if (found.shared) ++ledger_.shared;
    if (e.copy.rows > 0 && e.copy.row_bytes < kGmLine) ++ledger_.short_rows;
    ++ledger_.copies;
    run.SetCharged(step.pipe, bytes, NoteCauses(e, found));
    const uint32_t who = step.core * isa::kPipeCount + static_cast<uint32_t>(step.pipe);
    if (alone_.size() <= who) alone_.resize(who + 1);
    alone_[who] = bytes / want.cap;
    ports_.Start(step.at, want, bytes, who);
    TellFlow(step.at);
}

uint32_t Model::NoteCauses(const Event& e, const L2::Found& found) {
    Ledger::Line& line = ledger_.line(ledger_.LineOf(e.where));
    const auto bytes = static_cast<double>(found.bytes);
    uint32_t noted = 0;
    const auto note = [&](Without cause, double cost) {
        ledger_.AddCause(line, cause, cost);
        noted |= BitOf(cause);
    };
    if (found.charged > bytes) note(Without::kUnaligned, found.charged - bytes);
    if (found.shared) note(Without::kSameLines, 1);
    if (found.lost > 0) note(Without::kRereads, static_cast<double>(found.lost));
    if (!IsNd2Nz(e)) {
        if (found.bytes < kSmallCopy) note(Without::kSmall, 1);
    } else if (e.copy.row_bytes < kGmLine) {
        note(Without::kShortRows, static_cast<double>(e.copy.least));
    }
    return noted;
}

void Model::TellFlow(Cycles at) {
    if (setup_.drawing) setup_.drawing->Flow(at, ports_.FlowOfGm(), ports_.FlowOfL2());
}

void Model::Raise(uint64_t counter, Cycles at, Path::Node node, uint32_t) {
    Counter& c = counters_[counter];
    c.raises.emplace_back(at, node);
    runnable_.insert(runnable_.end(), c.waiting.begin(), c.waiting.end());
    c.waiting.clear();
}

void Model::Placed(uint32_t core, uint32_t scope, Cycles begin, Cycles end) {
    feeds_[core]->scopes->Placed(scope, begin, end);
}

std::string Model::TakeText(uint32_t core, uint64_t index) {
    auto node = feeds_[core]->texts.extract(index);
    return node ? std::move(node.mapped()) : std::string();
}

void Model::StartAt(Cycles at, uint32_t core, Pipe pipe) {
    steps_.push({at, Step::Kind::kStart, core, order_++, pipe, 0, 0, Path::kStart});
}

void Model::SetCrossAt(Cycles at, uint32_t core, const Event& set, Path::Node node) {
    steps_.push({at, Step::Kind::kRaise, core, order_++, set.pipe, set.sync.key, set.mode, node});
}

void Model::RaiseAt(Cycles at, uint32_t core, uint64_t counter, Path::Node node) {
    steps_.push({at, Step::Kind::kRaise, core, order_++, Pipe::kS, counter, kCounter, node});
}

bool Model::Reached(uint32_t core, const Event& e, Cycles* at, Path::Node* node) {
    Counter& c = counters_[e.sync.key];
    // A counter that is not taken from keeps its raises; those of one that is leave it.
    const uint64_t need = e.sync.count;
    if (c.raises.size() < need) {
        c.waiting.push_back(core);
        return false;
    }
    const bool barrier = setup_.is_barrier(e.sync.key);
    if (need > 0) {
        const auto& [raised, by] = c.raises[need - 1];
        const double latency = barrier ? constants_.sync_all * cycles_per_us_ : constants_.cross_flag;
        Path::Step step;
        step.pipe = TimedPipe::kOtherCores;
        step.assumed = true;
        step.At(Spent::kWait) = static_cast<float>(latency);
        *at = raised + latency;
        *node = path_.Add(by, step);
    }
    if (e.takes) c.raises.erase(c.raises.begin(), c.raises.begin() + static_cast<std::ptrdiff_t>(need));
    return true;
}

void Model::Ended(Cycles at, uint32_t core) {
    const uint64_t block = core / cores_per_block();
    Path::Node node = runs_[core]->end_node();
    if (feeds_[core]->scopes) feeds_[core]->scopes->Close();
    const bool cube = feeds_[core]->place.kind == isa::CoreKind::kCube;
    busy_[cube] += at - began_[core];
    ledger_.Add(cube, runs_[core]->pipes());
    if (setup_.drawing) setup_.drawing->Used(UseOf(core, began_[core], at, runs_[core]->pipes()));
    ended_nodes_[block].push_back({at, node});
    if (--left_[block] != 0) return;
    auto& ends = ended_nodes_[block];
    const auto latest = *std::ranges::max_element(ends, [](const auto& a, const auto& b) { return a.first < b.first; });
    ended_nodes_.erase(block);
    if (latest.first > last_ || last_node_ == Path::kStart) {
        last_ = std::max(last_, latest.first);
        last_node_ = latest.second;
    }
    ++ended_blocks_;
    steps_.push({latest.first, Step::Kind::kBlockEnd, core, order_++, Pipe::kS, 0, 0, latest.second});
}

void Model::BeginBlock(Cycles at, Path::Node node) {
    const uint64_t block = next_block_++;
    for (uint32_t i = 0; i < cores_per_block(); ++i) {
        const auto core = static_cast<uint32_t>(block * cores_per_block() + i);
        // Cores begin nearly together, and stay in step for a while.
        const double late = static_cast<double>(core) * constants_.launch_stagger;
        const Cycles begin = block < setup_.blocks_at_once ? at + late : at;
        began_[core] = begin;
        feeds_[core]->place.kind = i < setup_.cubes ? isa::CoreKind::kCube : isa::CoreKind::kVector;
        runs_[core] = std::make_unique<CoreRun>(common_, core, i < setup_.cubes, begin, node, feeds_[core]->stream);
        runnable_.push_back(core);
    }
}

void Model::FoldPath() {
    std::vector<Path::Node*> leaves{&last_node_};
    for (auto& run : runs_) {
        if (run) run->CollectLeaves(leaves);
    }
    for (auto& [key, counter] : counters_) {
        for (auto& raise : counter.raises) leaves.push_back(&raise.second);
    }
    for (auto& [block, ends] : ended_nodes_) {
        for (auto& end : ends) leaves.push_back(&end.second);
    }
    std::vector<Step> steps;
    while (!steps_.empty()) {
        steps.push_back(steps_.top());
        steps_.pop();
    }
    for (Step& step : steps) leaves.push_back(&step.node);
    path_.Fold(leaves);
    for (Step& step : steps) steps_.push(step);
}

}  // namespace sfumato::timing

namespace sfumato {

std::string WhyNoEstimate(const std::string& chip) { return timing::WhyNone(soc::FindChip(chip)); }

}  // namespace sfumato
