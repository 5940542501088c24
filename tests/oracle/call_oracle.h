// SPDX-License-Identifier: Apache-2.0
// What high-level calls must return, from their pages and adv.md 4 to 10 alone: rows of numbers in, rows of numbers
// out, in the float and double of C++, without a line of the product. A result that is not of float is narrowed by the
// caller.
#pragma once

#include <cstdint>
#include <vector>

#include "sfumato/data_type.h"

namespace sfumato::oracle {

// The element of a type nearest to a number, ties to even, as bits, and the number of an element.
uint64_t NearestBits(DataType type, double x);
double NumberAt(DataType type, uint64_t bits);
double Nearest(DataType type, double x);

// How an instruction rounds. A half of a chip that saturates ends at 65504 and is never NaN (vector_instructions.md 1).
struct Format {
    DataType type;
    bool saturates = false;
};

// --- elementwise (4.3, 5): of x, of y or the scalar of the call
using Formula = double (*)(const Format&, double x, double y);
#define SFUMATO_FORMULAS(of)                                                                                           \
    of(Sigmoid) of(Gelu) of(FasterGelu) of(FasterGeluV2) of(Swish) of(SwiGLU) of(GeGLU) of(ReGlu) of(Sin) of(Cos)      \
        of(Tan) of(Asin) of(Acos) of(Atan) of(Sinh) of(Cosh) of(Tanh) of(Asinh) of(Acosh) of(Atanh) of(Erf) of(Erfc)   \
            of(Lgamma) of(Digamma) of(Log) of(Log2) of(Log10) of(Power) of(PowerOfScalar) of(Fmod) of(Hypot) of(Floor) \
                of(Ceil) of(Trunc) of(Round) of(Frac) of(Sign) of(Xor) of(ClampMax) of(ClampMin) of(Exp)               \
                    of(ExpOfTerms) of(Axpy)
#define SFUMATO_FORMULA(Name) double Name(const Format& format, double x, double y);
SFUMATO_FORMULAS(SFUMATO_FORMULA)
#undef SFUMATO_FORMULA

// --- rows: floats say every element of the types below
using Row = std::vector<float>;

// A matrix in memory: `columns` apart, of which `valid` are no padding; nz: columns of fractals, one after another.
struct Sheet {
    uint32_t rows, columns, valid;
    bool nz = false;
    uint32_t all() const { return rows * columns; }
    uint32_t At(uint32_t r, uint32_t c) const { return nz ? c / 16 * rows * 16 + r * 16 + c % 16 : r * columns + c; }
};

// Neighbours added in groups of 256 bytes, each sum rounded to the type, until one is left (4.0).
float TreeSum(DataType type, const Row& values);

// The softmax family (4.2). Without in_max and in_sum it is no update; row_max is the maximum of the row alone.
struct Softmaxes {
    Row dst, sum, max, exp_max, row_max;
};
enum class Divides { kNo, kYes };
Softmaxes Softmax(const Row& x, const Sheet& sheet, Divides divides, const Row& in_max = {}, const Row& in_sum = {});
Row SimpleSoftMax(const Row& x, const Sheet& sheet, const Row& in_max, const Row& in_sum);
Row LogSoftMax(const Row& x, const Sheet& sheet);
Row SoftmaxGradFront(const Row& grad, const Row& x, const Sheet& sheet);
Row SoftmaxGrad(const Row& grad, const Row& x, const Sheet& sheet);
// Rows of this maximum become a number.
Row AdjustSoftMaxRes(Row res, const Sheet& sheet, const Row& max, float from, float to);

// Reductions (5, 6), along the rows or down the columns.
enum class Along { kRows, kColumns };
Row Sum(DataType type, const Row& x, const Sheet& sheet);
Row Mean(const Row& x, const Sheet& sheet);
enum class Reduced { kSum, kMean, kMax, kMin, kProd, kAny, kAll };
Row Reduce(Reduced what, const Row& x, const Sheet& sheet, Along along);
Row CumSum(const Row& x, const Sheet& sheet, Along along);
// The sum of a ^ b, at the ends of int16 where it leaves them.
float XorSum(const Row& a, const Row& b);

// Normalisation (7). Moments of a row; where a call gives another number in their place, that one.
struct Normals {
    Row dst, mean, variance;
};
struct Scales {
    Row gamma, beta;  // empty: none
    float epsilon;
};
Normals LayerNorm(const Row& x, const Sheet& sheet, const Scales& scales);
// With LayerNormPara: rows folded onto their heads; variance is the reciprocal root.
Normals LayerNormFolded(const Row& x, const Sheet& sheet, const Scales& scales);
Row RmsNorm(const Row& x, const Sheet& sheet, const Scales& scales);
Normals DeepNorm(const Row& x, const Row& gx, float alpha, const Sheet& sheet, const Scales& scales);
// Of mean and variance given; variance is the reciprocal root.
Normals Normalize(const Row& x, const Row& mean, const Row& variance, const Sheet& sheet, const Scales& scales);
// Rows are groups; a channel has `size` elements, a sample as many channels as gamma.
Normals GroupNorm(const Row& x, const Sheet& sheet, uint32_t size, const Scales& scales);
// Along the rows of a batch; a scale a row.
Normals BatchNorm(const Row& x, const Sheet& sheet, const Scales& scales);
// dst and mean: pd_x and resForGamma.
Normals LayerNormGrad(const Row& dy, const Row& x, const Row& mean, const Row& variance, const Sheet& sheet,
                      const Scales& scales);
// mean and variance: of gamma and beta.
Normals LayerNormGradBeta(const Row& res, const Row& dy, const Sheet& sheet);
Normals WelfordUpdate(const Row& mean, const Row& variance, const Row& x, uint32_t computed, float share);
// count: of each mean; `by` what the sum of weighted means, and that of the squares, are multiplied with.
Normals WelfordFinalize(const Row& mean, const Row& variance, const Row& counts, bool weighted, float by_mean,
                        float by_variance);

// --- quantisation (8) and what moves, selects and sorts (9, 10)
Row AscendQuant(const Row& x, const Row& scale, const Row& offset);
// Of a row of int32; what the type of the result narrows.
Row AscendDequant(const std::vector<int32_t>& x, const Sheet& sheet, const Row& scale);
// k by n, or n by k where transposed; a scale a group of rows and column, or one; offset empty: none.
Row AscendAntiQuant(DataType type, const Row& x, uint32_t k, bool transposed, const Row& scale, const Row& offset,
                    uint32_t groups);
Row BroadCast(const Row& x, const Sheet& sheet, int axis);
Row SelectWithBytesMask(const Row& x, float other, const Row& mask, const Sheet& sheet, uint32_t mask_columns,
                        bool other_first);
// bits: eight elements a byte, the lowest bit first; whole: rows of the mask without gaps.
Row DropOut(DataType type, const Row& x, const Row& mask, const Sheet& sheet, uint32_t mask_columns, bool bits,
            float keep);
struct Places {
    Row values;
    std::vector<uint32_t> places;  // in their row
};
Places TopK(const Row& x, const Sheet& sheet, uint32_t k, bool largest);
// Where element (b, n, s, c) of [B, N, S, h] lies: the layouts of ConfusionTranspose.
struct Layout {
    bool nz, whole, swaps;  // whole: [B, S, H]; swaps: [B, S, N, h]
    uint64_t At(const uint32_t shape[4], uint64_t b, uint64_t n, uint64_t s, uint64_t c) const;
    uint64_t Size(const uint32_t shape[4]) const;
};
Row ConfusionTranspose(const Row& x, const uint32_t shape[4], const Layout& from, const Layout& to, float gap);
Row Transposed(const Row& x, const Sheet& sheet);
// Rows of `kept` elements behind `left` in rows of `to`, the others a number; and the first `to` of each row.
Row Pad(const Row& x, const Sheet& sheet, uint32_t left, uint32_t to, float padding);
Row UnPad(const Row& x, const Sheet& sheet, uint32_t to);

// --- products (2.9): a chain over k from `start` on, float or int32
struct Product {
    uint32_t m, n, k;
};
Row Matmul(const Row& a, const Row& b, const Row& bias, const Product& size, bool integer);

// Of one rank (11): what it receives is what it sent, as far as tasks were committed, and 0.
Row CollectiveOfOne(const Row& sent, size_t committed);

}  // namespace sfumato::oracle
