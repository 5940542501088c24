// SPDX-License-Identifier: Apache-2.0
// Pictures of Load3Dv1 and Load3Dv2: the pixels of the feature map in the matrix they make (cube.md 3.4, 3.5).
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "explain/explain.h"
#include "explain/fractals.h"
#include "explain/tags.h"

namespace sfumato::command {
namespace {

uint64_t Outputs(uint64_t extent, uint64_t taps, uint64_t dilation, uint64_t stride) {
    const uint64_t window = taps == 0 ? 0 : (taps - 1) * dilation + 1;
    return window == 0 || stride == 0 || window > extent ? 0 : (extent - window) / stride + 1;
}

// The feature map in L1: groups of C0 channels, then the rest of the channels densely.
class FeatureMap {
public:
    FeatureMap(const ExplainLoad3d& p, uint64_t channels, uint64_t c0)
        : p_(p), c0_(c0), pixels_(uint64_t{p.h} * p.w), full_(channels / c0), tail_(channels % c0) {}

    uint64_t elements() const { return pixels_ * (full_ * c0_ + tail_); }
    uint64_t groups() const { return full_ + (tail_ != 0); }
    uint64_t tail() const { return tail_; }
    uint64_t ChannelsOf(uint64_t c1) const { return c1 < full_ ? c0_ : tail_; }
    uint64_t FirstOf(uint64_t c1) const { return c1 * pixels_ * c0_; }

    // The cell of `count` channels from this element on.
    Cell CellAt(uint64_t element, uint64_t count) const {
        const uint64_t c1 = std::min(element / (pixels_ * c0_), full_), channels = ChannelsOf(c1);
        const uint64_t inside = element - FirstOf(c1), pixel = inside / channels, c = inside % channels;
        if (c + count > channels) return {.holds = Holds::kMixed, .label = ""};
        Cell cell = {.holds = Holds::kData, .label = ""};
        cell.hue = static_cast<double>(pixel / p_.w) / p_.h;
        cell.shade = static_cast<double>(pixel % p_.w) / p_.w;
        cell.label = fmt::format("{},{},{}", c1, pixel / p_.w, pixel % p_.w);
        if (count < channels) cell.label += fmt::format(":{}", c);
        return cell;
    }

