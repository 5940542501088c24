// SPDX-License-Identifier: Apache-2.0
// Pictures of Load2D, of Nd2Nz, and of the layouts themselves (cube.md 2, 3.1, 6).
#include <fmt/format.h>

#include <algorithm>

#include "explain/explain.h"
#include "explain/fractals.h"
#include "explain/tags.h"
#include "report/rules.h"

namespace sfumato::command {
namespace {

using AscendC::TPosition;

double Part(uint64_t i, uint64_t n) { return n ? static_cast<double>(i) / static_cast<double>(n) : 0; }

// Bare of data: all elements hold the same special tag.
bool Special(const uint32_t* tags, uint64_t count, Cell* cell) {
    const uint32_t t = tags[0];
    if (!std::all_of(tags, tags + count, [t](uint32_t other) { return other == t; })) return false;
    if (t != tag::kUnwritten && t != tag::kUndefined && t != tag::kZero) return false;
    cell->holds = t == tag::kUnwritten ? Holds::kUnwritten : t == tag::kZero ? Holds::kZero : Holds::kUndefined;
    return true;
}

// A strip of fractals, 16 in a line.
constexpr uint64_t kAcross = 16;

Grid Strip(const std::string& title, uint64_t fractals, const auto& cell_of) {
    const uint64_t columns = std::clamp<uint64_t>(fractals, 1, kAcross);
    Grid grid(title, (fractals + columns - 1) / columns, columns);
    for (uint64_t i = 0; i < fractals; ++i) grid.cells[i] = cell_of(i);
    for (uint64_t i = 0; i < grid.rows; ++i) grid.row_names.push_back(fmt::format("{}", i * columns));
    for (uint64_t j = 0; j < grid.columns; ++j) grid.column_names.push_back(fmt::format("+{}", j));
    return grid;
}

Cell FractalCell(uint64_t number, uint64_t fractals, bool transposed) {
    Cell cell = {.holds = Holds::kData, .label = fmt::format("F{}{}", number, transposed ? "t" : "")};
    cell.hue = Part(number, fractals);
    return cell;
}

// Which fractal of the source a fractal of the destination is.
Cell FractalOf(const uint32_t* tags, uint64_t elements, uint64_t fractals) {
    Cell cell;
    if (Special(tags, elements, &cell)) return cell;
    const uint64_t number = tags[0] ? (tags[0] - 1) / elements : fractals;
    bool straight = number < fractals, transposed = straight && elements == 256;
    for (uint64_t i = 0; i < elements; ++i) {
        const uint64_t base = number * elements + 1;
        straight = straight && tags[i] == base + i;
        transposed = transposed && tags[i] == base + i % 16 * 16 + i / 16;
    }
    if (straight || transposed) return FractalCell(number, fractals, transposed);
    cell.holds = Holds::kMixed;
    return cell;
}

// The inside of a fractal: the element of the source fractal in each place.
Grid Inside(const std::string& title, uint64_t columns, const auto& element_of) {
    Grid grid(title, 16, columns);
    for (uint64_t i = 0; i < 16 * columns; ++i) {
        const uint64_t element = element_of(i);
        grid.cells[i] = {Holds::kData, Part(element / columns, 16), Part(element % columns, columns),
                         fmt::format("{}", element)};
    }
    return grid;
}

const char* MemoryOf(const std::string& to) { return to == "A2" ? "L0A" : to == "B2" ? "L0B" : "L1"; }

TPosition PositionOf(const std::string& to) {
    return to == "L1" ? TPosition::A1 : to == "B2" ? TPosition::B2 : TPosition::A2;
}

}  // namespace

Explained DrawLoad2d(const ExplainOptions& o) {
    const ExplainLoad2d& p = o.load2d;
    const uint64_t elements = 16 * C0Of(o.type), steps = p.repeats ? p.repeats - 1 : 0;
    const uint64_t sources = p.start + (p.decrement ? 0 : steps * p.src_stride) + 1;
    const uint64_t destinations = steps * (1 + uint64_t{p.dst_gap}) + 1;
    const TagRun run = {o.chip, o.type, sources * elements, destinations * elements, PositionOf(p.to)};
    const AscendC::LoadData2DParams params(static_cast<uint16_t>(p.start), static_cast<uint8_t>(p.repeats),
                                           static_cast<uint16_t>(p.src_stride), 0, static_cast<uint16_t>(p.dst_gap),
                                           p.transpose, p.decrement ? 1 : 0);
    const auto load = [&](auto& dst, auto& src) { AscendC::LoadData(dst, src, params, kNowhere); };
    const Tags tags = p.from == "GM" ? RunTagged<true>(run, load) : RunTagged<false>(run, load);
    Explained done{{}, tags.result};
    if (!tags.result.ok()) return done;

    const auto& findings = tags.result.findings;
    const bool packed = std::ranges::any_of(findings, [](const Report& r) { return r.rule == Rule::kLoadGapIgnored; });
    Picture& picture = done.picture;
    picture.title =
        fmt::format("Load2D on {}: {}, {} to {}, startIndex {}, repeatTimes {}, srcStride {}, dstGap {}{}{}", o.chip,
                    CName(o.type), p.from, MemoryOf(p.to), p.start, p.repeats, p.src_stride, p.dst_gap,
                    p.transpose ? ", transposed" : "", p.decrement ? ", falling addresses" : "");
    picture.rules = {
        fmt::format("destination fractal {} is source fractal {}{}; a fractal is 512 bytes, 16 x {} elements",
                    Times("r", packed ? 1 : 1 + uint64_t{p.dst_gap}),
                    p.start ? fmt::format("{} {} ", p.start, p.decrement ? "-" : "+") : "", Times("r", p.src_stride),
                    elements / 16)};
    picture.label = fmt::format("Fn: fractal n of the source{}", p.transpose ? "; t: transposed" : "");
    picture.sources.push_back(Strip(p.from + ": fractals of the source", sources,
                                    [&](uint64_t i) { return FractalCell(i, sources, false); }));
    picture.destinations.push_back(
        Strip(MemoryOf(p.to) + std::string(": fractals of the destination"), destinations,
              [&](uint64_t i) { return FractalOf(&tags.of[i * elements], elements, sources); }));
    const uint64_t first = tags.of[0] - 1;
    if (p.transpose && first < run.source) {
        const uint64_t columns = elements / 16, base = first / elements * elements;
        picture.sources.push_back(Inside(fmt::format("Inside fractal {} of the source", first / elements), columns,
                                         [](uint64_t i) { return i; }));
        picture.destinations.push_back(
            Inside("Inside fractal 0 of the destination", columns, [&](uint64_t i) { return tags.of[i] - 1 - base; }));
    }
    return done;
}

Explained DrawNd2Nz(const ExplainOptions& o) {
    const ExplainNd2Nz& p = o.nd2nz;
    const uint64_t c0 = C0Of(o.type), columns = RoundUpTo(p.d, c0) / c0;
    const uint64_t src_d = p.src_d.value_or(p.d);
    const uint64_t src_nd = p.src_nd_stride.value_or(static_cast<uint32_t>(p.nd > 1 ? p.n * src_d : 0));
    const uint64_t n_end = (p.n - 1) * p.dst_n_stride + 1;
    const uint64_t c0_stride = p.dst_c0_stride.value_or(static_cast<uint32_t>(RoundUpTo(n_end, 16)));
    const uint64_t blocks = std::max((columns - 1) * c0_stride + n_end, columns * c0_stride);
    const uint64_t dst_nd = p.dst_nd_stride.value_or(static_cast<uint32_t>(p.nd > 1 ? blocks * c0 : 0));
    const uint64_t source = (p.nd - 1) * src_nd + (p.n - 1) * src_d + p.d;
    for (const auto& [name, value] :
         {std::pair{"--src-nd-stride", src_nd}, {"--dst-c0-stride", c0_stride}, {"--dst-nd-stride", dst_nd}}) {
        if (value > 65535) throw Error(fmt::format("{} would be {}: its field holds 0 to 65535", name, value));
    }
    const TagRun run = {o.chip, o.type, source, (p.nd - 1) * dst_nd + blocks * c0, TPosition::A1};
    const auto word = [](uint64_t value) { return static_cast<uint16_t>(value); };
    const AscendC::Nd2NzParams params(word(p.nd), word(p.n), word(p.d), word(src_nd), word(src_d), word(c0_stride),
                                      word(p.dst_n_stride), word(dst_nd));
    const Tags tags =
        RunTagged<true>(run, [&](auto& dst, auto& src) { AscendC::DataCopy(dst, src, params, kNowhere); });
    Explained done{{}, tags.result};
    if (!tags.result.ok()) return done;

    const auto cell_at = [&](uint64_t element) {
        Cell cell = {.holds = Holds::kData, .label = fmt::format("{},{}", element / src_d, element % src_d)};
        cell.hue = Part(element / src_d, (source + src_d - 1) / src_d);
        cell.shade = Part(element % src_d, src_d);
        return cell;
    };
    // A block of 32 bytes: elements of one row, then zeros.
    const auto block_cell = [&](const uint32_t* held) {
        Cell cell;
        if (Special(held, c0, &cell)) return cell;
        uint64_t count = 0;
        while (count < c0 && held[count] == held[0] + count && held[count] <= source) ++count;
        if (held[0] == 0 || count == 0 || !std::all_of(held + count, held + c0, [](uint32_t t) { return t == 0; })) {
            cell.holds = Holds::kMixed;
            return cell;
        }
        cell = cell_at(held[0] - 1);
        if (count < c0) cell.label += "+0";
        return cell;
    };
    Picture& picture = done.picture;
    picture.title = fmt::format("DataCopy Nd2Nz on {}: {} of {} x {} {}, rows of {}, dstNzC0Stride {}, dstNzNStride {}",
                                o.chip, p.nd == 1 ? "1 matrix" : fmt::format("{} matrices", p.nd), p.n, p.d,
                                CName(o.type), src_d, c0_stride, p.dst_n_stride);
    picture.rules = {
        fmt::format("element (n, d) goes to place d % {0} of block {1} + {2}{3}; a block is 32 bytes, {0} "
                    "elements",
                    c0, Times(fmt::format("(d / {})", c0).c_str(), c0_stride), Times("n", p.dst_n_stride),
                    p.nd > 1 ? fmt::format("; matrix q begins at element {}", Times("q", dst_nd)) : "")};
    picture.label =
        "n,d: the elements from row n, column d of the source on; +0: the rest of the block is filled with zeros";
    Grid from(fmt::format("GM: rows of {} elements, in pieces of {}", src_d, c0), (source + src_d - 1) / src_d,
              RoundUpTo(src_d, c0) / c0);
    for (uint64_t i = 0; i < from.rows; ++i) {
        from.row_names.push_back(fmt::format("n{}", i));
        for (uint64_t j = 0; j < from.columns; ++j) from.At(i, j) = cell_at(i * src_d + j * c0);
    }
    picture.sources.push_back(std::move(from));
    for (uint64_t q = 0; q < p.nd; ++q) {
        const std::string name = p.nd == 1 ? "" : fmt::format(", matrix {}", q);
        Grid grid(fmt::format("L1{}: {} of {} blocks", name,
                              columns == 1 ? "1 column" : fmt::format("{} columns", columns), c0_stride),
                  c0_stride, columns);
        grid.row_block = 16;
        grid.column_block = 1;
        for (uint64_t i = 0; i < grid.rows; ++i) {
            grid.row_names.push_back(fmt::format("+{}", i));
            for (uint64_t j = 0; j < columns; ++j) {
                grid.At(i, j) = block_cell(&tags.of[q * dst_nd + (j * c0_stride + i) * c0]);
            }
        }
        for (uint64_t j = 0; j < columns; ++j) grid.column_names.push_back(fmt::format("block {}", j * c0_stride));
        picture.destinations.push_back(std::move(grid));
    }
    return done;
}

Explained DrawFractal(const ExplainOptions& o) {
    const ExplainFractal& p = o.fractal;
    const uint64_t c0 = C0Of(o.type);
    const FractalLayout layout = p.layout == "Zz"   ? FractalLayout::Zz(c0)
                                 : p.layout == "Zn" ? FractalLayout::Zn(c0)
                                 : p.layout == "Nz" ? FractalLayout::Nz(c0)
                                 : p.layout == "Nn" ? FractalLayout::Nn(c0)
                                                    : FractalLayout::Nz(16);
    const uint64_t rows = p.shape.h, columns = p.shape.w, size = layout.rows * layout.columns;
    const uint64_t fractals = RoundUpTo(rows, layout.rows) * RoundUpTo(columns, layout.columns) / size;
    Explained done;
    Picture& picture = done.picture;
    picture.title = fmt::format("Layout {}: {} x {} {} in fractals of {} x {}", p.layout, rows, columns, CName(o.type),
                                layout.rows, layout.columns);
    picture.rules = {fmt::format("fractals {}, elements of a fractal {}; a fractal is {} elements",
                                 layout.fractals_by_rows ? "row by row" : "column by column",
                                 layout.elements_by_rows ? "row by row" : "column by column", size)};
    picture.label = "the number is the element's place in memory, in elements";
    Grid grid("Matrix", rows, columns);
    grid.row_block = layout.rows;
    grid.column_block = layout.columns;
    for (uint64_t i = 0; i < rows; ++i) {
        grid.row_names.push_back(fmt::format("{}", i));
        for (uint64_t j = 0; j < columns; ++j) {
            const uint64_t place = layout.Place(rows, columns, i, j);
            grid.At(i, j) = {Holds::kData, Part(place / size, fractals), Part(place % size, size),
                             fmt::format("{}", place)};
        }
    }
    for (uint64_t j = 0; j < columns; ++j) grid.column_names.push_back(fmt::format("{}", j));
    picture.destinations.push_back(std::move(grid));
    return done;
}

}  // namespace sfumato::command
