// SPDX-License-Identifier: Apache-2.0
// The Python class of a TIK program, bound in parts: recording it and running it.
#pragma once

#include <nanobind/nanobind.h>

#include <optional>

#include "sfumato/tik.h"

namespace sfumato::python {

// A program and the result of its latest run.
struct PythonProgram : tik::Program {
    using tik::Program::Program;
    std::optional<LaunchResult> last;
};

void BindRecording(nanobind::class_<PythonProgram>& program);
void BindRunning(nanobind::class_<PythonProgram>& program);

}  // namespace sfumato::python
