// SPDX-License-Identifier: Apache-2.0
// Orders of rows. Of equal values the one with the lower index comes first, and NaN counts as greater than everything.
#include <algorithm>
#include <cmath>

#include "reference/functions.h"

namespace sfumato::reference {
namespace {

// The first `count` of every row of a dimension in the order, and where they were.
void Order(Call& c, size_t dim, int64_t count, bool descending, size_t values_out, size_t indices_out) {
    const View& x = c.Tensor(0);
    const auto last = [&](const View& v) { return v.Rank() ? Moved(v, dim, v.Rank() - 1) : v; };
    const int64_t length = x.Rank() ? x.shape[dim] : 1;
    const auto order = [&]<class T>(T) {
        const std::vector<T> values = Read<T>(last(x));
        const auto less = [](T a, T b) {
            if constexpr (std::is_same_v<T, double>) {
                if (std::isnan(a) || std::isnan(b)) return !std::isnan(a);
            }
            return a < b;
        };
        const std::vector<uint8_t> bytes = Bytes(last(x));
        const uint64_t size = SizeOf(x.type);
        std::vector<uint8_t> sorted;  // the bits of NaN stay
        std::vector<int64_t> indices;
        for (size_t row = 0; length && row < values.size(); row += static_cast<size_t>(length)) {
            std::vector<int64_t> places(static_cast<size_t>(length));
            for (int64_t i = 0; i < length; ++i) places[static_cast<size_t>(i)] = i;
            std::ranges::stable_sort(places, [&](int64_t i, int64_t j) {
                const T a = values[row + static_cast<size_t>(i)], b = values[row + static_cast<size_t>(j)];
                return descending ? less(b, a) : less(a, b);
            });
            for (int64_t i = 0; i < count; ++i) {
                indices.push_back(places[static_cast<size_t>(i)]);
                const auto* first = bytes.data() + (row + static_cast<size_t>(indices.back())) * size;
                sorted.insert(sorted.end(), first, first + size);
            }
        }
        PutBytes(last(c.Tensor(values_out)), sorted);
        Write(last(c.Tensor(indices_out)), indices);
    };
    if (IsFloat(x.type))
        order(double());
    else if (x.type == kUint64)
        order(uint64_t());
    else
        order(int64_t());
}

}  // namespace

void Sort(Call& c) {
    const View& x = c.Tensor(0);
    c.NeedRank(0, 1, 8);
    const size_t dim = c.Dim(2, x.Rank());
    c.NeedSameType(4, 0);
    c.NeedShape(4, x.shape);
    c.NeedShape(5, x.shape);
    if (c.computes()) Order(c, dim, x.shape[dim], c[3].number != 0, 4, 5);
}

void Topk(Call& c) {
    const View& x = c.Tensor(0);
    const size_t dim = c.Dim(2, x.Rank());
    c.NeedNumber(1, 0, x.Rank() ? x.shape[dim] : 1);
    if (!c[4].number)
        c.RefuseAbsent(4, Rule::kOpAttr, "results that are not sorted are not supported yet, as the page says", "false",
                       "true");
    Shape shape = x.shape;
    if (!shape.empty()) shape[dim] = c[1].number;
    c.NeedSameType(5, 0);
    c.NeedShape(5, shape);
    c.NeedShape(6, shape);
    if (c.computes()) Order(c, dim, x.Rank() ? c[1].number : std::min<int64_t>(1, c[1].number), c[3].number != 0, 5, 6);
}

}  // namespace sfumato::reference
