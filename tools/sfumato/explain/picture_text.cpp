// SPDX-License-Identifier: Apache-2.0
// A picture as text for the terminal.
#include <fmt/format.h>

#include <algorithm>

#include "explain/picture.h"

namespace sfumato::command {
namespace {

constexpr size_t kWidth = 120;
constexpr size_t kRows = 64;

size_t Longest(const std::vector<std::string>& names) {
    size_t longest = 0;
    for (const std::string& n : names) longest = std::max(longest, n.size());
    return longest;
}

std::string Ranged(const char* what, size_t from, size_t count) {
    return from + 1 == count ? fmt::format("{} {}", what, from) : fmt::format("{}s {}..{}", what, from, count - 1);
}

class GridText {
public:
    explicit GridText(const Grid& grid) : g_(grid), name_width_(Longest(grid.row_names)), cell_width_(1) {
        for (const Cell& c : g_.cells) cell_width_ = std::max(cell_width_, LabelOf(c).size());
        cell_width_ = std::max(cell_width_, Longest(g_.column_names));
        columns_ = 0;
        for (size_t width = name_width_; columns_ < g_.columns; ++columns_) {
            width += cell_width_ + (LineBefore(columns_) ? 3 : 1);
            if (width > kWidth - 2) break;
        }
        rows_ = std::min(g_.rows, kRows);
    }

    std::string Draw() {
        text_ = g_.title + "\n";
        if (!g_.column_names.empty()) {
            Row("", [this](size_t column) { return g_.column_names[column]; });
        }
        for (size_t row = 0; row < rows_; ++row) {
            if (g_.row_block && row && row % g_.row_block == 0) Line();
            Row(NameOf(row), [this, row](size_t column) { return LabelOf(g_.At(row, column)); });
            const size_t last = LastAlike(row);
            if (last < row + 2) continue;
            text_ += fmt::format("  {} to {}: the same\n", NameOf(row + 1), NameOf(last));
            row = last;
        }
        if (columns_ < g_.columns) Omitted(Ranged("column", columns_, g_.columns));
        if (rows_ < g_.rows) Omitted(Ranged("row", rows_, g_.rows));
        return text_;
    }

private:
    std::string NameOf(size_t row) const { return g_.row_names.empty() ? "" : g_.row_names[row]; }

    // The last of the rows that look like this one, up to the end of its block.
    size_t LastAlike(size_t row) const {
        size_t last = row;
        const auto same = [this, row](size_t other) {
            for (size_t column = 0; column < columns_; ++column) {
                if (LabelOf(g_.At(row, column)) != LabelOf(g_.At(other, column))) return false;
            }
            return true;
        };
        while (last + 1 < rows_ && !(g_.row_block && (last + 1) % g_.row_block == 0) && same(last + 1)) ++last;
        return last;
    }

    bool LineBefore(size_t column) const { return g_.column_block && column && column % g_.column_block == 0; }

    template <class Label>
    void Row(const std::string& name, const Label& label) {
        std::string line = fmt::format("  {:<{}}", name, name_width_);
        for (size_t column = 0; column < columns_; ++column) {
            line += fmt::format("{} {:>{}}", LineBefore(column) ? " |" : "", label(column), cell_width_);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text_ += line + "\n";
    }

    void Line() {
        std::string line(2 + name_width_, ' ');
        for (size_t column = 0; column < columns_; ++column) {
            line += fmt::format("{}{:->{}}", LineBefore(column) ? "-+" : "", "", cell_width_ + 1);
        }
        text_ += line + "\n";
    }

    void Omitted(const std::string& what) { text_ += fmt::format("  ({} not shown here; --svg draws more)\n", what); }

    const Grid& g_;
    size_t name_width_, cell_width_, columns_, rows_;
    std::string text_;
};

// Lines of at most kWidth characters, broken at spaces.
std::string Wrapped(const std::string& text) {
    std::string done, line;
    for (size_t at = 0; at < text.size();) {
        const size_t end = std::min(text.find(' ', at), text.size());
        const std::string word = text.substr(at, end - at);
        if (!line.empty() && line.size() + 1 + word.size() > kWidth) {
            done += line + "\n";
            line.assign(1, ' ');
        }
        if (at) line += " ";
        line += word;
        at = end + 1;
    }
    return done + line + "\n";
}

}  // namespace

const std::string& LabelOf(const Cell& cell) {
    static const std::string kLabels[kHoldsCount] = {"", "pad", "0", "?", ".", "mix"};
    return cell.holds == Holds::kData ? cell.label : kLabels[static_cast<size_t>(cell.holds)];
}

std::vector<std::string> LegendOf(const Picture& picture) {
    static constexpr const char* kMeanings[kHoldsCount] = {
        "",
        "pad: the padding value",
        "0: zeros the instruction fills in",
        "?: written, but the chip's documentation does not say with what",
        ".: not written",
        "mix: elements of several places",
    };
    bool found[kHoldsCount] = {};
    for (const std::vector<Grid>* grids : {&picture.sources, &picture.destinations}) {
        for (const Grid& g : *grids) {
            for (const Cell& c : g.cells) found[static_cast<size_t>(c.holds)] = true;
        }
    }
    std::vector<std::string> legend = {picture.label};
    for (size_t i = 1; i < kHoldsCount; ++i) {
        if (found[i]) legend.push_back(kMeanings[i]);
    }
    return legend;
}

std::string ToText(const Picture& picture) {
    std::string text = Wrapped(picture.title);
    for (const std::string& rule : picture.rules) text += Wrapped(rule);
    for (const std::vector<Grid>* grids : {&picture.sources, &picture.destinations}) {
        for (const Grid& g : *grids) (text += "\n") += GridText(g).Draw();
    }
    text += "\n";
    for (const std::string& line : LegendOf(picture)) text += Wrapped(line);
    return text;
}

}  // namespace sfumato::command
