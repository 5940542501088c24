// SPDX-License-Identifier: Apache-2.0
// What a launch writes of time and order: the model that estimates it, the timeline.
#pragma once

#include <memory>
#include <optional>

#include "runtime/launch/launch_state.h"
#include "timing/drawing.h"
#include "trace/steps.h"

namespace sfumato::runtime {

// The model of LaunchOptions::time. Counters of flags are its own: it sets them in the order of time. drawing: may be
// null.
std::unique_ptr<timing::Model> MakeModel(LaunchState& state, const GlobalMemory::Impl& memory,
                                         timing::Drawing* drawing);

// The timeline of a launch that is asked for one: in estimated time where there is an estimate.
class Tracing {
public:
    explicit Tracing(const LaunchOptions& options);
    events::Listener* listener() { return steps_ ? &*steps_ : nullptr; }
    timing::Drawing* drawing() { return drawing_ ? &*drawing_ : nullptr; }
    void Finish(LaunchResult* result);

private:
    std::unique_ptr<trace::TimelineSink> sink_;
    std::optional<trace::Steps> steps_;
    std::optional<timing::Drawing> drawing_;
};

}  // namespace sfumato::runtime
