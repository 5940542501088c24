// SPDX-License-Identifier: Apache-2.0
// Calls of the scalar unit: dst = op(sources), scalar_conv (tik.md 1.3), and set_atomic_add.
#include <fmt/format.h>

#include <algorithm>

#include "frontends/tik/arithmetic.h"
#include "frontends/tik/program.h"
#include "isa/round_words.h"

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

// What set_atomic_add names, from 1 on: 0 is off.
constexpr DataType kAtomics[] = {DataType::kFloat, DataType::kHalf, DataType::kInt16,
                                 DataType::kInt32, DataType::kInt8, DataType::kBfloat16};

// The conversions of scalar_conv (tik.md 1.3), to and from float32.
bool IsScalarConversion(DataType from, DataType to, Rounding mode) {
    const bool none = mode == Rounding::kNone, odd = mode == Rounding::kOdd;
    if (from == DataType::kInt32 || from == DataType::kHalf) return to == DataType::kFloat && none;
    if (from != DataType::kFloat) return false;
    if (to == DataType::kHalf) return none || odd;
    return to == DataType::kInt32 && !none && !odd;
}

const ScalarCall* FindScalarCall(std::string_view name) {
    const auto* found = std::find_if(std::begin(kScalarCalls), std::end(kScalarCalls),
                                     [&](const ScalarCall& c) { return c.name == name; });
    return found == std::end(kScalarCalls) ? nullptr : found;
}

}  // namespace

// A call while it is recorded.
class Program::Impl::ScalarUnit {
public:
    ScalarUnit(Impl& program, const char* call, const Params& params, Where where)
        : p_(program), call_(call), params_(params), where_(where) {}

    void SetAtomicAdd() {
        const Value* v = FindValue(params_, "mode");
        const DataType* mode = nullptr;
        bool off = false;
        if (const auto* text = v ? std::get_if<std::string>(v) : nullptr) {
            mode = std::find_if(std::begin(kAtomics), std::end(kAtomics),
                                [&](DataType type) { return NumpyName(type) == *text; });
        } else if (v) {
            const auto* i = std::get_if<int64_t>(v);
            Number number = i ? *i : int64_t{-1};
            if (const auto* e = std::get_if<ExprId>(v); e && p_.At(*e).constant())
                number = ToNumber(p_.At(*e).type, p_.At(*e).bits);
            i = std::get_if<int64_t>(&number);
            off = i && *i == 0;
            if (i && *i >= 1 && *i <= std::ssize(kAtomics)) mode = &kAtomics[*i - 1];
        }
        if (mode == std::end(kAtomics)) mode = nullptr;
        if (!mode && !off) {
            Fail(Rule::kAtomicMode, "mode", "the mode does not exist", p_.ValueText(v ? *v : Value{}),
                 "0 (off), 1 or 'float32', 2 or 'float16', 3 or 'int16', 4 or 'int32', 5 or 'int8', 6 or 'bfloat16'");
        }
        if (mode && !(p_.chip.atomic_add >> static_cast<int>(*mode) & 1)) {
            Fail(Rule::kAtomicUnsupported, "mode", fmt::format("{} has no such atomic store", p_.chip.name),
                 NumpyName(*mode), soc::TypeList(p_.chip.atomic_add, isa::Api::kTik));
        }
        p_.AddStatement(
            {.kind = StatementKind::kSetAtomic, .a = mode != nullptr, .b = mode ? static_cast<int32_t>(*mode) : -1},
            where_);
    }

    void Convert() {
        if (!p_.chip.scalar_conv) {
            Fail(Rule::kInstructionUnsupported, "", fmt::format("{} does not have the instruction", p_.chip.name),
                 p_.chip.name, "the other chips");
        }
        const ExprId dst = Source("dst"), src = Source("src");
        const Value* m = FindValue(params_, "round_mode");
        const auto* mode = m ? std::get_if<std::string>(m) : nullptr;
        const std::string text = mode ? *mode : "";
        const DataType from = p_.At(src).type, to = p_.At(dst).type;
        const std::optional<Rounding> rounding = isa::RoundingNamed(isa::Api::kTik, text);
        if (!rounding || !IsScalarConversion(from, to, *rounding)) {
            Fail(Rule::kConversionUnsupported, "round_mode", "there is no such conversion of scalars",
                 fmt::format("{} to {}, '{}'", NumpyName(from), NumpyName(to), text),
                 "int32 to float32 and float16 to float32 ('', none), float32 to int32 (round, floor, ceil, ceiling, "
                 "away-zero, to-zero), float32 to float16 ('', none, odd)");
        }
        Expr made;
        made.op = Op::kRound;
        made.type = to;
        made.a = src.value;
        made.scope = p_.At(src).scope;
        made.b = static_cast<int32_t>(*rounding == Rounding::kNone ? Rounding::kRint : *rounding);
        Assign(dst, std::move(made));
    }

