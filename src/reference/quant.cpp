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
    c.NeedNumber(5, kInt8, kInt8);
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
    std::vector<double> values = Read<double>(x), scales;
    const std::vector<double> smooth = ReadStretched(c, 1, 1);
    const auto length = static_cast<size_t>(x.shape.back());
    for (size_t row = 0; row < values.size(); row += length) {
        double most = 0;
        for (size_t i = row; i < row + length; ++i) {
            values[i] *= smooth[i];
            most = std::max(most, std::abs(values[i]));
        }
        scales.push_back(Narrowed(kFloat, most / 127));
        for (size_t i = row; i < row + length; ++i) values[i] = std::nearbyint(values[i] / scales.back());
    }
    Write(c.Tensor(2), values);
    if (length) Write(c.Tensor(3), scales);
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
    if (c[3].number != kHalf && c[3].number != kBfloat16)
        c.Refuse(3, Rule::kOpAttr, "the result has no such type", std::to_string(c[3].number),
                 "1 (float16) or 27 (bfloat16)");
    c.NeedType(5, static_cast<int>(c[3].number));
    c.NeedShape(5, x.shape);
    if (!c.computes()) return;
    std::vector<double> values = Read<double>(x);
    const std::vector<double> scale = ReadStretched(c, 1, 1), offset = ReadStretched(c, 2, 0);
    for (size_t i = 0; i < values.size(); ++i)
        values[i] = (values[i] + offset[i]) * (c[4].number ? scale[i] * scale[i] : scale[i]);
    Write(c.Out(), values);
}

}  // namespace sfumato::reference
