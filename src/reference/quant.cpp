// SPDX-License-Identifier: Apache-2.0
// To eight bits and back. Results are rounded to the nearest, ties to even, where the mode is "round".
#include <algorithm>
#include <cmath>

#include "reference/functions.h"

namespace sfumato::reference {
namespace {

// A tensor of one value, or one for each of the last dimension, that goes with x.
void NeedPerLast(const Call& c, size_t i, bool one) {
    const Shape &shape = c.Tensor(i).shape, &x = c.Tensor(0).shape;
    const int64_t last = x.back();
    Shape whole(x.size(), 1);
    whole.back() = last;
    if (shape == Shape{last} || (one && (shape == Shape{1} || shape == whole))) return;
    std::string legal = Words({last});
    if (one) legal += x.size() > 1 ? ", [1] or " + Words(whole) : " or [1]";
    c.Refuse(i, Rule::kOpInput, "the shape does not go with the last dimension of x",
             Words(shape) + " with " + Words(x), legal);
}

std::vector<double> ReadStretched(const Call& c, size_t i, double value) {
    const View& x = c.Tensor(0);
    if (c.Has(i)) return Read<double>(Stretched(c.Tensor(i), x.shape));
    return std::vector<double>(static_cast<size_t>(x.Count()), value);
}

// Every row by a scale of its own, which makes its greatest value 127.
void QuantiseRows(std::vector<double>& values, int64_t columns, const View& out, const View& scale_out) {
    const auto length = static_cast<size_t>(columns);
    std::vector<double> scales;
    for (size_t row = 0; row < values.size(); row += length) {
        double most = 0;
        for (size_t i = row; i < row + length; ++i) most = std::max(most, std::abs(values[i]));
        scales.push_back(Narrowed(kFloat, most / 127));
        for (size_t i = row; i < row + length; ++i) values[i] = std::nearbyint(values[i] / scales.back());
    }
    Write(out, values);
    if (length) Write(scale_out, scales);
}

// x of DequantSwigluQuant as numbers: a bias of integers counts before the scales, another behind them.
std::vector<double> Dequantised(const Call& c) {
    const View& x = c.Tensor(0);
    std::vector<double> values = Read<double>(x);
    const std::vector<double> weight = ReadStretched(c, 1, 1), bias = ReadStretched(c, 3, 0);
    const bool first = c.Has(3) && c.Tensor(3).type == kInt32;
    const std::vector<double> rows = c.Has(2) ? Read<double>(c.Tensor(2)) : std::vector<double>();
    for (size_t i = 0; i < values.size(); ++i) {
        const double scale = weight[i] * (rows.empty() ? 1 : rows[i / static_cast<size_t>(x.shape.back())]);
        values[i] = first ? (values[i] + bias[i]) * scale : values[i] * scale + bias[i];
    }
    return values;
}

}  // namespace

void AscendQuant(Call& c) {
    const View& x = c.Tensor(0);
    c.NeedRank(0, 1, 8);
    NeedPerLast(c, 1, true);
    if (x.type != kFloat) c.NeedSameType(1, 0);
    if (c.Has(2)) {
        c.NeedShape(2, c.Tensor(1).shape);
        c.NeedSameType(2, 1);
    }
    const std::string& mode = c[4].text;
    if (mode != "round" && mode != "ceil" && mode != "trunc" && mode != "floor")
        c.Refuse(4, Rule::kOpAttr, "there is no such mode of rounding", "'" + mode + "'", "round, ceil, trunc, floor");
    if (c[5].number != kInt8)
        c.RefuseAbsent(5, Rule::kOpAttr, "the reference operator quantises to int8 alone",
                       NameOf(static_cast<int>(c[5].number)), "int8");
    c.NeedType(6, kInt8);
    c.NeedShape(6, x.shape);
    if (!c.computes()) return;
    std::vector<double> values = Read<double>(x);
    const std::vector<double> scale = ReadStretched(c, 1, 1), offset = ReadStretched(c, 2, 0);
    for (size_t i = 0; i < values.size(); ++i) {
        const double v = std::fma(values[i], c[3].number ? scale[i] * scale[i] : scale[i], offset[i]);
        values[i] = mode == "round"   ? std::nearbyint(v)
                    : mode == "ceil"  ? std::ceil(v)
                    : mode == "trunc" ? std::trunc(v)
                                      : std::floor(v);
    }
    Write(c.Out(), values);
}

void DynamicQuant(Call& c) {
    const View& x = c.Tensor(0);
    c.NeedRank(0, 2, 8);
    if (c.Has(1)) {
        NeedPerLast(c, 1, false);
        c.NeedSameType(1, 0);
    }
    c.NeedShape(2, x.shape);
    c.NeedShape(3, Shape(x.shape.begin(), x.shape.end() - 1));
    if (!c.computes()) return;
    std::vector<double> values = Read<double>(x);
    const std::vector<double> smooth = ReadStretched(c, 1, 1);
    for (size_t i = 0; i < values.size(); ++i) values[i] *= smooth[i];
    QuantiseRows(values, x.shape.back(), c.Tensor(2), c.Tensor(3));
}

void AscendAntiQuant(Call& c) {
    const View& x = c.Tensor(0);
    c.NeedRank(0, 1, 8);
    const Shape last = {x.shape.back()};
    if (c.Tensor(1).shape != Shape{1}) c.NeedShape(1, last);
    if (c.Has(2)) {
        c.NeedShape(2, c.Tensor(1).shape);
        c.NeedSameType(2, 1);
    }
    c.NeedTypeOfNumber(5, 3);
    c.NeedShape(5, x.shape);
    if (!c.computes()) return;
    std::vector<double> values = Read<double>(x);
    const std::vector<double> scale = ReadStretched(c, 1, 1), offset = ReadStretched(c, 2, 0);
    for (size_t i = 0; i < values.size(); ++i)
        values[i] = (values[i] + offset[i]) * (c[4].number ? scale[i] * scale[i] : scale[i]);
    Write(c.Out(), values);
}

void DequantSwigluQuant(Call& c) {
    const View& x = c.Tensor(0);
    c.NeedRank(0, 2, 8);
    const int64_t width = x.shape.back(), half = width / 2;
    if (width % 2) c.Refuse(0, Rule::kOpInput, "the dimension has no halves", Words(x.shape), "an even length");
    const std::string mode = c[8].given ? c[8].text : "static";
    if (mode != "static" && mode != "dynamic")
        c.Refuse(8, Rule::kOpAttr, "there is no such mode", "'" + mode + "'", "static, dynamic");
    const bool rows = mode == "dynamic";
    if (c.Has(6))
        c.RefuseAbsent(6, Rule::kOpInput, "the reference operator has no groups of rows", "an aclTensor", "nullptr");
    if (rows && c.Has(5))
        c.RefuseAbsent(5, Rule::kOpInput, "the reference operator has no offset where scales are found", "an aclTensor",
                       "nullptr");
    const Shape outer(x.shape.begin(), x.shape.end() - 1);
    Shape result = outer, column = outer;
    result.push_back(half), column.push_back(1);
    for (const size_t i : {1, 3}) {
        if (c.Has(i)) c.NeedShape(i, {width});
    }
    if (c.Has(2) && c.Tensor(2).shape != outer) c.NeedShape(2, column);
    for (const size_t i : {4, 5}) {
        if (c.Has(i)) c.NeedShape(i, {rows ? half : 1});
    }
    c.NeedShape(9, result);
    c.NeedShape(10, outer);
    if (!c.computes()) return;
    const std::vector<double> values = Dequantised(c);
    const auto table = [&](size_t i, double value) {
        return c.Has(i) ? Read<double>(Stretched(c.Tensor(i), result))
                        : std::vector<double>(static_cast<size_t>(CountOf(result)), value);
    };
    const std::vector<double> scale = table(4, 1), offset = table(5, 0);
    std::vector<double> out;
    for (size_t i = 0; i < scale.size(); ++i) {
        const size_t row = i / static_cast<size_t>(half) * static_cast<size_t>(width),
                     at = i % static_cast<size_t>(half);
        const double left = values[row + at], right = values[row + at + static_cast<size_t>(half)];
        const double gate = c[7].number ? left : right, other = c[7].number ? right : left;
        out.push_back(gate / (1 + std::exp(-gate)) * other * scale[i] + offset[i]);
        if (!rows) out.back() = std::nearbyint(out.back());
    }
    if (rows) return QuantiseRows(out, half, c.Tensor(9), c.Tensor(10));
    Write(c.Tensor(9), out);  // scaleOut means nothing then, and stays
}

}  // namespace sfumato::reference
