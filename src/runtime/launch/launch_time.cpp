// SPDX-License-Identifier: Apache-2.0
// The model and the timeline of a launch.
#include "runtime/launch/launch_time.h"

#include <fmt/format.h>

#include "runtime/launch/run_cores.h"
#include "runtime/memory/global_memory.h"

namespace sfumato::runtime {
namespace {

std::string ErrorOf(const TimeEstimate& estimate) {
    const std::string kind = fmt::format("class {}, {}", estimate.error_class, estimate.error_why);
    return estimate.factor > 0 ? fmt::format("{}: from 1/{:g} to {:g} times", kind, estimate.factor, estimate.factor)
                               : fmt::format("{}: no interval", kind);
}

}  // namespace

std::unique_ptr<timing::Model> MakeModel(LaunchState& state, const GlobalMemory::Impl& memory,
                                         timing::Drawing* drawing) {
    if (!state.options.time) return nullptr;
    if (state.schedule.kind != Schedule::Kind::kEager) {
        throw Error(fmt::format("an estimate of time needs the schedule eager, not {}", state.options.schedule));
    }
    const Shape shape = ShapeOf(state.task_type);
    timing::Model::Setup setup{state.chip,
                               *state.options.time,
                               drawing,
                               state.blocks,
                               shape.cube,
                               shape.vector,
                               BlocksAtOnce(state),
                               {},
                               {},
                               {},
                               {}};
    for (size_t i = 0; i < state.gm_base.size(); ++i) {
        setup.allocations.push_back(state.gm_range[i].bytes);
        using Role = GlobalMemory::Role;
        const Role role = memory.allocations[i].role;
        if (memory.allocations[i].live && (role == Role::kInput || role == Role::kInOut))
            setup.inputs.push_back(static_cast<uint32_t>(i));
    }
    setup.make_set_flag = [shape, blocks = state.blocks] {
        auto counters = std::make_shared<Counters>(shape, blocks);
        return [counters](uint64_t core, uint8_t mode, uint32_t id) {
            std::vector<uint64_t> raised;
            for (const uint64_t receiver : counters->Receivers(core, mode)) raised.push_back(FlagCounter(receiver, id));
            const uint64_t before = raised.empty() ? 0 : counters->Count(raised.front());
            counters->Set(core, mode, id);
            if (raised.empty() || counters->Count(raised.front()) == before) raised.clear();
            return raised;
        };
    };
    setup.is_barrier = [](uint64_t counter) {
        return counter >> 56 == static_cast<uint64_t>(Meeting::kCores) ||
               counter >> 56 == static_cast<uint64_t>(Meeting::kSoftSync);
    };
    setup.flags = state.options.flags;
    return std::make_unique<timing::Model>(std::move(setup));
}

Tracing::Tracing(const LaunchOptions& options) {
    if (options.trace.empty()) return;
    sink_ = trace::OpenTimeline(options.trace);
    if (options.time) {
        drawing_.emplace(sink_.get());
    } else {
        steps_.emplace(sink_.get(), options.flags);
    }
}

void Tracing::Finish(LaunchResult* result) {
    if (!sink_) return;
    if (steps_) steps_->Close(result->findings);
    if (drawing_) {
        if (!result->estimate) drawing_->Stopped(result->findings);
        trace::TimelineEnd end = drawing_->end();
        end.error = result->estimate ? ErrorOf(*result->estimate) : "the launch had a fault";
        if (result->estimate) end.estimate = JsonOf(*result->estimate);
        sink_->Ended(result->findings, end);
    }
    try {
        result->trace = sink_->Close();
    } catch (const Error& e) {
        result->trace_error = e.what();
    }
}

}  // namespace sfumato::runtime
