// SPDX-License-Identifier: Apache-2.0
#include "random_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

namespace sfumato::matmul_test {
namespace {

int64_t Up(int64_t size, int64_t unit) { return (size + unit - 1) / unit * unit; }
int32_t Parts(int32_t size, int32_t part) { return (size + part - 1) / part; }

int32_t Below(std::mt19937_64& random, int32_t count) {
    return static_cast<int32_t>(random() % static_cast<uint64_t>(count));
}
bool Once(std::mt19937_64& random, int32_t in) { return Below(random, in) == 0; }
template <class T>
T OneOf(std::mt19937_64& random, const std::vector<T>& values) {
    return values[random() % values.size()];
}

// Rounded to odd: what one more rounding needs to be the only one.
float OddFloat(double value) {
    constexpr uint64_t kUnit = uint64_t{1} << 29;  // the last bit of a float
    auto bits = std::bit_cast<uint64_t>(value);
    if (bits % kUnit != 0) bits = (bits & ~(kUnit - 1)) | kUnit;
    return static_cast<float>(std::bit_cast<double>(bits));
}

constexpr double kBefore = 5;  // what C holds before the launch

void Resize(Stored& s, uint64_t count) {
    s.count = count;
    s.bytes.assign(BytesOf(s.type, count), 0);
    s.values.assign(count, 0);
}

}  // namespace

double Put(std::vector<uint8_t>& bytes, DataType type, uint64_t index, double value) {
    const auto put = [&](auto element) {
        std::memcpy(bytes.data() + index * sizeof element, static_cast<const void*>(&element), sizeof element);
        return static_cast<double>(static_cast<float>(element));
    };
    switch (type) {
        case DataType::kHalf: return put(half(OddFloat(value)));
        case DataType::kBfloat16: return put(bfloat16_t(static_cast<float>(value)));
        case DataType::kFloat: return put(static_cast<float>(value));
        case DataType::kInt8: return put(static_cast<int8_t>(value));
        case DataType::kInt32: put(static_cast<int32_t>(value)); return value;
        case DataType::kInt4: {
            const auto nibble = static_cast<unsigned>(static_cast<int>(value)) & 15u;
            const unsigned shift = index % 2 * 4;
            uint8_t& byte = bytes[index / 2];
            byte = static_cast<uint8_t>((byte & ~(15u << shift)) | nibble << shift);
            return value;
        }
        default: throw std::logic_error("no type of a Matmul");
    }
}

uint64_t Stored::At(int64_t row, int64_t column, int64_t b) const {
    if (transposed) std::swap(row, column);
    const int64_t place =
        nz ? column / c0 * Up(rows, 16) * c0 + row * c0 + column % c0 : row * pitch + column;
    return static_cast<uint64_t>(b * batch + place);
}

RandomCase::RandomCase(uint64_t drawn) : number(drawn) {
    Random random(drawn * 7919 + 13);
    DrawTypes(random);
    DrawForms(random);
    DrawBatches(random);
    DrawSizes(random);
    DrawMatrices(random);
}

void RandomCase::DrawTypes(Random& random) {
    using enum DataType;
    static const struct {
        DataType in, out, bias;
    } rows[] = {{kHalf, kFloat, kFloat},     {kHalf, kFloat, kHalf},         {kHalf, kHalf, kFloat},
                {kHalf, kHalf, kHalf},       {kHalf, kBfloat16, kFloat},     {kHalf, kInt8, kFloat},
                {kBfloat16, kFloat, kFloat}, {kBfloat16, kBfloat16, kFloat}, {kBfloat16, kHalf, kFloat},
                {kBfloat16, kInt8, kFloat},  {kFloat, kFloat, kFloat},       {kFloat, kFloat, kHalf},
                {kFloat, kHalf, kFloat},     {kFloat, kBfloat16, kFloat},    {kInt8, kInt32, kInt32},
                {kInt8, kHalf, kInt32},      {kInt8, kInt8, kInt32},         {kInt4, kInt32, kInt32},
                {kInt4, kHalf, kInt32}};
    const auto& row = rows[number % std::size(rows)];
    in = row.in, out = row.out, bias_type = row.bias;
    const bool both = (in == kHalf && (out == kFloat || out == kHalf) && bias_type == kFloat) || in == kInt8;
    coupled = both && Once(random, 2);
    has_bias = Once(random, 2);
    whole_numbers = integers() || Once(random, 3);
    const bool scaled = out == kInt8 || (integers() && out == kHalf);
    if (scaled) quant = Once(random, 2) ? Quant::kScalar : Quant::kVector;
    relu = !scaled && Once(random, 6);
    mdl = Once(random, 3);
}

void RandomCase::DrawForms(Random& random) {
    a.type = b.type = in;
    c.type = out;
    bias.type = bias_type;
    a.transposed = in != DataType::kInt4 && Once(random, 2);
    b.transposed = Once(random, 2);
    if (coupled && in == DataType::kInt8) a.transposed = false;
    const auto format = [&] { return Once(random, 3) ? CubeFormat::NZ : CubeFormat::ND; };
    format_a = format(), format_b = format(), format_c = format();
    a.c0 = b.c0 = 256 / static_cast<int64_t>(BitsOf(in));
    c.c0 = out == DataType::kInt8 ? 32 : 16;
    core = OneOf<CoreChoice>(random, {CoreChoice::kCube, CoreChoice::kMixOneToOne, CoreChoice::kMix});
    if (coupled) core = CoreChoice::kDefault;
    direct = core == CoreChoice::kCube && Once(random, 2);
    how = OneOf<How>(random, {How::kAll, How::kLoop, How::kAsync});
    if (coupled && how == How::kAsync) how = How::kAll;  // every call is awaited there
}

void RandomCase::DrawBatches(Random& random) {
    if (quant != Quant::kNone || in == DataType::kInt4 || !Once(random, 4)) return;
    layout = OneOf<LayoutMode>(random, {LayoutMode::NORMAL, LayoutMode::BSNGD, LayoutMode::SBNGD, LayoutMode::BNGS1S2});
    if (coupled) layout = LayoutMode::NORMAL;
    how = How::kAll;
    mdl = false;
    if (layout == LayoutMode::NORMAL) {
        batch_a = batch_b = 1 + Below(random, 4);
        if (Once(random, 2)) (Once(random, 2) ? batch_a : batch_b) = 1;
    } else {
        axis_n = 1 + Below(random, 3), axis_g = 1 + Below(random, 3);
        axis_b = layout == LayoutMode::SBNGD ? 1 + Below(random, 2) : 1;
        format_a = format_b = format_c = CubeFormat::ND;
        batch_a = batch_b = axis_b * axis_n * axis_g;
    }
    one_bias = Once(random, 3);
}

// What pieces of M and N begin at: fractals of matrices in NZ.
int32_t RandomCase::UnitM() const {
    const bool inner = format_a == CubeFormat::NZ && a.transposed;
    return inner ? static_cast<int32_t>(std::max<int64_t>(16, a.c0)) : 16;
}
int32_t RandomCase::UnitN() const {
    const bool inner = format_b == CubeFormat::NZ && !b.transposed, wide = (coupled || format_c == CubeFormat::NZ) && c.c0 == 32;
    return static_cast<int32_t>(std::max<int64_t>(inner ? std::max<int64_t>(16, b.c0) : 16, wide ? 32 : 16));
}

void RandomCase::DrawSizes(Random& random) {
    // Pieces of the cores, 1 to 24 of them.
    int32_t across = 1, down = 1;
    if (layout == LayoutMode::NONE) {
        across = 1 + Below(random, Once(random, 2) ? 2 : coupled ? 4 : 6);
        down = 1 + Below(random, Once(random, 2) || coupled ? 2 : 4);
    }
    m = 1 + Below(random, 70 * down), n = 1 + Below(random, 80 * across), k = 1 + Below(random, 260);
    if (Once(random, 12)) m = 1;
    if (Once(random, 12)) n = 1;
    const auto aligned = [](int32_t& size, int64_t unit) { size = static_cast<int32_t>(Up(size, unit)); };
    if (in == DataType::kInt4) aligned(k, 2), aligned(n, 2);
    if (format_a == CubeFormat::NZ) aligned(k, std::max<int64_t>(16, a.c0)), aligned(m, UnitM());
    if (format_b == CubeFormat::NZ) aligned(k, std::max<int64_t>(16, b.c0)), aligned(n, UnitN());
    if (format_c == CubeFormat::NZ) aligned(m, UnitM()), aligned(n, UnitN());
    // Rows that UB moves to global memory.
    const bool filled = coupled && layout == LayoutMode::NONE && format_c == CubeFormat::ND && across == 1 && Once(random, 3);
    if (filled) format_c = CubeFormat::ND_ALIGN;
    const int64_t row = coupled && !filled ? 256 / static_cast<int64_t>(BitsOf(out)) : 1;
    aligned(n, row);
    single_m = std::min(m, static_cast<int32_t>(Up(Parts(m, down), UnitM())));
    single_n = std::min(n, static_cast<int32_t>(Up(Parts(n, across), UnitN())));
    single_k = k;
    pieces_m = Parts(m, single_m), pieces_n = Parts(n, single_n);
    // Parts of K are added up in GM in any order: whole numbers only, in types that hold their sums.
    const bool exact = whole_numbers && !has_bias && !relu && (out == DataType::kFloat || out == DataType::kInt32);
    if (filled) {
        org_m = m, org_n = n, org_ka = org_kb = k;
        return;
    }
    if (exact && layout == LayoutMode::NONE && pieces_m * pieces_n <= (coupled ? 4 : 12) && k > 64 && Once(random, 2)) {
        single_k = static_cast<int32_t>(Up(Parts(k, 2), 64));
        parts_k = Parts(k, single_k);
        atomic = 1;
    } else if (layout == LayoutMode::NONE && out != DataType::kInt8 && Once(random, 8)) {
        atomic = static_cast<uint8_t>(1 + Below(random, 3));
    }
    if (atomic == 1 && !exact) atomic = 2;
    if (coupled && atomic > 1) atomic = 0;  // Ascend310P adds alone
    org_m = m, org_n = n, org_ka = org_kb = k;
    const bool rows = format_c == CubeFormat::ND && !coupled && layout == LayoutMode::NONE;
    if (rows && pieces_n == 1 && parts_k == 1 && Once(random, 3)) {
        format_c = CubeFormat::ND_ALIGN;
        return;
    }
    if (layout != LayoutMode::NONE || !Once(random, 3)) return;
    // The whole is larger than what is computed.
    const auto grown = [&](int32_t size, bool nz) { return size + Below(random, 5) * (nz ? 64 : 2); };
    const bool nz_c = format_c == CubeFormat::NZ;
    org_m = grown(m, format_a == CubeFormat::NZ || nz_c), org_n = grown(n, format_b == CubeFormat::NZ || nz_c);
    org_ka = grown(k, format_a == CubeFormat::NZ), org_kb = grown(k, format_b == CubeFormat::NZ);
    if (!nz_c) aligned(org_n, row);
    if (!nz_c && Once(random, 2)) aligned(org_kc = org_n + Below(random, 20), row);
}

void RandomCase::DrawMatrices(Random& random) {
    const auto place = [this](Stored& s, CubeFormat format, int64_t rows, int64_t columns, int32_t batches) {
        if (s.transposed) std::swap(rows, columns);
        s.nz = format == CubeFormat::NZ;
        const auto bits = static_cast<int64_t>(BitsOf(s.type));
        if (format == CubeFormat::ND_ALIGN) columns = Up(columns * bits, 256) / bits;
        s.rows = rows;
        s.pitch = columns;
        s.batches = batches;
        s.batch = s.nz ? Up(columns, s.c0) * Up(rows, 16) : rows * columns;
        uint64_t count = static_cast<uint64_t>(s.batch * batches);
        if (layout == LayoutMode::BSNGD || layout == LayoutMode::SBNGD) {
            s.pitch = columns * batches;
            s.batch = columns;
        }
        Resize(s, count);
    };
    place(a, format_a, org_m, org_ka, batch_a);
    place(b, format_b, org_kb, org_n, batch_b);
    place(c, format_c, org_m, org_kc ? org_kc : org_n, std::max(batch_a, batch_b));
    const auto value = [&]() -> double {
        if (in == DataType::kInt4) return Below(random, 16) - 8;
        if (in == DataType::kInt8) return Below(random, 256) - 128;
        if (whole_numbers) return Below(random, 15) - 7;
        const double mantissa = 1 + static_cast<double>(random() % (1u << 23)) / (1u << 23);
        return (Once(random, 2) ? -1 : 1) * std::ldexp(mantissa, Below(random, 9) - 6);
    };
    for (Stored* s : {&a, &b}) {
        for (uint64_t i = 0; i < s->count; ++i) s->values[i] = Put(s->bytes, in, i, value());
        // What lies beyond the product must not reach it.
        if (integers() || layout != LayoutMode::NONE) continue;
        std::vector<bool> used(s->count);
        for (int64_t row = 0; row < (s == &a ? m : k); ++row) {
            for (int64_t column = 0; column < (s == &a ? k : n); ++column) used[s->At(row, column)] = true;
        }
        for (uint64_t i = 0; i < s->count; ++i) {
            if (!used[i]) Put(s->bytes, in, i, std::numeric_limits<double>::quiet_NaN());
        }
    }
    const bool rows_of_bias = layout != LayoutMode::NONE && !one_bias;
    Resize(bias, static_cast<uint64_t>(org_n) * (rows_of_bias ? static_cast<uint64_t>(c.batches) : 1));
    for (uint64_t i = 0; i < bias.count; ++i) {
        const double drawn = integers() ? Below(random, 200001) - 100000 : value();
        bias.values[i] = Put(bias.bytes, bias_type, i, drawn);
    }
    for (uint64_t i = 0; i < c.count; ++i) Put(c.bytes, out, i, kBefore);
    for (int32_t i = 0; i < n; ++i) {
        // Bits that the unit does not read are set, too.
        const float scale = std::ldexp(1.0f + static_cast<float>(Below(random, 1000)) / 1000.0f, integers() ? -10 : 1);
        const int offset = out == DataType::kInt8 ? Below(random, 21) - 10 : 0;
        uint64_t word = std::bit_cast<uint32_t>(scale);
        if (out == DataType::kInt8) word |= uint64_t{1} << 46 | (static_cast<uint64_t>(offset) & 511) << 37;
        words.push_back(quant == Quant::kScalar && i > 0 ? words[0] : word);
    }
}

tiling::CubeTypes RandomCase::Types() const {
    tiling::CubeTypes types;
    types.a = {true, TPosition::GM, format_a, in, a.transposed};
    types.b = {true, TPosition::GM, format_b, in, b.transposed};
    types.c = {true, TPosition::GM, format_c, out, false};
    types.bias = {true, TPosition::GM, CubeFormat::ND, bias_type, false};
    return types;
}

TCubeTiling RandomCase::Tiling(uint64_t variant) const {
    Random random(number * 31 + variant * 1000003 + 5);
    const tiling::CubeMachine machine = tiling::CubeMachineOf(chip());
    TCubeTiling t;
    t.usedCoreNum = cores();
    t.M = org_m, t.N = org_n, t.Ka = org_ka, t.Kb = org_kb;
    t.singleCoreM = single_m, t.singleCoreN = single_n, t.singleCoreK = single_k;
    t.isBias = has_bias;
    t.BatchNum = std::max(batch_a, batch_b);
    t.ALayoutInfoB = t.BLayoutInfoB = t.CLayoutInfoB = axis_b;
    t.ALayoutInfoN = t.BLayoutInfoN = t.CLayoutInfoN = axis_n;
    t.ALayoutInfoG = t.BLayoutInfoG = t.CLayoutInfoG = axis_g;
    t.ALayoutInfoS = t.CLayoutInfoS1 = m;
    t.BLayoutInfoS = t.CLayoutInfoS2 = n;
    t.ALayoutInfoD = t.BLayoutInfoD = k;
    // A stored the other way has its rows and columns exchanged.
    if (a.transposed) std::swap(t.ALayoutInfoS, t.ALayoutInfoD);
    if (!b.transposed) std::swap(t.BLayoutInfoS, t.BLayoutInfoD);
    const int32_t unit_k = static_cast<int32_t>(std::max<int64_t>(16, a.c0));
    std::string broken = "not drawn";
    for (int i = 0; i < 1000 && !broken.empty(); ++i) {
        t.baseM = UnitM() * (1 + Below(random, 128 / UnitM()));
        t.baseN = UnitN() * (1 + Below(random, 256 / UnitN()));
        t.baseK = unit_k * (1 + Below(random, 6));
        t.stepM = t.stepN = 1;
        const int32_t steps = Parts(single_k, t.baseK);
        t.stepKa = 1 + Below(random, steps), t.stepKb = 1 + Below(random, steps);
        // Several blocks along M or N are held where all of K is.
        if (t.stepKa == steps) t.stepM = 1 + Below(random, 3);
        if (t.stepKb == steps) t.stepN = 1 + Below(random, 3);
        t.depthA1 = t.stepM * t.stepKa * (1 + Below(random, 2)), t.depthB1 = t.stepN * t.stepKb * (1 + Below(random, 2));
        t.dbL0A = 1 + Below(random, 2), t.dbL0B = 1 + Below(random, 2), t.dbL0C = 1 + Below(random, 2);
        t.iterateOrder = Below(random, 2);
        broken = tiling::BrokenCubeLimit(t, Types(), machine).Text();
    }
    if (!broken.empty()) throw std::logic_error("no legal tiling was drawn: " + broken);
    return t;
}

double RandomCase::Accumulated(int64_t row, int64_t column, int64_t first_k, int64_t end_k, int64_t batch,
                               bool add_bias) const {
    const int64_t per_a = c.batches / a.batches, per_b = c.batches / b.batches;
    const auto factor_a = [&](int64_t i) { return a.values[a.At(row, i, batch / per_a)]; };
    const auto factor_b = [&](int64_t i) { return b.values[b.At(i, column, batch / per_b)]; };
    double start = 0;
    if (add_bias) start = bias.values[static_cast<size_t>((one_bias ? 0 : batch) * n + column)];
    if (whole_numbers) {
        double sum = start;
        for (int64_t i = first_k; i < end_k; ++i) sum += factor_a(i) * factor_b(i);
        return sum;
    }
    float sum = static_cast<float>(start);
    for (int64_t i = first_k; i < end_k; ++i) {
        const volatile float product = static_cast<float>(factor_a(i)) * static_cast<float>(factor_b(i));
        const volatile float next = sum + product;
        sum = next;
    }
    return static_cast<double>(sum);
}

// cube.md 5.2.
double RandomCase::Converted(double value, int64_t column) const {
    if (relu) value = std::max(value, 0.0);
    if (quant == Quant::kNone) return value;
    const uint64_t word = words[static_cast<size_t>(column)];
    const auto scale = std::bit_cast<float>(static_cast<uint32_t>(word) & ~0x1fffu);
    const double product = static_cast<double>(static_cast<float>(value)) * static_cast<double>(scale);
    if (out == DataType::kHalf) return product;
    const auto scaled = static_cast<float>(product);
    const auto nine = static_cast<int>(word >> 37 & 511);
    const int offset = nine >= 256 ? nine - 512 : nine;
    const float whole = std::nearbyint(std::clamp(scaled, -256.0f, 255.0f));
    return std::clamp(static_cast<double>(whole) + offset, -128.0, 127.0);
}

std::vector<uint8_t> RandomCase::Want() const {
    std::vector<uint8_t> want = c.bytes;
    for (int64_t batch = 0; batch < c.batches; ++batch) {
        for (int64_t row = 0; row < m; ++row) {
            for (int64_t column = 0; column < n; ++column) {
                double value = Converted(Accumulated(row, column, 0, k, batch, has_bias), column);
                std::vector<uint8_t> one(8);
                if (atomic) value = Put(one, out, 0, value);  // combined in the type of C
                if (atomic == 1) value += kBefore;
                if (atomic == 2) value = std::max(value, kBefore);
                if (atomic == 3) value = std::min(value, kBefore);
                Put(want, out, c.At(row, column, batch), value);
            }
            const bool filled = format_c == CubeFormat::ND_ALIGN;
            for (int64_t column = n; filled && column < c.pitch; ++column) Put(want, out, c.At(row, column), 0);
        }
    }
    return want;
}

std::string RandomCase::Text() const {
    const auto matrix = [](const Stored& s) {
        return fmt::format("{}{}{}", CName(s.type), s.nz ? " NZ" : "", s.transposed ? " transposed" : "");
    };
    constexpr const char* kHow[] = {"IterateAll", "Iterate", "IterateAll<false>"};
    return fmt::format(
        "case {} on {}: {} x {} -> {}, {} x {} x {} of {} x {} x {}/{}, row of C {}, pieces {} x {} x {} ({} x {} x {}), bias {}, "
        "quant {}, relu {}, atomic {}, layout {}, batches {} and {} (b {}, n {}, g {}), core {}, {}{}{}",
        number, chip(), matrix(a), matrix(b), matrix(c), m, n, k, org_m, org_n, org_ka, org_kb, org_kc, pieces_m, pieces_n, parts_k,
        single_m, single_n, single_k, has_bias ? CName(bias_type) : "none", static_cast<int>(quant), relu, atomic,
        static_cast<int>(layout), batch_a, batch_b, axis_b, axis_n, axis_g, static_cast<int>(core),
        kHow[static_cast<int>(how)], direct ? ", MatmulImpl" : "", mdl ? ", MDL" : "");
}

}  // namespace sfumato::matmul_test
