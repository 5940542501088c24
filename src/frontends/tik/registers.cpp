// SPDX-License-Identifier: Apache-2.0
// Calls that write or read a control register (tik.md 1.10).
#include <fmt/format.h>

#include <algorithm>

#include "frontends/tik/program.h"

namespace sfumato::tik {
namespace {

struct RegisterCall {
    std::string_view name;
    ControlRegister which;
    const char* param;
    bool writes;
    int64_t most = 0;      // what is written: 0 to this
    int64_t modelled = 0;  // the last of them that has a meaning here
    const char* why = "";
};
constexpr RegisterCall kRegisterCalls[] = {
    {"set_fp2int_mode", ControlRegister::kFp2Int, "mode", true, 1, 0,
     "conversions to integers saturate; what truncation returns is not documented"},
    {"set_fp2fp_mode", ControlRegister::kFp2Fp, "mode", true, 1, 1},
    {"set_small_channel", ControlRegister::kSmallChannel, "enable", true, 1, 0,
     "the cube unit's small channels are not supported"},
    {"set_system_cache", ControlRegister::kSystemCache, "mode", true, 3, 3},
    {"set_overflow_status", ControlRegister::kOverflowStatus, "value", true, 0, 0},
    {"get_overflow_status", ControlRegister::kOverflowStatus, "status", false},
    {"mov_atomic_add_to_scalar", ControlRegister::kAtomicAdd, "scalar", false},
    {"mov_fp2int_mode_to_scalar", ControlRegister::kFp2Int, "scalar", false},
    {"mov_small_channel_to_scalar", ControlRegister::kSmallChannel, "scalar", false},
    {"mov_system_cache_to_scalar", ControlRegister::kSystemCache, "scalar", false},
};

const RegisterCall* Find(std::string_view name) {
    const auto* found = std::find_if(std::begin(kRegisterCalls), std::end(kRegisterCalls),
                                     [&](const RegisterCall& c) { return c.name == name; });
    return found == std::end(kRegisterCalls) ? nullptr : found;
}

}  // namespace

bool KnowsRegisterCall(std::string_view name) { return Find(name) != nullptr; }

bool Program::Impl::CallRegister(std::string_view name, const Params& params, Where where) {
    const RegisterCall* call = Find(name);
    if (!call) return false;
    const char* label = call->name.data();  // a literal: ends in 0
    const auto fail = [&](Rule rule, std::string message, std::string found, std::string legal) {
        Fail(label, where, {rule, call->param, std::move(message), std::move(found), std::move(legal), ""});
    };
    const Value* value = FindValue(params, call->param);
    const auto* id = value ? std::get_if<ExprId>(value) : nullptr;
    if (!call->writes) {
        const Expr target = id ? At(*id) : Expr{};
        if (target.op != Op::kVariable) {
            fail(Rule::kParameterType, fmt::format("{} must be a Scalar", call->param),
                 ValueText(value ? *value : Value{}), "a Scalar");
        }
        Expr read;
        read.op = Op::kRegister;
        read.type = DataType::kUint64;
        read.a = static_cast<int32_t>(call->which);
        SetScalar(label, {target.a}, ForStore(label, Add(std::move(read)), target.type, call->param, where), where);
        return true;
    }
    const auto* number = value ? std::get_if<int64_t>(value) : nullptr;
    const std::string legal = call->modelled == 0 ? "0" : fmt::format("0..{}", call->modelled);
    if (!number)
        fail(Rule::kParameterType, fmt::format("{} must be an int", call->param), ValueText(value ? *value : Value{}),
             legal);
    if (*number < 0 || *number > call->most) {
        fail(Rule::kParameterRange, fmt::format("{} is out of range", call->param), fmt::format("{}", *number), legal);
    }
    if (*number > call->modelled) fail(Rule::kParameterUnsupported, call->why, fmt::format("{}", *number), legal);
    AddStatement({.kind = StatementKind::kSetRegister,
                  .a = static_cast<int32_t>(call->which),
                  .b = static_cast<int32_t>(*number)},
                 where);
    return true;
}

}  // namespace sfumato::tik
