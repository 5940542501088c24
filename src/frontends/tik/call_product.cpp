// SPDX-License-Identifier: Apache-2.0
// matmul and conv2d: loads and mmad, in parts that fit L0A and L0B (TIK pages matmul and conv2d).
#include <fmt/format.h>

#include <algorithm>

#include "frontends/tik/steps.h"

namespace sfumato::tik {
namespace {

using isa::kFractalBytes;
using isa::Memory;
using isa::Operand;
using isa::Record;

constexpr int kC = 0, kA = 1, kB = 2, kBias = 3;  // operands of the rows

// A x B into C, in fractals: A is rows x depth, B depth x columns. C lies as [columns, rows * 16, 16], B in L1 as
// [depth, columns * 16, C0], both of whole fractals.
struct Product {
    uint32_t m = 0, k = 0;  // elements; n is whole fractals, as both layouts are
    uint32_t c0 = 0;
    uint32_t rows = 0, depth = 0, columns = 0;
};

struct Part {
    uint32_t row, rows, step, depth, column, columns;
};

// Fills L0A with the rows of a part, fractals of one row side by side.
using LoadRows = void (*)(const CallValues&, const Product&, const Part&, const Operand& l0a, Steps*);

// Elements of 32 bytes; the type pairs of the pages' tables 2.
uint32_t RequireTypes(const CallValues& v, const char* a_name) {
    const DataType a = v.Operand(kA).type, b = v.Operand(kB).type, dst = v.Operand(kC).type;
    const bool whole = a == DataType::kInt8 && b == a && dst == DataType::kInt32;
    if (!whole && !(a == DataType::kHalf && b == a && dst == DataType::kFloat)) {
        Refuse({Rule::kMmadTypes, a_name, "the element types do not go together",
                fmt::format("{} x {} into {}", NumpyName(a), NumpyName(b), NumpyName(dst)),
                "int8 x int8 into int32, float16 x float16 into float32", ""});
    }
    return isa::kBlockBytes * 8 / BitsOf(a);
}

// The bias of a part's columns, in the bias table.
Operand LoadBias(const CallValues& v, const Part& part, Steps* steps) {
    const DataType type = v.Operand(kC).type;
    const uint64_t row = BytesOf(type, kSide);
    const Operand table = steps->Scratch(Memory::kBt, type);
    steps->Move(table, Later(v.Operand(kBias), part.column * row), part.columns * row);
    return table;
}

void LoadColumns(const CallValues& v, const Product& p, const Part& part, const Operand& l0b, Steps* steps) {
    const bool whole = part.columns == p.columns;
    const uint32_t loads = whole ? 1 : part.depth, fractals = whole ? part.depth * part.columns : part.columns;
    for (uint32_t i = 0; i < loads; ++i) {
        Record& r = steps->Add(isa::Opcode::load2d, isa::Pipe::kMte1,
                               {Later(l0b, uint64_t{i} * fractals * kFractalBytes), v.Operand(kB)});
        r.Set(isa::Load2D{.start = (part.step + i) * p.columns + part.column, .repeats = fractals, .src_stride = 1});
    }
}

void Multiply(const CallValues& v, const Product& p, const Part& part, bool begins, const Operand& l0a,
              const Operand& l0b, Steps* steps) {
    const Operand c = v.Operand(kC);
    const uint64_t at = uint64_t{part.column} * p.rows + part.row;
    const Operand dst = Later(c, at * BytesOf(c.type, isa::kL0CFractal));
    const bool bias = begins && v.has(kBias);
    Record& r = bias ? steps->Add(isa::Opcode::mmad, isa::Pipe::kM, {dst, l0a, l0b, LoadBias(v, part, steps)})
                     : steps->Add(isa::Opcode::mmad, isa::Pipe::kM, {dst, l0a, l0b});
    auto& s = r.As<isa::Matmul>();
    s.m = std::min(part.rows * kSide, p.m - part.row * kSide);
    // One row would be read as a vector (cube.md 2): a whole fractal is there.
    if (s.m == 1) s.m = kSide;
    s.k = std::min(part.depth * p.c0, p.k - part.step * p.c0);
    s.n = part.columns * kSide;
    s.initial = bias                                             ? isa::Matmul::Initial::kBias
                : begins && v.Integer(Param::init_l1out, 1) != 0 ? isa::Matmul::Initial::kZero
                                                                 : isa::Matmul::Initial::kAccumulate;
}

void RequireBias(const CallValues& v, const Product& p) {
    if (!v.has(kBias)) return;
    if (v.chip().Bytes(Memory::kBt) == 0) {
        Refuse({Rule::kMmadBiasUnsupported, "bias", fmt::format("{} has no bias table", v.chip().name), "a Tensor",
                "None", "give the bias to fixpipe: extend_params={\"bias\": ...}"});
    }
    if (v.Integer(Param::init_l1out, 1) == 0) {
        Refuse({Rule::kMmadBias, "bias", "dst begins with the bias or with what it holds, not with both",
                "a bias and init_l1out=False", "a bias and init_l1out=True, or no bias",
                "give the bias to the first call alone"});
    }
    const Operand bias = v.Operand(kBias);
    if (bias.type != v.Operand(kC).type) {
        Refuse({Rule::kMmadBias, "bias", "the bias has another type than dst", NumpyName(bias.type),
                NumpyName(v.Operand(kC).type), ""});
    }
    RequireTensor(bias, "bias", Memory::kL1, uint64_t{p.columns} * kSide, "[N]");
}

void Expand(const CallValues& v, const Product& p, LoadRows load_rows, Steps* steps) {
    RequireTensor(v.Operand(kC), "dst", Memory::kL0C, uint64_t{p.columns} * p.rows * kSide * kSide, "[N1, M, 16]");
    RequireBias(v, p);
    constexpr uint32_t kMostDepth = 64;  // mmad's k is 4095 at most
    const uint64_t room_a = steps->Room(Memory::kL0A), room_b = steps->Room(Memory::kL0B);
    steps->RequireRoom(Memory::kL0A, kFractalBytes);
    steps->RequireRoom(Memory::kL0B, kFractalBytes);
    const auto fit_a = static_cast<uint32_t>(room_a / kFractalBytes),
               fit_b = static_cast<uint32_t>(room_b / kFractalBytes);
    const uint32_t rows = std::min(p.rows, fit_a);
    const uint32_t depth = std::min({p.depth, fit_a / rows, fit_b, kMostDepth});
    // mmad knows no distance between the columns of C but its own rows.
    uint32_t columns = rows < p.rows ? 1 : std::min(p.columns, fit_b / depth);
    if (v.has(kBias)) {
        const uint64_t row = BytesOf(v.Operand(kC).type, kSide), room = steps->Room(Memory::kBt);
        steps->RequireRoom(Memory::kBt, row);
        columns = std::min(columns, static_cast<uint32_t>(room / row));
    }
    const Operand l0a = steps->Scratch(Memory::kL0A, v.Operand(kA).type);
    const Operand l0b = steps->Scratch(Memory::kL0B, v.Operand(kB).type);
    for (uint32_t row = 0; row < p.rows; row += rows) {
        for (uint32_t column = 0; column < p.columns; column += columns) {
            for (uint32_t step = 0; step < p.depth; step += depth) {
                const Part part{row,    std::min(rows, p.rows - row),         step, std::min(depth, p.depth - step),
                                column, std::min(columns, p.columns - column)};
                load_rows(v, p, part, l0a, steps);
                LoadColumns(v, p, part, l0b, steps);
                Multiply(v, p, part, step == 0, l0a, l0b, steps);
            }
        }
    }
}

// A in L1 as [depth, rows * 16, C0].
void LoadMatrix(const CallValues& v, const Product& p, const Part& part, const Operand& l0a, Steps* steps) {
    for (uint32_t i = 0; i < part.rows; ++i) {
        Record& r = steps->Add(isa::Opcode::load2d, isa::Pipe::kMte1,
                               {Later(l0a, uint64_t{i} * part.depth * kFractalBytes), v.Operand(kA)});
        r.Set(isa::Load2D{.start = part.step * p.rows + part.row + i, .repeats = part.depth, .src_stride = p.rows});
    }
}

// The windows of a feature map [C1, H, W, C0].
struct Windows {
    explicit Windows(const CallValues& v) {
        const DataType type = v.Operand(kA).type;
        const auto shape =
            RequireList(v, Param::fm_shape, {{"C1", 1, 256}, {"H", 1, 4096}, {"W", 1, 4096}, {"C0", 1, 32}});
        const auto kernel =
            RequireList(v, Param::kernel_shape,
                        {{"C1", 1, 256}, {"Kh", 1, 255}, {"Kw", 1, 255}, {"Cout", 16, 4096}, {"C0", 1, 32}});
        const auto stride = RequireList(v, Param::stride, {{"stride_h", 1, 63}, {"stride_w", 1, 63}});
        const auto dilation = RequireList(v, Param::dilation, {{"dilation_h", 1, 255}, {"dilation_w", 1, 255}});
        const auto pads = RequireList(
            v, Param::pad, {{"pad_left", 0, 255}, {"pad_right", 0, 255}, {"pad_top", 0, 255}, {"pad_bottom", 0, 255}});
        c1 = shape[0];
        c0 = shape[3];
        cout = kernel[3];
        if (c0 * BitsOf(type) != isa::kBlockBytes * 8) {
            Refuse({Rule::kParameterRange, "fm_shape", "C0 is not the one of the element type",
                    fmt::format("{}, {}", c0, NumpyName(type)), "16 of float16, 32 of int8",
                    "fill the channels up with zeros"});
        }
        RequireRange(int64_t{c1} * c0, "fm_shape", {"C1 * C0", c0, 2048});
        if (kernel[0] != c1 || kernel[4] != c0) {
            Refuse({Rule::kParameterRange, "kernel_shape", "the weight has other channels than the feature map",
                    fmt::format("C1 {}, C0 {}", kernel[0], kernel[4]), fmt::format("C1 {}, C0 {}", c1, c0), ""});
        }
        if (cout % kSide != 0) {
            Refuse({Rule::kParameterAlignment, "kernel_shape", "Cout must be a multiple of 16", fmt::format("{}", cout),
                    "16, 32 ... 4096", "fill the weight up with zeros"});
        }
        map = {.height = shape[1],
               .width = shape[2],
               .left = static_cast<uint8_t>(pads[0]),
               .right = static_cast<uint8_t>(pads[1]),
               .top = static_cast<uint8_t>(pads[2]),
               .bottom = static_cast<uint8_t>(pads[3])};
        filter = {.stride_w = stride[1],
                  .stride_h = stride[0],
                  .width = kernel[2],
                  .height = kernel[1],
                  .dilation_w = dilation[1],
                  .dilation_h = dilation[0]};
        out_h = Outputs("height", map.height + map.top + map.bottom, filter.height, filter.dilation_h, filter.stride_h);
        out_w = Outputs("width", map.width + map.left + map.right, filter.width, filter.dilation_w, filter.stride_w);
        const CallArgument* pad = v.Find(Param::pad_value);
        pad_value = pad ? v.Bits(*pad, type) : 0;
    }

