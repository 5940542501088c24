// SPDX-License-Identifier: Apache-2.0
// sfumato-tablegen: writes what derives from the chip data: a header, documentation pages, the README's table.
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "tablegen.h"

namespace {

int Usage() {
    std::fputs(
        "usage: sfumato-tablegen cast-pairs      the front end's compile-time rules, to stdout\n"
        "       sfumato-tablegen cmake-chips     the chips' macros for sfumato_add_kernel(), to stdout\n"
        "       sfumato-tablegen docs DIR        the generated pages, below DIR\n"
        "       sfumato-tablegen readme-table    the README's table of what is supported, to stdout\n",
        stderr);
    return 2;
}

// Untouched when nothing changed, so that builds and editors see no news.
void WriteIfChanged(const std::filesystem::path& path, const std::string& text) {
    std::ifstream old(path, std::ios::binary);
    if (old && std::string(std::istreambuf_iterator<char>(old), {}) == text) return;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream out(path, std::ios::binary);
    out << text;
    if (!out.flush()) throw std::runtime_error("cannot write " + path.string());
}

int Run(int argc, char** argv) {
    const std::string_view command = argc > 1 ? argv[1] : "";
    if (command == "cast-pairs" && argc == 2) {
        std::fputs(sfumato::tablegen::CastPairs().c_str(), stdout);
    } else if (command == "cmake-chips" && argc == 2) {
        std::fputs(sfumato::tablegen::CMakeChips().c_str(), stdout);
    } else if (command == "readme-table" && argc == 2) {
        std::fputs(sfumato::tablegen::ReadmeTable().c_str(), stdout);
    } else if (command == "docs" && argc == 3) {
        for (const auto& [name, text] : sfumato::tablegen::Pages())
            WriteIfChanged(std::filesystem::path(argv[2]) / name, text);
    } else {
        return Usage();
    }
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return Run(argc, argv);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "sfumato-tablegen: %s\n", error.what());
        return 1;
    }
}
