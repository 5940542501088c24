// SPDX-License-Identifier: Apache-2.0
// Load3Dv1 and Load3Dv2 on random parameters against the element formulas of cube.md 3.4 and 3.5.
#include <algorithm>
#include <optional>

#include "exec/load_fixture.h"

namespace sfumato::testing {
namespace {

using isa::Memory;
using isa::Opcode;

class ImageLoads : public Loads, public ::testing::WithParamInterface<std::string> {
protected:
    void SetUp() override { ASSERT_TRUE(exec::ForceTarget(GetParam())); }
    void TearDown() override { exec::ForceTarget(""); }

    uint32_t Any(uint32_t low, uint32_t high) { return low + static_cast<uint32_t>(random_() % (high - low + 1)); }
    bool Chance(uint32_t one_in) { return Any(1, one_in) == 1; }

    isa::FeatureMap AnyMap() {
        const auto pad = [&] { return static_cast<uint8_t>(Any(0, 3)); };
        return {Any(1, 9), Any(1, 9), pad(), pad(), pad(), pad()};
    }
    isa::Filter AnyFilter() { return {Any(1, 3), Any(1, 3), Any(1, 3), Any(1, 3), Any(1, 2), Any(1, 2)}; }

    // Element `n` after the byte `offset` of L1, which starts again at `boundary`.
    uint64_t Source(DataType type, uint64_t offset, uint64_t n, uint64_t boundary) {
        const uint64_t bits = BitsOf(type);
        const auto byte = [&](uint64_t at) { return uint64_t{src_.at(boundary ? at % boundary : at)}; };
        if (bits == 4) return byte(offset + n / 2) >> (n % 2 * 4) & 15;
        uint64_t value = 0;
        for (uint64_t b = bits / 8; b-- > 0;) value = value << 8 | byte(offset + n * bits / 8 + b);
        return value;
    }

    std::mt19937 random_{11};
};

// I[m][k] of cube.md 3.5, or nothing outside the matrix.
struct Image {
    const isa::Load3Dv2& p;
    uint64_t c0;
    int64_t out_w, out_h;
    uint64_t taps, columns;

    Image(const isa::Load3Dv2& shape, DataType type) : p(shape), c0(256 / BitsOf(type)) {
        const isa::Filter& f = p.filter;
        out_w =
            (int64_t{p.map.width} + p.map.left + p.map.right - int64_t{f.width - 1} * f.dilation_w - 1) / f.stride_w +
            1;
        out_h =
            (int64_t{p.map.height} + p.map.top + p.map.bottom - int64_t{f.height - 1} * f.dilation_h - 1) / f.stride_h +
            1;
        taps = uint64_t{f.width} * f.height;
        columns = taps * p.channels;
    }