    static uint32_t Outputs(const char* side, uint32_t padded, uint32_t taps, uint32_t dilation, uint32_t stride) {
        const uint32_t extent = dilation * (taps - 1) + 1;
        if (extent > padded) {
            Refuse({Rule::kParameterRange, "kernel_shape", "the filter is larger than the padded feature map",
                    fmt::format("{} {}", side, extent), fmt::format("at most {}", padded),
                    "check the sizes, the padding and the dilation"});
        }
        return (padded - extent) / stride + 1;
    }

    isa::FeatureMap map;
    isa::Filter filter;
    uint32_t c1 = 0, c0 = 0, cout = 0, out_h = 0, out_w = 0;
    uint64_t pad_value = 0;
};

void LoadWindows(const CallValues& v, const Product& p, const Part& part, const Operand& l0a, Steps* steps) {
    const Windows w(v);
    const Operand map = v.Operand(kA);
    if (v.chip().HasPath(isa::Api::kTik, isa::Opcode::load3dv2, Memory::kL1, Memory::kL0A)) {
        Record& r = steps->Add(isa::Opcode::load3dv2, isa::Pipe::kMte1, {l0a, map});
        auto& s = r.As<isa::Load3Dv2>();
        s.map = w.map;
        s.filter = w.filter;
        s.channels = w.c1 * w.c0;
        s.k_start = part.step * p.c0;
        s.m_start = part.row * kSide;
        s.k_extension = part.depth * p.c0;
        s.m_extension = std::min(part.rows * kSide, p.m - s.m_start);
        s.pad_value = w.pad_value;
        return;
    }
    const uint32_t taps = w.filter.width * w.filter.height, tap = part.step % taps;
    for (uint32_t i = 0; i < part.rows; ++i) {
        const uint32_t window = (part.row + i) * kSide;
        Record& r = steps->Add(isa::Opcode::load3dv1, isa::Pipe::kMte1,
                               {Later(l0a, uint64_t{i} * part.depth * kFractalBytes), map});
        auto& s = r.As<isa::Load3Dv1>();
        s.map = w.map;
        s.filter = w.filter;
        s.c1_index = part.step / taps;
        s.fetch_w = tap % w.filter.width;
        s.fetch_h = tap / w.filter.width;
        s.left_top_w = static_cast<int32_t>(window % w.out_w * w.filter.stride_w) - w.map.left;
        s.left_top_h = static_cast<int32_t>(window / w.out_w * w.filter.stride_h) - w.map.top;
        s.repeats = part.depth;
        s.pad_value = w.pad_value;
    }
}

}  // namespace

void ExpandMatmul(const CallValues& v, const Record& first, std::vector<Record>* out) {
    Product p;
    p.c0 = RequireTypes(v, "a");
    const auto size = [&](Param param, int64_t most) {
        return static_cast<uint32_t>(RequireRange(v.Integer(param, 0), Name(param), {Name(param), 1, most}));
    };
    p.m = size(Param::m, 4096);
    p.k = size(Param::k, p.c0 == kSide ? 16384 : 32768);
    const uint32_t n = size(Param::n, 4096);
    p.rows = CeilDiv(p.m, kSide);
    p.depth = CeilDiv(p.k, p.c0);
    p.columns = CeilDiv(n, kSide);
    RequireTensor(v.Operand(kA), "a", Memory::kL1, uint64_t{p.depth} * p.rows * kSide * p.c0, "[K1, M, K0]");
    RequireTensor(v.Operand(kB), "b", Memory::kL1, uint64_t{p.depth} * p.columns * kSide * p.c0, "[K1, N, K0]");
    Steps steps(v, first, out);
    Expand(v, p, LoadMatrix, &steps);
}

void ExpandConv2d(const CallValues& v, const Record& first, std::vector<Record>* out) {
    Product p;
    p.c0 = RequireTypes(v, "feature_map");
    const Windows w(v);
    p.m = w.out_h * w.out_w;
    p.rows = CeilDiv(p.m, kSide);
    p.depth = w.c1 * w.filter.height * w.filter.width;
    p.k = p.depth * p.c0;
    p.columns = w.cout / kSide;
    RequireTensor(v.Operand(kA), "feature_map", Memory::kL1, uint64_t{w.c1} * w.map.height * w.map.width * w.c0,
                  "[C1, H, W, C0]");
    RequireTensor(v.Operand(kB), "weight", Memory::kL1, uint64_t{p.depth} * w.cout * p.c0, "[C1, Kh, Kw, Cout, C0]");
    Steps steps(v, first, out);
    Expand(v, p, LoadWindows, &steps);
}

}  // namespace sfumato::tik
