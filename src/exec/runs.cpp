// SPDX-License-Identifier: Apache-2.0
// The table of runs for the target in force.
#include "exec/runs.h"

#include "exec/targets.h"

namespace sfumato::exec {

namespace {

// Called under PerTarget's lock, so one table serves every target in turn.
const void* BuildTable() {
    static RunTable table;
    table = {};
    AddFloatRuns(table);
    AddIntegerRuns(table);
    AddFillRuns(table);
    AddLogicRuns(table);
    AddFunctionRuns(table);
    AddRealRuns(table);
    AddCompositeRuns(table);
    return &table;
}

PerTarget<RunTable> runs(BuildTable);

}  // namespace

RunFn FindRun(isa::Opcode op, DataType dst, DataType src) {
    const RunTable& table = runs.Get();
    if (dst == src) return table.run[static_cast<int>(op)][static_cast<int>(dst)];
    const bool widens = dst == DataType::kFloat && src == DataType::kHalf;
    return widens ? table.widening[static_cast<int>(op)] : nullptr;
}

}  // namespace sfumato::exec
