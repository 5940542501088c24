// SPDX-License-Identifier: Apache-2.0
// What one block of a running program holds: scalars, loop trips, the core.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "frontends/tik/arithmetic.h"
#include "frontends/tik/ir.h"
#include "runtime/cores/core.h"

namespace sfumato::tik {

// A fault of the scalar unit was collected: the statement has no effect.
struct SkipStatement {};

// The same of a value that only a debugger asks for: the run does not have it.
struct Unreadable {
    Report report;
};

class Frame {
public:
    // allocations: of the GM tensors, by their number; tensors fed one array share theirs.
    Frame(const Ir& ir, runtime::Core& core, const std::vector<uint32_t>& allocations);

    uint64_t Evaluate(int32_t expr) {
        const Expr& e = Nth(ir_.exprs, expr);
        if (e.op == Op::kImmediate) return e.bits;
        if (e.op == Op::kVariable) return slots[Nth(ir_.scalars, e.a).slot];
        return Compute(e);
    }

    // The place of an element of an array.
    uint64_t& Element(int32_t array, uint64_t index);
    // A slice's first element as an operand.
    isa::Operand OperandOf(int32_t ref);
    // The allocation that a GM tensor has in this run.
    uint32_t Allocation(uint32_t gm) const { return allocations_[gm]; }

    // A finding of the statement that runs. Throws SkipStatement when the faults are collected.
    [[noreturn]] void Fault(Report report);

    runtime::Core& core;
    Where where;                 // of the statement that runs, for reports
    const char* statement = "";  // what it is called in reports
    bool inspected = false;      // a debugger asks: faults are Unreadable
    std::array<uint64_t, static_cast<size_t>(ControlRegister::kCount)> controls{};
    bool converts_by_mode = false;  // set_fp2fp_mode was called
    std::vector<uint64_t> slots;
    std::vector<uint64_t> trips;  // by loop
    std::vector<int64_t> last;    // by loop: the end value
private:
    uint64_t Compute(const Expr& e);
    uint64_t ReadRegister(ControlRegister which);
    uint64_t LoadElement(int32_t ref);

    const Ir& ir_;
    const std::vector<uint32_t>& allocations_;
};

// The span of one element of an operand, checked to lie inside its tensor; false: reported.
isa::Span ElementSpan(Frame& frame, const isa::Operand& operand, const TensorNode& tensor);

}  // namespace sfumato::tik
