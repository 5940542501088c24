// SPDX-License-Identifier: Apache-2.0
// What goes along rows: softmax, norms, sums.
#include <algorithm>
#include <cmath>
#include <limits>

#include "reference/functions.h"

namespace sfumato::reference {
namespace {

// The rows along a dimension, one after another; put back by Write to the view of the same moves.
View Along(const View& v, size_t dim) { return v.Rank() ? Moved(v, dim, v.Rank() - 1) : v; }
int64_t LengthOf(const View& v, size_t dim) { return v.Rank() ? v.shape[dim] : 1; }

// Calls each with every row of `length` values.
template <class T, class Each>
void ForRows(std::vector<T>& values, int64_t length, const Each& each) {
    if (length == 0) return;
    for (size_t at = 0; at < values.size(); at += static_cast<size_t>(length)) each(values.data() + at, at / length);
}

struct Moments {
    double mean, variance;
};
Moments MomentsOf(const double* row, int64_t length) {
    double sum = 0, squares = 0;
    for (int64_t i = 0; i < length; ++i) sum += row[i];
    const double mean = sum / static_cast<double>(length);
    for (int64_t i = 0; i < length; ++i) squares += (row[i] - mean) * (row[i] - mean);
    return {mean, squares / static_cast<double>(length)};
}

// The last dimensions of the first parameter are those of the shape.
void NeedTail(const Call& c, size_t i, const Shape& tail) {
    const Shape& shape = c.Tensor(0).shape;
    if (!tail.empty() && tail.size() <= shape.size() && std::equal(tail.rbegin(), tail.rend(), shape.rbegin())) return;
    c.Refuse(i, c.op.parameters[i].role == Role::kAttr ? Rule::kOpAttr : Rule::kOpInput,
             "these are not the last dimensions of what is normalised", Words(tail) + " of " + Words(shape),
             "the last dimensions, one at least");
}
// The shape with the last `count` dimensions 1.
Shape Shortened(Shape shape, size_t count) {
    std::fill(shape.end() - static_cast<std::ptrdiff_t>(count), shape.end(), 1);
    return shape;
}
std::vector<double> ReadOr(const Call& c, size_t i, int64_t count, double value) {
    return c.Has(i) ? Read<double>(c.Tensor(i)) : std::vector<double>(static_cast<size_t>(count), value);
}

// Divides each row by the root of the mean of its squares, times the weight. Returns what the rows were multiplied by.
std::vector<double> DivideByRoots(std::vector<double>& values, const std::vector<double>& weight, double epsilon) {
    const auto length = static_cast<int64_t>(weight.size());
    std::vector<double> factors;
    ForRows(values, length, [&](double* row, size_t) {
        double sum = 0;
        for (int64_t i = 0; i < length; ++i) sum += row[i] * row[i];
        factors.push_back(1 / std::sqrt(sum / static_cast<double>(length) + epsilon));
        for (int64_t i = 0; i < length; ++i) row[i] *= factors.back() * weight[static_cast<size_t>(i)];
    });
    return factors;
}

// What rows gave, a value of each. `empty`: what rows without values give, as in PyTorch.
void WriteOfRows(const View& v, std::vector<double> values, double empty = std::numeric_limits<double>::quiet_NaN()) {
    if (values.empty()) values.assign(static_cast<size_t>(v.Count()), empty);
    Write(v, values);
}

// How many steps lead from start to end of Arange, where a part of one counts as one; -1: they lead away.
int64_t StepsOf(const Call& c) {
    if (IsFloat(c.Tensor(0).type) || IsFloat(c.Tensor(1).type) || IsFloat(c.Tensor(2).type)) {
        const auto value = [&](size_t i) { return Read<double>(c.Tensor(i))[0]; };
        const double way = value(1) - value(0), step = value(2);
        if (step == 0 || !(way * step >= 0)) return -1;
        return static_cast<int64_t>(std::min(std::ceil(way / step), 0x1p62));
    }
    const auto value = [&](size_t i) { return Read<int64_t>(c.Tensor(i))[0]; };
    const int64_t start = value(0), end = value(1), step = value(2);
    if (step == 0 || (step > 0 ? end < start : end > start)) return -1;
    // The way may be longer than an int64_t counts.
    const auto from = static_cast<uint64_t>(start), to = static_cast<uint64_t>(end), by = static_cast<uint64_t>(step);
    const uint64_t way = step > 0 ? to - from : from - to, length = step > 0 ? by : 0 - by;
    const uint64_t steps = way / length + (way % length != 0);
    return static_cast<int64_t>(std::min(steps, uint64_t{1} << 62));
}
std::string ValueWords(const View& v) {
    return IsFloat(v.type) ? std::to_string(Read<double>(v)[0]) : std::to_string(Read<int64_t>(v)[0]);
}

}  // namespace

void Softmax(Call& c) {
    const View& x = c.Tensor(0);
    const size_t dim = c.Dim(1, x.Rank());
    c.NeedShape(2, x.shape);
    if (!c.computes()) return;
    const int64_t length = LengthOf(x, dim);
    std::vector<double> values = Read<double>(Along(x, dim));
    ForRows(values, length, [&](double* row, size_t) {
        const double most = *std::max_element(row, row + length);
        // The type may be double itself: the sum has digits to spare.
        long double sum = 0;
        for (int64_t i = 0; i < length; ++i) sum += std::exp(static_cast<long double>(row[i]) - most);
        for (int64_t i = 0; i < length; ++i)
            row[i] = static_cast<double>(std::exp(static_cast<long double>(row[i]) - most) / sum);
    });
    Write(Along(c.Out(), dim), values);
}

void LayerNorm(Call& c) {
    const View& x = c.Tensor(0);
    const Shape& tail = c[1].integers;
    NeedTail(c, 1, tail);
    for (const size_t i : {2, 3}) {
        if (!c.Has(i)) continue;
        c.NeedShape(i, tail);
        if (c.Tensor(i).type != kFloat) c.NeedSameType(i, 0);
    }
    if (c.Has(2) && c.Has(3)) c.NeedSameType(3, 2);
    c.NeedSameType(5, 0);
    c.NeedShape(5, x.shape);
    for (const size_t i : {6, 7}) {
        if (!c.Has(i)) continue;
        c.NeedShape(i, Shortened(x.shape, tail.size()));
        if (c.Tensor(i).type != kFloat) c.NeedSameType(i, 0);
    }
    if (!c.computes()) return;
    const int64_t length = CountOf(tail);
    const std::vector<double> weight = ReadOr(c, 2, length, 1), bias = ReadOr(c, 3, length, 0);
    std::vector<double> values = Read<double>(x), means, factors;
    ForRows(values, length, [&](double* row, size_t) {
        const Moments m = MomentsOf(row, length);
        const double factor = 1 / std::sqrt(m.variance + c[4].real);
        for (int64_t i = 0; i < length; ++i) row[i] = (row[i] - m.mean) * factor * weight[i] + bias[i];
        means.push_back(m.mean);
        factors.push_back(factor);
    });
    Write(c.Tensor(5), values);
    if (c.Has(6)) WriteOfRows(c.Tensor(6), means, 0);
    if (c.Has(7)) WriteOfRows(c.Tensor(7), factors);
}

void RmsNorm(Call& c) {
    const View &x = c.Tensor(0), &gamma = c.Tensor(1);
    NeedTail(c, 1, gamma.shape);
    if (gamma.type != kFloat) c.NeedSameType(1, 0);
    c.NeedSameType(3, 0);
    c.NeedShape(3, x.shape);
    c.NeedShape(4, Shortened(x.shape, gamma.Rank()));
    if (!c.computes()) return;
    std::vector<double> values = Read<double>(x);
    const std::vector<double> factors = DivideByRoots(values, Read<double>(gamma), c[2].real);
    Write(c.Tensor(3), values);
    WriteOfRows(c.Tensor(4), factors);
}

// The sum goes into the norm as it is, and is rounded in xOut alone.
void AddRmsNorm(Call& c) {
    const View &x = c.Tensor(0), &gamma = c.Tensor(2);
    c.NeedRank(0, 1, 8);
    const bool row = !c.Has(5) && gamma.shape == Shape{1, x.shape.back()};
    if (!row) NeedTail(c, 2, gamma.shape);
    for (const size_t i : {1, 2, 4, 6}) {
        if (!c.Has(i)) continue;
        c.NeedSameType(i, 0);
        if (i != 2) c.NeedShape(i, x.shape);
    }
    if (c.Has(5)) {
        if (!c.Has(6)) c.RefuseNull(6, "rstdOut is not given without the sum");
        c.NeedShape(5, Shortened(x.shape, gamma.Rank()));
    }
    if (!c.computes()) return;
    std::vector<double> values = Read<double>(x);
    const std::vector<double> added = Read<double>(c.Tensor(1));
    for (size_t i = 0; i < values.size(); ++i) values[i] += added[i];
    const std::vector<double> sums = values;
    const std::vector<double> factors = DivideByRoots(values, Read<double>(gamma), c[3].real);
    Write(c.Tensor(4), values);
    if (c.Has(5)) WriteOfRows(c.Tensor(5), factors);
    if (c.Has(6)) Write(c.Tensor(6), sums);
}

void SwiGlu(Call& c) {
    const View& x = c.Tensor(0);
    c.NeedRank(0, 1, 8);
    const size_t dim = c.Dim(1, x.Rank());
    const int64_t half = x.shape[dim] / 2;
    if (x.shape[dim] % 2) c.Refuse(0, Rule::kOpInput, "the dimension has no halves", Words(x.shape), "an even length");
    Shape shape = x.shape;
    shape[dim] = half;
    c.NeedSameType(2, 0);
    c.NeedShape(2, shape);
    if (!c.computes()) return;
    std::vector<double> a = Read<double>(Part(x, dim, 0, half));
    const std::vector<double> b = Read<double>(Part(x, dim, half, half));
    for (size_t i = 0; i < a.size(); ++i) a[i] = a[i] / (1 + std::exp(-a[i])) * b[i];
    Write(c.Out(), a);
}

void Cumsum(Call& c) {
    const View &x = c.Tensor(0), &out = c.Tensor(3);
    const size_t dim = c.Dim(1, x.Rank());
    c.NeedTypeOfNumber(3, 2);
    c.NeedCast(x.type, 3);
    c.NeedShape(3, x.shape);
    if (!c.computes()) return;
    // The page has what is added become the result's type first.
    const auto sum = [&]<class T>(T) {
        std::vector<T> values = Read<T>(Along(x, dim));
        if (x.type != out.type)
            for (T& value : values) value = Narrowed(out.type, value);
        const int64_t length = LengthOf(x, dim);
        ForRows(values, length, [&](T* row, size_t) {
            for (int64_t i = 1; i < length; ++i) row[i] += row[i - 1];
        });
        Write(Along(out, dim), values);
    };
    if (IsFloat(out.type))
        sum(double());
    else
        sum(uint64_t());
}

void Arange(Call& c) {
    const View& out = c.Out();
    const int64_t count = StepsOf(c);
    if (count < 0)
        c.Refuse(2, Rule::kOpAttr, "the step does not lead from start to end",
                 ValueWords(c.Tensor(0)) + " to " + ValueWords(c.Tensor(1)) + " by " + ValueWords(c.Tensor(2)),
                 "a step other than 0, of the sign of end - start");
    c.NeedShape(3, {count});
    if (!c.computes()) return;
    if (!IsFloat(out.type) && !IsFloat(c.Tensor(0).type) && !IsFloat(c.Tensor(2).type)) {
        const uint64_t first = Read<uint64_t>(c.Tensor(0))[0], by = Read<uint64_t>(c.Tensor(2))[0];
        std::vector<uint64_t> values;
        for (int64_t i = 0; i < count; ++i) values.push_back(first + static_cast<uint64_t>(i) * by);
        return Write(out, values);
    }
    const double start = Read<double>(c.Tensor(0))[0], step = Read<double>(c.Tensor(2))[0];
    std::vector<double> values;
    for (int64_t i = 0; i < count; ++i) values.push_back(std::fma(static_cast<double>(i), step, start));
    Write(out, values);
}

}  // namespace sfumato::reference
