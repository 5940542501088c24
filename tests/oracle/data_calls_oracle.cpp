// SPDX-License-Identifier: Apache-2.0
// Quantisation, what moves, selects and sorts (adv.md 8 to 10), and products (2.9).
#include <algorithm>
#include <cmath>

#include "oracle/call_oracle.h"

namespace sfumato::oracle {

namespace {

float Half(double x) { return static_cast<float>(Nearest(DataType::kHalf, x)); }
double Wide(float x) { return static_cast<double>(x); }

}  // namespace

Row AscendQuant(const Row& x, const Row& scale, const Row& offset) {
    Row dst;
    for (size_t i = 0; i < x.size(); ++i) {
        const float product = Half(Wide(Half(Wide(x[i]))) * Wide(Half(Wide(scale[i % scale.size()]))));
        const float sum = Half(Wide(product) + Wide(Half(Wide(offset[i % offset.size()]))));
        dst.push_back(std::clamp(std::nearbyint(sum), -128.0f, 127.0f));
    }
    return dst;
}

Row AscendDequant(const std::vector<int32_t>& x, const Sheet& sheet, const Row& scale) {
    Row dst(sheet.all());
    for (uint32_t r = 0; r < sheet.rows; ++r) {
        for (uint32_t c = 0; c < sheet.valid; ++c)
            dst[sheet.At(r, c)] = static_cast<float>(x[sheet.At(r, c)]) * scale[c % scale.size()];
    }
    return dst;
}

Row AscendAntiQuant(DataType type, const Row& x, uint32_t k, bool transposed, const Row& scale, const Row& offset,
                    uint32_t groups) {
    Row dst;
    const auto n = static_cast<uint32_t>(x.size()) / k;
    const DataType step = type == DataType::kHalf ? type : DataType::kFloat;
    for (uint32_t i = 0; i < x.size(); ++i) {
        const uint32_t row = transposed ? i % k : i / n, column = transposed ? i / k : i % n,
                       group = groups ? row / (k / groups) : 0;
        const uint32_t at = !groups ? 0 : transposed ? column * groups + group : group * n + column;
        const double sum = offset.empty() ? Wide(x[i]) : Nearest(step, Wide(x[i]) + Wide(offset[at]));
        dst.push_back(static_cast<float>(Nearest(step, sum * Wide(scale[at]))));
    }
    return dst;
}

Row BroadCast(const Row& x, const Sheet& sheet, int axis) {
    Row dst;
    for (uint32_t r = 0; r < sheet.rows; ++r) {
        for (uint32_t c = 0; c < sheet.columns; ++c) dst.push_back(x[axis == 0 ? c % x.size() : r]);
    }
    return dst;
}

Row SelectWithBytesMask(const Row& x, float other, const Row& mask, const Sheet& sheet, uint32_t mask_columns,
                        bool other_first) {
    Row dst;
    for (uint32_t r = 0; r < sheet.rows; ++r) {
        for (uint32_t c = 0; c < sheet.columns; ++c) {
            const bool first = mask[r * mask_columns + c] == 0;
            dst.push_back(first != other_first ? x[sheet.At(r, c)] : other);
        }
    }
    return dst;
}

Row DropOut(DataType type, const Row& x, const Row& mask, const Sheet& sheet, uint32_t mask_columns, bool bits,
            float keep) {
    const double factor = Nearest(type, static_cast<float>(1 / Wide(keep)));
    Row dst;
    for (uint32_t r = 0; r < sheet.rows; ++r) {
        for (uint32_t c = 0; c < sheet.columns; ++c) {
            const uint32_t place = r * mask_columns + (bits ? c / 8 : c);
            const bool kept = bits ? static_cast<uint32_t>(mask[place]) >> c % 8 & 1 : mask[place] != 0;
            dst.push_back(kept ? static_cast<float>(Nearest(type, Wide(x[sheet.At(r, c)]) * factor)) : 0.0f);
        }
    }
    return dst;
}

Places TopK(const Row& x, const Sheet& sheet, uint32_t k, bool largest) {
    Places out;
    for (uint32_t r = 0; r < sheet.rows; ++r) {
        std::vector<uint32_t> order(sheet.columns);
        for (uint32_t i = 0; i < sheet.columns; ++i) order[i] = i;
        std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
            const float first = x[sheet.At(r, a)], second = x[sheet.At(r, b)];
            return largest ? first > second : first < second;
        });
        for (uint32_t i = 0; i < k; ++i) out.values.push_back(x[sheet.At(r, order[i])]), out.places.push_back(order[i]);
    }
    return out;
}

