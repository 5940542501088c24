// SPDX-License-Identifier: Apache-2.0
// Products of matrices: sums in double in the order of k, rounded once. cubeMathType, which lets a board compute with
// fewer digits, changes nothing here.
#include "reference/matmul.h"

#include "reference/functions.h"

namespace sfumato::reference {
namespace {

// The matrices of the call; a vector is a row of the first, a column of the second. What is added, before them, has a
// say in the type of the result.
void Product(Call& c, size_t a, size_t b, const std::function<double(size_t, double)>& finish = nullptr) {
    const View &x = c.Tensor(a), &y = c.Tensor(b);
    Shape rows = x.shape, columns = y.shape;
    if (x.Rank() == 1) rows.insert(rows.begin(), 1);
    if (y.Rank() == 1) columns.push_back(1);
    const int64_t m = rows[rows.size() - 2], k = rows.back(), n = columns.back();
    if (columns[columns.size() - 2] != k)
        c.Refuse(b, Rule::kOpInput, "the matrices have no common length", Words(x.shape) + " times " + Words(y.shape),
                 "as many rows as the first has columns");
    const Shape batch_a(rows.begin(), rows.end() - 2), batch_b(columns.begin(), columns.end() - 2);
    Shape batch;
    if (!Broadcast(batch_a, batch_b, batch))
        c.Refuse(b, Rule::kOpInput, "the batches do not go together", Words(x.shape) + " times " + Words(y.shape),
                 "the same lengths before the matrices, or 1");
    Shape result = batch;
    if (x.Rank() != 1) result.push_back(m);
    if (y.Rank() != 1) result.push_back(n);
    const size_t out = c.Result();
    c.NeedShape(out, result);
    const int type = Promoted(x.type, y.type);
    NeedProductType(c, a ? Promoted(c.Tensor(0).type, type) : type, out);
    if (!c.computes()) return;
    Shape all_a = batch, all_b = batch;
    all_a.insert(all_a.end(), {m, k});
    all_b.insert(all_b.end(), {k, n});
    View matrix_x{x.type, x.data, rows, x.strides}, matrix_y{y.type, y.data, columns, y.strides};
    if (x.Rank() == 1) matrix_x.strides.insert(matrix_x.strides.begin(), 0);
    if (y.Rank() == 1) matrix_y.strides.push_back(0);
    std::vector<double> values = Multiplied(Read<double>(Stretched(matrix_x, all_a)),
                                            Read<double>(Stretched(matrix_y, all_b)), {CountOf(batch), m, k, n});
    for (size_t i = 0; finish && i < values.size(); ++i) values[i] = finish(i, values[i]);
    Write(c.Out(), values);
}

}  // namespace

std::vector<double> Multiplied(const std::vector<double>& a, const std::vector<double>& b, const MatrixSizes& s) {
    std::vector<double> c(static_cast<size_t>(s.batch * s.m * s.n), 0.0);
    const double *x = a.data(), *y = b.data();
    double* row = c.data();
    for (int64_t i = 0; i < s.batch; ++i, y += s.k * s.n) {
        for (int64_t r = 0; r < s.m; ++r, row += s.n) {
            for (int64_t k = 0; k < s.k; ++k) {
                const double factor = *x++;
                for (int64_t n = 0; n < s.n; ++n) row[n] += factor * y[k * s.n + n];
            }
        }
    }
    return c;
}

void NeedProductType(const Call& c, int type, size_t out) {
    const int is = c.Tensor(out).type;
    if (is == type || is == kFloat) return;
    c.Refuse(out, Rule::kOpInput, "the result of the product has another element type", NameOf(is),
             NameOf(type) + (type == kFloat ? "" : ", float32"));
}

void Matmul(Call& c) {
    c.NeedRank(0, 1, 6);
    c.NeedRank(1, 1, 6);
    c.NeedNumber(3, 0, 4);
    Product(c, 0, 1);
}
void Mm(Call& c) {
    c.NeedRank(0, 2, 2);
    c.NeedRank(1, 2, 2);
    c.NeedNumber(3, -1, 4);
    Product(c, 0, 1);
}
void BatchMatMul(Call& c) {
    c.NeedRank(0, 3, 3);
    c.NeedRank(1, 3, 3);
    c.NeedNumber(3, 0, 3);
    Product(c, 0, 1);
}
void Addmm(Call& c) {
    c.NeedRank(0, 1, 2);
    c.NeedRank(1, 2, 2);
    c.NeedRank(2, 2, 2);
    c.NeedNumber(c.op.parameters.size() - 1, 0, 4);
    const View& self = c.Tensor(0);
    const Shape shape = {c.Tensor(1).shape[0], c.Tensor(2).shape[1]};
    Shape both;
    if (!Broadcast(self.shape, shape, both) || both != shape)
        c.Refuse(0, Rule::kOpInput, "the tensor does not stretch to the product", Words(self.shape), Words(shape));
    if (!c.computes()) return Product(c, 1, 2);
    const double beta = Read<double>(c.Tensor(3))[0], alpha = Read<double>(c.Tensor(4))[0];
    const std::vector<double> added = Read<double>(Stretched(self, shape));
    // As PyTorch has it, which the page names nowhere: with beta 0 not even NaN counts.
    Product(c, 1, 2, [&](size_t i, double v) { return alpha * v + (beta == 0 ? 0 : beta * added[i]); });
}

}  // namespace sfumato::reference
