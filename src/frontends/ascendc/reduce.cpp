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

void Issue(Opcode op, const VectorCall& call, const char* name,
           AscendC::ReduceOrder order = AscendC::ReduceOrder::ORDER_VALUE_INDEX) {
    runtime::Core& core = ThisCore(name);
    Record record;
    record.call = name;
    if (!BuildVector(core, op, call, &record)) return;
    record.shape = isa::Reduce{static_cast<isa::ReduceOrder>(order), core.chip().reduce.fill_masked};
    core.Issue(record);
}

void IssueTensor(Opcode op, const ReduceTensorCall& call) {
    const char* name = Info(op).ascendc;
    runtime::Core& core = ThisCore(name);
    Record record;
    if (!BuildVector(core, op, call, &record)) return;
    isa::ReduceTensor shape;
    shape.index = call.index;
    // Only the form with a count adds the sums of the repeats one after another.
    if (op == Opcode::vec_reduce_add && core.chip().reduce.sequential && call.form == MaskForm::kCount) shape.group = 0;
    record.shape = shape;
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
bool RequireRegister(runtime::Core& core, bool has, const char* call, const char* what, Where where) {
    if (has) return true;
    return Find(core,
                {.rule = "register-unsupported",
                 .instruction = call,
                 .message = fmt::format("{} does not keep {}", core.chip().name, what),
                 .found = call,
                 .legal = "Ascend910B and A3; Ascend310P keeps the value of a maximum or minimum",
                 .hint = "store the result of the reduction and read it from the tensor"},
                where) &&
           false;
}

uint64_t Low(uint64_t word, DataType type) {
    return BitsOf(type) >= 64 ? word : word & ((uint64_t{1} << BitsOf(type)) - 1);
}

}  // namespace

void vcadd(const VectorCall& call, const char* name) { Issue(Opcode::vcadd, call, name); }
void vcmax(const VectorCall& call, const char* name, AscendC::ReduceOrder order) {
    Issue(Opcode::vcmax, call, name, order);
}
void vcmin(const VectorCall& call, const char* name, AscendC::ReduceOrder order) {
    Issue(Opcode::vcmin, call, name, order);
}
void vcgadd(const VectorCall& call, const char* name) { Issue(Opcode::vcgadd, call, name); }
void vcgmax(const VectorCall& call, const char* name) { Issue(Opcode::vcgmax, call, name); }
void vcgmin(const VectorCall& call, const char* name) { Issue(Opcode::vcgmin, call, name); }
void vcpadd(const VectorCall& call, const char* name) { Issue(Opcode::vcpadd, call, name); }

void vec_reduce_add(const ReduceTensorCall& call) { IssueTensor(Opcode::vec_reduce_add, call); }
void vec_reduce_max(const ReduceTensorCall& call) { IssueTensor(Opcode::vec_reduce_max, call); }
void vec_reduce_min(const ReduceTensorCall& call) { IssueTensor(Opcode::vec_reduce_min, call); }

uint64_t ReducedSum(DataType type, Where where) {
    constexpr const char* kCall = "GetReduceRepeatSumSpr";
    runtime::Core& core = ThisCore(kCall);
    if (!RequireRegister(core, core.chip().reduce.sum_register, kCall, "the sum of a reduction", where)) return 0;
    return Low(core.VectorRegister(isa::kAccVal), type);
}

uint64_t ReducedExtreme(DataType type, uint64_t* index, Where where) {
    constexpr const char* kCall = "GetReduceRepeatMaxMinSpr";
    runtime::Core& core = ThisCore(kCall);
    const soc::ReduceTraits& chip = core.chip().reduce;
    if (!RequireRegister(core, chip.extreme_register, kCall, "the result of a maximum or minimum", where) ||
        (index && !RequireRegister(core, chip.index_register, kCall, "the index of a maximum or minimum", where))) {
        return 0;
    }
    const uint64_t word = core.VectorRegister(isa::kMaxMinCount);
    if (index) *index = Low(word >> 32, type);
    return Low(word & 0xFFFFFFFF, type);
}

}  // namespace sfumato::ascendc
