// SPDX-License-Identifier: Apache-2.0
// Tables of legal types, conversions and paths, from the chip data.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "soc/chip.h"
#include "tablegen.h"

namespace sfumato::tablegen {
namespace {

using isa::Api;
using isa::Memory;
using soc::Chip;
using soc::ConversionRow;

const char* TypeName(DataType type, Api api) { return api == Api::kAscendC ? CName(type) : NumpyName(type); }

bool HasApi(const Chip& chip, Api api) { return api == Api::kAscendC ? chip.ascendc : chip.tik; }

// Whether the chip has the front end, and that one a call for the instruction.
bool HasCall(const Chip& chip, Api api, isa::Opcode opcode) {
    return HasApi(chip, api) && *(api == Api::kAscendC ? isa::Info(opcode).ascendc : isa::Info(opcode).tik);
}

// The page's modes in a cell: CAST_ is left out, the empty TIK mode shows as ''.
std::string ModeCell(const ConversionRow& row) {
    std::vector<std::string> modes;
    for (const std::string& mode : row.mode_names) {
        modes.push_back(mode.empty() ? "''" : mode.starts_with("CAST_") ? mode.substr(5) : mode);
    }
    std::string cell = modes.empty() ? "yes" : Join(modes, " ");
    if (row.deq == soc::DeqKind::kHalfScale) cell += " (half scale)";
    if (row.deq == soc::DeqKind::kWord) cell += " (64-bit scale)";
    if (row.half_block) cell += " (half blocks)";
    return cell;
}

// One line per (source, destination) that some chip has, one column per chip of the api; rows(chip) are its
// conversions.
template <typename Rows>
std::string Matrix(Api api, Rows rows) {
    std::vector<std::string> titles = {"source", "destination"};
    for (const Chip& chip : soc::Families()) {
        if (HasApi(chip, api)) titles.push_back(chip.name);
    }
    std::string out = Head(titles);
    for (int s = 0; s < kDataTypeCount; ++s) {
        for (int d = 0; d < kDataTypeCount; ++d) {
            const DataType src = static_cast<DataType>(s), dst = static_cast<DataType>(d);
            std::vector<std::string> cells = {TypeName(src, api), TypeName(dst, api)};
            bool any = false;
            for (const Chip& chip : soc::Families()) {
                if (!HasApi(chip, api)) continue;
                const std::vector<ConversionRow>& list = rows(chip);
                const auto row = std::ranges::find_if(
                    list, [&](const ConversionRow& r) { return r.api == api && r.src == src && r.dst == dst; });
                any = any || row != list.end();
                cells.push_back(row == list.end() ? "-" : ModeCell(*row));
            }
            if (any) out += Line(cells);
        }
    }
    return out;
}

const std::vector<ConversionRow>& Conversions(const Chip& chip) { return chip.conversions; }

std::string LegalConversions(isa::Opcode opcode) {
    const auto matrix = [=](Api api) {
        return Matrix(
            api, [=](const Chip& chip) -> const auto& { return chip.Own(api, opcode); });
    };
    if (opcode == isa::Opcode::vconv_deq) {
        return "`yes`: legal; CastDeq takes no round mode.\n\n" + matrix(Api::kAscendC) +
               "\nIn TIK it is `vec_conv` with `deqscale`: see [Cast](Cast.md).\n";
    }
    if (opcode != isa::Opcode::vconv) {
        const isa::InstructionInfo& info = isa::Info(opcode);
        const bool both = *info.ascendc && *info.tik;
        std::string out =
            fmt::format("`yes`: legal; {} takes no round mode.\n", *info.ascendc ? info.ascendc : info.tik);
        for (const Api api : {Api::kAscendC, Api::kTik}) {
            if (!*(api == Api::kAscendC ? info.ascendc : info.tik)) continue;
            if (both) out += api == Api::kAscendC ? "\n### Ascend C\n" : "\n### TIK\n";
            out += "\n" + matrix(api);
        }
        return out;
    }
    size_t rows = 0, pairs = 0;
    for (const Chip& chip : soc::Families()) {
        rows += chip.conversions.size();
        for (const ConversionRow& row : chip.conversions) pairs += row.mode_names.size();
    }
    return fmt::format(
               "{} rows and {} pairs of row and round mode, over both APIs and all chips. `-`: the chip does not have "
               "it.\n\n"
               "### Ascend C\n\nModes without their prefix `CAST_`.\n\n",
               rows, pairs) +
           Matrix(Api::kAscendC, Conversions) + "\n### TIK\n\n" + Matrix(Api::kTik, Conversions);
}

std::string LegalTypes(isa::Opcode opcode) {
    std::string out = Head({"chip", "API", "types", "tag", "source"});
    bool any = false;
    for (const Chip& chip : soc::Families()) {
        for (const Api api : {Api::kAscendC, Api::kTik}) {
            if (!HasCall(chip, api, opcode)) continue;
            const uint16_t types = chip.types[static_cast<size_t>(api)][static_cast<size_t>(opcode)];
            const soc::Claim& claim = chip.claims[static_cast<size_t>(api)][static_cast<size_t>(opcode)];
            any = any || types != 0;
            const bool widens = chip.widens[static_cast<size_t>(api)][static_cast<size_t>(opcode)];
            const char* mixed = !widens ? "" : api == Api::kAscendC ? ", half to float" : ", float16 to float32";
            const uint16_t equal = chip.equal_only[static_cast<size_t>(api)][static_cast<size_t>(opcode)];
            const std::string only = equal ? "; " + soc::TypeList(equal, api) + " with EQ alone" : "";
            const uint16_t no_page = api == Api::kAscendC ? chip.unlisted.types[static_cast<size_t>(opcode)] : 0;
            const std::string noted = no_page ? "; " + soc::TypeList(no_page, api) + " on no page" : "";
            out += Line({chip.name, api == Api::kAscendC ? "Ascend C" : "TIK",
                         soc::TypeList(types, api) + mixed + only + noted, types == 0 ? "-" : claim.tag,
                         types == 0 ? "not in the chip's tables" : claim.source});
        }
    }
    return any ? out : "It has no element type.\n";
}

// A line per pair or triple of types, a column per chip of the api that has any.
std::string LegalProducts() {
    std::string out = "Ascend C is marked C, TIK is marked T; with an asterisk where no page says it.\n\n";
    std::vector<std::string> titles = {"A", "B", "C"};
    std::vector<std::array<DataType, 3>> kinds;
    for (const Chip& chip : soc::Families()) {
        if (!chip.mmad.empty()) titles.push_back(chip.name);
        for (const soc::MatmulRow& row : chip.mmad) kinds.push_back({row.a, row.b, row.c});
    }
    std::ranges::sort(kinds);
    kinds.erase(std::unique(kinds.begin(), kinds.end()), kinds.end());
    out += Head(titles);
    for (const auto& [a, b, c] : kinds) {
        std::vector<std::string> cells = {CName(a), CName(b), CName(c)};
        for (const Chip& chip : soc::Families()) {
            if (chip.mmad.empty()) continue;
            std::string cell;
            for (const Api api : {Api::kAscendC, Api::kTik}) {
                const soc::MatmulRow* row = chip.Mmad(api, a, b, c);
                if (row == nullptr) continue;
                cell += fmt::format("{}{}{}", cell.empty() ? "" : " ", api == Api::kAscendC ? "C" : "T",
                                    row->tag == "documented" ? "" : "*");
            }
            cells.push_back(cell.empty() ? "-" : cell);
        }
        out += Line(cells);
    }
    return out;
}

const char* QuantName(int i) {
    return i < static_cast<int>(isa::Quant::kCount) ? Name(static_cast<isa::Quant>(i)) : nullptr;
}
const char* DeqName(int i) {
    return i < static_cast<int>(isa::MatrixMove::Deq::kCount) ? isa::DeqName(static_cast<isa::MatrixMove::Deq>(i))
                                                              : nullptr;
}

// Modes by source and destination type, a column per chip that has any; mode_name gives nullptr past the last mode.
std::string LegalQuants(std::vector<soc::QuantRow> Chip::*rows, const char* (*mode_name)(int)) {
    std::vector<std::string> titles = {"L0C", "destination"};
    std::vector<std::pair<DataType, DataType>> pairs;
    for (const Chip& chip : soc::Families()) {
        if (!(chip.*rows).empty()) titles.push_back(chip.name);
        for (const soc::QuantRow& row : chip.*rows) pairs.emplace_back(row.src, row.dst);
    }
    std::ranges::sort(pairs);
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    std::string out = "\n## Conversions by chip\n\n" + Head(titles);
    for (const auto& [src, dst] : pairs) {
        std::vector<std::string> cells = {CName(src), CName(dst)};
        for (const Chip& chip : soc::Families()) {
            if ((chip.*rows).empty()) continue;
            std::vector<std::string> modes;
            for (const soc::QuantRow& row : chip.*rows) {
                if (row.src != src || row.dst != dst) continue;
                for (int i = 0; mode_name(i) != nullptr; ++i) {
                    if ((row.modes >> i) & 1) modes.emplace_back(mode_name(i));
                }
            }
            cells.push_back(modes.empty() ? "-" : Join(modes, ", "));
        }
        out += Line(cells);
    }
    return out;
}

// Empty for what does not move data.
std::string LegalPaths(isa::Opcode opcode) {
    std::string out = "\n## Legal paths by chip\n\n" + Head({"chip", "API", "paths"});
    bool any = false;
    for (const Chip& chip : soc::Families()) {
        for (const Api api : {Api::kAscendC, Api::kTik}) {
            if (!HasCall(chip, api, opcode)) continue;
            std::vector<std::string> paths;
            for (int s = 0; s < isa::kMemoryCount; ++s) {
                for (int d = 0; d < isa::kMemoryCount; ++d) {
                    const Memory src = static_cast<Memory>(s), dst = static_cast<Memory>(d);
                    if (!chip.HasPath(api, opcode, src, dst)) continue;
                    const auto& no_page = chip.unlisted.paths[static_cast<size_t>(opcode)][static_cast<size_t>(s)];
                    const bool noted = api == Api::kAscendC && ((no_page >> d) & 1);
                    paths.push_back((src == Memory::kNone ? fmt::format("to {}", isa::Name(dst))
                                                          : fmt::format("{} to {}", isa::Name(src), isa::Name(dst))) +
                                    (noted ? " (on no page)" : ""));
                }
            }
            any = any || !paths.empty();
            out +=
                Line({chip.name, api == Api::kAscendC ? "Ascend C" : "TIK", paths.empty() ? "-" : Join(paths, ", ")});
        }
    }
    return any ? out : std::string();
}

}  // namespace

std::string LegalTables(isa::Opcode opcode) {
    const isa::Form form = isa::Info(opcode).form;
    std::string out = "\n## Legal types by chip\n\n";
    if (isa::Converts(form)) {
        out += LegalConversions(opcode);
    } else if (form == isa::Form::kMatmul) {
        out += LegalProducts();
    } else {
        out += LegalTypes(opcode);
    }
    if (form == isa::Form::kFixpipe) out += LegalQuants(&Chip::fixpipe, QuantName);
    if (opcode == isa::Opcode::tensor_mov) out += LegalQuants(&Chip::tensor_mov, DeqName);
    out += LegalPaths(opcode);
    return out;
}

}  // namespace sfumato::tablegen
