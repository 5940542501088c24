// SPDX-License-Identifier: Apache-2.0
// Brcb, VectorPadding, Gather, Gatherb, Scatter, GatherMask and ArithProgression to records (vector_instructions.md 4
// and 5).
#include <fmt/format.h>

#include "frontends/ascendc/framework.h"
#include "frontends/ascendc/vector.h"
#include "frontends/ascendc/vector_record.h"
#include "isa/geometry.h"
#include "isa/vector_registers.h"
#include "numeric/convert.h"

namespace sfumato::ascendc {
namespace {

using isa::MaskMode;
using isa::Opcode;
using isa::Record;

Record Start(Opcode op, Where where) {
    Record r(op);
    r.pipe = isa::Pipe::kV;
    r.where = where;
    return r;
}

bool SetGather(runtime::Core& core, const GatherCall& call, Record* r) {
    const char* name = Info(r->op).ascendc;
    r->repeat = call.repeat;
    r->As<isa::Offsets>().base = call.base;
    r->operand_count = 3;
    return SetOperand(core, name, "dst", call.dst, call.where, &r->operand[0]) &&
           SetOperand(core, name, "src", call.src0, call.where, &r->operand[1]) &&
           SetOperand(core, name, isa::OperandName(*r, 2), call.offsets, call.where, &r->operand[2]);
}

void IssueGather(Opcode op, const GatherCall& call) {
    runtime::Core& core = ThisCore(Info(op).ascendc);
    Record r = Start(op, call.where);
    if (!SetGather(core, call, &r)) return;
    SetMask(core, call, &r);
    core.Issue(r);
}

// Forms without a mask process whole repeats.
void FullMask(Record* r) { r->mask = {MaskMode::kContinuous, LanesPerRepeat(*r), {}}; }

// A number of the type, and back; ArithProgression's scalars are rounded to nearest even.
double ToNumber(DataType type, uint64_t bits) {
    switch (type) {
        case DataType::kInt16: return static_cast<int16_t>(bits);
        case DataType::kInt32: return static_cast<int32_t>(bits);
        case DataType::kHalf:
            bits = numeric::Convert(DataType::kHalf, DataType::kFloat, Rounding::kNone, Overflow::kInfNan, bits).bits;
            break;
        default: break;
    }
    return static_cast<double>(__builtin_bit_cast(float, static_cast<uint32_t>(bits)));
}
uint64_t ToBits(DataType type, double value) {
    if (!IsFloating(type))
        return static_cast<uint64_t>(static_cast<int64_t>(value)) & ((uint64_t{1} << BitsOf(type)) - 1);
    const uint32_t wide = __builtin_bit_cast(uint32_t, static_cast<float>(value));
    if (type == DataType::kFloat) return wide;
    return numeric::Convert(DataType::kFloat, type, Rounding::kRint, Overflow::kInfNan, wide).bits;
}

}  // namespace

void vbcb(const VectorCall& call) {
    runtime::Core& core = ThisCore("Brcb");
    Record r = Start(Opcode::vbcb, call.where);
    r.repeat = call.repeat;
    r.operand_count = 2;
    if (!SetOperand(core, "Brcb", "dst", call.dst, call.where, &r.operand[0]) ||
        !SetOperand(core, "Brcb", "src0", call.src0, call.where, &r.operand[1])) {
        return;
    }
    FullMask(&r);
    core.Issue(r);
}

void vpadding(const PaddingCall& call) {
    runtime::Core& core = ThisCore("VectorPadding");
    Record r;
    if (!BuildVector(core, Opcode::vpadding, call, &r)) return;
    r.Set(isa::Padding{call.mode, call.right});
    core.Issue(r);
}

void vgather(const GatherCall& call) { IssueGather(Opcode::vgather, call); }
void vscatter(const GatherCall& call) { IssueGather(Opcode::vscatter, call); }

void vgatherb(const GatherCall& call) {
    runtime::Core& core = ThisCore("Gatherb");
    Record r = Start(Opcode::vgatherb, call.where);
    if (!SetGather(core, call, &r)) return;
    FullMask(&r);
    core.Issue(r);
}

void vbi(const InterpolateCall& call) {
    constexpr const char* kCall = "BilinearInterpolation";
    runtime::Core& core = ThisCore(kCall);
    Record r = Start(Opcode::vbi, call.where);
    VectorOperand dst = call.dst;
    dst.repeat_stride = static_cast<uint32_t>(BytesOf(dst.type, call.vertical_offset) / isa::kBlockBytes);
    r.repeat = call.repeat;
    r.control.TakeOverflow(core.registers().control);
    r.Set(isa::Interpolate{call.repeat, call.horizontal, call.block_weights, call.vertical_offset});
    r.operand_count = 4;
    if (SetOperand(core, kCall, "dst", dst, call.where, &r.operand[0]) &&
        SetOperand(core, kCall, "src0", call.src0, call.where, &r.operand[1]) &&
        SetOperand(core, kCall, "src0Offset", call.offsets, call.where, &r.operand[2]) &&
        SetOperand(core, kCall, "src1", call.src1, call.where, &r.operand[3])) {
        SetMask(core, call, &r);
        core.Issue(r);
    }
}

uint64_t vreduce(const GatherMaskCall& call) {
    runtime::Core& core = ThisCore("GatherMask");
    Record r = Start(Opcode::vreduce, call.where);
    r.repeat = call.params.repeatTimes;
    r.Set(isa::GatherMask{call.pattern});
    r.operand_count = call.src1.tensor ? 3 : 2;
    VectorOperand src0 = call.src0, src1 = call.src1;
    src0.block_stride = call.params.src0BlockStride;
    src0.repeat_stride = call.params.src0RepeatStride;
    src1.repeat_stride = call.params.src1RepeatStride;
    if (!SetOperand(core, "GatherMask", "dst", call.dst, call.where, &r.operand[0]) ||
        !SetOperand(core, "GatherMask", "src0", src0, call.where, &r.operand[1]) ||
        (r.operand_count > 2 && !SetOperand(core, "GatherMask", "src1Pattern", src1, call.where, &r.operand[2]))) {
        return 0;
    }
    if (call.counter) {
        const bool total = core.chip().gather_mask_total;
        r.mask = {total ? MaskMode::kCounter : MaskMode::kContinuous, call.mask, {}};
    } else {
        FullMask(&r);
    }
    core.registers().counter_mode = false;
    core.registers().Set(runtime::kMaskModeState);
    core.Issue(r);
    // The count is there when the call returns.
    return core.VectorRegister(isa::kRsvdCount);
}

void FillProgression(const LocalView& dst, DataType type, uint64_t first, uint64_t difference, int64_t count,
                     Where where) {
    runtime::Core& core = ThisCore("ArithProgression");
    if (!RequireFact(core, "ArithProgression", &soc::Chip::arith_progression,
                     "write the elements with SetValue and Adds", where)) {
        return;
    }
    HighLevelCall(core, "ArithProgression", where);
    if (count <= 0 || count > dst.size) {
        Find(
            core, "ArithProgression", where,
            {count <= 0 ? Rule::kParameterRange : Rule::kCountExceedsTensor, "count",
             count <= 0 ? "the count is out of range" : "the count is larger than the tensor", fmt::format("{}", count),
             fmt::format("1..{}, the elements of the tensor", dst.size), "check how the count is computed"});
        return;
    }
    isa::Operand operand;
    if (!ToOperand(core, "ArithProgression", "dst", dst, type, where, &operand)) return;
    core.Called("ArithProgression", where);
    const auto elements = static_cast<uint64_t>(count), block = uint64_t{256 / BitsOf(type)}, repeat = 8 * block;
    const double start = ToNumber(type, first), step = ToNumber(type, difference);
    core.pipes().DrainOverlapping(operand.memory, 0, {operand.offset, operand.offset + BytesOf(type, elements)}, true);
    Framework::Of(core).Order(AscendC::HardEvent::V_S, where);
    for (uint64_t i = 0; i < std::min(elements, block); ++i) {
        StoreLocal(dst, type, i, ToBits(type, start + step * static_cast<double>(i)), "ArithProgression", where);
    }
    Framework::Of(core).Order(AscendC::HardEvent::S_V, where);
    // `unit` elements from the start, plus a scalar, make the next ones.
    const auto extend = [&](uint64_t unit, uint64_t end) {
        for (uint64_t at = unit; at < end; at += unit) {
            const LocalView to = Advance(dst, type, at, where);
            VectorCall call;
            call.dst = {.tensor = &to, .type = type};
            call.src0 = {.tensor = &dst, .type = type};
            call.scalar = ToBits(type, step * static_cast<double>(at));
            call.mask[0] = std::min(unit, end - at);
            call.where = where;
            vadds(call);
        }
        pipe_barrier(PIPE_V, where);
    };
    if (elements > block) extend(block, std::min(elements, repeat));
    if (elements > repeat) extend(repeat, elements);
}

}  // namespace sfumato::ascendc
