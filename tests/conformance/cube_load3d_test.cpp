// SPDX-License-Identifier: Apache-2.0
// Load3Dv1 and Load3Dv2 against the oracle's im2col: 2,000 random parameter sets a type, every SIMD target.
#include <gtest/gtest.h>

#include "conformance/cube_runner.h"
#include "conformance/expect.h"

namespace sfumato::conformance {
namespace {

using isa::Memory;

constexpr uint64_t kCases = 2000;
constexpr uint64_t kL1Bytes = uint64_t{1} << 20;

// A feature map of at most `pixels` pixels that the dilated filter fits into; returns false when there is none.
bool DrawMap(Random& random, uint32_t longest_filter, uint64_t pixels, isa::FeatureMap* map, isa::Filter* filter) {
    isa::Filter& f = *filter;
    const auto taps = [&] { return random.Chance(5) ? longest_filter : random.Pick<uint32_t>({1, 1, 2, 3, 4, 7}); };
    const auto dilation = [&] { return random.Pick<uint32_t>({1, 1, 1, 2, 3, random.Stratum(1, 255)}); };
    const auto stride = [&] { return random.Pick<uint32_t>({1, 1, 2, random.Stratum(1, 63)}); };
    const auto pad = [&] { return static_cast<uint8_t>(random.Pick<uint32_t>({0, 0, 1, 2, random.Stratum(0, 255)})); };
    f = {stride(), stride(), taps(), taps(), dilation(), dilation()};
    map->left = pad(), map->right = pad(), map->top = pad(), map->bottom = pad();
    const auto side = [&](uint32_t extent, uint32_t padding) {
        const uint32_t least = extent > padding ? extent - padding : 1;
        const uint32_t extra = random.Pick<uint32_t>({0, 0, 1, random.Number(0, 15), random.Number(0, 100), 32766});
        return std::min(least + extra, std::max(least, 32767u));
    };
    map->width = side((f.width - 1) * f.dilation_w + 1, uint32_t{map->left} + map->right);
    map->height = side((f.height - 1) * f.dilation_h + 1, uint32_t{map->top} + map->bottom);
    return map->width <= 32767 && map->height <= 32767 && uint64_t{map->width} * map->height <= pixels;
}

uint64_t PadPattern(Random& random, uint32_t bits) { return random.Bits() & ((uint64_t{1} << bits) - 1); }

// A place for `bytes` bytes in L1, or a boundary for them to wrap at.
void PlaceInL1(Random& random, uint64_t bytes, uint32_t unit, uint64_t* offset, uint32_t* boundary) {
    *boundary = 0;
    if (random.Chance(15)) {
        *boundary = random.Number(1024 / unit, static_cast<uint32_t>(kL1Bytes / unit)) * unit;
        // Mostly so close to it that the image goes across.
        const uint64_t first = random.Chance(80) && bytes < *boundary ? (*boundary - bytes) / 32 : 0;
        *offset = 32 * static_cast<uint64_t>(random.Between(static_cast<int64_t>(first), (*boundary - 1) / 32));
    } else {
        *offset = 32 * static_cast<uint64_t>(random.Between(0, static_cast<int64_t>((kL1Bytes - bytes) / 32)));
    }
}

std::string TypeName(const testing::TestParamInfo<DataType>& parameter) { return CName(parameter.param); }

class Load3Dv1 : public testing::TestWithParam<DataType> {
protected:
    void One() {
        const uint32_t bits = BitsOf(GetParam());
        isa::Load3Dv1 p;
        p.small_channels = random_.Chance(20);
        const uint64_t pixel_bytes = p.small_channels ? 8 : 32;
        if (!DrawMap(random_, 255, kL1Bytes / pixel_bytes, &p.map, &p.filter)) return;
        const isa::Filter& f = p.filter;
        const uint64_t image = uint64_t{p.map.width} * p.map.height * pixel_bytes;
        const uint32_t c1 = p.small_channels
                                ? 1
                                : random_.Stratum(1, static_cast<uint32_t>(std::min<uint64_t>(4096, kL1Bytes / image)));
        p.c1_index = p.small_channels ? 0 : random_.Stratum(0, c1 - 1);
        p.fetch_w = random_.Stratum(0, std::min(f.width - 1, 254u));
        p.fetch_h = random_.Stratum(0, std::min(f.height - 1, 254u));
        DrawWindow(p);
        p.repeat_mode = random_.Number(0, 1);
        p.jump_stride = random_.Pick<uint32_t>({1, 1, 2, random_.Stratum(1, 127)});
        const Memory memory = random_.Pick({Memory::kL0A, Memory::kL0A, Memory::kL0B, Memory::kUb});
        const uint32_t fractals = static_cast<uint32_t>(runner_.Size(memory) / 512);
        uint32_t most = std::min(255u, (fractals - 1) / p.jump_stride + 1);
        const uint32_t first_tap = (p.c1_index * f.height + p.fetch_h) * f.width + p.fetch_w;
        if (p.repeat_mode == 0 && !p.small_channels) most = std::min(most, c1 * f.height * f.width - first_tap);
        p.repeats = random_.Stratum(1, most);
        const uint64_t written = (uint64_t{p.repeats} - 1) * p.jump_stride + 1;
        uint64_t src_at = 0;
        PlaceInL1(random_, image * c1, 32, &src_at, &p.boundary);
        p.pad_value = PadPattern(random_, bits);

        isa::Record record;
        record.Become(isa::Opcode::load3dv1);
        record.operand_count = 2;
        record.operand[0] =
            runner_.Operand(memory, GetParam(),
                            512 * static_cast<uint64_t>(random_.Between(0, static_cast<int64_t>(fractals - written))));
        record.operand[1] = runner_.Operand(Memory::kL1, GetParam(), src_at);
        record.Set(p);
        runner_.Run(record, [&] {
            oracle::ExpectLoad3Dv1(p, bits, runner_.From(record.src0()), runner_.To(record.dst()));
            return false;
        });
    }

