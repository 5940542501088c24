// SPDX-License-Identifier: Apache-2.0
// A Python object that steers a debugged TIK run.
#pragma once

#include <nanobind/nanobind.h>

#include "sfumato/tik.h"

namespace sfumato::python {

// The object has: stopped(stop) -> "next", "continue" or "quit"; interrupted(), for a Ctrl-C while the kernel runs,
// which then stops; breakpoints, statement numbers; stop_first.
class PythonDebugger final : public tik::Debugger {
public:
    explicit PythonDebugger(nanobind::object object);
    bool stop_first() const { return stop_first_; }
    Action Stopped(const tik::DebugStop& stop) override;
    bool Interrupted() override;

private:
    void TakeBreakpoints();

    nanobind::object object_;
    bool stop_first_;
};

void BindTikStop(nanobind::module_& m);

}  // namespace sfumato::python
