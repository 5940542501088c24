// SPDX-License-Identifier: Apache-2.0
// Attention: softmax(mask(scale (shift + q kT))) v, every sum in double. A row of which all is masked gives 0
// (decided).
#include <algorithm>
#include <cmath>
#include <limits>

#include "reference/functions.h"

namespace sfumato::reference {
namespace {

// Places of the parameters that both operators have.
struct Places {
    size_t heads, layout, mask, pre, next;
};

// Tensors as (batch, heads, rows, columns).
struct Heads {
    View q, k, v, out;
    int64_t batch, heads, kv_heads, rows, columns, width, value_width;
};

// A tensor of the layout as (batch, heads, sequence, width); H is heads times width.
View Ordered(const Call& c, size_t i, const std::string& layout, int64_t heads) {
    View t = c.Tensor(i);
    if (layout == "BNSD") {
        c.NeedRank(i, 4, 4);
        return t;
    }
    if (layout == "BSND") {
        c.NeedRank(i, 4, 4);
        return Moved(t, 2, 1);
    }
    c.NeedRank(i, 3, 3);
    const int64_t width = heads ? t.shape[2] / heads : 0;
    if (heads <= 0 || width * heads != t.shape[2])
        c.Refuse(i, Rule::kOpInput, "the last dimension is no whole number of heads", Words(t.shape),
                 "a multiple of " + std::to_string(heads));
    if (layout == "SBH") t = Moved(t, 1, 0);
    t.shape = {t.shape[0], t.shape[1], heads, width};
    t.strides = {t.strides[0], t.strides[1], t.strides[2] * width, t.strides[2]};
    return Moved(t, 2, 1);
}

// `narrower`: heads of the value, and so of the result, may be of less width than the query's.
Heads HeadsOf(const Call& c, const Places& p, const std::string& layouts, int64_t kv_heads, size_t out, bool narrower) {
    const std::string& layout = c[p.layout].text;
    if ((" " + layouts + " ").find(" " + layout + " ") == std::string::npos)
        c.RefuseAbsent(p.layout, Rule::kOpAttr, "there is no such layout here", "'" + layout + "'", layouts);
    const int64_t heads = c[p.heads].number;
    c.NeedNumber(p.heads, 1, std::numeric_limits<int32_t>::max());
    for (const size_t i : {size_t{1}, size_t{2}, out}) c.NeedSameType(i, 0);
    Heads h{};
    h.q = Ordered(c, 0, layout, heads);
    const bool flat = layout == "BSH" || layout == "SBH";
    if (kv_heads == 0) kv_heads = flat ? (h.q.shape[3] ? c.Tensor(1).shape.back() / h.q.shape[3] : 0) : -1;
    h.k = Ordered(c, 1, layout, kv_heads);
    h.v = Ordered(c, 2, layout, kv_heads);
    h.batch = h.q.shape[0], h.heads = h.q.shape[1], h.rows = h.q.shape[2], h.width = h.q.shape[3];
    h.kv_heads = h.k.shape[1], h.columns = h.k.shape[2];
    if (h.heads != heads)
        c.Refuse(p.heads, Rule::kOpAttr, "the query has another number of heads", std::to_string(heads),
                 std::to_string(h.heads));
    const Shape wanted = {h.batch, h.kv_heads, h.columns, h.width};
    if (h.k.shape != wanted || h.kv_heads == 0 || h.heads % h.kv_heads)
        c.Refuse(1, Rule::kOpInput, "the key does not go with the query",
                 Words(c.Tensor(1).shape) + " with " + Words(c.Tensor(0).shape),
                 "the same batch and width, heads that divide the query's");
    h.value_width = h.v.Rank() ? h.v.shape[3] : 0;
    if (!narrower || h.value_width >= h.width || h.v.shape != Shape{h.batch, h.kv_heads, h.columns, h.value_width})
        c.NeedShape(2, c.Tensor(1).shape);
    Shape result = c.Tensor(0).shape;
    result.back() = flat ? heads * h.value_width : h.value_width;
    c.NeedShape(out, result);
    h.out = Ordered(c, out, layout, heads);
    return h;
}

// A mask or shift as (batch, heads, rows, columns); `rank3`: it has no heads then.
View Square(const Call& c, size_t i, const Heads& h) {
    View t = c.Tensor(i);
    const Shape all = {h.batch, h.heads, h.rows, h.columns};
    if (t.Rank() == 3) {
        t.shape.insert(t.shape.begin() + 1, 1);
        t.strides.insert(t.strides.begin() + 1, 0);
    }
    Shape both;
    if (!Broadcast(all, t.shape, both) || both != all)
        c.Refuse(i, Rule::kOpInput, "the shape does not stretch to (batch, heads, query, key)",
                 Words(c.Tensor(i).shape), Words(all));
    return Stretched(t, all);
}

// Which columns a row sees by its mode: first to last, and those of the batch's prefix.
struct Band {
    // Tokens of a call, which may be as many as an int64_t counts.
    void Set(int64_t pre, int64_t next) {
        constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
        before = std::clamp(pre, -kMost, kMost), after = std::clamp(next, -kMost, kMost);
    }
    int64_t before = std::numeric_limits<int32_t>::max(), after = before, shift = 0;
    Shape prefix;
    bool Sees(int64_t batch, int64_t row, int64_t column) const {
        return (column >= row + shift - before && column <= row + shift + after) ||
               (!prefix.empty() && column < prefix[static_cast<size_t>(batch)]);
    }
};

struct Sums {
    std::vector<double> most, sum;
};

// Every row by itself. `lengths`: rows of each batch that count, empty where all do.
Sums Attend(const Heads& h, double scale, const View* shift, const View* mask, const Band& band, const Shape& lengths) {
    const std::vector<double> q = Read<double>(h.q), k = Read<double>(h.k), v = Read<double>(h.v);
    const std::vector<double> shifts = shift ? Read<double>(*shift) : std::vector<double>();
    const std::vector<int64_t> masks = mask ? Read<int64_t>(*mask) : std::vector<int64_t>();
    std::vector<double> out(static_cast<size_t>(h.out.Count()), 0.0), weights(static_cast<size_t>(h.columns));
    Sums sums;
    const int64_t group = h.heads / h.kv_heads;
    for (int64_t row = 0; row < h.batch * h.heads * h.rows; ++row) {
        const int64_t batch = row / (h.heads * h.rows), head = row / h.rows % h.heads, r = row % h.rows;
        const int64_t kv = (batch * h.kv_heads + head / group) * h.columns;
        const bool counts = lengths.empty() || r < lengths[static_cast<size_t>(batch)];
        double most = -std::numeric_limits<double>::infinity(), sum = 0;
        for (int64_t n = 0; n < h.columns; ++n) {
            double& weight = weights[static_cast<size_t>(n)] = -std::numeric_limits<double>::infinity();
            const auto at = static_cast<size_t>(row * h.columns + n);
            if (!counts || !band.Sees(batch, r, n) || (mask && masks[at])) continue;
            weight = shift ? shifts[at] : 0;
            for (int64_t d = 0; d < h.width; ++d)
                weight += q[static_cast<size_t>(row * h.width + d)] * k[static_cast<size_t>((kv + n) * h.width + d)];
            weight *= scale;
            most = std::max(most, weight);
        }
        for (double& weight : weights) sum += weight = std::isinf(most) && most < 0 ? 0 : std::exp(weight - most);
        for (int64_t n = 0; sum > 0 && n < h.columns; ++n) {
            for (int64_t d = 0; d < h.value_width; ++d)
                out[static_cast<size_t>(row * h.value_width + d)] +=
                    weights[static_cast<size_t>(n)] / sum * v[static_cast<size_t>((kv + n) * h.value_width + d)];
        }
        sums.most.insert(sums.most.end(), 8, most);
        sums.sum.insert(sums.sum.end(), 8, sum);
    }
    Write(h.out, out);
    return sums;
}

void NeedAbsent(const Call& c, std::initializer_list<size_t> parameters) {
    for (const size_t i : parameters) {
        if (c.Has(i))
            c.RefuseAbsent(i, Rule::kOpInput, "the reference operator does not take this tensor", "an object",
                           "nullptr");
    }
}

// Modes 5 and 6: how many columns every row of a batch sees.
const Shape& PrefixOf(const Call& c, const Heads& h) {
    const Shape& prefix = c[7].integers;
    if (!c.Has(7)) c.RefuseNull(7, "sparseMode 5 and 6 need the prefix");
    const int64_t least = std::max<int64_t>(0, h.columns - h.rows);
    bool fits = static_cast<int64_t>(prefix.size()) == h.batch;
    for (const int64_t n : prefix) fits = fits && n >= least && n <= h.columns;
    if (!fits)
        c.Refuse(7, Rule::kOpAttr, "these are no prefixes of the batches", Words(prefix),
                 "one for each batch, " + std::to_string(least) + " to " + std::to_string(h.columns));
    return prefix;
}

}  // namespace

void FlashAttentionScore(Call& c) {
    const Places p{12, 13, 6, 10, 11};
    const Heads h = HeadsOf(c, p, "BSH SBH BSND BNSD", 0, 19, true);
    NeedAbsent(c, {4, 5});
    if (c[9].real != 1)
        c.RefuseAbsent(9, Rule::kOpAttr, "the reference operator drops nothing", std::to_string(c[9].real), "1");
    const Shape wanted = {h.batch, h.heads, h.rows, 8};
    for (const size_t i : {16, 17}) c.NeedShape(i, wanted);
    c.NeedNumber(15, 0, 6);
    View shift, mask;
    if (c.Has(3)) {
        c.NeedSameType(3, 0);
        shift = Square(c, 3, h);
    }
    // Without a mask, which is mode 0, tokens do not count. Modes 2 to 4 and 6 tell the whole mask: what is given is a
    // triangle, the same for all lengths.
    const int64_t mode = c[15].number;
    if (mode && !c.Has(p.mask)) c.RefuseNull(p.mask, "sparseMode " + std::to_string(mode) + " needs its mask");
    const bool whole = c.Has(p.mask) && (mode < 2 || mode == 5);
    if (whole) mask = Square(c, p.mask, h);
    if (mode >= 2 && !whole) c.NeedShape(p.mask, {mode == 6 ? 3072 : 2048, 2048});
    Band band;
    if ((mode == 0 && whole) || mode == 4) band.Set(c[p.pre].number, c[p.next].number);
    if (mode >= 2 && mode != 4) band.after = 0;
    if (mode >= 3) band.shift = h.columns - h.rows;
    if (mode >= 5) band.prefix = PrefixOf(c, h);
    if (!c.computes()) return;
    const Sums sums = Attend(h, c[8].real, c.Has(3) ? &shift : nullptr, whole ? &mask : nullptr, band, {});
    Write(c.Tensor(16), sums.most);
    Write(c.Tensor(17), sums.sum);
}

void PromptFlashAttention(Call& c) {
    const Places p{6, 10, 4, 8, 9};
    c.NeedNumber(11, 0, std::numeric_limits<int32_t>::max());
    const bool flat = c[10].text == "BSH";
    const Heads h = HeadsOf(c, p, "BSH BSND BNSD", flat && c[11].number == 0 ? c[6].number : c[11].number, 12, false);
    NeedAbsent(c, {3});
    if (c[11].number && c[11].number != h.kv_heads)
        c.Refuse(11, Rule::kOpAttr, "the key has another number of heads", std::to_string(c[11].number),
                 std::to_string(h.kv_heads));
    const Shape& lengths = c[5].integers;
    bool fit = lengths.empty() || static_cast<int64_t>(lengths.size()) == h.batch;
    for (const int64_t length : lengths) fit = fit && length >= 0 && length <= h.rows;
    if (!fit)
        c.Refuse(5, Rule::kOpAttr, "these are no lengths of the query", Words(lengths),
                 "one for each batch, at most " + std::to_string(h.rows));
    View mask;
    if (c.Has(p.mask)) mask = Square(c, p.mask, h);
    Band band;
    if (c.Has(p.mask)) band.Set(c[p.pre].number, c[p.next].number);
    if (c.computes()) Attend(h, c[7].real, nullptr, c.Has(p.mask) ? &mask : nullptr, band, lengths);
}

}  // namespace sfumato::reference
