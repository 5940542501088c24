// SPDX-License-Identifier: Apache-2.0
// `sfumato chips`.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "findings.h"
#include "near.h"
#include "options.h"
#include "sfumato/environment.h"
#include "sfumato/letters.h"

namespace sfumato::command {
namespace {

using Json = nlohmann::ordered_json;

const char* OverflowName(Overflow o) { return o == Overflow::kInfNan ? "infnan" : "saturate"; }

std::string Size(uint64_t bytes) {
    if (bytes >= (1 << 20) && bytes % (1 << 20) == 0) return fmt::format("{} MiB", bytes >> 20);
    return bytes % 1024 == 0 ? fmt::format("{} KiB", bytes >> 10) : fmt::format("{} bytes", bytes);
}

// By their keys. A fact that means nothing on the chip is left out.
Json ToJson(const std::vector<ChipFact>& facts) {
    Json out = Json::object();
    for (const ChipFact& fact : facts) {
        if (!fact.applies) continue;
        Json& one = out[fact.key];
        std::visit([&](const auto& value) { one["value"] = value; }, fact.value);
        one["says"] = fact.words;
        if (!fact.tag.empty()) one["tag"] = fact.tag;
        one["source"] = fact.source;
    }
    return out;
}

Json ToJson(const ChipInfo& c) {
    Json memories = Json::object(), products = Json::array();
    for (const auto& [name, bytes] : c.memories) memories[name] = bytes;
    for (const ProductInfo& p : c.products) {
        products.push_back({{"name", p.name}, {"cube_cores", p.cube_cores}, {"vector_cores", p.vector_cores}});
    }
    return {{"name", c.name},
            {"title", c.title},
            {"arch", c.arch},
            {"ascendc", c.ascendc},
            {"tik", c.tik},
            {"split_cores", c.split_cores},
            {"vector_only", c.vector_only},
            {"infnan", c.supports_infnan},
            {"board_overflow", OverflowName(c.board_overflow)},
            {"event_ids", c.event_ids},
            {"buffers_per_position", c.buffers_per_position},
            {"ascendc_conversions", c.ascendc_conversions},
            {"tik_conversions", c.tik_conversions},
            {"memories", std::move(memories)},
            {"products", std::move(products)},
            {"facts", ToJson(c.facts)}};
}

std::string Cores(const ChipInfo& c, const ProductInfo& p) {
    if (c.vector_only) return fmt::format("{} vector", p.vector_cores);
    if (c.split_cores) return fmt::format("{} cube + {} vector", p.cube_cores, p.vector_cores);
    return fmt::format("{}", p.cube_cores);
}

void Print(const ChipInfo& c) {
    fmt::print("{}  {}{}\n", c.name, c.title, c.arch.empty() ? "" : fmt::format(" ({})", c.arch));
    std::vector<std::string> memories, products;
    for (const auto& [name, bytes] : c.memories) memories.push_back(fmt::format("{} {}", name, Size(bytes)));
    for (const ProductInfo& p : c.products) products.push_back(fmt::format("{} ({})", p.name, Cores(c, p)));
    fmt::print("  programmed in  {}\n", c.ascendc && c.tik ? "Ascend C, TIK" : c.ascendc ? "Ascend C" : "TIK only");
    fmt::print("  cores          {}\n", c.vector_only   ? "vector cores"
                                        : c.split_cores ? "cube and vector cores, separate"
                                                        : "AI Cores (cube and vector in one)");
    fmt::print("  memories       {} (each core)\n", fmt::join(memories, ", "));
    fmt::print("  conversions    {} of Cast, {} of vec_conv (source and destination pairs)\n", c.ascendc_conversions,
               c.tik_conversions);
    fmt::print("  overflow       {}; a board's runtime sets {}\n", c.supports_infnan ? "saturate, infnan" : "saturate",
               OverflowName(c.board_overflow));
    fmt::print("  products       {}\n", fmt::join(products, ", "));
}

std::string Text(const ChipFact& fact) {
    struct Visitor {
        std::string operator()(bool value) const { return value ? "yes" : "no"; }
        std::string operator()(uint64_t value) const { return fmt::format("{}", value); }
        std::string operator()(const std::string& value) const { return value; }
        std::string operator()(const std::vector<std::string>& value) const {
            return fmt::format("{}", fmt::join(value, ", "));
        }
    };
    return std::visit(Visitor(), fact.value);
}

// The facts whose keys begin with one of the tables' names, under a title; without the table in the key.
void PrintTable(const ChipInfo& c, const char* title, const std::string& table) {
    bool first = true;
    for (const ChipFact& fact : c.facts) {
        if (!fact.applies || !fact.key.starts_with(table) || fact.key.size() == table.size()) continue;
        if (first) fmt::print("\n{}\n", title);
        first = false;
        fmt::print("  {:<28} {}\n", fact.key.substr(table.size()), Text(fact));
    }
}

// What the first lines leave out: the memories behind positions, the types of instructions, the single facts.
void PrintFacts(const ChipInfo& c) {
    PrintTable(c, "products and their cores", "products.");
    PrintTable(c, "boards, each with its product", "boards.");
    PrintTable(c, "positions of Ascend C, and the memory behind each", "positions.");
    for (const auto& [api, named] : {std::pair("ascendc.", "Ascend C"), std::pair("tik.", "TIK")}) {
        const std::string table = api;
        PrintTable(c, fmt::format("element types of the instructions of {}", named).c_str(), table + "types.");
        PrintTable(c, fmt::format("memories the instructions of {} move between", named).c_str(), table + "paths.");
        PrintTable(c, fmt::format("products of Mmad, {}", named).c_str(), table + "mmad.");
    }
    fmt::print("\nfacts\n");
    for (const ChipFact& fact : c.facts) {
        const bool of_table =
            std::ranges::any_of(std::array{"products.", "boards.", "positions.", "memories.", "ascendc.", "tik."},
                                [&](const char* table) { return fact.key.starts_with(table); });
        if (!of_table && fact.applies) fmt::print("  {:<28} {}: {}\n", fact.key, fact.words, Text(fact));
    }
    fmt::print("\n`sfumato chips {} --json` has the conversions, and the source of each fact.\n", c.name);
}

}  // namespace

int ShowChip(const std::string& name, bool json) {
    std::vector<std::string> names;
    for (const ChipInfo& c : Chips()) {
        names.push_back(c.name);
        for (const ProductInfo& p : c.products) names.push_back(p.name);
    }
    if (std::ranges::none_of(names, [&](const std::string& n) { return Lower(n) == Lower(name); })) {
        throw Error(fmt::format("unknown chip '{}'{}\n`sfumato chips` lists them", name, DidYouMean(name, names)));
    }
    const ChipInfo chip = ChipOf(name);
    if (json) {
        fmt::print("{}\n", ToJson(chip).dump(2));
        return kOk;
    }
    Print(chip);
    fmt::print("  event ids      {} of a pair of pipes\n", chip.event_ids);
    PrintFacts(chip);
    return kOk;
}

int ShowChips(bool json) {
    const std::vector<ChipInfo> chips = Chips();
    if (json) {
        Json list = Json::array();
        for (const ChipInfo& c : chips) list.push_back(ToJson(c));
        fmt::print("{}\n", list.dump(2));
        return kOk;
    }
    for (const ChipInfo& c : chips) {
        Print(c);
        fmt::print("\n");
    }
    fmt::print(
        "--chip takes a family or a product, in any case. Ascend910B (no digit) is read as the A2 family; the older\n"
        "part whose full product name is also Ascend910B belongs to Ascend910: write Ascend910A for it.\n");
    return kOk;
}

}  // namespace sfumato::command
