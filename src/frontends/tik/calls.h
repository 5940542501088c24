// SPDX-License-Identifier: Apache-2.0
// The calls that become records: a row of calls.inc names the call, its instruction, its builder and its tensors.
#pragma once

#include <string>
#include <string_view>

#include "frontends/tik/evaluate.h"
#include "frontends/tik/ir.h"
#include "report/finding.h"

namespace sfumato::tik {

// What a builder found wrong; the caller adds the call, the chip and the line.
[[noreturn]] void Refuse(Finding finding);

// As the script wrote it: "3", "3.0".
std::string NumberText(const Number& number);

// One call while its record is built: at build time when everything is known, else each time it executes.
class CallValues {
public:
    // frame is nullptr at build time: what is not constant then counts as 1, and slices start at element 0.
    CallValues(const Ir& ir, const CallNode& call, const soc::Chip& chip, Frame* frame)
        : ir_(ir), call_(call), chip_(chip), frame_(frame) {}

    const CallNode& call() const { return call_; }
    const soc::Chip& chip() const { return chip_; }
    const std::vector<CallArgument>& arguments() const { return call_.arguments; }

    // The argument, or nullptr when it is absent.
    const CallArgument* Find(Param param) const {
        for (const CallArgument& a : call_.arguments) {
            if (a.param == param) return &a;
        }
        return nullptr;
    }

    // Its value: integers as int64_t. A float or a text where a number is wanted is refused.
    int64_t Integer(const CallArgument& a) const;
    int64_t Integer(Param param, int64_t otherwise) const;
    // One that counts or measures, at most 2^32 - 1; negative values are refused.
    uint32_t Count(const CallArgument& a) const;
    uint32_t Count(Param param, uint32_t otherwise) const;
    bool Flag(Param param) const { return Integer(param, 0) != 0; }
    // The bits memory would hold of a value of `type`: numbers are converted, typed values must have the type.
    uint64_t Bits(const CallArgument& a, DataType type) const;
    std::string_view Text(Param param, std::string_view otherwise) const;
    // What was given, for reports: "3", "'up'", "a list of 3", "a Tensor", "a value of float32"; "None" for nullptr.
    std::string Given(const CallArgument* a) const;
    // Elements of a list.
    const CallArgument& Item(const CallArgument& list, int i) const { return Nth(call_.items, list.value + i); }
    const Expr& ExprOf(const CallArgument& a) const { return Nth(ir_.exprs, a.value); }

    // Operand i of the row as a record's operand, strides left at their defaults; has() tells whether it is there.
    bool has(int i) const { return static_cast<size_t>(i) < call_.refs.size() && Nth(call_.refs, i) >= 0; }
    isa::Operand Operand(int i) const { return OperandOf(Nth(call_.refs, i)); }
    isa::Operand OperandOf(int32_t ref) const;
    int operands() const { return static_cast<int>(call_.refs.size()); }

private:
    uint64_t Evaluate(int32_t expr) const {
        const Expr& e = Nth(ir_.exprs, expr);
        if (e.constant()) return e.bits;
        return frame_ ? frame_->Evaluate(expr) : 1;
    }

    const Ir& ir_;
    const CallNode& call_;
    const soc::Chip& chip_;
    Frame* frame_;
};

// Fills what the call says; op, api, where and the registers are already there.
using Builder = void (*)(const CallValues&, isa::Record*);
// Of a call that becomes several records: appends them, each of them with what `first` has.
using Expander = void (*)(const CallValues&, const isa::Record& first, std::vector<isa::Record>*);

struct CallInfo {
    const char* name;
    isa::Opcode op;
    Builder build;
    // The tensor parameters in the order of the signature. "src1?" may also be a number or absent; "dst_list*16" are
    // that many, "src_list*4?" at most.
    const char* operands;
    Expander expand = nullptr;  // instead of build
};

// nullptr: no such call.
const CallInfo* FindCall(std::string_view name);
// Param::kCount: no builder reads it.
Param FindParam(std::string_view name);
const char* Name(Param param);

// The builders of the calls. BuildVector: mask, repeat, strides and a scalar by the parameters' names.
#define SFUMATO_TIK_CALL(name, opcode, builder, operands) void builder(const CallValues&, isa::Record*);
#include "frontends/tik/calls.inc"
#undef SFUMATO_TIK_CALL
// Source, destination, and the pipe of the path between them.
void SetEnds(const CallValues&, isa::Record*);
// Mask, repeat, strides and scalar alone, of a record whose operands are set.
void SetVectorParameters(const CallValues&, isa::Record*);
void ExpandMatmul(const CallValues&, const isa::Record& first, std::vector<isa::Record>*);
void ExpandConv2d(const CallValues&, const isa::Record& first, std::vector<isa::Record>*);
void ExpandFixpipe(const CallValues&, const isa::Record& first, std::vector<isa::Record>*);

}  // namespace sfumato::tik
