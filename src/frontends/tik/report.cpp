// SPDX-License-Identifier: Apache-2.0
// Build-time mistakes as reports; names and types.
#include <fmt/format.h>

#include <cctype>

#include "frontends/tik/program.h"

namespace sfumato::tik {

TikError::TikError(Report report) : Error(report.Text()), report_(std::move(report)) {}

void Program::Impl::Fail(const char* call, Where where, Finding finding) const {
    throw TikError(Stamped(ToReport(std::move(finding), call, where), chip.name, ir.kernel));
}

Where Program::Impl::Begin(const char* call, Where where) {
    where = Keep(where);
    if (!ir.frozen) return where;
    Fail(call, where,
         {Rule::kProgramFrozen, "", "the kernel is built: nothing can be added to it",
          fmt::format("a call after BuildCCE of '{}'", ir.kernel), "calls before BuildCCE",
          "make another tik.Tik() for another kernel"});
}

std::string Program::Impl::ValueText(const Value& value) const {
    if (const auto* text = std::get_if<std::string>(&value)) return fmt::format("'{}'", *text);
    if (const auto* list = std::get_if<ValueList>(&value)) return fmt::format("a list of {}", list->size());
    if (const auto* i = std::get_if<int64_t>(&value)) return NumberText(*i);
    if (const auto* u = std::get_if<uint64_t>(&value)) return NumberText(*u);
    if (const auto* d = std::get_if<double>(&value)) return NumberText(*d);
    if (std::holds_alternative<RefId>(value)) return "a Tensor";
    const auto* id = std::get_if<ExprId>(&value);
    if (!id) return "None";
    const Expr& e = Nth(ir.exprs, id->value);
    if (e.literal) return NumberText(e.number);
    return fmt::format("{} of {}", e.op == Op::kVariable ? "a Scalar" : "an Expr", NumpyName(e.type));
}

DataType Program::Impl::ParseType(const char* call, std::string_view name, Where where) const {
    for (int i = 0; i < kDataTypeCount; ++i) {
        const auto t = static_cast<DataType>(i);
        if (name == NumpyName(t)) return t;
    }
    std::string legal;
    for (int i = 0; i < kDataTypeCount; ++i) {
        legal += fmt::format("{}{}", i ? ", " : "", NumpyName(static_cast<DataType>(i)));
    }
    Fail(call, where, {Rule::kDtype, "dtype", "the element type does not exist", fmt::format("'{}'", name), legal, ""});
}

void Program::Impl::CheckName(const char* call, std::string_view name, Where where) const {
    bool legal = !name.empty() && !std::isdigit(static_cast<unsigned char>(name[0]));
    for (const char c : name) legal = legal && (std::isalnum(static_cast<unsigned char>(c)) || c == '_');
    if (legal) return;
    Fail(call, where,
         {Rule::kName, "name", "the name is not legal", fmt::format("'{}'", name),
          "letters, digits and underscores, no digit first", ""});
}

void Program::Impl::RequireLive(const char* call, const ScalarNode& scalar, Where where) const {
    if (IsOpen(scalar.scope)) return;
    Fail(call, where,
         {Rule::kScalarScope, scalar.name, fmt::format("Scalar {} is not defined in this scope", scalar.name),
          fmt::format("made at line {} in a scope that has ended", scalar.where.line),
          "a Scalar lives until the end of the `with` block it was made in", "make it before that block"});
}

void Program::Impl::RequireLive(const char* call, const TensorNode& tensor, Where where) const {
    if (IsOpen(tensor.scope)) return;
    Fail(call, where,
         {Rule::kTensorScope, tensor.name, fmt::format("Tensor {} is not defined in this scope", tensor.name),
          fmt::format("made at line {} in a scope that has ended", tensor.where.line),
          "a local Tensor lives until the end of the `with` block it was made in", "make it before that block"});
}

void Program::Impl::RequireLive(const char* call, ExprId id, Where where) const {
    const Expr& e = Nth(ir.exprs, id.value);
    if (IsOpen(e.scope)) return;
    if (e.op == Op::kVariable || e.op == Op::kElement) {
        RequireLive(call, Nth(ir.scalars, e.a), where);
    }
    const int32_t line = Nth(ir.scopes, e.scope).statement;
    Fail(call, where,
         {Rule::kExprScope, "", "the Expr reads what is not defined in this scope",
          fmt::format("a Scalar or Tensor of the block at line {}, which has ended",
                      line < 0 ? 0 : Nth(ir.statements, line).where.line),
          "Scalars and local Tensors live until the end of the `with` block they were made in",
          "keep the value in a Scalar made before that block"});
}

}  // namespace sfumato::tik
