// SPDX-License-Identifier: Apache-2.0
// What a caller in Python can do to a launch that runs: Ctrl-C, and a callable that is told how far it is.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <exception>

#include "sfumato/launch.h"

namespace sfumato::python {

// Lives around one launch. On the main thread Ctrl-C ends the launch, unless Python has no handler of SIGINT; elsewhere
// nothing is changed. Python's own handler runs afterwards, in Rethrow.
class LaunchControl {
public:
    // Raises what Ctrl-C right before means to Python. progress: None, or called with (cores ended, cores,
    // instructions); what it raises ends the launch. by_signal: Ctrl-C ends it; a debugger takes Ctrl-C for itself.
    LaunchControl(LaunchOptions& options, nanobind::object progress, bool by_signal = true);
    ~LaunchControl();
    LaunchControl& operator=(LaunchControl&&) = delete;

    // After the launch, with the GIL: raises what `progress` raised, or what Python's handler of SIGINT does, with the
    // report of the launch as its cause.
    void Rethrow(const LaunchResult& result) const;

private:
    void Uninstall();
    void Tell(const LaunchProgress& progress);

    std::atomic<bool> stop_ = false;
    bool installed_ = false;
    nanobind::object progress_;
    std::exception_ptr failed_;
};

}  // namespace sfumato::python
