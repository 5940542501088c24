// SPDX-License-Identifier: Apache-2.0
// The table of calls, and how builders read parameters.
#include "frontends/tik/calls.h"

#include <fmt/format.h>

#include <cmath>
#include <map>

#include "frontends/tik/fault.h"

namespace sfumato::tik {
namespace {

constexpr CallInfo kCalls[] = {
#define SFUMATO_TIK_CALL(name, opcode, builder, operands) {name, isa::Opcode::opcode, builder, operands},
#include "frontends/tik/calls.inc"
#undef SFUMATO_TIK_CALL
    // The calls that become several records.
    {"matmul", isa::Opcode::mmad, nullptr, "dst a b bias?", ExpandMatmul},
    {"conv2d", isa::Opcode::mmad, nullptr, "dst feature_map weight bias?", ExpandConv2d},
    {"fixpipe", isa::Opcode::fixpipe, nullptr, "dst src", ExpandFixpipe},
};

constexpr const char* kParams[] = {
#define SFUMATO_TIK_PARAM(name) #name,
#include "frontends/tik/params.inc"
#undef SFUMATO_TIK_PARAM
};

// As a signed or an unsigned integer of that many bits, below 64: -1 and 65535 are both 16 bits.
bool FitsBits(const Number& number, uint32_t bits) {
    const double least = -std::ldexp(1.0, static_cast<int>(bits) - 1), end = std::ldexp(1.0, static_cast<int>(bits));
    return std::visit([&](auto n) { return static_cast<double>(n) >= least && static_cast<double>(n) < end; }, number);
}

}  // namespace

const CallInfo* FindCall(std::string_view name) {
    static const std::map<std::string_view, const CallInfo*> index = [] {
        std::map<std::string_view, const CallInfo*> m;
        for (const CallInfo& c : kCalls) m.emplace(c.name, &c);
        return m;
    }();
    const auto found = index.find(name);
    return found == index.end() ? nullptr : found->second;
}

Param FindParam(std::string_view name) {
    static const std::map<std::string_view, Param> index = [] {
        std::map<std::string_view, Param> m;
        for (size_t i = 0; i < std::size(kParams); ++i) m.emplace(kParams[i], static_cast<Param>(i));
        return m;
    }();
    const auto found = index.find(name);
    return found == index.end() ? Param::kCount : found->second;
}

const char* Name(Param param) { return param < Param::kCount ? Nth(kParams, param) : "?"; }

std::string NumberText(const Number& number) {
    const auto* real = std::get_if<double>(&number);
    if (real && *real == std::floor(*real) && std::abs(*real) < 1e15) return fmt::format("{:.1f}", *real);
    return std::visit([](auto n) { return fmt::format("{}", n); }, number);
}

std::string CallValues::Given(const CallArgument* a) const {
    if (!a) return "None";
    switch (a->kind) {
        case CallArgument::Kind::kText: return fmt::format("'{}'", Nth(call_.texts, a->value));
        case CallArgument::Kind::kList: return fmt::format("a list of {}", a->count);
        case CallArgument::Kind::kRef: return "a Tensor";
        case CallArgument::Kind::kExpr: break;
    }
    if (a->value < 0) return "None";
    const Expr& e = ExprOf(*a);
    return e.literal ? NumberText(e.number) : fmt::format("a value of {}", NumpyName(e.type));
}

int64_t CallValues::Integer(const CallArgument& a) const {
    if (a.kind != CallArgument::Kind::kExpr || IsFloating(ExprOf(a).type)) {
        Refuse({Rule::kParameterType, Name(a.param), fmt::format("{} must be an integer", Name(a.param)), Given(&a),
                "an int, or a Scalar or Expr of an integer type", ""});
    }
    return static_cast<int64_t>(Evaluate(a.value));
}

int64_t CallValues::Integer(Param param, int64_t otherwise) const {
    const CallArgument* a = Find(param);
    return a ? Integer(*a) : otherwise;
}

uint32_t CallValues::Count(const CallArgument& a) const {
    const int64_t value = Integer(a);
    if (value < 0 || value > 0xFFFFFFFF) {
        Refuse({Rule::kParameterRange, Name(a.param), fmt::format("{} is out of range", Name(a.param)),
                fmt::format("{}", value), "0 or more", "check how the value is computed"});
    }
    return static_cast<uint32_t>(value);
}

uint32_t CallValues::Count(Param param, uint32_t otherwise) const {
    const CallArgument* a = Find(param);
    return a ? Count(*a) : otherwise;
}

uint64_t CallValues::Bits(const CallArgument& a, DataType type) const {
    if (a.kind != CallArgument::Kind::kExpr) {
        Refuse({Rule::kParameterType, Name(a.param), fmt::format("{} must be a number", Name(a.param)), Given(&a),
                fmt::format("a number, or a Scalar or Expr of {}", NumpyName(type)), ""});
    }
    const Expr& e = ExprOf(a);
    if (e.literal) {
        const auto* real = std::get_if<double>(&e.number);
        if (real && !IsFloating(type) && *real != std::floor(*real)) {
            Refuse({Rule::kParameterType, Name(a.param),
                    fmt::format("{} must be an integer for {}", Name(a.param), NumpyName(type)),
                    fmt::format("{}", *real), fmt::format("a value of {}", NumpyName(type)), ""});
        }
        if (!IsFloating(type) && BitsOf(type) < 64 && !FitsBits(e.number, BitsOf(type))) {
            Refuse({Rule::kParameterRange, Name(a.param),
                    fmt::format("{} does not fit {}", Name(a.param), NumpyName(type)),
                    std::visit([](auto n) { return fmt::format("{}", n); }, e.number),
                    fmt::format("-2^{}..2^{} - 1", BitsOf(type) - 1, BitsOf(type)), ""});
        }
        return ToMemory(type, FromNumber(type, e.number));
    }
    if (e.type != type && !(!IsFloating(type) && !IsFloating(e.type))) {
        Refuse({Rule::kTypeMismatch, Name(a.param), fmt::format("{} has another type than the data", Name(a.param)),
                fmt::format("{} beside {}", NumpyName(e.type), NumpyName(type)), NumpyName(type),
                "use a Scalar of that type, or scalar_conv"});
    }
    return ToMemory(type, ConvertValue(e.type, type, Evaluate(a.value)));
}

std::string_view CallValues::Text(Param param, std::string_view otherwise) const {
    const CallArgument* a = Find(param);
    if (!a) return otherwise;
    if (a->kind == CallArgument::Kind::kText) return Nth(call_.texts, a->value);
    Refuse({Rule::kParameterType, Name(param), fmt::format("{} must be a str", Name(param)), Given(a), "a str", ""});
}

isa::Operand CallValues::OperandOf(int32_t ref) const {
    if (frame_) return frame_->OperandOf(ref);
    const RefNode& node = Nth(ir_.refs, ref);
    return MakeOperand(Nth(ir_.tensors, node.tensor), node.type, static_cast<int64_t>(Nth(ir_.exprs, node.offset).bits),
                       0);
}

}  // namespace sfumato::tik