    // The number of the source element; ~0 for padding.
    std::optional<uint64_t> At(uint64_t m, uint64_t k) const {
        if (m >= static_cast<uint64_t>(out_w * out_h) || k >= columns) return {};
        const uint64_t whole = p.channels / c0 * taps * c0;
        const uint64_t c1 = k < whole ? k / (taps * c0) : p.channels / c0;
        const uint64_t group = k < whole ? c0 : p.channels % c0;
        const uint64_t kk = k - c1 * taps * c0;
        const int64_t tap = static_cast<int64_t>(kk / group), row = static_cast<int64_t>(m);
        const int64_t ih = row / out_w * p.filter.stride_h - p.map.top + tap / p.filter.width * p.filter.dilation_h;
        const int64_t iw = row % out_w * p.filter.stride_w - p.map.left + tap % p.filter.width * p.filter.dilation_w;
        if (ih < 0 || iw < 0 || ih >= p.map.height || iw >= p.map.width) return ~0ull;
        const uint64_t pixel = static_cast<uint64_t>(ih * p.map.width + iw);
        return c1 * p.map.height * p.map.width * c0 + pixel * group + kk % group;
    }
};

TEST_P(ImageLoads, WindowsOfTheMatrix) {
    const std::vector<uint32_t> tails[] = {{8, 16, 32}, {4, 8, 16}, {4, 8}, {4}};
    const DataType types[] = {DataType::kInt4, DataType::kInt8, DataType::kHalf, DataType::kFloat};
    for (int i = 0; i < 6000; ++i) {
        const uint32_t width = Any(0, 3);
        const DataType type = types[width];
        const uint32_t c0 = 256 / BitsOf(type);
        isa::Load3Dv2 p;
        p.map = AnyMap();
        p.filter = AnyFilter();
        if (Chance(3)) {  // a plain matrix
            p.map = {Any(1, 80), 1};
            p.filter = {};
        }
        p.channels = c0 * Any(0, 3);
        if (p.channels == 0 || Chance(3)) p.channels += tails[width][random_() % tails[width].size()];
        const isa::Filter& f = p.filter;
        if (p.map.width + p.map.left + p.map.right <= (f.width - 1) * f.dilation_w) continue;
        if (p.map.height + p.map.top + p.map.bottom <= (f.height - 1) * f.dilation_h) continue;
        const Image image(p, type);
        const uint64_t rows = static_cast<uint64_t>(image.out_w * image.out_h);
        p.m_start = Any(0, static_cast<uint32_t>(rows - 1));
        p.m_extension = Chance(2) ? static_cast<uint32_t>(rows) - p.m_start : 16 * Any(1, 4);
        p.m_extension = std::min(p.m_extension, 80u);
        p.k_start = Any(0, static_cast<uint32_t>((image.columns - 1) / c0)) * c0;
        p.k_extension = static_cast<uint32_t>(image.columns) - p.k_start;
        if (Chance(2)) p.k_extension = Any(1, std::max(1u, p.k_extension / c0)) * c0;
        if (p.k_extension / c0 > 12) p.k_extension = 12 * c0;
        p.pad_value = random_();
        const Memory memories[] = {Memory::kL0A, Memory::kL0B, Memory::kUb};
        const Memory to = memories[Any(0, width < 2 ? 0 : 2)];
        const bool is_b = to == Memory::kL0B;
        p.transpose = width >= 2 && Chance(2);
        const bool transposed = is_b || p.transpose;
        if (Chance(4)) {
            p.repeats = Any(1, 3);
            p.repeat_stride = Any(0, 3);
            p.repeat_mode = Any(0, 1);
            p.m_extension = (std::min(p.m_extension, 32u) + 15) / 16 * 16;
            p.k_extension = std::min(p.k_extension, 3 * c0) / c0 * c0;
            if (p.k_extension == 0) continue;
        }
        isa::Record r = Record(Opcode::load3dv2, type, Memory::kL1, to, 32 * Any(0, 3));
        if (Chance(5)) p.boundary = 1024 + 32 * Any(0, 64);
        r.Set(p);

        const bool along_m = p.repeat_mode == 0;
        const uint64_t m_all = (along_m ? p.repeats : 1) * ((p.m_extension + 15) / 16 * 16);
        const uint64_t k_unit = transposed ? 16 : c0;
        const uint64_t k_one = (p.k_extension + k_unit - 1) / k_unit * k_unit;
        const uint64_t k_all = along_m ? k_one : k_one * p.repeats;
        for (uint64_t repeat = 0; repeat < p.repeats; ++repeat) {
            const uint64_t m_step = along_m ? 16 * p.repeat_stride * repeat : 0;
            const uint64_t k_step = along_m ? 0 : c0 * p.repeat_stride * repeat;
            const uint64_t m_place = along_m ? (p.m_extension + 15) / 16 * 16 * repeat : 0;
            const uint64_t k_place = along_m ? 0 : k_one * repeat;
            const uint64_t m_end = is_b ? (p.m_extension + c0 - 1) / c0 * c0 : (p.m_extension + 15) / 16 * 16;
            const uint64_t k_end = transposed && !is_b && width == 3 ? p.k_extension : k_one;
            for (uint64_t m = 0; m < m_end; ++m) {
                for (uint64_t k = 0; k < k_end; ++k) {
                    const uint64_t y = m_place + m, x = k_place + k;
                    uint64_t place = ((y / 16) * (k_all / c0) + x / c0) * 16 * c0 + y % 16 * c0 + x % c0;
                    if (transposed) {
                        const uint64_t fractal = is_b ? y / c0 * (k_all / 16) + x / 16 : x / 16 * (m_all / c0) + y / c0;
                        place = fractal * 16 * c0 + x % 16 * c0 + y % c0;
                    }
                    std::optional<uint64_t> from;
                    if (m < p.m_extension && k < p.k_extension) {
                        from = image.At(p.m_start + m_step + m, p.k_start + k_step + k);
                    }
                    if (!from) {
                        PutElement(expected_, type, place, UndefinedElement(type, place));
                    } else if (*from == ~0ull) {
                        PutElement(expected_, type, place, p.pad_value);
                    } else {
                        PutElement(expected_, type, place, Source(type, r.src0().offset, *from, p.boundary));
                    }
                }
            }
        }
        Check(r);
        ASSERT_FALSE(HasFailure()) << "case " << i << " " << CName(type) << " to " << isa::Name(to);
    }
}

TEST_P(ImageLoads, NothingToLoad) {
    for (int zero = 0; zero < 6; ++zero) {
        isa::Load3Dv2 p;
        p.map = {zero == 0 ? 0u : 4u, zero == 1 ? 0u : 4u};
        p.channels = zero == 2 ? 0 : 16;
        p.k_extension = zero == 3 ? 0 : 16;
        p.m_extension = zero == 4 ? 0 : 16;
        p.repeats = zero == 5 ? 0 : 1;
        isa::Record r = Record(Opcode::load3dv2, DataType::kHalf, Memory::kL1, Memory::kL0A);
        r.Set(p);
        Check(r);
    }
}

TEST_P(ImageLoads, FractalsOfOneTap) {
    for (int i = 0; i < 3000; ++i) {
        const DataType type = Chance(2) ? DataType::kHalf : DataType::kInt8;
        const uint64_t c0 = 256 / BitsOf(type);
        isa::Load3Dv1 p;
        p.map = AnyMap();
        p.filter = AnyFilter();
        p.fetch_w = Any(0, p.filter.width - 1);
        p.fetch_h = Any(0, p.filter.height - 1);
        p.left_top_w = static_cast<int32_t>(p.filter.stride_w * Any(0, 2)) - p.map.left;
        p.left_top_h = static_cast<int32_t>(Any(0, 3)) - p.map.top;
        p.jump_stride = Any(1, 3);
        p.repeat_mode = Any(0, 1);
        p.repeats = Any(0, 12);
        p.small_channels = Chance(4);
        p.c1_index = p.small_channels ? 0 : Any(0, 2);
        p.pad_value = random_();
        if (Chance(5)) p.boundary = 1024 + 32 * Any(0, 64);
        const Memory memories[] = {Memory::kL0A, Memory::kL0B, Memory::kUb};
        isa::Record r = Record(Opcode::load3dv1, type, Memory::kL1, memories[Any(0, 2)], 32 * Any(0, 3));
        r.Set(p);

        const int64_t taps = int64_t{p.filter.width} * p.filter.height;
        const uint64_t group = p.small_channels ? 64 / BitsOf(type) : c0;
        const int64_t per_row = static_cast<int64_t>(c0 / group);
        int64_t h = p.left_top_h, w = p.left_top_w;
        for (uint32_t repeat = 0; repeat < p.repeats; ++repeat) {
            if (p.repeat_mode == 0) h = p.left_top_h, w = p.left_top_w;
            for (uint64_t row = 0; row < 16; ++row) {
                for (uint64_t c = 0; c < c0; ++c) {
                    int64_t tap = p.fetch_h * p.filter.width + p.fetch_w + p.c1_index * taps;
                    tap += (p.repeat_mode == 0 ? repeat * per_row : 0) + static_cast<int64_t>(c / group);
                    const int64_t c1 = tap / taps, kh = tap % taps / p.filter.width, kw = tap % taps % p.filter.width;
                    const int64_t ih = h + kh * p.filter.dilation_h, iw = w + kw * p.filter.dilation_w;
                    const bool inside =
                        ih >= 0 && iw >= 0 && ih < p.map.height && iw < p.map.width && !(p.small_channels && c1 > 0);
                    const uint64_t pixel = static_cast<uint64_t>((c1 * p.map.height + ih) * p.map.width + iw);
                    PutElement(
                        expected_, type, repeat * p.jump_stride * 16 * c0 + row * c0 + c,
                        inside ? Source(type, r.src0().offset, pixel * group + c % group, p.boundary) : p.pad_value);
                }
                w += p.filter.stride_w;
                if (w + (p.filter.width - 1) * p.filter.dilation_w + 1 > p.map.width + p.map.right) {
                    w = -p.map.left;
                    h += p.filter.stride_h;
                }
            }
        }
        Check(r);
        ASSERT_FALSE(HasFailure()) << "case " << i;
    }
}

// 4 x 4 pixels, 3 x 3 taps, a pad of 1 all around: the first window sees pixels (0, 0), (0, 1), (1, 0), (1, 1).
TEST_P(ImageLoads, FirstWindowByHand) {
    isa::Load3Dv2 p;
    p.map = {4, 4, 1, 1, 1, 1};
    p.filter = {1, 1, 3, 3, 1, 1};
    p.channels = 16;
    p.m_extension = 16;
    p.k_extension = 9 * 16;
    p.pad_value = 0x3C00;
    isa::Record r = Record(Opcode::load3dv2, DataType::kHalf, Memory::kL1, Memory::kL0A);
    r.Set(p);
    memory_.base[static_cast<int>(Memory::kL1)] = src_.data();
    memory_.base[static_cast<int>(Memory::kL0A)] = dst_.data();
    exec::Execute(r, memory_);
    const int pixel[] = {-1, -1, -1, -1, 0, 1, -1, 4, 5};
    for (uint64_t tap = 0; tap < 9; ++tap) {
        for (uint64_t c = 0; c < 16; ++c) {
            const uint64_t seen = ElementAt(dst_, DataType::kHalf, tap * 256 + c);
            const int from = pixel[tap];
            EXPECT_EQ(seen, from < 0 ? 0x3C00 : ElementAt(src_, DataType::kHalf, static_cast<uint64_t>(from) * 16 + c));
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Targets, ImageLoads, ::testing::ValuesIn(exec::Targets()),
                         [](const auto& target) { return target.param; });

}  // namespace
}  // namespace sfumato::testing
