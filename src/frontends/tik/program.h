// SPDX-License-Identifier: Apache-2.0
// What Program holds while a script is recorded: the representation, the scopes, the memory that is taken.
#pragma once

#include <array>
#include <string>

#include "check/check.h"
#include "frontends/tik/calls.h"
#include "frontends/tik/fault.h"
#include "frontends/tik/ir.h"

namespace sfumato::tik {

// A parameter of a call that is a Tensor, or a list of `count`.
struct TensorParam {
    std::string_view name;
    size_t count = 1;
    bool optional = false;
};

struct Program::Impl {
    explicit Impl(std::string_view chip_name) : chip(soc::FindChip(chip_name)) {
        ir.scopes.emplace_back();
        marks.emplace_back();
    }

    soc::Chip chip;
    Ir ir;
    int32_t scope = 0;                                           // the innermost open one
    std::array<uint64_t, isa::kMemoryCount> used{};              // bytes taken from the start of each memory
    std::vector<std::array<uint64_t, isa::kMemoryCount>> marks;  // what was taken where each scope began
    std::vector<check::GmRange> gm_range;
    int32_t open_chain = -1;  // the clause an elif or else may follow: its kEnd is the last statement

    // The text lives as long as the program.
    const char* Intern(std::string_view text) { return ir.texts.emplace(text).first->c_str(); }
    Where Keep(Where where) { return {Intern(where.file ? where.file : ""), where.line}; }
    [[noreturn]] void Fail(const char* call, Where where, Finding finding) const;
    // A call that changes the program, which the script may still do. Returns the place in a text that lives on.
    Where Begin(const char* call, Where where);

    DataType ParseType(const char* call, std::string_view name, Where where) const;
    void CheckName(const char* call, std::string_view name, Where where) const;

    Expr& At(ExprId id) { return Nth(ir.exprs, id.value); }
    ExprId Add(Expr expr);
    // The deeper of two scopes on one path.
    int32_t Deeper(int32_t a, int32_t b) const { return Nth(ir.scopes, a).depth >= Nth(ir.scopes, b).depth ? a : b; }
    bool IsOpen(int32_t s) const { return Nth(ir.scopes, s).open; }
    // Refuses an expression that reads what no longer exists.
    void RequireLive(const char* call, ExprId id, Where where) const;
    void RequireLive(const char* call, const ScalarNode& scalar, Where where) const;
    void RequireLive(const char* call, const TensorNode& tensor, Where where) const;

    ExprId ToType(ExprId id, DataType type);
    // A value about to be stored in a scalar or an element of `type`; `to` names it in reports.
    ExprId ForStore(const char* call, ExprId value, DataType type, std::string_view to, Where where);
    // An integer that indexes or counts.
    ExprId RequireInteger(const char* call, const char* operand, ExprId id, Where where);

    ScalarId AddScalar(ScalarKind kind, const char* call, std::string_view type, uint32_t length, std::string_view name,
                       Where where);
    uint64_t ElementsOf(const std::vector<int64_t>& shape, Where where) const;
    void PlaceInGm(TensorNode* tensor);
    void PlaceOnChip(TensorNode* tensor);
    void SetCopies(TensorNode* tensor) const;
    int32_t AddStatement(Statement statement, Where where);
    void OpenScope(Scope::Kind kind, int32_t statement, bool disable_sync);
    class ScalarUnit;
    bool CallScalarUnit(std::string_view name, const Params& params, Where where);
    bool CallRegister(std::string_view name, const Params& params, Where where);
    // What was given, for reports: "3", "'up'", "a list of 3", "a Tensor".
    std::string ValueText(const Value& value) const;
    // The tensors of a call in the order of its row, -1 for those that are absent. Those in `refs` are not named.
    std::vector<int32_t> TensorsOf(const CallInfo& info, const std::vector<TensorParam>& tensors,
                                   const std::vector<RefId>& refs, const Params& params, Where where);
    CallArgument ToArgument(CallNode* call, Param param, const Value& value, Where where);
    // Checks a call whose parameters are all known; keeps its record when nothing else in it can change.
    void VerifyCall(CallNode* call, Where where);
    // The same of a call that becomes several records.
    void VerifySteps(CallNode* call, Where where);

    void SetScalar(const char* call, ScalarId id, ExprId value, Where where);
    void StoreCount(const char* call, const Value& scalar, Where where);
    void StoreCounts(const char* call, const Value& array, Where where);
    void SetElement(const char* call, ScalarId id, ExprId index, ExprId value, Where where);
};

// set_fp2fp_mode and the like: CallRegister takes the name.
bool KnowsRegisterCall(std::string_view name);

// The parameter; nullptr where it is None or not given.
const Value* FindValue(const Params& params, std::string_view name);

// "local.UB" and the like; kNone when there is none of that name.
isa::Memory FindScope(std::string_view name);

}  // namespace sfumato::tik