    // On the grid of windows, past the last one, or anywhere.
    void DrawWindow(isa::Load3Dv1& p) {
        const isa::Filter& f = p.filter;
        const uint32_t wide = p.map.width + p.map.left + p.map.right - ((f.width - 1) * f.dilation_w + 1);
        const uint32_t tall = p.map.height + p.map.top + p.map.bottom - ((f.height - 1) * f.dilation_h + 1);
        if (random_.Chance(10)) {
            p.left_top_w = static_cast<int32_t>(random_.Between(-255, p.map.width));
            p.left_top_h = static_cast<int32_t>(random_.Between(-255, p.map.height));
            return;
        }
        const uint32_t x = random_.Stratum(0, wide / f.stride_w), y = random_.Stratum(0, tall / f.stride_h);
        p.left_top_w = std::min(static_cast<int32_t>(x * f.stride_w) - p.map.left, 32767);
        p.left_top_h = std::min(static_cast<int32_t>(y * f.stride_h) - p.map.top, 32767);
    }

    CubeRunner runner_;
    Random& random_ = runner_.random();
};

TEST_P(Load3Dv1, AgreesWithTheOracle) {
    ExpectNoDifference(RunCases(runner_, std::string("Load3Dv1 ") + CName(GetParam()), kCases, [&] { One(); }));
}

INSTANTIATE_TEST_SUITE_P(Cube, Load3Dv1, testing::Values(DataType::kUint8, DataType::kInt8, DataType::kHalf), TypeName);

class Load3Dv2 : public testing::TestWithParam<DataType> {
protected:
    // The channel counts of cube.md 3.5.
    uint32_t DrawChannels(uint32_t bits, uint32_t most_groups) {
        const uint32_t c0 = 256 / bits;
        uint32_t tail = 0;
        switch (bits) {
            case 4: tail = random_.Pick<uint32_t>({0, 0, 8, 16, 32}); break;
            case 8: tail = random_.Pick<uint32_t>({0, 0, 4, 8, 16}); break;
            case 16: tail = random_.Pick<uint32_t>({0, 0, 4, 8}); break;
            default: tail = random_.Pick<uint32_t>({0, 0, 4}); break;
        }
        return c0 * random_.Stratum(tail == 0 ? 1 : 0, most_groups - (tail == 0 ? 0 : 1)) + tail;
    }

    // A window [start, start + extension) of `size` rows or columns: whole units, or up to the end, or past it as far
    // as the last fractal goes.
    void DrawWindow(uint32_t size, uint32_t start_unit, uint32_t unit, uint32_t most, uint32_t* start,
                    uint32_t* extension) {
        *start = std::min((size - 1) / start_unit, random_.Stratum(0, (size - 1) / start_unit)) * start_unit;
        const uint32_t rest = size - *start;
        *extension = std::min(most / unit, random_.Stratum(1, (rest + unit - 1) / unit)) * unit;
        if (*extension >= rest && random_.Chance(70)) *extension = rest;
    }

