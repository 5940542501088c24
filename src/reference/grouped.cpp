// SPDX-License-Identifier: Apache-2.0
// Products of groups of matrices, without quantisation: a list of pairs (groupType -1), or the rows of one matrix in
// groups, each with a weight of its own (groupType 0).
#include "reference/functions.h"
#include "reference/matmul.h"

namespace sfumato::reference {
namespace {

enum : size_t { kX, kWeight, kBias, kGroups = 8, kSplit = 12, kType, kListType, kAct, kOut };

// Matrix n of a list that has one for each, or one tensor of all.
View MatrixOf(const std::vector<View>& list, size_t n) {
    if (list.size() > 1 || list[0].Rank() < 3) return list[n];
    const View part = Part(list[0], 0, static_cast<int64_t>(n), 1);
    return {part.type, part.data, {part.shape[1], part.shape[2]}, {part.strides[1], part.strides[2]}};
}

void NeedMatrices(const Call& c, const View& x, const View& weight, const View& out, size_t n) {
    const auto at = " " + std::to_string(n) + " of the list";
    if (x.Rank() != 2 || weight.Rank() != 2 || x.shape[1] != weight.shape[0])
        c.Refuse(kWeight, Rule::kOpInput, "matrix" + at + " does not go with x",
                 Words(x.shape) + " times " + Words(weight.shape), "two dimensions, as many rows as x has columns");
    const Shape wanted = {x.shape[0], weight.shape[1]};
    if (out.shape != wanted)
        c.Refuse(kOut, Rule::kOpOutputShape, "result" + at + " has another shape", Words(out.shape), Words(wanted));
    if (weight.type != x.type || out.type != x.type)
        c.Refuse(kWeight, Rule::kOpInput, "the element types of" + at + " differ",
                 NameOf(x.type) + ", " + NameOf(weight.type) + " -> " + NameOf(out.type), "one type");
}

// Bias n, stretched to the product; null: there is none.
View BiasOf(const Call& c, size_t n, size_t count, int64_t rows, int64_t columns) {
    const std::vector<View>& list = c[kBias].tensors;
    View row;
    if (list.size() == 1 && list[0].Rank() == 2 && list[0].shape[0] == static_cast<int64_t>(count)) {
        const View part = Part(list[0], 0, static_cast<int64_t>(n), 1);
        row = {part.type, part.data, {part.shape[1]}, {part.strides[1]}};
    } else if (list.size() == count) {
        row = list[n];
    }
    if (row.shape != Shape{columns})
        c.Refuse(kBias, Rule::kOpInput, "there is no bias for every group",
                 std::to_string(list.size()) + " tensors, the first " + Words(list[0].shape),
                 "a row of the result's columns for each group, or one tensor of all");
    return Stretched(row, {rows, columns});
}

void Multiply(const Call& c, const View& x, const View& weight, const View& out, size_t n, size_t count) {
    const bool has = c.Has(kBias) && !c[kBias].tensors.empty();
    const int64_t m = x.shape[0], k = x.shape[1], columns = weight.shape[1];
    const View bias = has ? BiasOf(c, n, count, m, columns) : View{};
    if (!c.computes()) return;
    std::vector<double> values = Multiplied(Read<double>(x), Read<double>(weight), {1, m, k, columns});
    if (has) {
        const std::vector<double> added = Read<double>(bias);
        for (size_t i = 0; i < values.size(); ++i) values[i] += added[i];
    }
    Write(out, values);
}

// The rows where groups end.
std::vector<int64_t> Ends(const Call& c, int64_t rows) {
    std::vector<int64_t> ends = Read<int64_t>(c.Tensor(kGroups));
    for (size_t i = 0; i < ends.size(); ++i) {
        const int64_t before = i ? ends[i - 1] : 0;
        if (c[kListType].number == 1) ends[i] += before;
        if (ends[i] < before || ends[i] > rows)
            c.Refuse(kGroups, Rule::kOpInput, "the groups do not lie one behind another in the rows of x",
                     "group " + std::to_string(i) + " ends at " + std::to_string(ends[i]),
                     std::to_string(before) + " to " + std::to_string(rows));
    }
    return ends;
}

}  // namespace

void GroupedMatmul(Call& c) {
    for (const size_t i : {3, 4, 5, 6, 7, 9, 10, 11, 17, 18}) {
        if (!c[i].tensors.empty())
            c.RefuseAbsent(i, Rule::kOpInput, "the reference operator does not quantise", "a list with tensors",
                           "nullptr or an empty list");
    }
    if (c[kType].number == 2)
        c.RefuseAbsent(kType, Rule::kOpAttr, "the reference operator has no groups of columns", "2", "-1 or 0");
    c.NeedNumber(kType, -1, 0);
    c.NeedNumber(kListType, 0, 1);
    if (c[kAct].number)
        c.RefuseAbsent(kAct, Rule::kOpAttr, "the reference operator applies no activation",
                       std::to_string(c[kAct].number), "0");
    const std::vector<View>&x = c[kX].tensors, &weight = c[kWeight].tensors, &out = c[kOut].tensors;
    const bool pairs = c[kType].number == -1;
    c.NeedNumber(kSplit, pairs ? 0 : 2, pairs ? 1 : 3);
    if (x.empty() || weight.empty() || out.size() != x.size() || (pairs ? weight.size() != x.size() : x.size() != 1))
        c.Refuse(kWeight, Rule::kOpInput, "the lists do not go together",
                 std::to_string(x.size()) + " x, " + std::to_string(weight.size()) + " weights, " +
                     std::to_string(out.size()) + " results",
                 pairs ? "groupType -1: as many of each" : "groupType 0: one x and one result");
    if (pairs) {
        for (size_t n = 0; n < x.size(); ++n) {
            NeedMatrices(c, x[n], weight[n], out[n], n);
            Multiply(c, x[n], weight[n], out[n], n, x.size());
        }
        return;
    }
    if (!c.Has(kGroups)) c.RefuseNull(kGroups, "groupType 0 needs the groups");
    c.NeedRank(kGroups, 1, 1);
    const bool one = weight.size() == 1 && weight[0].Rank() == 3;
    const auto count = one ? static_cast<size_t>(weight[0].shape[0]) : weight.size();
    c.NeedShape(kGroups, {static_cast<int64_t>(count)});
    for (size_t n = 0; n < count; ++n) NeedMatrices(c, x[0], MatrixOf(weight, n), out[0], n);
    const std::vector<int64_t> ends = c.computes() ? Ends(c, x[0].shape[0]) : std::vector<int64_t>(count, 0);
    for (size_t n = 0; n < count; ++n) {
        const int64_t first = n ? ends[n - 1] : 0, rows = ends[n] - first;
        Multiply(c, Part(x[0], 0, first, rows), MatrixOf(weight, n), Part(out[0], 0, first, rows), n, count);
    }
}

}  // namespace sfumato::reference
