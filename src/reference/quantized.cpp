// SPDX-License-Identifier: Apache-2.0
// To integers by a division, and products of such. Results are rounded to the nearest, ties to even.
#include <cmath>

#include "reference/functions.h"
#include "reference/matmul.h"

namespace sfumato::reference {
namespace {

// One value, or one for each of `count`, which then lies in that dimension of `shape`.
View Along(const Call& c, size_t i, const Shape& shape, size_t dim) {
    View t = c.Tensor(i);
    const int64_t count = shape[dim];
    if (t.shape != Shape{count} && t.shape != Shape{1})
        c.Refuse(i, Rule::kOpInput, "there is not one value for all, or one for each", Words(t.shape),
                 Words({count}) + " or [1]");
    const int64_t stride = t.shape[0] == 1 ? 0 : t.strides[0];
    t.shape = shape;
    t.strides.assign(shape.size(), 0);
    t.strides[dim] = stride;
    return t;
}

void WriteRounded(const View& out, std::vector<double> values) {
    if (!IsFloat(out.type)) {
        for (double& value : values) value = std::nearbyint(value);
    }
    Write(out, values);
}

}  // namespace

void Quantize(Call& c) {
    const View &x = c.Tensor(0), &out = c.Out();
    c.NeedRank(0, 1, 8);
    const size_t dim = c.Dim(4, x.Rank());
    if (x.type != kFloat) c.NeedSameType(1, 0);
    const View scales = Along(c, 1, x.shape, dim);
    const View zeros = c.Has(2) ? Along(c, 2, x.shape, dim) : View{};
    if (c.Has(2)) c.NeedShape(2, c.Tensor(1).shape);
    c.NeedTypeOfNumber(5, 3);
    c.NeedShape(5, x.shape);
    if (!c.computes()) return;
    std::vector<double> values = Read<double>(x);
    const std::vector<double> scale = Read<double>(scales);
    const std::vector<double> zero = c.Has(2) ? Read<double>(zeros) : std::vector<double>(values.size(), 0.0);
    for (size_t i = 0; i < values.size(); ++i) values[i] = values[i] / scale[i] + zero[i];
    WriteRounded(out, values);
}

void QuantMatmul(Call& c) {
    enum : size_t { kX1, kX2, kScale, kOffset, kPerToken, kBias, kTurn1, kTurn2 };
    const auto matrices = [&](size_t i, size_t turn) {
        c.NeedRank(i, 2, 6);
        const View& t = c.Tensor(i);
        return c[turn].number ? Moved(t, t.Rank() - 1, t.Rank() - 2) : t;
    };
    const View x = matrices(kX1, kTurn1), y = matrices(kX2, kTurn2), &out = c.Out();
    const int64_t m = x.shape[x.Rank() - 2], k = x.shape.back(), n = y.shape.back();
    Shape batch;
    if (y.shape[y.Rank() - 2] != k ||
        !Broadcast(Shape(x.shape.begin(), x.shape.end() - 2), Shape(y.shape.begin(), y.shape.end() - 2), batch))
        c.Refuse(kX2, Rule::kOpInput, "the matrices do not go together", Words(x.shape) + " times " + Words(y.shape),
                 "as many rows as the first has columns, and batches of the same lengths, or 1");
    Shape shape = batch, all_x = batch, all_y = batch;
    shape.insert(shape.end(), {m, n});
    all_x.insert(all_x.end(), {m, k});
    all_y.insert(all_y.end(), {k, n});
    c.NeedShape(c.Result(), shape);
    const size_t last = shape.size() - 1;
    const View scale = Along(c, kScale, shape, last);
    const View offset = c.Has(kOffset) ? Along(c, kOffset, shape, last) : View{};
    if (c.Has(kOffset) && out.type != kInt8)
        c.Refuse(kOffset, Rule::kOpInput, "an offset is of results of int8", NameOf(out.type), "nullptr, or int8");
    if (c.Has(kPerToken)) c.NeedShape(kPerToken, {m});
    const View token = c.Has(kPerToken) ? Along(c, kPerToken, shape, last - 1) : View{};
    View bias;
    if (c.Has(kBias)) {
        bias = c.Tensor(kBias);
        const Shape of_batches = {CountOf(batch), 1, n};
        if (bias.shape != Shape{n} && (batch.size() != 1 || bias.shape != of_batches))
            c.Refuse(kBias, Rule::kOpInput, "there is no bias for every column", Words(bias.shape),
                     Words({n}) + (batch.size() == 1 ? " or " + Words(of_batches) : ""));
        bias = Stretched(bias, shape);
    }
    if (!c.computes()) return;
    std::vector<double> values =
        Multiplied(Read<double>(Stretched(x, all_x)), Read<double>(Stretched(y, all_y)), {CountOf(batch), m, k, n});
    const auto read = [&](size_t i, const View& v, double value) {
        return c.Has(i) ? Read<double>(v) : std::vector<double>(values.size(), value);
    };
    const std::vector<double> scales = read(kScale, scale, 1), offsets = read(kOffset, offset, 0),
                              tokens = read(kPerToken, token, 1), added = read(kBias, bias, 0);
    // A bias of integers is added to the sums, one of floating point to what is scaled.
    const bool before = c.Has(kBias) && !IsFloat(bias.type);
    for (size_t i = 0; i < values.size(); ++i)
        values[i] =
            (values[i] + (before ? added[i] : 0)) * scales[i] * tokens[i] + (before ? 0 : added[i]) + offsets[i];
    WriteRounded(out, values);
}

}  // namespace sfumato::reference
