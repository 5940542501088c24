// SPDX-License-Identifier: Apache-2.0
// Mmad to records: what C starts from, and the registers and options it depends on (cube.md 4).
#include <fmt/format.h>

#include "frontends/ascendc/context.h"
#include "runtime/launch/launch_state.h"

namespace sfumato::ascendc {
namespace {

using Initial = isa::Matmul::Initial;

constexpr const char* kMmad = "Mmad";

bool CheckBias(runtime::Core& core, const MatmulCall& call) {
    if (core.chip().Bytes(isa::Memory::kBt) == 0) {
        return Refuse(core, kMmad, call.where,
                      {Rule::kMmadBiasUnsupported, call.bias.tensor ? "bias" : "cmatrixSource",
                       fmt::format("{} has no bias table", core.chip().name),
                       call.bias.tensor ? "a bias tensor" : "cmatrixSource true", "C += A * B on what CO1 holds",
                       "put the bias into CO1 and set cmatrixInitVal and cmatrixSource to false"});
    }
    return !call.bias.tensor || !call.params->cmatrixInitVal ||
           Find(core, kMmad, call.where,
                {Rule::kMmadBiasInit, "cmatrixInitVal", "a bias and a zero start are both asked for; the bias is used",
                 "cmatrixInitVal true with a bias tensor", "cmatrixInitVal false",
                 "set cmatrixInitVal to false: the API page does not say which of the two the chip takes"});
}

Initial InitialOf(const MatmulCall& call) {
    const AscendC::MmadParams& p = *call.params;
    if (call.bias.tensor) return Initial::kBias;
    if (p.cmatrixInitVal && !p.isBias) return Initial::kZero;
    return p.cmatrixSource ? Initial::kBias : Initial::kAccumulate;
}

// The bias row: the tensor, or for cmatrixSource the bias table from its first byte. A tensor in CO1 is what C starts
// from, and the instruction names one place in L0C: that of dst (cube.md 4).
bool SetBias(runtime::Core& core, const MatmulCall& call, isa::Record* r) {
    isa::Operand& bias = r->operand[3];
    r->operand_count = 4;
    if (!call.bias.tensor) {
        bias.memory = isa::Memory::kBt;
        bias.type = call.c.type;
        bias.limit = core.chip().Bytes(isa::Memory::kBt);
        return true;
    }
    if (!ToOperand(core, kMmad, "bias", *call.bias.tensor, call.bias.type, call.where, &bias)) return false;
    if (bias.memory != isa::Memory::kL0C) return true;
    core.Called("bias in CO1", call.where);
    if (bias.offset == r->dst().offset && bias.type == r->dst().type) {
        r->operand_count = 3;
        r->As<isa::Matmul>().initial = Initial::kAccumulate;
        return true;
    }
    return Find(
        core, kMmad, call.where,
        {Rule::kMmadBias, "bias", "a bias in CO1 is C itself, and this one is not dst",
         fmt::format("{} from byte offset {} of L0C, dst from {}", CName(bias.type), bias.offset, r->dst().offset),
         "dst, of its type; or a row in BT (C2)",
         "pass dst as the bias to add to what it holds, or copy the row to a tensor in C2"});
}

isa::Matmul::Hf32 Hf32Of(const runtime::Registers& regs, DataType type) {
    if (!regs.hf32 || type != DataType::kFloat) return isa::Matmul::Hf32::kOff;
    return regs.hf32_away ? isa::Matmul::Hf32::kNearestAway : isa::Matmul::Hf32::kNearestEven;
}

}  // namespace

void mmad(const MatmulCall& call) {
    runtime::Core& core = ThisCore(kMmad);
    const AscendC::MmadParams& p = *call.params;
    isa::Record r(isa::Opcode::mmad);
    r.pipe = isa::Pipe::kM;
    r.operand_count = 3;
    r.where = call.where;
    r.control.TakeOverflow(core.registers().control);
    const auto set = [&](const char* name, const MatmulOperand& from, isa::Operand* operand) {
        return ToOperand(core, kMmad, name, *from.tensor, from.type, call.where, operand);
    };
    if (!set("dst", call.c, &r.operand[0]) || !set("fm", call.a, &r.operand[1]) ||
        !set("filter", call.b, &r.operand[2])) {
        return;
    }
    auto& shape = r.As<isa::Matmul>();
    shape.initial = InitialOf(call);
    if (shape.initial == Initial::kBias) {
        if (!CheckBias(core, call) || !SetBias(core, call, &r)) return;
    }
    shape.m = p.m;
    shape.n = p.n;
    shape.k = p.k;
    shape.hf32 = Hf32Of(core.registers(), call.a.type);
    shape.k_direction_align = p.kDirectionAlign;
    shape.vector_a = p.m == 1 && core.chip().gemv;
    shape.unit_flag = p.unitFlag;
    core.Issue(r);
}

}  // namespace sfumato::ascendc