    // SetLoadDataRepeat: whole fractals, all of them inside the matrix.
    void DrawRepeats(isa::Load3Dv2& p, uint32_t rows, uint32_t columns, uint32_t c0, uint64_t most_elements) {
        p.repeat_mode = random_.Number(0, 1);
        p.repeat_stride = random_.Stratum(0, 3);
        const uint32_t unit = p.repeat_mode == 0 ? 16 : std::max(c0, 16u);
        uint32_t& extension = p.repeat_mode == 0 ? p.m_extension : p.k_extension;
        const uint32_t rest = p.repeat_mode == 0 ? rows - p.m_start : columns - p.k_start;
        if (rest < unit) return;
        extension = std::max(unit, std::min(extension, rest) / unit * unit);
        const uint32_t step = p.repeat_stride * (p.repeat_mode == 0 ? 16 : c0);
        const uint64_t one = ((uint64_t{p.m_extension} + 15) / 16 * 16) * ((p.k_extension + c0 - 1) / c0 * c0 + 16);
        uint64_t most = std::max<uint64_t>(1, most_elements / one);
        if (step > 0) most = std::min<uint64_t>(most, (rest - extension) / step + 1);
        p.repeats = random_.Stratum(1, static_cast<uint32_t>(std::min<uint64_t>(most, 255)));
    }

    void One() {
        const uint32_t bits = BitsOf(GetParam()), c0 = 256 / bits;
        isa::Load3Dv2 p;
        if (!DrawMap(random_, random_.Pick({255u, 511u}), kL1Bytes / 32, &p.map, &p.filter)) return;
        if (random_.Chance(25)) {  // the plain load of a matrix
            p.filter = {};
            p.map.left = p.map.right = p.map.top = p.map.bottom = 0;
        }
        const isa::Filter& f = p.filter;
        const uint64_t group = uint64_t{p.map.width} * p.map.height * 32;
        const uint32_t taps = f.width * f.height;
        const uint64_t most_groups = std::min<uint64_t>({kL1Bytes / group, 65535 / (taps * c0), 40});
        if (most_groups == 0) return;
        p.channels = DrawChannels(bits, static_cast<uint32_t>(most_groups));
        const uint32_t columns = taps * p.channels;
        const uint32_t out_h =
            (p.map.height + p.map.top + p.map.bottom - (f.height - 1) * f.dilation_h - 1) / f.stride_h + 1;
        const uint32_t out_w =
            (p.map.width + p.map.left + p.map.right - (f.width - 1) * f.dilation_w - 1) / f.stride_w + 1;
        const uint32_t rows = out_h * out_w;
        const uint64_t most_elements = random_.Pick<uint64_t>({2048, 4096, 8192, 65536}) * 8 / bits;
        DrawWindow(columns, c0, c0,
                   random_.Pick<uint32_t>({c0, 4 * c0, static_cast<uint32_t>(most_elements / 16 / c0 * c0)}),
                   &p.k_start, &p.k_extension);
        const uint32_t k_room = (p.k_extension + c0 - 1) / c0 * c0 + (bits == 32 ? 8 : 0);
        const uint32_t row_room = static_cast<uint32_t>(most_elements / k_room / 16 * 16);
        if (row_room == 0) return;
        DrawWindow(std::min(rows, 32768u), 1, 16, row_room, &p.m_start, &p.m_extension);
        const bool wide = bits == 16 || bits == 32;
        const Memory memory = wide && random_.Chance(40)       ? Memory::kL0B
                              : bits > 4 && random_.Chance(10) ? Memory::kUb
                                                               : Memory::kL0A;
        p.transpose = memory == Memory::kL0A && wide && random_.Chance(40);
        if (random_.Chance(20)) DrawRepeats(p, rows, columns, c0, most_elements);
        p.pad_value = PadPattern(random_, bits);
        if (random_.Chance(2)) *random_.Pick({&p.channels, &p.k_extension, &p.m_extension, &p.repeats}) = 0;
        uint64_t src_at = 0;
        PlaceInL1(random_, group * ((p.channels + c0 - 1) / c0), 1, &src_at, &p.boundary);

        isa::Record record;
        record.Become(isa::Opcode::load3dv2);
        record.operand_count = 2;
        record.operand[0] =
            runner_.Operand(memory, GetParam(), 512 * static_cast<uint64_t>(random_.Pick({0, 0, 1, 17, 96})));
        record.operand[1] = runner_.Operand(Memory::kL1, GetParam(), src_at);
        record.Set(p);
        runner_.Run(record, [&] {
            oracle::ExpectLoad3Dv2(p, bits, memory == Memory::kL0B ? oracle::Side::kB2 : oracle::Side::kA2,
                                   runner_.From(record.src0()), runner_.To(record.dst()));
            return false;
        });
    }

    CubeRunner runner_;
    Random& random_ = runner_.random();
};

TEST_P(Load3Dv2, AgreesWithTheOracle) {
    ExpectNoDifference(RunCases(runner_, std::string("Load3Dv2 ") + CName(GetParam()), kCases, [&] { One(); }));
}

INSTANTIATE_TEST_SUITE_P(Cube, Load3Dv2,
                         testing::Values(DataType::kInt4, DataType::kInt8, DataType::kUint8, DataType::kHalf,
                                         DataType::kBfloat16, DataType::kInt32, DataType::kUint32, DataType::kFloat),
                         TypeName);

}  // namespace
}  // namespace sfumato::conformance
