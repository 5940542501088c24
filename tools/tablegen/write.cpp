// SPDX-License-Identifier: Apache-2.0
// Writes docs/ and the README's summary.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "tablegen.h"

namespace sfumato::tablegen {
namespace {

namespace fs = std::filesystem;

// Untouched when nothing changed, so that builds and editors see no news.
void WriteIfChanged(const fs::path& path, const std::string& text) {
    if (fs::exists(path) && ReadText(path) == text) return;
    fs::create_directories(path.parent_path());
    std::ofstream out(path, std::ios::binary);
    out << text;
    if (!out.flush()) throw std::runtime_error("cannot write " + path.string());
}

}  // namespace

std::string ReadText(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw std::runtime_error("cannot read " + path.string());
    return std::string(std::istreambuf_iterator<char>(file), {});
}

std::vector<std::string> LeftOverPages(const fs::path& docs, const std::map<std::string, std::string>& pages) {
    std::vector<std::string> left;
    for (const auto& entry : fs::recursive_directory_iterator(docs)) {
        const std::string name = entry.path().lexically_relative(docs).generic_string();
        const bool page = entry.is_regular_file() && entry.path().extension() == ".md";
        if (page && !pages.contains(name) && ReadText(entry.path()).starts_with(kGeneratedMark)) left.push_back(name);
    }
    return left;
}

std::string WithSummary(const std::string& readme) {
    const std::string begin = "<!-- supported: begin -->\n", end = "<!-- supported: end -->";
    const size_t from = readme.find(begin), to = readme.find(end);
    if (from == std::string::npos || to == std::string::npos || to < from) {
        throw std::runtime_error("README.md has no lines '" + begin.substr(0, begin.size() - 1) + "' and '" + end +
                                 "'");
    }
    return readme.substr(0, from + begin.size()) + ReadmeSummary() + readme.substr(to);
}

void WritePages(const fs::path& folder, const std::map<std::string, std::string>& pages) {
    for (const auto& [name, text] : pages) WriteIfChanged(folder / name, text);
    for (const std::string& name : LeftOverPages(folder, pages)) fs::remove(folder / name);
}

void WriteDocs(const fs::path& folder) {
    const fs::path docs = fs::weakly_canonical(folder);
    WritePages(docs, Pages());
    const fs::path readme = docs.parent_path() / "README.md";
    if (fs::exists(readme)) WriteIfChanged(readme, WithSummary(ReadText(readme)));
}

}  // namespace sfumato::tablegen
