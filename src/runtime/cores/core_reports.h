// SPDX-License-Identifier: Apache-2.0
// What a core reports by itself: flags, deadlocks, task types, modes left on.
#pragma once

#include "report/finding.h"
#include "runtime/code/task_types.h"
#include "runtime/cores/cross_core.h"
#include "runtime/cores/registers.h"
#include "runtime/pipes/flag_bank.h"
#include "soc/chip.h"

namespace sfumato::runtime {

class Core;

// `first` is the earlier set; `wait`, where not null, was issued and has not run.
Report FlagSetTwiceReport(const isa::Record& second, const Where& first, const isa::Record* wait,
                          FlagIdentity identity);
Report WaitNeverSatisfied(const isa::Record& wait, const FlagBank& flags, FlagIdentity identity);
Report UnsetReport(const soc::Chip& chip, const Registers::UnsetRead& read);
// No core can go on, and this one waits in `call`, at instruction `index`.
Report DeadlockOfCores(Core& core, const CrossCore::Call& call, uint64_t index, const CrossCore::Explanation& why);

// At the end of a kernel.
void ReportFlagLeftSet(Core& core, const FlagBank::State& flag);
void ReportAtomicLeftOn(Core& core);
void ReportLoopModeLeft(Core& core, const LoopMode& mode, const char* direction);
void ReportMaskLeft(Core& core);

// Cores wait for each other, and not all of them run at the same time.
void ReportBlocksBeyondCores(Core& core, const CrossCore::Call& call);
// A KERNEL_TASK_TYPE was reached. The launch knew it, or it is a fault: cores cannot change any more.
void DeclareTaskType(Core& core, TaskType type, const char* name, Where where);

}  // namespace sfumato::runtime
