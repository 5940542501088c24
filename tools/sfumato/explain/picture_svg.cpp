// SPDX-License-Identifier: Apache-2.0
// A picture as SVG: sources on the left, destinations on the right, colour by where the data come from.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "explain/picture.h"

namespace sfumato::command {
namespace {

constexpr size_t kMaxRows = 256, kMaxColumns = 128;

// Pixels.
constexpr size_t kMargin = 24, kLineHeight = 19, kCellHeight = 20, kGap = 18, kMinWidth = 760;
constexpr size_t kArrow = 72;  // between sources and destinations

// A hue as a light colour, so that dark labels are readable on it.
std::string ColourOf(const Cell& cell) {
    const double lightness = 0.87 - 0.21 * cell.shade, chroma = 0.72 * (1 - std::abs(2 * lightness - 1));
    std::array<unsigned, 3> rgb;
    for (size_t i = 0; i < 3; ++i) {
        const double place = std::fmod(cell.hue * 0.86 * 6 + 4.0 * static_cast<double>(i), 6.0);
        const double ramp = std::clamp(std::abs(place - 3) - 1, 0.0, 1.0);
        rgb[i] = static_cast<unsigned>(std::lround(255 * (lightness + chroma * (ramp - 0.5))));
    }
    return fmt::format("#{:02x}{:02x}{:02x}", rgb[0], rgb[1], rgb[2]);
}

std::string FillOf(const Cell& cell) {
    switch (cell.holds) {
        case Holds::kData: return ColourOf(cell);
        case Holds::kPad: return "url(#pad)";
        case Holds::kZero: return "#e4e4e4";
        case Holds::kUndefined: return "#f3d9e6";
        case Holds::kUnwritten: return "#f7f7f7";
        case Holds::kMixed: return "#c9c9c9";
    }
    return "none";
}

std::string Escaped(const std::string& text) {
    std::string out;
    for (const char c : text) {
        switch (c) {
            case '<': out += "&lt;"; break;
            case '>': out += "&gt;"; break;
            case '&': out += "&amp;"; break;
            case '"': out += "&quot;"; break;
            default: out += c;
        }
    }
    return out;
}

// Widths of text in the fonts below, a little on the wide side.
size_t ProseWidth(const std::string& text) { return text.size() * 7; }
size_t CodeWidth(const std::string& text) { return text.size() * 7; }

class GridSvg {
public:
    explicit GridSvg(const Grid& grid)
        : g_(grid), rows_(std::min(grid.rows, kMaxRows)), columns_(std::min(grid.columns, kMaxColumns)) {
        for (size_t i = 0; i < rows_; ++i) {
            for (size_t j = 0; j < columns_; ++j) Widen(&cell_width_, LabelOf(g_.At(i, j)));
            if (!g_.row_names.empty()) Widen(&left_, g_.row_names[i]);
        }
        for (const std::string& n : g_.column_names) Widen(&cell_width_, n);
        top_ = kLineHeight + (g_.column_names.empty() ? 4 : kLineHeight);
        omitted_ = rows_ < g_.rows || columns_ < g_.columns;
    }

    size_t Width() const { return std::max(left_ + columns_ * cell_width_, ProseWidth(g_.title)); }
    size_t Height() const { return top_ + rows_ * kCellHeight + (omitted_ ? kLineHeight : 0); }

    void Draw(size_t x, size_t y, std::string* out) const {
        auto to = std::back_inserter(*out);
        fmt::format_to(to, "<text class=\"h\" x=\"{}\" y=\"{}\">{}</text>\n", x, y + 13, Escaped(g_.title));
        const size_t x0 = x + left_, y0 = y + top_;
        fmt::format_to(to, "<g class=\"grid\">\n");
        for (size_t i = 0; i < rows_; ++i) {
            for (size_t j = 0; j < columns_; ++j) {
                fmt::format_to(to, "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>\n",
                               x0 + j * cell_width_, y0 + i * kCellHeight, cell_width_, kCellHeight,
                               FillOf(g_.At(i, j)));
            }
        }
        fmt::format_to(to, "</g>\n<g class=\"label\">\n");
        for (size_t i = 0; i < rows_; ++i) {
            for (size_t j = 0; j < columns_; ++j) Text(x0, y0, i, j, LabelOf(g_.At(i, j)), to);
        }
        fmt::format_to(to, "</g>\n<g class=\"name\">\n");
        if (!g_.column_names.empty()) {
            for (size_t j = 0; j < columns_; ++j) Text(x0, y0 - kCellHeight, 0, j, g_.column_names[j], to);
        }
        fmt::format_to(to, "</g>\n<g class=\"row\">\n");
        if (!g_.row_names.empty()) {
            for (size_t i = 0; i < rows_; ++i) {
                fmt::format_to(to, "<text x=\"{}\" y=\"{}\">{}</text>\n", x0 - 6, y0 + i * kCellHeight + 14,
                               Escaped(g_.row_names[i]));
            }
        }
        fmt::format_to(to, "</g>\n");
        Lines(x0, y0, to);
        if (omitted_) {
            fmt::format_to(to, "<text x=\"{}\" y=\"{}\">{} of {} rows and {} of {} columns shown</text>\n", x0,
                           y + Height() - 4, rows_, g_.rows, columns_, g_.columns);
        }
    }

private:
    static void Widen(size_t* width, const std::string& label) { *width = std::max(*width, CodeWidth(label) + 10); }

