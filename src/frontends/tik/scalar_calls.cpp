// SPDX-License-Identifier: Apache-2.0
// Calls of the scalar unit: dst = op(sources), scalar_conv (tik.md 1.3), and set_atomic_add.
#include <fmt/format.h>

#include <algorithm>

#include "frontends/tik/arithmetic.h"
#include "frontends/tik/program.h"

namespace sfumato::tik {
namespace {

// The scalar unit's own calls: dst = op(sources). Types by tik.md 1.3.
struct ScalarCall {
    std::string_view name;
    Op op;
    int sources;
    DataType types[2];
};
constexpr ScalarCall kScalarCalls[] = {
    {"scalar_max", Op::kMax, 2, {DataType::kInt64, DataType::kFloat}},
    {"scalar_min", Op::kMin, 2, {DataType::kInt64, DataType::kFloat}},
    {"scalar_sqrt", Op::kSqrt, 1, {DataType::kInt64, DataType::kFloat}},
    {"scalar_abs", Op::kAbs, 1, {DataType::kInt64, DataType::kFloat}},
    {"scalar_countbit0", Op::kCountZeros, 1, {DataType::kUint64, DataType::kUint64}},
    {"scalar_countbit1", Op::kCountOnes, 1, {DataType::kUint64, DataType::kUint64}},
    {"scalar_countleading0", Op::kLeadingZeros, 1, {DataType::kUint64, DataType::kUint64}},
};

// What set_atomic_add names: 0 is off.
struct AtomicMode {
    int64_t number;
    std::string_view name;
    DataType type;
};
constexpr AtomicMode kAtomics[] = {{1, "float32", DataType::kFloat}, {2, "float16", DataType::kHalf},
                                   {3, "int16", DataType::kInt16},   {4, "int32", DataType::kInt32},
                                   {5, "int8", DataType::kInt8},     {6, "bfloat16", DataType::kBfloat16}};

struct RoundMode {
    std::string_view name;
    Rounding rounding;
};
constexpr RoundMode kRounds[] = {
    {"", Rounding::kRint},           {"none", Rounding::kRint},     {"round", Rounding::kRint},
    {"floor", Rounding::kFloor},     {"ceil", Rounding::kCeil},     {"ceiling", Rounding::kCeil},
    {"away-zero", Rounding::kRound}, {"to-zero", Rounding::kTrunc}, {"odd", Rounding::kOdd}};

// The conversions of scalar_conv (tik.md 1.3), to and from float32.
bool IsScalarConversion(DataType from, DataType to, std::string_view mode) {
    const bool none = mode == "" || mode == "none";
    if (from == DataType::kInt32 || from == DataType::kHalf) return to == DataType::kFloat && none;
    if (from != DataType::kFloat) return false;
    if (to == DataType::kHalf) return none || mode == "odd";
    return to == DataType::kInt32 && !none && mode != "odd";
}

}  // namespace

int64_t AtomicNumber(DataType type) {
    for (const AtomicMode& m : kAtomics) {
        if (m.type == type) return m.number;
    }
    return 0;
}

bool Program::Knows(std::string_view call) {
    return FindCall(call) || KnowsRegisterCall(call) || call == "scalar_conv" || call == "set_atomic_add" ||
           std::any_of(std::begin(kScalarCalls), std::end(kScalarCalls),
                       [&](const ScalarCall& c) { return c.name == call; });
}

bool Program::Impl::CallScalarUnit(std::string_view name, const Params& params, Where where) {
    const std::string owned(name);
    const char* call = owned.c_str();
    const auto fail = [&](Rule rule, const char* operand, std::string message, std::string found, std::string legal) {
        Fail(call, {rule, operand, std::move(message), std::move(found), std::move(legal), ""}, where);
    };
    const auto source = [&](const char* param) {
        const Value* v = FindValue(params, param);
        const auto* e = v ? std::get_if<ExprId>(v) : nullptr;
        if (!e)
            fail(Rule::kParameterType, param, fmt::format("{} must be a Scalar or an Expr", param),
                 ValueText(v ? *v : Value{}), "a Scalar, an Expr or an element of a Tensor");
        RequireLive(call, *e, where);
        return *e;
    };
    // The destination: an expression that reads a scalar or an element of an array.
    const auto assign = [&](ExprId dst, Expr made) {
        const Expr target = At(dst);
        const ExprId value = Add(std::move(made));
        if (target.op == Op::kVariable) return SetScalar(call, {target.a}, value, where);
        if (target.op == Op::kElement) return SetElement(call, {target.a}, {target.b}, value, where);
        fail(Rule::kParameterType, "dst", "dst must be a Scalar", "an Expr",
             "a Scalar, or an element of a ScalarArray");
    };

    if (name == "set_atomic_add") {
        const Value* v = FindValue(params, "mode");
        const AtomicMode* mode = nullptr;
        bool off = false;
        if (const auto* text = v ? std::get_if<std::string>(v) : nullptr) {
            for (const AtomicMode& m : kAtomics) mode = m.name == *text ? &m : mode;
        } else if (v) {
            const auto* i = std::get_if<int64_t>(v);
            Number number = i ? *i : int64_t{-1};
            if (const auto* e = std::get_if<ExprId>(v); e && At(*e).constant())
                number = ToNumber(At(*e).type, At(*e).bits);
            i = std::get_if<int64_t>(&number);
            off = i && *i == 0;
            for (const AtomicMode& m : kAtomics) mode = i && m.number == *i ? &m : mode;
        }
        if (!mode && !off) {
            fail(Rule::kAtomicMode, "mode", "the mode does not exist", ValueText(v ? *v : Value{}),
                 "0 (off), 1 or 'float32', 2 or 'float16', 3 or 'int16', 4 or 'int32', 5 or 'int8', 6 or 'bfloat16'");
        }
        if (mode && !(chip.atomic_add >> static_cast<int>(mode->type) & 1)) {
            fail(Rule::kAtomicUnsupported, "mode", fmt::format("{} has no such atomic store", chip.name),
                 std::string(mode->name), soc::TypeList(chip.atomic_add, isa::Api::kTik));
        }
        AddStatement({.kind = StatementKind::kSetAtomic,
                      .a = mode != nullptr,
                      .b = mode ? static_cast<int32_t>(mode->type) : -1},
                     where);
        return true;
    }
    if (name == "scalar_conv") {
        if (!chip.scalar_conv) {
            fail(Rule::kInstructionUnsupported, "", fmt::format("{} does not have the instruction", chip.name),
                 chip.name, "the other chips");
        }
        const ExprId dst = source("dst"), src = source("src");
        const Value* m = FindValue(params, "round_mode");
        const auto* mode = m ? std::get_if<std::string>(m) : nullptr;
        const std::string text = mode ? *mode : "";
        const DataType from = At(src).type, to = At(dst).type;
        if (!IsScalarConversion(from, to, text)) {
            fail(Rule::kConversionUnsupported, "round_mode", "there is no such conversion of scalars",
                 fmt::format("{} to {}, '{}'", NumpyName(from), NumpyName(to), text),
                 "int32 to float32 and float16 to float32 ('', none), float32 to int32 (round, floor, ceil, ceiling, "
                 "away-zero, to-zero), float32 to float16 ('', none, odd)");
        }
        Expr made;
        made.op = Op::kRound;
        made.type = to;
        made.a = src.value;
        made.scope = At(src).scope;
        for (const RoundMode& r : kRounds) {
            if (r.name == text) made.b = static_cast<int32_t>(r.rounding);
        }
        assign(dst, std::move(made));
        return true;
    }
    for (const ScalarCall& c : kScalarCalls) {
        if (c.name != name) continue;
        const ExprId dst = source("dst");
        const DataType type = At(dst).type;
        if (type != c.types[0] && type != c.types[1]) {
            fail(Rule::kDtype, "dst", "the type is not supported", NumpyName(type),
                 c.types[0] == c.types[1] ? NumpyName(c.types[0])
                                          : fmt::format("{}, {}", NumpyName(c.types[0]), NumpyName(c.types[1])));
        }
        Expr made;
        made.op = c.op;
        made.type = type;
        const char* names[] = {c.sources == 2 ? "src0" : "src", "src1"};
        for (int i = 0; i < c.sources; ++i) {
            const Value* v = FindValue(params, names[i]);
            const auto* e = v ? std::get_if<ExprId>(v) : nullptr;
            ExprId id = e ? *e : ExprId{};
            if (!e && v && std::holds_alternative<int64_t>(*v)) {
                Expr n;
                n.literal = true;
                n.number = std::get<int64_t>(*v);
                n.type = DataType::kInt64;
                n.bits = FromNumber(n.type, n.number);
                id = Add(std::move(n));
            } else if (!e) {
                id = source(names[i]);
            }
            id = ForStore(call, id, type, names[i], where);
            made.scope = i == 0 ? At(id).scope : Deeper(made.scope, At(id).scope);
            (i == 0 ? made.a : made.b) = id.value;
        }
        assign(dst, std::move(made));
        return true;
    }
    return false;
}

}  // namespace sfumato::tik
