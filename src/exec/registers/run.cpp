// SPDX-License-Identifier: Apache-2.0
// The table of operations on registers for the SIMD target in force.
#include "exec/registers/conversions.h"
#include "exec/registers/table.h"
#include "exec/targets.h"

namespace sfumato::exec {

namespace {

// Called under PerTarget's lock, so one table serves every target in turn.
const void* BuildRegisterTable() {
    static RegisterTable table;
    table = {};
    AddIntegers(table);
    AddArithmetic(table);
    AddFunctions(table);
    AddComplex(table);
    AddLogic(table);
    AddComparisons(table);
    AddReductions(table);
    AddConversions(table);
    AddShuffles(table);
    return &table;
}

PerTarget<RegisterTable> register_runs(BuildRegisterTable);

// Whether results of the operation may have the type.
bool HasResult(RegisterOp op, DataType type, DataType to) {
    switch (op) {
        case RegisterOp::kSum:
        case RegisterOp::kBlockSum:
            if (type == DataType::kInt16) return to == DataType::kInt32;
            if (type == DataType::kUint16) return to == DataType::kUint32;
            return to == type;
        case RegisterOp::kAbs:
            if (type == DataType::kComplex32) return to == DataType::kHalf;
            if (type == DataType::kComplex64) return to == DataType::kFloat;
            return to == type;
        case RegisterOp::kCast: return CastsRegisters(type, to);
        case RegisterOp::kExpSub:
        case RegisterOp::kMulsCast:
        case RegisterOp::kPack:
        case RegisterOp::kUnPack:
        case RegisterOp::kHistogram: return true;
        default: return to == type;
    }
}

}  // namespace

uint32_t Run(const RegisterCall& call, const RegisterControl& control) {
    return register_runs.Get().At(call.op, call.type)(call, control);
}

bool Runs(RegisterOp op, DataType type, DataType to) {
    return register_runs.Get().At(op, type) && HasResult(op, type, to);
}

}  // namespace sfumato::exec