namespace {
uint64_t Up(uint64_t n) { return (n + 15) / 16 * 16; }
}  // namespace

uint64_t Layout::At(const uint32_t shape[4], uint64_t b, uint64_t n, uint64_t s, uint64_t c) const {
    const uint64_t N = shape[1], S = shape[2], h = shape[3];
    if (whole) {
        const uint64_t H = Up(N * h), column = n * h + c;
        return nz ? ((b * (H / 16) + column / 16) * S + s) * 16 + column % 16 : (b * S + s) * H + column;
    }
    if (swaps) return nz ? (((b * S + s) * (h / 16) + c / 16) * N + n) * 16 + c % 16 : ((b * S + s) * N + n) * h + c;
    return nz ? (((b * N + n) * (Up(h) / 16) + c / 16) * S + s) * 16 + c % 16 : ((b * N + n) * S + s) * Up(h) + c;
}
uint64_t Layout::Size(const uint32_t shape[4]) const {
    return uint64_t{shape[0]} * shape[2] * (whole ? Up(shape[1] * shape[3]) : shape[1] * Up(shape[3]));
}

Row ConfusionTranspose(const Row& x, const uint32_t shape[4], const Layout& from, const Layout& to, float gap) {
    Row dst(to.Size(shape), gap);
    for (uint64_t at = 0; at < uint64_t{shape[0]} * shape[1] * shape[2] * shape[3]; ++at) {
        const uint64_t c = at % shape[3], s = at / shape[3] % shape[2], n = at / shape[3] / shape[2] % shape[1];
        const uint64_t b = at / shape[3] / shape[2] / shape[1];
        dst[to.At(shape, b, n, s, c)] = x[from.At(shape, b, n, s, c)];
    }
    return dst;
}

Row Transposed(const Row& x, const Sheet& sheet) {
    Row dst;
    for (uint32_t c = 0; c < sheet.columns; ++c) {
        for (uint32_t r = 0; r < sheet.rows; ++r) dst.push_back(x[sheet.At(r, c)]);
    }
    return dst;
}

Row Pad(const Row& x, const Sheet& sheet, uint32_t left, uint32_t to, float padding) {
    Row dst(uint64_t{sheet.rows} * to, padding);
    for (uint32_t r = 0; r < sheet.rows; ++r) {
        for (uint32_t c = 0; c < sheet.valid; ++c) dst[r * to + left + c] = x[sheet.At(r, c)];
    }
    return dst;
}

Row UnPad(const Row& x, const Sheet& sheet, uint32_t to) {
    Row dst;
    for (uint32_t r = 0; r < sheet.rows; ++r) {
        for (uint32_t c = 0; c < to; ++c) dst.push_back(x[sheet.At(r, c)]);
    }
    return dst;
}

Row Matmul(const Row& a, const Row& b, const Row& bias, const Product& size, bool integer) {
    Row c;
    for (uint32_t m = 0; m < size.m; ++m) {
        for (uint32_t n = 0; n < size.n; ++n) {
            double sum = bias.empty() ? 0 : Wide(bias[n]);
            for (uint32_t k = 0; k < size.k; ++k) {
                const double product = Wide(a[m * size.k + k]) * Wide(b[k * size.n + n]);
                sum = integer ? sum + product : Wide(static_cast<float>(sum + Wide(static_cast<float>(product))));
            }
            c.push_back(static_cast<float>(sum));
        }
    }
    return c;
}

Row CollectiveOfOne(const Row& sent, size_t committed) {
    Row received(sent.size(), 0);
    std::copy_n(sent.begin(), committed, received.begin());
    return received;
}

}  // namespace sfumato::oracle
