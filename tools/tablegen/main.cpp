// SPDX-License-Identifier: Apache-2.0
// sfumato-tablegen: writes what derives from the chip data: headers, documentation pages, the README's summary.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string_view>

#include "surface.h"
#include "tablegen.h"

namespace {

int Usage() {
    std::fputs(
        "usage: sfumato-tablegen cast-pairs      the front end's compile-time rules, to stdout\n"
        "       sfumato-tablegen rows            the rows by C++ form, to stdout\n"
        "       sfumato-tablegen memory-sizes    TOTAL_UB_SIZE and its kin, to stdout\n"
        "       sfumato-tablegen conversion-names  the vconv_ names of the C layer, for tests/coverage, to stdout\n"
        "       sfumato-tablegen calls           every name and type, for tests/coverage, to stdout\n"
        "       sfumato-tablegen cmake-chips     the chips' macros for sfumato_add_kernel(), to stdout\n"
        "       sfumato-tablegen surface FILE    the header of a table of calls, to stdout\n"
        "       sfumato-tablegen definitions FILE  the definitions of a table of calls, to stdout\n"
        "       sfumato-tablegen structs FILE    the rows of a table of structs, to stdout\n"
        "       sfumato-tablegen pages DIR       a page of each instruction and call, below DIR\n"
        "       sfumato-tablegen docs DIR        the other pages, below DIR, and the summary in the README beside it\n",
        stderr);
    return 2;
}

int Run(int argc, char** argv) {
    using namespace sfumato::tablegen;
    constexpr std::pair<std::string_view, std::string (*)()> kTexts[] = {{"cast-pairs", CastPairs},
                                                                         {"rows", Rows},
                                                                         {"memory-sizes", MemorySizes},
                                                                         {"conversion-names", ConversionNames},
                                                                         {"calls", Calls},
                                                                         {"cmake-chips", CMakeChips}};
    const std::string_view command = argc > 1 ? argv[1] : "";
    if (command == "pages" && argc == 3) return WritePages(argv[2], BuiltPages()), 0;
    if (command == "docs" && argc == 3) return WriteDocs(argv[2]), 0;
    if ((command == "surface" || command == "definitions") && argc == 3) {
        const std::filesystem::path table = argv[2];
        const auto write = command == "surface" ? SurfaceHeader : SurfaceDefinitions;
        return std::fputs(write(ReadText(table), table.filename().string()).c_str(), stdout) < 0;
    }
    if (command == "structs" && argc == 3) return std::fputs(TilingStructs(ReadText(argv[2])).c_str(), stdout) < 0;
    const auto* text = std::ranges::find(kTexts, command, [](const auto& row) { return row.first; });
    if (text == std::end(kTexts) || argc != 2) return Usage();
    std::fputs(text->second().c_str(), stdout);
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