    template <class Out>
    void Text(size_t x0, size_t y0, size_t row, size_t column, const std::string& label, Out to) const {
        fmt::format_to(to, "<text x=\"{}\" y=\"{}\">{}</text>\n", x0 + column * cell_width_ + cell_width_ / 2,
                       y0 + row * kCellHeight + 14, Escaped(label));
    }

    // The outline, and lines between blocks.
    template <class Out>
    void Lines(size_t x0, size_t y0, Out to) const {
        const size_t width = columns_ * cell_width_, height = rows_ * kCellHeight;
        fmt::format_to(to, "<path class=\"edge\" d=\"M{} {}h{}v{}h-{}z", x0, y0, width, height, width);
        for (size_t i = g_.row_block; g_.row_block && i < rows_; i += g_.row_block) {
            fmt::format_to(to, "M{} {}h{}", x0, y0 + i * kCellHeight, width);
        }
        for (size_t j = g_.column_block; g_.column_block && j < columns_; j += g_.column_block) {
            fmt::format_to(to, "M{} {}v{}", x0 + j * cell_width_, y0, height);
        }
        fmt::format_to(to, "\"/>\n");
    }

    const Grid& g_;
    size_t rows_, columns_, cell_width_ = 24, left_ = 0, top_;
    bool omitted_;
};

// Grids one below the other.
class Stack {
public:
    explicit Stack(const std::vector<Grid>& grids) {
        for (const Grid& g : grids) {
            grids_.emplace_back(g);
            width_ = std::max(width_, grids_.back().Width());
            height_ += grids_.back().Height() + kGap;
        }
    }
    size_t width() const { return width_; }
    size_t height() const { return height_; }
    void Draw(size_t x, size_t y, std::string* out) const {
        for (const GridSvg& g : grids_) {
            g.Draw(x, y, out);
            y += g.Height() + kGap;
        }
    }

private:
    std::vector<GridSvg> grids_;
    size_t width_ = 0, height_ = 0;
};

constexpr const char* kStyle =
    "<style>text{font:13px sans-serif;fill:#222}.t{font-size:16px;font-weight:bold}.h{font-weight:bold}"
    ".r{fill:#555}.grid rect{stroke:#fff}.label text,.name text,.row text{font:11px monospace;text-anchor:middle}"
    ".name text,.row text{fill:#666}.row text{text-anchor:end}.edge{fill:none;stroke:#444;stroke-width:1.5}"
    ".arrow{fill:none;stroke:#888;stroke-width:3}</style>\n"
    "<defs><pattern id=\"pad\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">"
    "<path d=\"M0 0h6v6h-6z\" fill=\"#f1f1f1\"/><path d=\"M-1 1l2-2M0 6l6-6M5 7l2-2\" stroke=\"#b5b5b5\"/>"
    "</pattern></defs>\n";

}  // namespace

std::string ToSvg(const Picture& picture) {
    const Stack left(picture.sources), right(picture.destinations);
    const size_t right_x = kMargin + (picture.sources.empty() ? 0 : left.width() + kArrow);
    const std::vector<std::string> legend = LegendOf(picture);
    size_t width = right_x + right.width() + kMargin;
    width = std::max({width, kMinWidth, kMargin * 2 + picture.title.size() * 10});
    for (const std::string& line : picture.rules) width = std::max(width, ProseWidth(line) + 2 * kMargin);
    const size_t top = kMargin + 16 + picture.rules.size() * kLineHeight + kGap;
    const size_t body = std::max(left.height(), right.height());
    const size_t height = top + body + legend.size() * kLineHeight + kMargin;

    std::string out = fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\">\n{2}"
        "<rect width=\"{0}\" height=\"{1}\" fill=\"#fff\"/>\n<text class=\"t\" x=\"{3}\" y=\"{4}\">{5}</text>\n",
        width, height, kStyle, kMargin, kMargin + 12, Escaped(picture.title));
    size_t y = kMargin + 16;
    for (const std::string& line : picture.rules) {
        y += kLineHeight;
        out += fmt::format("<text class=\"r\" x=\"{}\" y=\"{}\">{}</text>\n", kMargin, y, Escaped(line));
    }
    left.Draw(kMargin, top, &out);
    if (!picture.sources.empty()) {
        out += fmt::format("<path class=\"arrow\" d=\"M{} {}h36m-9 -7l9 7l-9 7\"/>\n", right_x - kArrow + 16,
                           top + std::min(left.height(), right.height()) / 2);
    }
    right.Draw(right_x, top, &out);
    y = top + body;
    for (const std::string& line : legend) {
        y += kLineHeight;
        out += fmt::format("<text class=\"r\" x=\"{}\" y=\"{}\">{}</text>\n", kMargin, y, Escaped(line));
    }
    return out + "</svg>\n";
}

}  // namespace sfumato::command
