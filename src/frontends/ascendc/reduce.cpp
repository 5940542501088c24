// SPDX-License-Identifier: Apache-2.0
// Reductions to records, and the registers they leave (vector_instructions.md 7).
#include "sfumato/ascendc/reduce_types.h"

#include <fmt/format.h>

#include "frontends/ascendc/vector.h"
#include "isa/reductions.h"
#include "isa/vector_registers.h"

namespace sfumato::ascendc {
namespace {

using isa::Opcode;
using isa::Record;

void Issue(Opcode op, const ReduceCall& call) {
    runtime::Core& core = ThisCore(call.name);
    Record record;
    record.call = call.name;
    if (!BuildVector(core, op, call, &record)) return;
    record.Set(isa::Reduce{static_cast<isa::ReduceOrder>(call.order), core.chip().reduce.fill_masked});
    core.Issue(record);
}

void IssueTensor(Opcode op, const ReduceTensorCall& call) {
    const char* name = Info(op).ascendc;
    runtime::Core& core = ThisCore(name);
    LibraryCall(core, name, call.where);
    Record record;
    if (!BuildVector(core, op, call, &record)) return;
    isa::ReduceTensor shape;
    shape.index = call.index;
    // Only the form with a count adds the sums of the repeats one after another.
    if (op == Opcode::vec_reduce_add && core.chip().reduce.sequential && call.form == MaskForm::kCount) shape.group = 0;
    record.Set(shape);
    if (isa::WorkElements(record) != 0) {
        if (!ToOperand(core, name, "sharedTmpBuffer", *call.work.tensor, call.work.type, call.where,
                       &record.operand[2])) {
            return;
        }
        record.operand_count = 3;
    }
    core.Issue(record);
}

// False: the chip has no such register.
bool RequireRegister(runtime::Core& core, bool soc::ReduceTraits::*has, const char* call, const char* lacks,
                     Where where) {
    return RequireChip(
        core, call, where, [has](const soc::Chip& chip) { return chip.reduce.*has; }, Rule::kRegisterUnsupported, lacks,
        "store the result of the reduction and read it from the tensor");
}

uint64_t Low(uint64_t word, DataType type) {
    return BitsOf(type) >= 64 ? word : word & ((uint64_t{1} << BitsOf(type)) - 1);
}

}  // namespace

void AccumulateSum(const ReduceCall& call) {
    constexpr const char* kCall = "vcadd";
    runtime::Core& core = ThisCore(kCall);
    Record record;
    if (!RequireRegister(core, &soc::ReduceTraits::sum_register, kCall, "does not keep the sum of a reduction",
                         call.where) ||
        !BuildVector(core, Opcode::vec_reduce_add, call, &record)) {
        return;
    }
    core.Called("vcadd with mode true", call.where);
    isa::ReduceTensor shape;
    shape.group = 0;  // the sums of the repeats, one after another
    record.Set(shape);
    record.call = kCall;
    record.operand[0] = isa::RegisterOperand(isa::kAccVal);
    record.operand[0].type = call.src0.type;
    core.Issue(record);
}
void vcadd(const ReduceCall& call) { Issue(Opcode::vcadd, call); }
void vcmax(const ReduceCall& call) { Issue(Opcode::vcmax, call); }
void vcmin(const ReduceCall& call) { Issue(Opcode::vcmin, call); }
void vcgadd(const ReduceCall& call) { Issue(Opcode::vcgadd, call); }
void vcgmax(const ReduceCall& call) { Issue(Opcode::vcgmax, call); }
void vcgmin(const ReduceCall& call) { Issue(Opcode::vcgmin, call); }
void vcpadd(const ReduceCall& call) { Issue(Opcode::vcpadd, call); }

void vec_reduce_add(const ReduceTensorCall& call) { IssueTensor(Opcode::vec_reduce_add, call); }
void vec_reduce_max(const ReduceTensorCall& call) { IssueTensor(Opcode::vec_reduce_max, call); }
void vec_reduce_min(const ReduceTensorCall& call) { IssueTensor(Opcode::vec_reduce_min, call); }

uint64_t ReducedSum(DataType type, Where where) {
    constexpr const char* kCall = "GetReduceRepeatSumSpr";
    runtime::Core& core = ThisCore(kCall);
    if (!RequireRegister(core, &soc::ReduceTraits::sum_register, kCall, "does not keep the sum of a reduction", where))
        return 0;
    return Low(core.VectorRegister(isa::kAccVal), type);
}

uint64_t ReducedExtreme(DataType type, uint64_t* index, Where where) {
    constexpr const char* kCall = "GetReduceRepeatMaxMinSpr";
    runtime::Core& core = ThisCore(kCall);
    if (!RequireRegister(core, &soc::ReduceTraits::extreme_register, kCall,
                         "does not keep the result of a maximum or minimum", where) ||
        (index && !RequireRegister(core, &soc::ReduceTraits::index_register, kCall,
                                   "does not keep the index of a maximum or minimum", where))) {
        return 0;
    }
    const uint64_t word = core.VectorRegister(isa::kMaxMinCount);
    if (index) *index = Low(word >> 32, type);
    return Low(word & 0xFFFFFFFF, type);
}

}  // namespace sfumato::ascendc
