// SPDX-License-Identifier: Apache-2.0
// Grids of labelled cells: where the elements of a source lie in a destination. Drawn as text and as SVG.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sfumato::command {

// What a cell of the destination holds.
enum class Holds : uint8_t { kData, kPad, kZero, kUndefined, kUnwritten, kMixed };
constexpr size_t kHoldsCount = 6;

struct Cell {
    Holds holds = Holds::kUnwritten;
    double hue = 0, shade = 0;  // of kData, 0 to 1: cells of one colour come from one place
    std::string label;          // of kData
};

struct Grid {
    Grid(std::string grid_title, size_t grid_rows, size_t grid_columns)
        : title(std::move(grid_title)), rows(grid_rows), columns(grid_columns), cells(rows * columns) {}
    Cell& At(size_t row, size_t column) { return cells[row * columns + column]; }
    const Cell& At(size_t row, size_t column) const { return cells[row * columns + column]; }

    std::string title;
    size_t rows, columns;
    std::vector<Cell> cells;
    std::vector<std::string> row_names, column_names;  // one each, or empty
    size_t row_block = 0, column_block = 0;            // cells between lines, such as the edges of fractals; 0: none
};

struct Picture {
    std::string title;
    std::vector<std::string> rules;  // what maps the source to the destination
    std::string label;               // what the label of a cell means
    std::vector<Grid> sources, destinations;
};

// The label a cell is drawn with.
const std::string& LabelOf(const Cell& cell);
// Lines of the legend: the kinds of cells that occur.
std::vector<std::string> LegendOf(const Picture& picture);

// At most 120 columns wide; what is left out is said.
std::string ToText(const Picture& picture);
// A whole file.
std::string ToSvg(const Picture& picture);

}  // namespace sfumato::command