    void Compute(const ScalarCall& c) {
        const ExprId dst = Source("dst");
        const DataType type = p_.At(dst).type;
        if (type != c.types[0] && type != c.types[1]) {
            Fail(Rule::kDtype, "dst", "the type is not supported", NumpyName(type),
                 c.types[0] == c.types[1] ? NumpyName(c.types[0])
                                          : fmt::format("{}, {}", NumpyName(c.types[0]), NumpyName(c.types[1])));
        }
        Expr made;
        made.op = c.op;
        made.type = type;
        const char* names[] = {c.sources == 2 ? "src0" : "src", "src1"};
        for (int i = 0; i < c.sources; ++i) {
            const ExprId id = p_.ForStore(call_, SourceOrNumber(names[i]), type, names[i], where_);
            made.scope = i == 0 ? p_.At(id).scope : p_.Deeper(made.scope, p_.At(id).scope);
            (i == 0 ? made.a : made.b) = id.value;
        }
        Assign(dst, std::move(made));
    }

private:
    [[noreturn]] void Fail(Rule rule, const char* operand, std::string message, std::string found, std::string legal) {
        p_.Fail(call_, where_, {rule, operand, std::move(message), std::move(found), std::move(legal), ""});
    }

    ExprId Source(const char* param) {
        const Value* v = FindValue(params_, param);
        const auto* e = v ? std::get_if<ExprId>(v) : nullptr;
        if (!e)
            Fail(Rule::kParameterType, param, fmt::format("{} must be a Scalar or an Expr", param),
                 p_.ValueText(v ? *v : Value{}), "a Scalar, an Expr or an element of a Tensor");
        p_.RequireLive(call_, *e, where_);
        return *e;
    }

    ExprId SourceOrNumber(const char* param) {
        const Value* v = FindValue(params_, param);
        if (const auto* e = v ? std::get_if<ExprId>(v) : nullptr) return *e;
        if (!v || !std::holds_alternative<int64_t>(*v)) return Source(param);
        Expr n;
        n.literal = true;
        n.number = std::get<int64_t>(*v);
        n.type = DataType::kInt64;
        n.bits = FromNumber(n.type, n.number);
        return p_.Add(std::move(n));
    }

    // The destination: an expression that reads a scalar or an element of an array.
    void Assign(ExprId dst, Expr made) {
        const Expr target = p_.At(dst);
        const ExprId value = p_.Add(std::move(made));
        if (target.op == Op::kVariable) return p_.SetScalar(call_, {target.a}, value, where_);
        if (target.op == Op::kElement) return p_.SetElement(call_, {target.a}, {target.b}, value, where_);
        Fail(Rule::kParameterType, "dst", "dst must be a Scalar", "an Expr",
             "a Scalar, or an element of a ScalarArray");
    }

    Impl& p_;
    const char* call_;
    const Params& params_;
    const Where where_;
};

int64_t AtomicNumber(DataType type) {
    const auto* at = std::find(std::begin(kAtomics), std::end(kAtomics), type);
    return at == std::end(kAtomics) ? 0 : at - kAtomics + 1;
}

bool Program::Knows(std::string_view call) {
    return FindCall(call) || KnowsRegisterCall(call) || call == "scalar_conv" || call == "set_atomic_add" ||
           FindScalarCall(call);
}

bool Program::Impl::CallScalarUnit(std::string_view name, const Params& params, Where where) {
    const std::string call(name);
    ScalarUnit unit(*this, call.c_str(), params, where);
    if (name == "set_atomic_add") return unit.SetAtomicAdd(), true;
    if (name == "scalar_conv") return unit.Convert(), true;
    const ScalarCall* c = FindScalarCall(name);
    if (c) unit.Compute(*c);
    return c;
}

}  // namespace sfumato::tik
