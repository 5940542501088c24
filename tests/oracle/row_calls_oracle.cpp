// SPDX-License-Identifier: Apache-2.0
// The softmax family, reductions and normalisation (adv.md 4.0 to 4.2, 5 to 7), in float step after step.
#include <algorithm>
#include <cmath>

#include "oracle/call_oracle.h"

namespace sfumato::oracle {

namespace {

float Exp(float x) { return static_cast<float>(std::exp(static_cast<double>(x))); }
float Share(size_t of) { return 1.0f / static_cast<float>(of); }

// The elements of a row, or of a column, that are no padding.
Row Line(const Row& x, const Sheet& sheet, uint32_t index, Along along = Along::kRows) {
    Row line;
    for (uint32_t i = 0; i < (along == Along::kRows ? sheet.valid : sheet.rows); ++i)
        line.push_back(x[along == Along::kRows ? sheet.At(index, i) : sheet.At(i, index)]);
    return line;
}
float Added(const Row& v) {
    float sum = v[0];
    for (size_t i = 1; i < v.size(); ++i) sum += v[i];
    return sum;
}
Row Times(Row v, float by) {
    for (float& one : v) one *= by;
    return v;
}
Row Products(const Row& a, const Row& b) {
    Row products;
    for (size_t i = 0; i < a.size(); ++i) products.push_back(a[i] * b[i]);
    return products;
}
Row Squares(const Row& v) { return Products(v, v); }

}  // namespace

float TreeSum(DataType type, const Row& values) {
    Row row = values;
    const size_t group = 2048 / BitsOf(type);
    while (row.size() > 1) {
        Row sums;
        for (size_t first = 0; first < row.size(); first += group) {
            Row part(row.begin() + static_cast<long>(first),
                     row.begin() + static_cast<long>(std::min(row.size(), first + group)));
            while (part.size() > 1) {
                Row pairs;
                for (size_t i = 0; i < part.size(); i += 2)
                    pairs.push_back(i + 1 == part.size() ? part[i]
                                                         : static_cast<float>(Nearest(type, part[i] + part[i + 1])));
                part = pairs;
            }
            sums.push_back(part[0]);
        }
        row = sums;
    }
    return row[0];
}

namespace {

float FloatSum(const Row& v) { return TreeSum(DataType::kFloat, v); }
// Of fractals, columns of 16 lanes come first.
float RowSum(Row v, const Sheet& sheet) {
    for (size_t i = 16; sheet.nz && i < v.size(); ++i) v[i % 16] += v[i];
    if (sheet.nz) v.resize(std::min<size_t>(v.size(), 16));
    return FloatSum(v);
}

}  // namespace

Softmaxes Softmax(const Row& x, const Sheet& sheet, Divides divides, const Row& in_max, const Row& in_sum) {
    Softmaxes out;
    out.dst.resize(sheet.all());
    for (uint32_t r = 0; r < sheet.rows; ++r) {
        const Row line = Line(x, sheet, r);
        out.row_max.push_back(*std::max_element(line.begin(), line.end()));
        const float max = in_max.empty() ? out.row_max[r] : std::max(out.row_max[r], in_max[r]);
        Row e;
        for (const float v : line) e.push_back(Exp(v - max));
        float sum = RowSum(e, sheet);
        if (!in_max.empty()) {
            const float factor = Exp(in_max[r] - max), scaled = factor * in_sum[r];
            sum = scaled + sum;
            out.exp_max.push_back(divides == Divides::kYes ? scaled / sum : factor);
        }
        for (uint32_t c = 0; c < sheet.columns; ++c) {
            const float of_place = Exp(x[sheet.At(r, c)] - max);
            out.dst[sheet.At(r, c)] = divides == Divides::kYes ? of_place / sum : of_place;
        }
        out.max.push_back(max), out.sum.push_back(sum);
    }
    return out;
}

Row SimpleSoftMax(const Row& x, const Sheet& sheet, const Row& in_max, const Row& in_sum) {
    Row dst(sheet.all());
    for (uint32_t r = 0; r < sheet.rows; ++r) {
        for (uint32_t c = 0; c < sheet.columns; ++c)
            dst[sheet.At(r, c)] = Exp(x[sheet.At(r, c)] - in_max[r]) / in_sum[r];
    }
    return dst;
}

Row LogSoftMax(const Row& x, const Sheet& sheet) {
    Row dst = Softmax(x, sheet, Divides::kYes).dst;
    for (float& v : dst) v = static_cast<float>(std::log10(static_cast<double>(v)));
    return dst;
}

Row SoftmaxGradFront(const Row& grad, const Row& x, const Sheet& sheet) {
    Row sums;
    for (uint32_t r = 0; r < sheet.rows; ++r)
        sums.push_back(RowSum(Products(Line(grad, sheet, r), Line(x, sheet, r)), sheet));
    return sums;
}

Row SoftmaxGrad(const Row& grad, const Row& x, const Sheet& sheet) {
    const Row sums = SoftmaxGradFront(grad, x, sheet);
    Row dst(sheet.all());
    for (uint32_t r = 0; r < sheet.rows; ++r) {
        for (uint32_t c = 0; c < sheet.columns; ++c) {
            const float difference = grad[sheet.At(r, c)] - sums[r];
            dst[sheet.At(r, c)] = difference * x[sheet.At(r, c)];
        }
    }
    return dst;
}

Row AdjustSoftMaxRes(Row res, const Sheet& sheet, const Row& max, float from, float to) {
    for (uint32_t r = 0; r < sheet.rows; ++r) {
        for (uint32_t c = 0; c < sheet.columns; ++c) {
            if (max[r] == from) res[sheet.At(r, c)] = to;
        }
    }
    return res;
}

Row Sum(DataType type, const Row& x, const Sheet& sheet) {
    Row sums;
    for (uint32_t r = 0; r < sheet.rows; ++r) sums.push_back(TreeSum(type, Line(x, sheet, r)));
    return sums;
}
Row Mean(const Row& x, const Sheet& sheet) { return Times(Sum(DataType::kFloat, x, sheet), Share(sheet.valid)); }

Row Reduce(Reduced what, const Row& x, const Sheet& sheet, Along along) {
    Row dst;
    const auto nonzero = [](float v) { return v != 0; };
    for (uint32_t i = 0; i < (along == Along::kRows ? sheet.rows : sheet.valid); ++i) {
        const Row v = Line(x, sheet, i, along);
        const float sum = along == Along::kRows ? FloatSum(v) : Added(v);
        float product = v[0];
        for (size_t k = 1; k < v.size(); ++k) product *= v[k];
        switch (what) {
            case Reduced::kSum: dst.push_back(sum); break;
            case Reduced::kMean: dst.push_back(sum * Share(v.size())); break;
            case Reduced::kMax: dst.push_back(*std::max_element(v.begin(), v.end())); break;
            case Reduced::kMin: dst.push_back(*std::min_element(v.begin(), v.end())); break;
            case Reduced::kProd: dst.push_back(product); break;
            case Reduced::kAny: dst.push_back(std::any_of(v.begin(), v.end(), nonzero)); break;
            case Reduced::kAll: dst.push_back(std::all_of(v.begin(), v.end(), nonzero)); break;
        }
    }
    return dst;
}

Row CumSum(const Row& x, const Sheet& sheet, Along along) {
    Row dst = x;
    for (uint32_t r = 0; r < sheet.rows; ++r) {
        for (uint32_t c = 0; c < sheet.columns; ++c) {
            if (along == Along::kRows && c != 0) dst[sheet.At(r, c)] += dst[sheet.At(r, c - 1)];
            if (along == Along::kColumns && r != 0) dst[sheet.At(r, c)] += dst[sheet.At(r - 1, c)];
        }
    }
    return dst;
}

float XorSum(const Row& a, const Row& b) {
    int64_t sum = 0;
    for (size_t i = 0; i < a.size(); ++i)
        sum += static_cast<int16_t>(static_cast<int32_t>(a[i]) ^ static_cast<int32_t>(b[i]));
    return static_cast<float>(std::clamp<int64_t>(sum, -32768, 32767));
}

namespace {

// Mean and variance of a row, which becomes its differences from the mean.
struct Moments {
    float mean, variance;
};
Moments Centre(Row* row, float (*sum)(const Row&) = FloatSum) {
    const float share = Share(row->size()), mean = sum(Times(*row, share));
    for (float& v : *row) v -= mean;
    return {mean, sum(Times(Squares(*row), share))};
}
float Root(float variance, float epsilon) { return 1.0f / std::sqrt(variance + epsilon); }
float Scaled(float x, const Scales& scales, size_t i) {
    if (!scales.gamma.empty()) x *= scales.gamma[i];
    return scales.beta.empty() ? x : x + scales.beta[i];
}
// A row of results, what is behind `valid` is no result.
void Place(Row* dst, const Sheet& sheet, uint32_t r, const Row& differences, float root, const Scales& scales) {
    dst->resize(sheet.all());
    for (uint32_t c = 0; c < sheet.valid; ++c) (*dst)[sheet.At(r, c)] = Scaled(differences[c] * root, scales, c);
}
// The tail is added to a head of a power of two, which is folded in groups of 256 bytes.
float FoldedSum(const Row& values) {
    Row v = values;
    if (v.size() < 16) return FloatSum(v);
    size_t head = 1;
    while (head * 2 <= v.size()) head *= 2;
    for (size_t i = head; i < v.size(); ++i) v[i - head] += v[i];
    for (v.resize(head); v.size() > 64;) {
        Row half_as_many;
        for (size_t g = 0; g < v.size(); g += 128) {
            for (size_t i = 0; i < 64; ++i) half_as_many.push_back(v[g + i] + v[g + 64 + i]);
        }
        v = half_as_many;
    }
    return FloatSum(v);
}

}  // namespace

Normals LayerNorm(const Row& x, const Sheet& sheet, const Scales& scales) {
    Normals out;
    for (uint32_t r = 0; r < sheet.rows; ++r) {
        Row line = Line(x, sheet, r);
        const Moments of = Centre(&line);
        Place(&out.dst, sheet, r, line, Root(of.variance, scales.epsilon), scales);
        out.mean.push_back(of.mean), out.variance.push_back(of.variance);
    }
    return out;
}

Normals LayerNormFolded(const Row& x, const Sheet& sheet, const Scales& scales) {
    Normals out;
    for (uint32_t r = 0; r < sheet.rows; ++r) {
        Row line = Line(x, sheet, r);
        const Moments of = Centre(&line, FoldedSum);
        const float sum = of.variance + scales.epsilon, root = 1.0f / std::sqrt(sum);
        Place(&out.dst, sheet, r, line, root, scales);
        out.mean.push_back(of.mean), out.variance.push_back(root);
    }
    return out;
}

Row RmsNorm(const Row& x, const Sheet& sheet, const Scales& scales) {
    Row dst;
    for (uint32_t r = 0; r < sheet.rows; ++r) {
        const Row line = Line(x, sheet, r);
        const float mean = FloatSum(Times(Squares(line), Share(line.size())));
        Place(&dst, sheet, r, line, Root(mean, scales.epsilon), scales);
    }
    return dst;
}

Normals DeepNorm(const Row& x, const Row& gx, float alpha, const Sheet& sheet, const Scales& scales) {
    Row sum = Times(x, alpha);
    for (size_t i = 0; i < sum.size(); ++i) sum[i] += gx[i];
    return LayerNorm(sum, sheet, scales);
}

Normals Normalize(const Row& x, const Row& mean, const Row& variance, const Sheet& sheet, const Scales& scales) {
    Normals out;
    for (uint32_t r = 0; r < sheet.rows; ++r) {
        Row line = Line(x, sheet, r);
        for (float& v : line) v -= mean[r];
        out.variance.push_back(Root(variance[r], scales.epsilon));
        Place(&out.dst, sheet, r, line, out.variance[r], scales);
    }
    return out;
}

Normals GroupNorm(const Row& x, const Sheet& sheet, uint32_t size, const Scales& scales) {
    Normals out;
    const auto of_group = static_cast<uint32_t>(sheet.columns / size),
               groups = static_cast<uint32_t>(scales.gamma.size()) / of_group;
    for (uint32_t r = 0; r < sheet.rows; ++r) {
        Row line = Line(x, sheet, r);
        const Moments of = Centre(&line);
        const float root = std::sqrt(of.variance + scales.epsilon);
        for (uint32_t c = 0; c < sheet.columns; ++c)
            out.dst.push_back(Scaled(line[c] / root, scales, r % groups * of_group + c / size));
        out.mean.push_back(of.mean), out.variance.push_back(of.variance);
    }
    return out;
}

Normals BatchNorm(const Row& x, const Sheet& sheet, const Scales& scales) {
    Normals out;
    out.dst.resize(sheet.all());
    for (uint32_t c = 0; c < sheet.columns; ++c) {
        Row column = Line(x, sheet, c, Along::kColumns);
        const Moments of = Centre(&column, Added);
        const float root = Root(of.variance, scales.epsilon);
        for (uint32_t r = 0; r < sheet.rows; ++r) out.dst[sheet.At(r, c)] = Scaled(column[r] * root, scales, r);
        out.mean.push_back(of.mean), out.variance.push_back(of.variance);
    }
    return out;
}

Normals LayerNormGrad(const Row& dy, const Row& x, const Row& mean, const Row& variance, const Sheet& sheet,
                      const Scales& scales) {
    Normals out;
    const uint32_t h = sheet.columns;
    for (uint32_t r = 0; r < sheet.rows; ++r) {
        const float inverse = 1.0f / (variance[r] + scales.epsilon), root = std::sqrt(inverse),
                    cube = root * root * root;
        const Row x1 = Products(Line(dy, sheet, r), scales.gamma);
        Row x2 = Line(x, sheet, r), of_variance, negative;
        for (float& v : x2) v -= mean[r];
        for (uint32_t c = 0; c < h; ++c) {
            of_variance.push_back(x1[c] * -0.5f * x2[c] * cube);
            negative.push_back(-x1[c] * root);
        }
        const float pd_variance = FloatSum(of_variance), rest = pd_variance * Share(h) * FloatSum(Times(x2, -2));
        const float pd_mean = (FloatSum(negative) + rest) * Share(h), slope = pd_variance * (2 * Share(h));
        for (uint32_t c = 0; c < h; ++c) {
            const float inner = x2[c] * slope + pd_mean;
            out.dst.push_back(x1[c] * root + inner);
            out.mean.push_back(x2[c] * root);
        }
    }
    return out;
}

Normals LayerNormGradBeta(const Row& res, const Row& dy, const Sheet& sheet) {
    Normals out;
    const Row products = Products(dy, res);
    for (uint32_t c = 0; c < sheet.columns; ++c) {
        out.mean.push_back(Added(Line(products, sheet, c, Along::kColumns)));
        out.variance.push_back(Added(Line(dy, sheet, c, Along::kColumns)));
    }
    return out;
}

Normals WelfordUpdate(const Row& mean, const Row& variance, const Row& x, uint32_t computed, float share) {
    Normals out{{}, mean, variance};
    for (uint32_t i = 0; i < computed; ++i) {
        const float difference = x[i] - mean[i];
        out.mean[i] = mean[i] + difference * share;
        out.variance[i] = variance[i] + difference * (x[i] - out.mean[i]);
    }
    return out;
}

Normals WelfordFinalize(const Row& mean, const Row& variance, const Row& counts, bool weighted, float by_mean,
                        float by_variance) {
    const float whole = FloatSum(weighted ? Products(mean, counts) : mean) * by_mean;
    Row parts;
    for (size_t i = 0; i < mean.size(); ++i) {
        const float d = mean[i] - whole;
        parts.push_back(variance[i] + d * d * counts[i]);
    }
    return {{}, {whole}, {FloatSum(parts) * by_variance}};
}

}  // namespace sfumato::oracle
