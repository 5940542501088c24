// SPDX-License-Identifier: Apache-2.0
// chips/*.toml to struct Chip.
#include "soc/reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/round_words.h"
#include "soc/scope.h"
#include "soc/tags.h"

namespace sfumato::soc {
namespace {

using isa::Api;
using isa::Memory;

constexpr const char* kPositionNames[] = {"GM",  "A1",   "A2",        "B1",          "B2",     "C1",
                                          "C2",  "CO1",  "CO2",       "VECIN",       "VECOUT", "VECCALC",
                                          "SPM", "TSCM", "C2PIPE2GM", "C2PIPE2LOCAL"};

constexpr uint16_t ModeBit(Rounding r) { return static_cast<uint16_t>(1u << static_cast<int>(r)); }

uint16_t ReadMode(const toml::node& node, std::string_view name, Api api) {
    const std::optional<Rounding> mode = isa::RoundingNamed(api, name);
    if (!mode) Fail(node.source(), fmt::format("unknown round mode '{}'", name));
    return ModeBit(*mode);
}

// One for each kind of facts.inc.
bool TakeFlag(Scope& scope, const char* key, bool otherwise) { return scope.Flag(key, otherwise); }
uint32_t TakeNumber(Scope& scope, const char* key, uint32_t otherwise) { return scope.Integer(key, otherwise); }
std::string TakeText(Scope& scope, const char* key, const std::string& otherwise) {
    return scope.Text(key, otherwise.c_str());
}
Overflow TakePolicy(Scope& scope, const char* key, Overflow otherwise) {
    const toml::node* node = scope.Find(key);
    if (node == nullptr) return otherwise;
    const std::string text = ReadText(*node, key);
    if (text == "saturate") return Overflow::kSaturate;
    if (text == "infnan") return Overflow::kInfNan;
    Fail(node->source(), fmt::format("unknown overflow policy '{}'", text));
}
uint16_t TakeTypes(Scope& scope, const char* key, uint16_t types) {
    for (const toml::node& node : scope.ArrayOrNone(key)) {
        types = static_cast<uint16_t>(types | 1u << static_cast<int>(ReadType(node, Api::kAscendC)));
    }
    return types;
}
uint8_t TakeOrders(Scope& scope, const char* key, uint8_t orders) {
    for (const toml::node& node : scope.ArrayOrNone(key)) {
        const std::string name = ReadText(node, key);
        int i = 0;
        while (i < static_cast<int>(isa::ReduceOrder::kCount) && name != Name(static_cast<isa::ReduceOrder>(i))) ++i;
        if (i == static_cast<int>(isa::ReduceOrder::kCount)) {
            Fail(node.source(), fmt::format("unknown order '{}'", name));
        }
        orders = static_cast<uint8_t>(orders | 1u << i);
    }
    return orders;
}

void ReadFacts(Scope& top, Chip& chip) {
#define SFUMATO_FACT(kind, name, who, otherwise, words, source) chip.name = Take##kind(top, #name, chip.name);
#define SFUMATO_REDUCE_FACT(kind, name, who, otherwise, words, source)
#include "soc/facts.inc"
#undef SFUMATO_FACT
#undef SFUMATO_REDUCE_FACT
    const toml::node* node = top.Find("reduce");
    if (node == nullptr) return;
    Scope reduce(ReadTable(*node, "reduce"), "reduce");
#define SFUMATO_FACT(kind, name, who, otherwise, words, source)
#define SFUMATO_REDUCE_FACT(kind, name, who, otherwise, words, source) \
    chip.reduce.name = Take##kind(reduce, #name, chip.reduce.name);
#include "soc/facts.inc"
#undef SFUMATO_FACT
#undef SFUMATO_REDUCE_FACT
    reduce.Done();
}

void ReadProducts(Scope& top, Chip& chip) {
    for (const toml::node& node : top.Array("products")) {
        Scope scope(ReadTable(node, "products"), "products");
        chip.products.push_back({scope.Text("name"),
                                 scope.Integer("cube_cores"),
                                 scope.Integer("vector_cores"),
                                 {"documented", "tik.md 5"}});
        if (scope.Find("tag")) chip.products.back().claim = scope.ReadClaim();
        scope.Done();
    }
    for (const Product& product : chip.products) {
        if (product.name == chip.default_product) return SelectProduct(chip, product);
    }
    Fail(top.Need("default_product").source(), fmt::format("'{}' is not among the products", chip.default_product));
}

bool HasProduct(const Chip& chip, const std::string& name) {
    return std::ranges::any_of(chip.products, [&](const Product& product) { return product.name == name; });
}

void ReadSeries(Scope& top, OrderedChip& result) {
    for (const toml::node& node : top.ArrayOrNone("series")) {
        Scope scope(ReadTable(node, "series"), "series");
        Series series{scope.Text("name"), {}, {}};
        for (const toml::node& one : scope.Array("called")) series.called.push_back(ReadText(one, "called"));
        for (const toml::node& one : scope.Array("products")) {
            series.products.push_back(ReadText(one, "products"));
            if (!HasProduct(result.chip, series.products.back()))
                Fail(one.source(), fmt::format("series: '{}' is not among the products", series.products.back()));
        }
        scope.Done();
        result.series.push_back(std::move(series));
    }
}

void ReadBoards(Scope& top, Chip& chip) {
    for (const toml::node& node : top.ArrayOrNone("boards")) {
        Scope scope(ReadTable(node, "boards"), "boards");
        Board board{scope.Text("name"), scope.Text("product", ""), scope.Text("product_tag", ""), {}, {}};
        for (const toml::node& one : scope.Array("has")) board.has.push_back(ReadText(one, "has"));
        board.claim = scope.ReadClaim();
        scope.Done();
        if (!board.product.empty() && !HasProduct(chip, board.product))
            Fail(node.source(), fmt::format("boards: '{}' is not among the products", board.product));
        if (board.product.empty() ? !board.product_tag.empty() : !IsTag(board.product_tag))
            Fail(node.source(), fmt::format("boards: '{}' does not say how sure its product is", board.name));
        chip.boards.push_back(std::move(board));
    }
}

void ReadMemories(Scope& top, Chip& chip) {
    const toml::table& table = top.Table("memories");
    for (auto&& [key, node] : table) {
        const Memory memory = FindMemory(key.str());
        if (memory == Memory::kNone) Fail(key.source(), fmt::format("memories: unknown memory '{}'", key.str()));
        chip.memory_bytes[static_cast<size_t>(memory)] = ReadInteger(node, key.str());
    }
    if (chip.Bytes(Memory::kUb) == 0) Fail(table.source(), "memories: missing memory 'UB'");
}

void ReadPositions(Scope& top, Chip& chip) {
    for (auto&& [key, node] : top.Table("positions")) {
        size_t number = 0;
        while (number < std::size(kPositionNames) && kPositionNames[number] != key.str()) ++number;
        if (number == std::size(kPositionNames)) {
            Fail(key.source(), fmt::format("positions: unknown position '{}'", key.str()));
        }
        const std::string name = ReadText(node, key.str());
        const Memory memory = FindMemory(name);
        if (memory == Memory::kNone) Fail(node.source(), fmt::format("positions: unknown memory '{}'", name));
        if (memory != Memory::kGm && chip.Bytes(memory) == 0) {
            Fail(node.source(), fmt::format("positions: {} is in {}, whose size is missing", key.str(), name));
        }
        chip.position[number] = memory;
    }
}

void ReadTypes(const toml::table& table, Chip& chip, Api api) {
    for (auto&& [key, node] : table) {
        const size_t a = static_cast<size_t>(api), o = static_cast<size_t>(ReadOpcode(key, api, "types"));
        Scope scope(ReadTable(node, key.str()), key.str());
        for (const toml::node& type : scope.Array("types")) {
            chip.types[a][o] = static_cast<uint16_t>(chip.types[a][o] | 1u << static_cast<int>(ReadType(type, api)));
        }
        chip.widens[a][o] = scope.Flag("widens", false);
        for (const toml::node& type : scope.ArrayOrNone("equal_only")) {
            const DataType t = ReadType(type, api);
            if (!chip.Has(api, static_cast<isa::Opcode>(o), t)) {
                Fail(type.source(), fmt::format("'{}': equal_only names a type that 'types' does not", key.str()));
            }
            chip.equal_only[a][o] = static_cast<uint16_t>(chip.equal_only[a][o] | 1u << static_cast<int>(t));
        }
        chip.claims[a][o] = scope.ReadClaim();
        scope.Done();
    }
}

void ReadConversions(const toml::node& list, const Chip& chip, Api api, std::vector<ConversionRow>* rows) {
    for (const toml::node& node : ReadArray(list, "conversions")) {
        Scope scope(ReadTable(node, "conversions"), "conversions");
        ConversionRow row;
        row.api = api;
        row.src = scope.Type("src", api);
        row.dst = scope.Type("dst", api);
        for (const toml::node& mode : scope.Array("modes")) {
            row.mode_names.push_back(ReadText(mode, "modes"));
            row.modes = static_cast<uint16_t>(row.modes | ReadMode(mode, row.mode_names.back(), api));
        }
        if (row.mode_names.empty()) row.modes = ModeBit(Rounding::kNone);
        if (api == Api::kAscendC && chip.directed_cast_round && (row.modes & ModeBit(Rounding::kRound)) != 0) {
            row.modes = static_cast<uint16_t>(row.modes | ModeBit(Rounding::kAway));
        }
        const std::string deq = scope.Text("deq", "");
        if (deq == "half") {
            row.deq = DeqKind::kHalfScale;
        } else if (deq == "word") {
            row.deq = DeqKind::kWord;
        } else if (!deq.empty()) {
            Fail(scope.Need("deq").source(), fmt::format("unknown deq '{}'", deq));
        }
        row.half_block = scope.Flag("half_block", false);
        scope.Done();
        rows->push_back(std::move(row));
    }
}

bool ReadApi(Scope& top, Chip& chip, Api api) {
    const char* name = api == Api::kAscendC ? "ascendc" : "tik";
    const toml::node* node = top.Find(name);
    if (node == nullptr) return false;
    Scope scope(ReadTable(*node, name), name);
    ReadTypes(scope.Table("types"), chip, api);
    if (const toml::node* paths = scope.Find("paths")) ReadPaths(ReadTable(*paths, "paths"), chip, api);
    if (api == Api::kAscendC) ReadUnlisted(scope.ArrayOrNone("unlisted"), chip);
    if (api == Api::kAscendC)
        ReadHighLevel(scope.ArrayOrNone("high_level"), scope.ArrayOrNone("high_level_uses"), chip);
    ReadMmad(scope, chip, api);
    ReadConversions(scope.Need("conversions"), chip, api, &chip.conversions);
    if (chip.conversions.size() > INT8_MAX) Fail(node->source(), "more than 127 conversions");
    for (size_t i = 0; i < chip.conversions.size(); ++i) {
        const ConversionRow& row = chip.conversions[i];
        if (row.api != api) continue;
        int8_t& slot = chip.conversion_index_[static_cast<size_t>(api)][static_cast<size_t>(row.src)]
                                             [static_cast<size_t>(row.dst)];
        if (slot >= 0)
            Fail(node->source(), fmt::format("{}: {} to {} stands twice", name, CName(row.src), CName(row.dst)));
        slot = static_cast<int8_t>(i);
    }
    for (int op = 0; op < isa::kOpcodeCount; ++op) {
        const isa::InstructionInfo& info = isa::kInstructions[op];
        if (!isa::Converts(info.form) || static_cast<isa::Opcode>(op) == isa::Opcode::vconv) continue;
        if (const toml::node* rows = scope.Find(api == Api::kAscendC ? info.ascendc : info.tik)) {
            ReadConversions(*rows, chip, api, &chip.own_conversions[static_cast<size_t>(api)][static_cast<size_t>(op)]);
        }
    }
    scope.Done();
    return true;
}

toml::table Parse(std::string_view file, std::string_view text) {
    try {
        return toml::parse(text, file);
    } catch (const toml::parse_error& error) {
        Fail(error.source(), std::string(error.description()));
    }
}

}  // namespace

OrderedChip ReadChip(std::string_view file, std::string_view text) {
    const toml::table root = Parse(file, text);
    OrderedChip result;
    Chip& chip = result.chip;
    Scope top(root, file);
    result.order = static_cast<int>(top.Integer("order"));
    chip.name = top.Text("name");
    chip.title = top.Text("title");
    chip.arch = top.Text("arch");
    chip.note = top.Text("note", "");
    chip.default_product = top.Text("default_product");
    ReadFacts(top, chip);
    ReadCube(top, chip);
    ReadProducts(top, chip);
    ReadSeries(top, result);
    ReadBoards(top, chip);
    ReadTiming(top, chip);
    ReadMemories(top, chip);
    ReadPositions(top, chip);
    for (auto& api : chip.conversion_index_) {
        for (auto& row : api) row.fill(-1);
    }
    chip.ascendc = ReadApi(top, chip, Api::kAscendC);
    chip.tik = ReadApi(top, chip, Api::kTik);
    top.Done();
    return result;
}

void SelectProduct(Chip& chip, const Product& product) {
    chip.product = product.name;
    chip.cube_cores = product.cube_cores;
    chip.vector_cores = product.vector_cores;
}

std::string_view PositionName(size_t number) {
    return number < std::size(kPositionNames) ? kPositionNames[number] : "?";
}

bool ParseType(std::string_view name, Api api, DataType* type) {
    for (int i = 0; i < kDataTypeCount; ++i) {
        const DataType candidate = static_cast<DataType>(i);
        if (name == (api == Api::kAscendC ? CName(candidate) : NumpyName(candidate))) {
            *type = candidate;
            return true;
        }
    }
    return false;
}

}  // namespace sfumato::soc
