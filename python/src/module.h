// SPDX-License-Identifier: Apache-2.0
// The parts of the native module.
#pragma once

#include <nanobind/nanobind.h>

namespace sfumato::python {

void BindLaunch(nanobind::module_& m);    // Kernels, LaunchResult, compile
void BindCast(nanobind::module_& m);      // Caster, deq_word
void BindFindings(nanobind::module_& m);  // RelatedPlace, the texts of findings
void BindRunner(nanobind::module_& m);    // become_runner, results as bytes
void BindOp(nanobind::module_& m);        // NativeOperator, OperatorCall, OperatorTiling, load_op
void BindRanks(nanobind::module_& m);     // RankWorld
void BindTik(nanobind::module_& m);       // the submodule tik
void BindTiling(nanobind::module_& m);    // tiling_of, tmp_sizes

}  // namespace sfumato::python
