// SPDX-License-Identifier: Apache-2.0
// A call of the script to a node: its tensors, its parameters, and what can be checked at once.
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

const Value* FindValue(const Params& params, std::string_view name) {
    for (const auto& [key, value] : params) {
        if (key == name) return std::holds_alternative<std::monostate>(value) ? nullptr : &value;
    }
    return nullptr;
}

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
    const auto fail = [&](const char* rule, const char* operand, std::string message, std::string found,
                          std::string legal) {
        Fail(call, {rule, operand, std::move(message), std::move(found), std::move(legal), ""}, where);
    };
    const auto source = [&](const char* param) {
        const Value* v = FindValue(params, param);
        const auto* e = v ? std::get_if<ExprId>(v) : nullptr;
        if (!e)
            fail("parameter-type", param, fmt::format("{} must be a Scalar or an Expr", param), "another value",
                 "a Scalar, an Expr or an element of a Tensor");
        RequireLive(call, *e, where);
        return *e;
    };
    // The destination: an expression that reads a scalar or an element of an array.
    const auto assign = [&](ExprId dst, Expr made) {
        const Expr target = At(dst);
        const ExprId value = Add(std::move(made));
        if (target.op == Op::kVariable) return SetScalar(call, {target.a}, value, where);
        if (target.op == Op::kElement) return SetElement(call, {target.a}, {target.b}, value, where);
        fail("parameter-type", "dst", "dst must be a Scalar", "an Expr", "a Scalar, or an element of a ScalarArray");
    };

    if (name == "set_atomic_add") {
        const Value* v = FindValue(params, "mode");
        const AtomicMode* mode = nullptr;
        bool off = false;
        Number number = int64_t{-1};
        if (const auto* text = v ? std::get_if<std::string>(v) : nullptr) {
            for (const AtomicMode& m : kAtomics) mode = m.name == *text ? &m : mode;
        } else if (v) {
            if (const auto* i = std::get_if<int64_t>(v)) number = *i;
            if (const auto* e = std::get_if<ExprId>(v); e && At(*e).constant())
                number = ToNumber(At(*e).type, At(*e).bits);
            const auto* i = std::get_if<int64_t>(&number);
            off = i && *i == 0;
            for (const AtomicMode& m : kAtomics) mode = i && m.number == *i ? &m : mode;
        }
        if (!mode && !off) {
            const auto* text = v ? std::get_if<std::string>(v) : nullptr;
            const auto* i = std::get_if<int64_t>(&number);
            const bool known = i && *i != -1;
            fail("atomic-mode", "mode", "the mode does not exist",
                 text ? fmt::format("'{}'", *text) : known ? fmt::format("{}", *i) : "another value",
                 "0 (off), 1 or 'float32', 2 or 'float16', 3 or 'int16', 4 or 'int32', 5 or 'int8', 6 or 'bfloat16'");
        }
        if (mode && !(chip.atomic_add >> static_cast<int>(mode->type) & 1)) {
            fail("atomic-unsupported", "mode", fmt::format("{} has no such atomic store", chip.name),
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
            fail("instruction-unsupported", "", fmt::format("{} does not have the instruction", chip.name), chip.name,
                 "the other chips");
        }
        const ExprId dst = source("dst"), src = source("src");
        const Value* m = FindValue(params, "round_mode");
        const auto* mode = m ? std::get_if<std::string>(m) : nullptr;
        const std::string text = mode ? *mode : "";
        const DataType from = At(src).type, to = At(dst).type;
        if (!IsScalarConversion(from, to, text)) {
            fail("conversion-unsupported", "round_mode", "there is no such conversion of scalars",
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
            fail("dtype", "dst", "the type is not supported", NumpyName(type),
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

CallArgument Program::Impl::ToArgument(CallNode* call, Param param, const Value& value, Where where) {
    CallArgument a;
    a.param = param;
    const auto number = [&](const Number& n) {
        Expr e;
        e.literal = true;
        e.number = n;
        e.type = std::holds_alternative<double>(n)     ? DataType::kFloat
                 : std::holds_alternative<uint64_t>(n) ? DataType::kUint64
                                                       : DataType::kInt64;
        e.bits = FromNumber(e.type, n);
        a.value = Add(std::move(e)).value;
        a.literal = true;
    };
    if (const auto* e = std::get_if<ExprId>(&value)) {
        RequireLive(call->info->name, *e, where);
        a.value = e->value;
        a.literal = At(*e).literal;
    } else if (const auto* r = std::get_if<RefId>(&value)) {
        a.kind = CallArgument::Kind::kRef;
        a.value = r->value;
        const RefNode& ref = ir.refs[static_cast<size_t>(a.value)];
        RequireLive(call->info->name, ir.tensors[static_cast<size_t>(ref.tensor)], where);
    } else if (const auto* i = std::get_if<int64_t>(&value)) {
        number(*i);
    } else if (const auto* u = std::get_if<uint64_t>(&value)) {
        number(*u);
    } else if (const auto* d = std::get_if<double>(&value)) {
        number(*d);
    } else if (const auto* s = std::get_if<std::string>(&value)) {
        a.kind = CallArgument::Kind::kText;
        a.value = static_cast<int32_t>(call->texts.size());
        call->texts.push_back(*s);
    } else if (const auto* list = std::get_if<ValueList>(&value)) {
        std::vector<CallArgument> items;
        for (const Value& item : *list) items.push_back(ToArgument(call, param, item, where));
        a.kind = CallArgument::Kind::kList;
        a.value = static_cast<int32_t>(call->items.size());
        a.count = static_cast<int32_t>(items.size());
        call->items.insert(call->items.end(), items.begin(), items.end());
    }
    return a;
}

void Program::Call(std::string_view name, const std::vector<RefId>& refs, const Params& params, Where where) {
    Impl& p = *impl_;
    where = p.Keep(where);
    const std::string owned(name);
    p.RequireOpen(owned.c_str(), where);
    if (p.CallScalarUnit(name, params, where) || p.CallRegister(name, params, where)) return;
    const CallInfo* info = FindCall(name);
    if (!info) throw UnsupportedError(fmt::format("{}: the call is not implemented", name));

    CallNode node;
    node.info = info;
    // The tensors in the order of the row; what is among the parameters, or absent, is not among them.
    size_t next = 0;
    std::string_view rest = info->operands;
    while (!rest.empty()) {
        const size_t end = std::min(rest.find(' '), rest.size());
        std::string_view operand = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        const bool optional = operand.back() == '?';
        if (optional) operand.remove_suffix(1);
        int count = 1;
        if (const size_t star = operand.find('*'); star != std::string_view::npos) {
            count = std::stoi(std::string(operand.substr(star + 1)));
            operand = operand.substr(0, star);
        }
        const Value* named = FindValue(params, operand);
        for (int i = 0; i < count; ++i) {
            int32_t ref = -1;
            if (named) {
                if (const auto* r = std::get_if<RefId>(named)) ref = r->value;
            } else if (next < refs.size()) {
                ref = refs[next++].value;
            }
            if (ref < 0 && !optional) {
                p.Fail(info->name,
                       {"parameter-type", std::string(operand), fmt::format("{} must be a Tensor", operand),
                        named ? "another value" : "nothing", "a Tensor", ""},
                       where);
            }
            if (ref >= 0) {
                const RefNode& r = p.ir.refs[static_cast<size_t>(ref)];
                p.RequireLive(info->name, p.ir.tensors[static_cast<size_t>(r.tensor)], where);
                p.RequireLive(info->name, ExprId{r.offset}, where);
            }
            node.refs.push_back(ref);
        }
    }
    while (!node.refs.empty() && node.refs.back() < 0) node.refs.pop_back();
    if (next < refs.size()) {
        p.Fail(info->name,
               {"parameter-count", "", "the call got more Tensors than it takes", fmt::format("{}", refs.size()),
                info->operands, ""},
               where);
    }
    for (const auto& [key, value] : params) {
        if (std::holds_alternative<std::monostate>(value) || std::holds_alternative<RefId>(value)) continue;
        const Param param = FindParam(key);
        // No builder reads them: they are written.
        if (param == Param::kCount || param == Param::rsvd_scalar || param == Param::vms4_sr_scalar_array) continue;
        node.arguments.push_back(p.ToArgument(&node, param, value, where));
    }
    p.VerifyCall(&node, where);
    p.AddStatement({.kind = StatementKind::kCall, .a = static_cast<int32_t>(p.ir.calls.size())}, where);
    p.ir.calls.push_back(std::move(node));
    if (const Value* count = FindValue(params, "rsvd_scalar")) p.StoreCount(info->name, *count, where);
    if (const Value* counts = FindValue(params, "vms4_sr_scalar_array")) p.StoreCounts(info->name, *counts, where);
}

// rsvd_scalar of vreduce: the elements it wrote.
void Program::Impl::StoreCount(const char* call, const Value& scalar, Where where) {
    const auto* id = std::get_if<ExprId>(&scalar);
    if (!id || At(*id).op != Op::kVariable) {
        Fail(call, {"parameter-type", "rsvd_scalar", "rsvd_scalar must be a Scalar", "another value", "a Scalar", ""},
             where);
    }
    Expr count;
    count.op = Op::kRsvdCount;
    count.type = DataType::kUint64;
    const ScalarId target{At(*id).a};
    SetScalar(call, target, ForStore(call, Add(std::move(count)), At(*id).type, "rsvd_scalar", where), where);
}

// vms4_sr_scalar_array of a merge: the records it took from each queue.
void Program::Impl::StoreCounts(const char* call, const Value& array, Where where) {
    constexpr const char* kName = "vms4_sr_scalar_array";
    constexpr size_t kQueues = isa::MergeQueues::kMost;
    const auto* list = std::get_if<ValueList>(&array);
    if (!list || list->size() < kQueues) {
        Fail(call,
             {"parameter-type", kName, "vms4_sr_scalar_array must be a ScalarArray of four",
              list ? fmt::format("{} elements", list->size()) : "another value", "a ScalarArray of 4 or more", ""},
             where);
    }
    for (size_t i = 0; i < kQueues; ++i) {
        const auto* id = std::get_if<ExprId>(&(*list)[i]);
        const Expr target = id ? At(*id) : Expr{};
        if (target.op != Op::kElement) {
            Fail(call, {"parameter-type", kName, "an item is no element of a ScalarArray", "another value",
                        "a ScalarArray of 4 or more", ""},
                 where);
        }
        Expr count;
        count.op = Op::kMergeCount;
        count.type = DataType::kUint64;
        count.b = static_cast<int32_t>(i);
        const ExprId value = ForStore(call, Add(std::move(count)), target.type, kName, where);
        SetElement(call, {target.a}, {target.b}, value, where);
    }
}

}  // namespace sfumato::tik
