// SPDX-License-Identifier: Apache-2.0
// Arithmetic and functions of single elements.
#include <cmath>
#include <numbers>

#include "reference/functions.h"

namespace sfumato::reference {
namespace {

// Every element of the result by `function` of the elements of tensors and of numbers of the host, which stretch to the
// result's shape. In doubles for a floating-point type, else in integers that wrap; a result of another type is what
// the type's value becomes.
template <class Function, class... Views>
void Apply(const View& out, int type, const Function& function, const Views&... from) {
    const auto in = [&]<class T>(T) {
        std::vector<T> values;
        values.reserve(static_cast<size_t>(out.Count()));
        const std::vector<T> read[] = {Read<T>(Stretched(from, out.shape))...};
        for (size_t i = 0; i < static_cast<size_t>(out.Count()); ++i) {
            const T value = [&]<size_t... n>(std::index_sequence<n...>) {
                return static_cast<T>(function(read[n][i]...));
            }
            (std::index_sequence_for<Views...>());
            values.push_back(IsFloat(type) ? value : Narrowed(type, value));
        }
        Write(out, values);
    };
    if (IsFloat(type))
        in(double());
    else
        in(uint64_t());
}

// What two operands are computed in, the result checked.
int NeedOperands(const Call& c, bool scalar, bool divides) {
    int type = scalar ? PromotedByScalar(c.Tensor(0).type, c.Tensor(1).type) : c.NeedPromoted(0, 1);
    if (divides && !IsFloat(type)) type = kFloat;
    const size_t result = c.Result();
    c.NeedCast(type, result);
    c.NeedShape(result, scalar ? c.Tensor(0).shape : c.NeedBroadcast(0, 1));
    return type;
}

// out = self + sign * alpha * other.
void AddScaled(Call& c, bool scalar, int sign) {
    const int type = NeedOperands(c, scalar, false);
    if (IsFloat(c.Tensor(2).type) && !IsFloat(type))
        c.Refuse(2, Rule::kOpAttr, "the number does not become the type that is computed in", NameOf(c.Tensor(2).type),
                 "an integer for " + NameOf(type));
    if (!c.computes()) return;
    const auto add = [sign]<class T>(T a, T b, T alpha) {
        if constexpr (std::is_same_v<T, double>)
            return std::fma(sign * alpha, b, a);
        else
            return a + static_cast<T>(sign) * alpha * b;
    };
    Apply(c.Out(), type, add, c.Tensor(0), c.Tensor(1), c.Tensor(2));
}

void Multiply(Call& c, bool scalar) {
    const int type = NeedOperands(c, scalar, false);
    if (c.computes())
        Apply(
            c.Out(), type, [](auto a, auto b) { return a * b; }, c.Tensor(0), c.Tensor(1));
}
void Divide(Call& c, bool scalar) {
    NeedOperands(c, scalar, true);
    if (c.computes())
        Apply(
            c.Out(), kDouble, [](double a, double b) { return a / b; }, c.Tensor(0), c.Tensor(1));
}

// Integers become floating point.
template <class Function>
void Unary(Call& c, const Function& function, bool same_type) {
    const size_t result = c.Result();
    if (same_type) c.NeedSameType(result, 0);
    c.NeedShape(result, c.Tensor(0).shape);
    if (c.computes()) Apply(c.Out(), kDouble, function, c.Tensor(0));
}

double TanhGelu(double x) {
    // x (1 + tanh(u)) / 2, without the difference that loses the digits of small results.
    const double u = std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x);
    return x / (1 + std::exp(-2 * u));
}
double ErfGelu(double x) { return x * std::erfc(-x / std::numbers::sqrt2) / 2; }

}  // namespace

void Add(Call& c) { AddScaled(c, false, 1); }
void Adds(Call& c) { AddScaled(c, true, 1); }
void Sub(Call& c) { AddScaled(c, false, -1); }
void Subs(Call& c) { AddScaled(c, true, -1); }
void Mul(Call& c) { Multiply(c, false); }
void Muls(Call& c) { Multiply(c, true); }
void Div(Call& c) { Divide(c, false); }
void Divs(Call& c) { Divide(c, true); }

void Silu(Call& c) {
    Unary(
        c, [](double x) { return x / (1 + std::exp(-x)); }, true);
}
void Gelu(Call& c) { Unary(c, TanhGelu, true); }
void GeluV2(Call& c) {
    c.NeedNumber(1, 0, 1);
    Unary(c, c[1].number ? TanhGelu : ErfGelu, true);
}
void Exp(Call& c) {
    Unary(
        c, [](double x) { return std::exp(x); }, false);
}
void Sqrt(Call& c) {
    Unary(
        c, [](double x) { return std::sqrt(x); }, false);
}
void Relu(Call& c) {
    const size_t result = c.Result();
    c.NeedSameType(result, 0);
    c.NeedShape(result, c.Tensor(0).shape);
    if (!c.computes()) return;
    // NaN stays.
    const auto relu = []<class T>(T x) {
        if constexpr (std::is_same_v<T, double>)
            return x < 0 ? 0.0 : x;
        else
            return static_cast<int64_t>(x) < 0 ? T(0) : x;
    };
    Apply(c.Out(), c.Tensor(0).type, relu, c.Tensor(0));
}

void Cast(Call& c) {
    const View &from = c.Tensor(0), &to = c.Out();
    c.NeedTypeOfNumber(2, 1);
    c.NeedShape(2, from.shape);
    if (c.computes()) Convert(from, to);
}

}  // namespace sfumato::reference