    Grid Draw(uint64_t c1) const {
        const uint64_t channels = ChannelsOf(c1);
        const std::string what = fmt::format("channels {}..{} (c1 = {})", c1 * c0_, c1 * c0_ + channels - 1, c1);
        Grid grid(fmt::format("Feature map in L1, {}", what), p_.h, p_.w);
        for (uint64_t i = 0; i < p_.h; ++i) {
            grid.row_names.push_back(fmt::format("h{}", i));
            for (uint64_t j = 0; j < p_.w; ++j) {
                grid.At(i, j) = CellAt(FirstOf(c1) + (i * p_.w + j) * channels, channels);
            }
        }
        return grid;
    }

private:
    const ExplainLoad3d& p_;
    uint64_t c0_, pixels_, full_, tail_;
};

// Which cell the elements with these tags make.
Cell CellOf(const std::vector<uint32_t>& tags, const FeatureMap& map) {
    const uint32_t first = tags[0];
    const bool same = std::ranges::all_of(tags, [&](uint32_t t) { return t == first; });
    if (same && first == tag::kPad) return {.holds = Holds::kPad, .label = ""};
    if (same && first == tag::kUnwritten) return {.holds = Holds::kUnwritten, .label = ""};
    if (same && first == tag::kUndefined) return {.holds = Holds::kUndefined, .label = ""};
    for (size_t i = 0; i < tags.size(); ++i) {
        const bool follows = tags[i] == first + i && tags[i] != 0 && tags[i] <= map.elements();
        if (!follows) return {.holds = Holds::kMixed, .label = ""};
    }
    return map.CellAt(first - 1, tags.size());
}

// The destination as a matrix. The elements of a cell lie in one row or in one column of it.
struct View {
    FractalLayout layout;
    uint64_t rows, columns;
    uint64_t cell_rows, cell_columns;
};

Grid Draw(const View& v, const std::string& title, const Tags& tags, const FeatureMap& map) {
    Grid grid(title, v.rows / v.cell_rows, v.columns / v.cell_columns);
    grid.row_block = v.layout.rows / v.cell_rows;
    grid.column_block = v.layout.columns / v.cell_columns;
    std::vector<uint32_t> held;
    for (uint64_t i = 0; i < grid.rows; ++i) {
        for (uint64_t j = 0; j < grid.columns; ++j) {
            held.clear();
            for (uint64_t e = 0; e < v.cell_rows * v.cell_columns; ++e) {
                const uint64_t row = i * v.cell_rows + e / v.cell_columns;
                const uint64_t place = v.layout.Place(v.rows, v.columns, row, j * v.cell_columns + e % v.cell_columns);
                held.push_back(place < tags.of.size() ? tags.of[place] : tag::kUnwritten);
            }
            grid.At(i, j) = CellOf(held, map);
        }
    }
    return grid;
}

std::string Sizes(const ExplainOptions& o) {
    const ExplainLoad3d& p = o.load3d;
    return fmt::format("map {}x{}x{} {}, filter {}x{}, stride {}x{}, dilation {}x{}, pad {},{},{},{}", p.h, p.w, p.c,
                       CName(o.type), p.filter.h, p.filter.w, p.stride.h, p.stride.w, p.dilation.h, p.dilation.w,
                       p.pad[0], p.pad[1], p.pad[2], p.pad[3]);
}

std::string Minus(uint64_t value) { return value ? fmt::format(" - {}", value) : ""; }

std::string Fractals(uint64_t n) { return fmt::format("{} fractal{}", n, n == 1 ? "" : "s"); }

std::string LabelText(bool with_channel) {
    return with_channel ? "c1,h,w or c1,h,w:c: pixel (h, w) of channel group c1, all of it or from its channel c on"
                        : "c1,h,w: pixel (h, w) of channel group c1";
}

uint8_t Byte(uint32_t value) { return static_cast<uint8_t>(value); }
uint16_t Word(uint32_t value) { return static_cast<uint16_t>(value); }

void SetCommon(const ExplainLoad3d& p, auto* to) {
    for (size_t i = 0; i < p.pad.size(); ++i) to->padList[i] = Byte(p.pad[i]);
    to->l1H = Word(p.h);
    to->l1W = Word(p.w);
    to->strideW = Byte(p.stride.w);
    to->strideH = Byte(p.stride.h);
    to->filterW = Byte(p.filter.w);
    to->filterH = Byte(p.filter.h);
    to->dilationFilterW = Byte(p.dilation.w);
    to->dilationFilterH = Byte(p.dilation.h);
}

template <template <class> class Params, class Shape>
Tags Loaded(const TagRun& run, const Shape& shape) {
    return RunTagged<false>(run, [&]<class T>(AscendC::LocalTensor<T>& dst, AscendC::LocalTensor<T>& src) {
        Params<T> typed;
        static_cast<Shape&>(typed) = shape;
        typed.padValue = PadTag<T>();
        AscendC::LoadData(dst, src, typed, kNowhere);
    });
}

// What names rows and columns of the matrix of Load3Dv2.
struct Cells {
    const ExplainLoad3d& p;
    uint64_t m, k, out_w, taps, c0, piece, tail;

