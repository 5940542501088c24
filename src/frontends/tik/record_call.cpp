// SPDX-License-Identifier: Apache-2.0
// A call of the script to a node: its tensors, its parameters, and what can be checked at once.
#include <fmt/format.h>

#include <algorithm>

#include "frontends/tik/arithmetic.h"
#include "frontends/tik/program.h"

namespace sfumato::tik {

const Value* FindValue(const Params& params, std::string_view name) {
    for (const auto& [key, value] : params) {
        if (key == name) return std::holds_alternative<std::monostate>(value) ? nullptr : &value;
    }
    return nullptr;
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
        const RefNode& ref = Nth(ir.refs, a.value);
        RequireLive(call->info->name, Nth(ir.tensors, ref.tensor), where);
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

namespace {

// The words of a row: "dst", "src1?" may be absent, "src_list*4" is a list.
std::vector<TensorParam> TensorParams(std::string_view row) {
    std::vector<TensorParam> params;
    while (!row.empty()) {
        const size_t end = std::min(row.find(' '), row.size());
        TensorParam param{row.substr(0, end)};
        row.remove_prefix(std::min(end + 1, row.size()));
        param.optional = param.name.back() == '?';
        if (param.optional) param.name.remove_suffix(1);
        if (const size_t star = param.name.find('*'); star != std::string_view::npos) {
            param.count = static_cast<size_t>(std::stoi(std::string(param.name.substr(star + 1))));
            param.name = param.name.substr(0, star);
        }
        params.push_back(param);
    }
    return params;
}

}  // namespace

std::vector<int32_t> Program::Impl::TensorsOf(const CallInfo& info, const std::vector<TensorParam>& tensors,
                                              const std::vector<RefId>& refs, const Params& params, Where where) {
    std::vector<int32_t> found;
    size_t next = 0;
    for (const auto& [operand, count, optional] : tensors) {
        const Value* named = FindValue(params, operand);
        const auto* list = named && count > 1 ? std::get_if<ValueList>(named) : nullptr;
        const bool no_list = named && count > 1 && !list;
        if (no_list || (list && (list->size() > count || (list->size() < count && !optional)))) {
            Fail(info.name, where,
                 {Rule::kParameterCount, std::string(operand),
                  fmt::format("{} must be a list of {}{} Tensors", operand, optional ? "up to " : "", count),
                  ValueText(*named), fmt::format("a list of {}{} Tensors", optional ? "2 to " : "", count), ""});
        }
        for (size_t i = 0; i < count; ++i) {
            const Value* given = !list ? named : i < list->size() ? &(*list)[i] : nullptr;
            int32_t ref = -1;
            if (given) {
                if (const auto* r = std::get_if<RefId>(given)) ref = r->value;
            } else if (!named && next < refs.size()) {
                ref = refs[next++].value;
            }
            const bool absent = !given || std::holds_alternative<std::monostate>(*given);
            if (ref < 0 && (!optional || (list && !absent))) {
                const std::string item = list ? fmt::format("{}[{}]", operand, i) : std::string(operand);
                Fail(info.name, where,
                     {Rule::kParameterType, item, fmt::format("{} must be a Tensor", item),
                      given ? ValueText(*given) : "nothing", "a Tensor", ""});
            }
            if (ref >= 0) {
                const RefNode& r = Nth(ir.refs, ref);
                RequireLive(info.name, Nth(ir.tensors, r.tensor), where);
                RequireLive(info.name, ExprId{r.offset}, where);
            }
            found.push_back(ref);
        }
    }
    while (!found.empty() && found.back() < 0) found.pop_back();
    if (next < refs.size()) {
        Fail(info.name, where,
             {Rule::kParameterCount, "", "the call got more Tensors than it takes",
              fmt::format("{} Tensors", refs.size()), info.operands, ""});
    }
    return found;
}

void Program::Call(std::string_view name, const std::vector<RefId>& refs, const Params& params, Where where) {
    Impl& p = *impl_;
    where = p.Begin(std::string(name).c_str(), where);
    if (p.CallScalarUnit(name, params, where) || p.CallRegister(name, params, where)) return;
    const CallInfo* info = FindCall(name);
    if (!info) throw UnsupportedError(fmt::format("Sfumato does not implement {}", name));

    const std::vector<TensorParam> tensors = TensorParams(info->operands);
    CallNode node;
    node.info = info;
    node.refs = p.TensorsOf(*info, tensors, refs, params, where);
    for (const auto& [key, value] : params) {
        const bool ref = std::holds_alternative<RefId>(value);
        const bool taken = std::any_of(tensors.begin(), tensors.end(),
                                       [&](const auto& t) { return t.name == key && (t.count > 1 || ref); });
        if (taken || std::holds_alternative<std::monostate>(value)) continue;
        const Param param = FindParam(key);
        if (param == Param::kCount) continue;  // no builder reads it
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
        Fail(call, where,
             {Rule::kParameterType, "rsvd_scalar", "rsvd_scalar must be a Scalar", ValueText(scalar), "a Scalar", ""});
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
        Fail(call, where,
             {Rule::kParameterType, kName, "vms4_sr_scalar_array must be a ScalarArray of four",
              list ? fmt::format("{} elements", list->size()) : ValueText(array), "a ScalarArray of 4 or more", ""});
    }
    for (size_t i = 0; i < kQueues; ++i) {
        const auto* id = std::get_if<ExprId>(&(*list)[i]);
        const Expr target = id ? At(*id) : Expr{};
        if (target.op != Op::kElement) {
            Fail(call, where,
                 {Rule::kParameterType, kName, "an item is no element of a ScalarArray", ValueText((*list)[i]),
                  "a ScalarArray of 4 or more", ""});
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
