// SPDX-License-Identifier: Apache-2.0
// Expressions of a running block.
#include "frontends/tik/evaluate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "frontends/tik/fault.h"

namespace sfumato::tik {

Frame::Frame(const Ir& ir, runtime::Core& running, const std::vector<uint32_t>& allocations)
    : core(running),
      slots(ir.slots),
      trips(ir.loops.size()),
      last(ir.loops.size()),
      ir_(ir),
      allocations_(allocations) {}

void Frame::Fault(Report report) {
    if (inspected) throw Unreadable{std::move(report)};
    report.index = core.next_index();
    core.findings().Add(std::move(report));
    throw SkipStatement{};
}

uint64_t& Frame::Element(int32_t array, uint64_t index) {
    const ScalarNode& node = Nth(ir_.scalars, array);
    if (index >= node.length) [[unlikely]] {
        Fault(ToReport({Rule::kScalarIndex, node.name, "the index lies outside the array",
                        fmt::format("index {}", static_cast<int64_t>(index)), fmt::format("0..{}", node.length - 1),
                        "check how the index is computed"},
                       "ScalarArray", where));
    }
    return slots[node.slot + index];
}

isa::Operand Frame::OperandOf(int32_t ref) {
    const RefNode& node = Nth(ir_.refs, ref);
    const TensorNode& tensor = Nth(ir_.tensors, node.tensor);
    const auto offset = static_cast<int64_t>(Evaluate(node.offset));
    const uint64_t copy = tensor.copies > 1 ? Nth(trips, tensor.loop) % tensor.copies : 0;
    isa::Operand o = MakeOperand(tensor, node.type, offset, copy);
    if (tensor.gm >= 0) o.allocation = Allocation(o.allocation);
    return o;
}

isa::Span ElementSpan(Frame& frame, const isa::Operand& o, const TensorNode& tensor) {
    const isa::Span span{o.offset, o.offset + std::max<uint64_t>(1, BitsOf(o.type) / 8)};
    const uint64_t room = o.memory == isa::Memory::kGm ? frame.core.Gm(o.allocation).bytes : o.limit;
    if (span.end > room) [[unlikely]] {
        const uint64_t start = o.limit - tensor.bytes;
        frame.Fault(ToReport({Rule::kScalarIndex, tensor.name, "the index lies outside the Tensor",
                              fmt::format("byte offset {}", o.offset - start),
                              fmt::format("elements of {} inside its {} bytes", NumpyName(o.type), room - start),
                              "check how the index is computed"},
                             frame.statement, frame.where));
    }
    return span;
}

uint64_t Frame::LoadElement(int32_t ref) {
    const isa::Operand o = OperandOf(ref);
    const TensorNode& tensor = Nth(ir_.tensors, Nth(ir_.refs, ref).tensor);
    const isa::Span span = ElementSpan(*this, o, tensor);
    core.scalar().AwaitInOrder(o.memory, o.allocation, span);
    core.scalar().Access(o.memory, o.allocation, span, false, statement, where);
    const uint8_t* base = o.memory == isa::Memory::kGm ? core.GmBase(o.allocation) : core.MemoryBase(o.memory);
    uint64_t bits = 0;
    std::memcpy(&bits, base + span.begin, span.end - span.begin);
    return FromMemory(o.type, bits);
}

uint64_t Frame::ReadRegister(ControlRegister which) {
    const isa::Control& control = core.registers().control;
    switch (which) {
        case ControlRegister::kAtomicAdd:
            return control.atomic == isa::Atomic::kNone ? 0 : static_cast<uint64_t>(AtomicNumber(control.atomic_type));
        case ControlRegister::kOverflowStatus:
            core.Called("get_overflow_status", where);
            core.Drain();
            return core.execution().overflowed();
        default: return Nth(controls, which);
    }
}

uint64_t Frame::Compute(const Expr& e) {
    switch (e.op) {
        case Op::kElement: return Element(e.a, Evaluate(e.b));
        case Op::kLoad: return LoadElement(e.a);
        case Op::kRegister: return ReadRegister(static_cast<ControlRegister>(e.a));
        case Op::kRsvdCount: return core.VectorRegister(isa::kRsvdCount);
        case Op::kMergeCount:
            core.Called("vms4_sr_scalar_array", where);
            return (core.VectorRegister(isa::kMergeCounts) >> (16 * e.b)) & 0xFFFF;
        case Op::kLogicalAnd: return Evaluate(e.a) != 0 && Evaluate(e.b) != 0;
        case Op::kLogicalOr: return Evaluate(e.a) != 0 || Evaluate(e.b) != 0;
        default: break;
    }
    const DataType type = Nth(ir_.exprs, e.a).type;
    const uint64_t a = Evaluate(e.a);
    if (e.op < Op::kConvert) return Apply(e.op, type, a);
    if (e.op == Op::kConvert) return ConvertValue(type, e.type, a);
    if (e.op == Op::kRound) return RoundValue(type, e.type, static_cast<Rounding>(e.b), a);
    if (e.op == Op::kReinterpret) return FromMemory(e.type, ToMemory(type, a));
    if (e.op == Op::kDiv || e.op == Op::kMod) core.Called("Expr", where);
    uint64_t result = 0;
    if (!Apply(e.op, type, a, Evaluate(e.b), &result)) [[unlikely]] {
        Fault(ToReport({Rule::kDivisionByZero, "", "an integer is divided by zero", "0", "a divisor other than 0",
                        "check the divisor with if_scope"},
                       statement, where));
    }
    return result;
}

}  // namespace sfumato::tik