    std::string Row(uint64_t i) const {
        const uint64_t at = p.m_start + i;
        return at < m ? fmt::format("m{} ({},{})", at, at / out_w, at % out_w) : fmt::format("m{}", at);
    }
    std::string Column(uint64_t j) const {
        const uint64_t at = p.k_start + j * piece, full = p.c / c0 * taps * c0;
        if (at >= k) return fmt::format("k{}", at);
        const uint64_t tap = at < full ? at / c0 % taps : (at - full) / tail;
        return fmt::format("{},{}", tap / p.filter.w, tap % p.filter.w);
    }
};

void NameCells(const Cells& cells, bool transposed, Grid* grid) {
    for (uint64_t i = 0; i < (transposed ? grid->columns : grid->rows); ++i) {
        (transposed ? grid->column_names : grid->row_names)
            .push_back(transposed ? fmt::format("m{}", cells.p.m_start + i) : cells.Row(i));
    }
    for (uint64_t j = 0; j < (transposed ? grid->rows : grid->columns); ++j)
        (transposed ? grid->row_names : grid->column_names).push_back(cells.Column(j));
}

Explained DrawV2(const ExplainOptions& o) {
    const ExplainLoad3d& p = o.load3d;
    const uint64_t c0 = C0Of(o.type), taps = uint64_t{p.filter.h} * p.filter.w;
    const uint64_t out_h = Outputs(uint64_t{p.h} + p.pad[2] + p.pad[3], p.filter.h, p.dilation.h, p.stride.h);
    const uint64_t out_w = Outputs(uint64_t{p.w} + p.pad[0] + p.pad[1], p.filter.w, p.dilation.w, p.stride.w);
    const uint64_t m = out_h * out_w, k = taps * p.c;
    // Where there is no matrix one fractal is asked for, so that the instruction says what is wrong.
    const auto rest = [](uint64_t size, uint64_t start, uint64_t unit) {
        return Word(static_cast<uint32_t>(size > start ? std::min<uint64_t>(size - start, 65535) : unit));
    };
    const bool to_b = p.to == "B2", transposed = p.transpose && !to_b;
    ascendc::Load3Dv2Params shape;
    SetCommon(p, &shape);
    shape.channelSize = Word(p.c);
    shape.mStartPt = Word(p.m_start);
    shape.kStartPt = Word(p.k_start);
    shape.mExtension = p.m_extension ? Word(*p.m_extension) : rest(m, p.m_start, 16);
    shape.kExtension = p.k_extension ? Word(*p.k_extension) : rest(k, p.k_start, c0);
    shape.enTranspose = p.transpose;

    const FeatureMap map(p, p.c, c0);
    // The largest pieces of the channels no cell is cut by.
    uint64_t piece = std::gcd(c0, uint64_t{shape.kExtension});
    if (map.tail()) piece = std::gcd(piece, map.tail());
    const uint64_t m_fractals = RoundUpTo(shape.mExtension, 16), k_columns = RoundUpTo(shape.kExtension, c0);
    View view = {FractalLayout::Zz(c0), m_fractals, k_columns, 1, piece};
    if (to_b)
        view = {FractalLayout::Zn(c0), RoundUpTo(shape.mExtension, c0), RoundUpTo(shape.kExtension, 16), 1, piece};
    if (transposed)
        view = {FractalLayout::Zz(c0), RoundUpTo(shape.kExtension, 16), RoundUpTo(m_fractals, c0), piece, 1};

    const TagRun run = {o.chip, o.type, RoundUpTo(map.elements(), c0), view.rows * view.columns,
                        to_b ? AscendC::TPosition::B2 : AscendC::TPosition::A2};
    const Tags tags = Loaded<AscendC::LoadData3DParamsV2>(run, shape);
    Explained done{{}, tags.result};
    if (!tags.result.ok()) return done;

    Picture& picture = done.picture;
    picture.title = fmt::format("Load3Dv2 on {}: {}", o.chip, Sizes(o));
    const std::string taps_before = Times(fmt::format("({} + kh)", Times("c1", p.filter.h)).c_str(), p.filter.w);
    picture.rules = {
        fmt::format("row m = {} + ow, column k = ({} + kw)*{} + c: pixel ({}{} + {}, {}{} + {}), channel c "
                    "of group c1",
                    Times("oh", out_w), taps_before, c0, Times("oh", p.stride.h), Minus(p.pad[2]),
                    Times("kh", p.dilation.h), Times("ow", p.stride.w), Minus(p.pad[0]), Times("kw", p.dilation.w)),
        fmt::format("window: rows {}..{} of {}, columns {}..{} of {}", p.m_start, p.m_start + shape.mExtension - 1, m,
                    p.k_start, p.k_start + shape.kExtension - 1, k)};
    picture.label = LabelText(piece < c0);
    for (uint64_t c1 = 0; c1 < map.groups(); ++c1) picture.sources.push_back(map.Draw(c1));
    const std::string title =
        fmt::format("{}: {}, {} x {} {}, {} of {} x {}", to_b ? "L0B" : "L0A",
                    transposed ? "the transposed matrix, Zz"
                    : to_b     ? "the matrix as B, Zn"
                               : "the matrix as A, Zz",
                    view.rows, view.columns, CName(o.type), Fractals(run.destination * BitsOf(o.type) / 4096),
                    view.layout.rows, view.layout.columns);
    Grid grid = Draw(view, title, tags, map);
    NameCells({p, m, k, out_w, taps, c0, piece, map.tail()}, transposed, &grid);
    picture.destinations.push_back(std::move(grid));
    picture.rules.push_back(transposed ? "rows are named by their tap kh,kw; columns by m"
                                       : "rows are named m (oh,ow); columns by their tap kh,kw");
    return done;
}

Explained DrawV1(const ExplainOptions& o) {
    const ExplainLoad3d& p = o.load3d;
    const uint64_t c0 = C0Of(o.type), taps = uint64_t{p.filter.h} * p.filter.w;
    const uint64_t out_h = Outputs(uint64_t{p.h} + p.pad[2] + p.pad[3], p.filter.h, p.dilation.h, p.stride.h);
    const uint64_t out_w = Outputs(uint64_t{p.w} + p.pad[0] + p.pad[1], p.filter.w, p.dilation.w, p.stride.w);
    const FeatureMap map(p, RoundUpTo(p.c, c0), c0);
    const uint64_t all = p.repeat_mode == 1 ? RoundUpTo(out_h * out_w, 16) / 16 : map.groups() * taps;
    const std::array<int32_t, 2> left_top =
        p.left_top.value_or(std::array{-static_cast<int32_t>(p.pad[2]), -static_cast<int32_t>(p.pad[0])});
    ascendc::Load3Dv1Params shape;
    SetCommon(p, &shape);
    shape.c1Index = Word(p.c1_index);
    shape.fetchFilterW = Byte(p.fetch.w);
    shape.fetchFilterH = Byte(p.fetch.h);
    shape.leftTopH = static_cast<int16_t>(left_top[0]);
    shape.leftTopW = static_cast<int16_t>(left_top[1]);
    shape.jumpStride = Byte(p.jump_stride);
    shape.repeatMode = Byte(p.repeat_mode);
    shape.repeatTime = Byte(p.repeats.value_or(static_cast<uint32_t>(std::min<uint64_t>(all, 255))));

    const uint64_t repeats = std::max<uint64_t>(shape.repeatTime, 1), jump = std::max(p.jump_stride, 1u);
    const uint64_t fractals = (repeats - 1) * jump + 1;
    // Mode 0 goes along K; mode 1 down M, in the column of fractals that jumpStride makes.
    const bool down = p.repeat_mode == 1;
    const View view = {FractalLayout::Zz(c0), down ? repeats * 16 : 16, (down ? jump : fractals) * c0, 1, c0};
    const TagRun run = {o.chip, o.type, map.elements(), fractals * 16 * c0,
                        p.to == "B2" ? AscendC::TPosition::B2 : AscendC::TPosition::A2};
    const Tags tags = Loaded<AscendC::LoadData3DParamsV1>(run, shape);
    Explained done{{}, tags.result};
    if (!tags.result.ok()) return done;

    Picture& picture = done.picture;
    picture.title = fmt::format("Load3Dv1 on {}: {}", o.chip, Sizes(o));
    picture.rules = {
        down ? fmt::format("fractal {}: tap ({},{}) of channel group {}, windows 16*r to 16*r + 15", Times("r", jump),
                           p.fetch.h, p.fetch.w, p.c1_index)
             : fmt::format("fractal {}: tap r after ({},{}) of channel group {} (kw fastest, then kh, then c1), the "
                           "same 16 windows each time",
                           Times("r", jump), p.fetch.h, p.fetch.w, p.c1_index),
        fmt::format("first window at h {}, w {}; the next is {} to the right; past the right edge the row below begins "
                    "at w {}",
                    left_top[0], left_top[1], p.stride.w, -int64_t{p.pad[0]})};
    picture.label = LabelText(false);
    for (uint64_t c1 = 0; c1 < map.groups(); ++c1) picture.sources.push_back(map.Draw(c1));
    Grid grid = Draw(view,
                     fmt::format("{}: {} of 16 x {}, {}", p.to == "B2" ? "L0B" : "L0A", Fractals(shape.repeatTime), c0,
                                 down ? "one below the other" : "side by side"),
                     tags, map);
    for (uint64_t i = 0; i < grid.rows; ++i) grid.row_names.push_back(fmt::format("window {}", i));
    for (uint64_t j = 0; j < grid.columns; ++j) grid.column_names.push_back(fmt::format("f{}", j));
    picture.destinations.push_back(std::move(grid));
    return done;
}

}  // namespace

Explained DrawLoad3d(const ExplainOptions& options) { return options.load3d.v1 ? DrawV1(options) : DrawV2(options); }

}  // namespace sfumato::command
