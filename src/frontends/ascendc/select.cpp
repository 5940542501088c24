// SPDX-License-Identifier: Apache-2.0
// Compare, Select and CMPMASK to records (vector_instructions.md 2 and 3).
#include <fmt/format.h>

#include "frontends/ascendc/vector_record.h"
#include "isa/geometry.h"
#include "isa/vector_registers.h"

namespace sfumato::ascendc {
namespace {

using isa::MaskMode;
using isa::Opcode;
using isa::Record;

Record Start(Opcode op, const VectorCall& call) {
    Record r(op);
    r.pipe = isa::Pipe::kV;
    r.where = call.where;
    r.repeat = call.repeat;
    r.immediate = call.scalar;
    return r;
}

// A tensor of bits, whatever its type, as one of bytes.
struct AsBytes {
    explicit AsBytes(const VectorOperand& of) : operand(of) {
        if (!of.tensor || BitsOf(of.type) == 8) return;
        view = *of.tensor;
        view.size = static_cast<uint32_t>(BytesOf(of.type, view.size));
        operand.tensor = &view;
        operand.type = DataType::kUint8;
    }
    AsBytes(const AsBytes&) = delete;
    LocalView view;
    VectorOperand operand;
};

void Issue(Opcode op, const CompareCall& call) {
    const char* name = call.name ? call.name : "Compare";
    runtime::Core& core = ThisCore(name);
    Record r = Start(op, call);
    r.call = call.name;
    r.Set(isa::Compare{static_cast<isa::Compare::Mode>(call.mode)});
    r.operand_count = op == Opcode::vcmpvs ? 2 : 3;
    if (op == Opcode::vcmp) {
        r.operand[0] = isa::RegisterOperand(isa::kCmpMask);
    } else if (!SetOperand(core, name, "dst", AsBytes(call.dst).operand, call.where, &r.operand[0])) {
        return;
    }
    if (!SetOperand(core, name, "src0", call.src0, call.where, &r.operand[1])) return;
    if (r.operand_count > 2 && !SetOperand(core, name, "src1", call.src1, call.where, &r.operand[2])) return;
    SetMask(core, call, &r);
    const bool per_repeat = r.mask.mode == MaskMode::kContinuous || r.mask.mode == MaskMode::kBits;
    if (op != Opcode::vcmp && per_repeat && !core.chip().compare_mask) {
        r.mask = {MaskMode::kContinuous, LanesPerRepeat(r), {}};
    }
    core.Issue(r);
}

bool SelectForm(runtime::Core& core, const SelectCall& call) {
    const bool scalar = call.src1.tensor == nullptr;
    if (scalar == (call.mode == AscendC::SELMODE::VSEL_TENSOR_SCALAR_MODE)) return true;
    return Refuse(
        core, "Select", call.where,
        {Rule::kSelectForm, "selMode", "the mode and the second source disagree",
         scalar ? "a scalar beside a mode that chooses from two tensors" : "a tensor beside VSEL_TENSOR_SCALAR_MODE",
         scalar ? "VSEL_TENSOR_SCALAR_MODE" : "VSEL_CMPMASK_SPR or VSEL_TENSOR_TENSOR_MODE",
         "pass the mode of the form, or the other kind of source"});
}

// Where the address in CMPMASK points: the whole pointer, or its low half (vector_instructions.md 3.3).
bool BitsAtRegister(runtime::Core& core, Where where, isa::Operand* sel) {
    const uint64_t word = core.VectorRegister(isa::kCmpMask);
    const uint64_t base = reinterpret_cast<uint64_t>(core.MemoryBase(isa::Memory::kUb));
    const uint64_t bytes = core.chip().Bytes(isa::Memory::kUb);
    const uint64_t whole = word - base, low = static_cast<uint32_t>(word) - static_cast<uint32_t>(base);
    const uint64_t offset = whole < bytes ? whole : static_cast<uint32_t>(low);
    if (offset < bytes) {
        sel->memory = isa::Memory::kUb;
        sel->type = DataType::kUint8;
        sel->offset = offset;
        sel->limit = bytes;
        return true;
    }
    return Refuse(core, "Select", where,
                  {Rule::kSelectAddress, "CMPMASK", "the register does not hold the address of the selection bits",
                   fmt::format("{:#x}", word), "what GetPhyAddr() of a tensor in UB returns, or its low 32 bits",
                   "write the address into a tensor and pass that to SetCmpMask"});
}

}  // namespace

void vcmpv(const CompareCall& call) { Issue(Opcode::vcmpv, call); }
void vcmpvs(const CompareCall& call) { Issue(Opcode::vcmpvs, call); }
void vcmp(const CompareCall& call) { Issue(Opcode::vcmp, call); }

void vsel(const SelectCall& call) {
    using Mode = AscendC::SELMODE;
    runtime::Core& core = ThisCore("Select");
    Record r = Start(Opcode::vsel, call);
    r.Set(isa::Select{static_cast<isa::Select::Mode>(call.mode)});
    if (!call.from_register && !SelectForm(core, call)) return;
    const auto add = [&](const char* name, const VectorOperand& operand) {
        return SetOperand(core, "Select", name, operand, call.where, &r.operand[r.operand_count++]);
    };
    if (!add("dst", call.dst) || !add("src0", call.src0)) return;
    if (call.src1.tensor && !add("src1", call.src1)) return;
    if (call.sel.tensor) {
        if (!add("selMask", AsBytes(call.sel).operand)) return;
    } else if (call.mode == Mode::VSEL_CMPMASK_SPR) {
        r.operand[r.operand_count++] = isa::RegisterOperand(isa::kCmpMask);
    } else if (!BitsAtRegister(core, call.where, &r.operand[r.operand_count++])) {
        return;
    }
    if (call.from_register && call.mode == Mode::VSEL_TENSOR_SCALAR_MODE) {
        const uint32_t bits = BitsOf(call.dst.type);
        r.immediate = core.VectorRegister(isa::kCmpMask) & ((uint64_t{1} << bits) - 1);
    }
    SetMask(core, call, &r);
    core.Issue(r);
}

// The other operand of the two is the register. at: of the operand in memory.
static void MoveCmpMask(Opcode op, const char* call, int at, const VectorOperand& memory, Where where) {
    runtime::Core& core = ThisCore(call);
    Record r = Start(op, {.where = where});
    r.operand_count = 2;
    r.operand[static_cast<size_t>(1 - at)] = isa::RegisterOperand(isa::kCmpMask);
    isa::Operand* operand = &r.operand[static_cast<size_t>(at)];
    if (SetOperand(core, call, at == 0 ? "dst" : "src", memory, where, operand)) core.Issue(r);
}
void SetCmpMask(const VectorOperand& src, Where where) {
    MoveCmpMask(Opcode::set_cmpmask, "SetCmpMask", 1, src, where);
}
void GetCmpMask(const VectorOperand& dst, Where where) {
    MoveCmpMask(Opcode::get_cmpmask, "GetCmpMask", 0, dst, where);
}

void Assign(const LocalView& dst, DataType type, const TensorExpression& e) {
    CompareCall call;
    call.dst = {&dst, 1, type};
    call.src0 = {&e.a, 1, e.type};
    call.src1 = {&e.b, 1, e.type};
    call.where = e.where;
    if (e.issue) {
        call.mask[0] = dst.size;
        return e.issue(call);
    }
    constexpr const char* kCalls[] = {"operator<", "operator>", "operator==", "operator<=", "operator>=", "operator!="};
    call.name = kCalls[static_cast<int>(e.mode)];
    call.mode = e.mode;
    call.mask[0] = e.a.size;
    if (RequireFact(ThisCore(call.name), call.name, &soc::Chip::compare_operators, "use Compare", e.where)) vcmpv(call);
}

}  // namespace sfumato::ascendc
