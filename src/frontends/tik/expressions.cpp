// SPDX-License-Identifier: Apache-2.0
// Expressions: typing (tik.md 3.10) and folding.
#include <fmt/format.h>

#include "frontends/tik/arithmetic.h"
#include "frontends/tik/program.h"

namespace sfumato::tik {
namespace {

constexpr const char* kExpr = "Expr";

struct OpName {
    std::string_view name;
    Op op;
};
constexpr OpName kBinary[] = {{"+", Op::kAdd},        {"-", Op::kSub},           {"*", Op::kMul},
                              {"/", Op::kDiv},        {"//", Op::kDiv},          {"%", Op::kMod},
                              {"<<", Op::kShiftLeft}, {">>", Op::kShiftRight},   {"&", Op::kAnd},
                              {"|", Op::kOr},         {"^", Op::kXor},           {"==", Op::kEqual},
                              {"!=", Op::kNotEqual},  {"<", Op::kLess},          {"<=", Op::kLessEqual},
                              {">", Op::kGreater},    {">=", Op::kGreaterEqual}, {"and", Op::kLogicalAnd},
                              {"or", Op::kLogicalOr}, {"min", Op::kMin},         {"max", Op::kMax}};
constexpr OpName kUnary[] = {{"neg", Op::kNegate}, {"-", Op::kNegate}, {"~", Op::kInvert}, {"not", Op::kLogicalNot}};

template <size_t kCount>
Op FindOp(const OpName (&table)[kCount], std::string_view name) {
    for (const OpName& row : table) {
        if (row.name == name) return row.op;
    }
    throw Error(fmt::format("internal: '{}' is no operator", name));
}

bool IsComparison(Op op) { return op >= Op::kEqual && op <= Op::kGreaterEqual; }
bool IsLogical(Op op) { return op == Op::kLogicalAnd || op == Op::kLogicalOr; }
bool TakesFloats(Op op) {
    return op == Op::kAdd || op == Op::kSub || op == Op::kMul || op == Op::kDiv || op == Op::kMin || op == Op::kMax ||
           IsComparison(op);
}

// Wider wins; int with float is the float; of one width unsigned wins; ties take the left.
DataType CommonType(DataType a, DataType b) {
    if (IsFloating(a) != IsFloating(b)) return IsFloating(a) ? a : b;
    if (BitsOf(a) != BitsOf(b)) return BitsOf(a) > BitsOf(b) ? a : b;
    return !IsFloating(a) && IsSigned(a) ? b : a;
}

DataType TypeOfNumber(const Number& n) {
    if (std::holds_alternative<double>(n)) return DataType::kFloat;
    if (std::holds_alternative<uint64_t>(n)) {
        return std::get<uint64_t>(n) <= INT64_MAX ? DataType::kInt64 : DataType::kUint64;
    }
    const int64_t i = std::get<int64_t>(n);
    return i >= INT32_MIN && i <= INT32_MAX ? DataType::kInt32 : DataType::kInt64;
}

bool IsFraction(const Expr& e) {
    const auto* d = std::get_if<double>(&e.number);
    return e.literal && d && *d != std::floor(*d);
}

}  // namespace

ExprId Program::Impl::Add(Expr expr) {
    ir.exprs.push_back(std::move(expr));
    return {static_cast<int32_t>(ir.exprs.size() - 1)};
}

ExprId Program::Impl::ToType(ExprId id, DataType type) {
    const Expr e = At(id);
    if (e.type == type) return id;
    Expr made;
    made.type = type;
    if (e.constant()) {
        made.bits = e.literal ? FromNumber(type, e.number) : ConvertValue(e.type, type, e.bits);
        return Add(made);
    }
    made.op = Op::kConvert;
    made.a = id.value;
    made.scope = e.scope;
    return Add(made);
}

ExprId Program::Impl::RequireInteger(const char* call, const char* operand, ExprId id, Where where) {
    RequireLive(call, id, where);
    const Expr& e = At(id);
    if (!IsFloating(e.type)) return id;
    Fail(call, where,
         {Rule::kParameterType, operand, fmt::format("{} must be an integer", operand),
          e.literal ? fmt::format("{}", std::get<double>(e.number)) : fmt::format("a value of {}", NumpyName(e.type)),
          "an int, or a Scalar or Expr of an integer type",
          IsFraction(e) || !e.literal ? "" : "use // for whole numbers"});
}

Program::Program(std::string_view chip) : impl_(std::make_unique<Impl>(chip)) {
    if (impl_->chip.tik) return;
    throw UnsupportedError(fmt::format("{} has no TIK", impl_->chip.name));
}
Program::~Program() = default;

ExprId Program::Immediate(Number value, Where) {
    Expr e;
    e.type = TypeOfNumber(value);
    e.literal = true;
    e.bits = FromNumber(e.type, value);
    e.number = value;
    return impl_->Add(std::move(e));
}

ExprId Program::Immediate(Number value, std::string_view type, Where where) {
    Expr e;
    e.type = impl_->ParseType(kExpr, type, where);
    e.bits = FromNumber(e.type, value);
    return impl_->Add(std::move(e));
}

ExprId Program::Variable(ScalarId id, Where where) {
    const ScalarNode& scalar = Nth(impl_->ir.scalars, id.value);
    impl_->RequireLive(kExpr, scalar, where);
    Expr e;
    e.op = Op::kVariable;
    e.type = scalar.type;
    e.a = id.value;
    e.scope = scalar.scope;
    return impl_->Add(std::move(e));
}

ExprId Program::Element(ScalarId id, ExprId index, Where where) {
    index = impl_->RequireInteger("ScalarArray", "index", index, where);
    const ScalarNode& array = Nth(impl_->ir.scalars, id.value);
    impl_->RequireLive("ScalarArray", array, where);
    const Expr& i = impl_->At(index);
    if (i.constant() && i.bits >= array.length) {
        impl_->Fail(
            "ScalarArray", where,
            {Rule::kScalarIndex, array.name, "the index lies outside the array",
             fmt::format("index {}", static_cast<int64_t>(i.bits)), fmt::format("0..{}", array.length - 1), ""});
    }
    Expr e;
    e.op = Op::kElement;
    e.type = array.type;
    e.a = id.value;
    e.b = index.value;
    e.scope = impl_->Deeper(array.scope, i.scope);
    return impl_->Add(std::move(e));
}

ExprId Program::Load(RefId id, Where where) {
    const RefNode& ref = Nth(impl_->ir.refs, id.value);
    const TensorNode& tensor = Nth(impl_->ir.tensors, ref.tensor);
    impl_->RequireLive("Tensor", tensor, where);
    const bool gm = tensor.memory == isa::Memory::kGm;
    if ((tensor.memory != isa::Memory::kUb && !gm) || (gm && !impl_->chip.scalar_gm_load)) {
        impl_->Fail("set_as", where,
                    {Rule::kScalarPosition, tensor.name, "the scalar unit cannot read this memory",
                     fmt::format("an element of a Tensor in {}", isa::Name(tensor.memory)),
                     impl_->chip.scalar_gm_load ? "a Tensor in UB or GM" : "a Tensor in UB",
                     "move the data to UB with data_move first"});
    }
    Expr e;
    e.op = Op::kLoad;
    e.type = ref.type;
    e.a = id.value;
    e.scope = impl_->Deeper(tensor.scope, Nth(impl_->ir.exprs, ref.offset).scope);
    return impl_->Add(std::move(e));
}

ExprId Program::Unary(std::string_view name, ExprId a, Where where) {
    const Op op = FindOp(kUnary, name);
    const Expr e = impl_->At(a);
    const auto refuse = [&](const char* message, const char* legal) {
        const std::string_view sign = op == Op::kNegate ? "-" : name;
        impl_->Fail(kExpr, where,
                    {Rule::kExprType, "", message, fmt::format("{}{}", sign, NumpyName(e.type)), legal, ""});
    };
    if (op == Op::kNegate && !IsSigned(e.type) && !IsFloating(e.type)) {
        refuse("an unsigned value cannot be negated", "a signed or floating-point type");
    }
    if (op == Op::kInvert && IsFloating(e.type)) refuse("~ takes integers", "an integer type");
    if (e.type == DataType::kBfloat16) refuse("there is no arithmetic in bfloat16", "convert to float32 first");
    Expr made;
    made.type = op == Op::kLogicalNot ? DataType::kInt32 : e.type;
    made.condition = op == Op::kLogicalNot;
    made.scope = e.scope;
    if (e.constant()) {
        made.bits = Apply(op, e.type, e.bits);
        made.literal = e.literal && op != Op::kLogicalNot;
        if (made.literal) {
            made.number = ToNumber(made.type, made.bits);
            if (const auto* d = std::get_if<double>(&e.number)) made.number = -*d;
        }
    } else {
        made.op = op;
        made.a = a.value;
    }
    return impl_->Add(std::move(made));
}

ExprId Program::Binary(std::string_view name, ExprId a, ExprId b, Where where) {
    const Op op = FindOp(kBinary, name);
    Expr x = impl_->At(a), y = impl_->At(b);
    const auto refuse = [&](const char* message, DataType type, const char* legal, const char* hint) {
        impl_->Fail(
            kExpr, where,
            {Rule::kExprType, "", message,
             fmt::format("{} {} {}, in {}", NumpyName(x.type), name, NumpyName(y.type), NumpyName(type)), legal, hint});
    };
    DataType type = DataType::kInt32;
    if (IsLogical(op)) {
        if (IsFloating(x.type) || IsFloating(y.type)) {
            refuse("a condition is a comparison or an integer", CommonType(x.type, y.type), "comparisons", "");
        }
    } else {
        // A number takes the type of the other side; a fraction beside an integer makes both float32.
        if (x.literal != y.literal) {
            Expr& number = x.literal ? x : y;
            const Expr& other = x.literal ? y : x;
            type = IsFraction(number) && !IsFloating(other.type) ? DataType::kFloat : other.type;
        } else {
            type = CommonType(x.type, y.type);
        }
        if (x.literal && y.literal && IsSigned(type) && BitsOf(type) < 64) type = DataType::kInt64;
        if (type == DataType::kBfloat16) {
            refuse("there is no arithmetic in bfloat16", type, "float16, float32 and integers", "use scalar_conv");
        }
        if (IsFloating(type) && !TakesFloats(op)) refuse("the operator takes integers", type, "integer types", "");
        const bool compares_floats = IsComparison(op) && IsFloating(type);
        if (compares_floats && (type == DataType::kHalf || !impl_->chip.scalar_float_compare)) {
            refuse("the scalar unit cannot compare this type", type,
                   impl_->chip.scalar_float_compare ? "float32 and integers" : "integers",
                   "compare with vec_cmpv, or convert with scalar_conv");
        }
        a = impl_->ToType(a, type);
        b = impl_->ToType(b, type);
    }
    const Expr &left = impl_->At(a), &right = impl_->At(b);
    Expr made;
    made.condition = IsLogical(op) || IsComparison(op);
    made.type = made.condition ? DataType::kInt32 : type;
    made.scope = impl_->Deeper(left.scope, right.scope);
    const bool divides = (op == Op::kDiv || op == Op::kMod) && !IsFloating(type);
    if (divides && right.constant() && right.bits == 0) {
        impl_->Fail(kExpr, where,
                    {Rule::kDivisionByZero, "", "an integer is divided by zero",
                     fmt::format("{} {} 0", NumpyName(type), name), "a divisor other than 0", ""});
    }
    if (left.constant() && right.constant()) {
        Apply(op, type, left.bits, right.bits, &made.bits);
        made.literal = x.literal && y.literal && !made.condition;
        if (made.literal) {
            made.number = ToNumber(type, made.bits);
            made.type = TypeOfNumber(made.number);
            made.bits = FromNumber(made.type, made.number);
        }
    } else {
        made.op = op;
        made.a = a.value;
        made.b = b.value;
    }
    return impl_->Add(std::move(made));
}

ExprId Program::Convert(ExprId a, std::string_view type, Where where) {
    return impl_->ToType(a, impl_->ParseType(kExpr, type, where));
}

ExprId Program::Reinterpret(ExprId a, std::string_view name, Where where) {
    const DataType type = impl_->ParseType(kExpr, name, where);
    const Expr e = impl_->At(a);
    if (BitsOf(type) != BitsOf(e.type)) {
        impl_->Fail("reinterpret_cast_to", where,
                    {Rule::kExprType, "dtype", "the types have different sizes",
                     fmt::format("{} as {}", NumpyName(e.type), NumpyName(type)), "a type of the same size", ""});
    }
    Expr made;
    made.type = type;
    made.scope = e.scope;
    if (e.constant()) {
        made.bits = FromMemory(type, ToMemory(e.type, e.bits));
    } else {
        made.op = Op::kReinterpret;
        made.a = a.value;
    }
    return impl_->Add(std::move(made));
}

std::string Program::TypeOf(ExprId id) const {
    const Expr& e = impl_->At(id);
    return e.condition ? "bool" : NumpyName(e.type);
}

bool Program::Constant(ExprId id, Number* value) const {
    const Expr& e = impl_->At(id);
    if (!e.constant()) return false;
    *value = e.literal ? e.number : ToNumber(e.type, e.bits);
    return true;
}

}  // namespace sfumato::tik
