// SPDX-License-Identifier: Apache-2.0
// chips/*.toml to struct Chip. Every key is known or refused, so that a misspelt one cannot go unnoticed.
#include "soc/reader.h"

#include <fmt/format.h>

#include <optional>

#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

namespace sfumato::soc {
namespace {

using isa::Api;
using isa::Memory;

constexpr std::string_view kPositionNames[] = {"GM",  "A1",   "A2",        "B1",          "B2",     "C1",
                                               "C2",  "CO1",  "CO2",       "VECIN",       "VECOUT", "VECCALC",
                                               "SPM", "TSCM", "C2PIPE2GM", "C2PIPE2LOCAL"};

struct ModeName {
    std::string_view name;
    Rounding rounding;
};
constexpr ModeName kAscendCModes[] = {{"CAST_NONE", Rounding::kNone},   {"CAST_RINT", Rounding::kRint},
                                      {"CAST_FLOOR", Rounding::kFloor}, {"CAST_CEIL", Rounding::kCeil},
                                      {"CAST_ROUND", Rounding::kRound}, {"CAST_TRUNC", Rounding::kTrunc},
                                      {"CAST_ODD", Rounding::kOdd}};
constexpr ModeName kTikModes[] = {
    {"", Rounding::kNone},           {"none", Rounding::kNone},     {"round", Rounding::kRint},
    {"floor", Rounding::kFloor},     {"ceil", Rounding::kCeil},     {"ceiling", Rounding::kCeil},
    {"away-zero", Rounding::kRound}, {"to-zero", Rounding::kTrunc}, {"odd", Rounding::kOdd}};

constexpr uint16_t Bit(Rounding r) { return static_cast<uint16_t>(1u << static_cast<int>(r)); }

class Reader {
public:
    Reader(std::string_view file, std::string_view text) : file_(file) {
        try {
            root_ = toml::parse(text, file);
        } catch (const toml::parse_error& error) {
            Fail(error.source(), std::string(error.description()));
        }
    }

    OrderedChip Read() {
        OrderedChip result;
        Chip& chip = result.chip;
        Scope top(*this, root_, file_);
        result.order = static_cast<int>(Integer(top, "order"));
        chip.name = Text(top, "name");
        chip.title = Text(top, "title");
        chip.arch = Text(top, "arch");
        chip.note = Text(top, "note", "");
        chip.default_product = Text(top, "default_product");
        chip.npu_arch = Number(top, "npu_arch", 0);
        chip.cce_aicore = Number(top, "cce_aicore", 0);
        chip.dav_macro = Text(top, "dav_macro", "");
        chip.split_cores = Flag(top, "split_cores", false);
        chip.vector_only = Flag(top, "vector_only", false);
        chip.max_blocks_aic = Number(top, "max_blocks_aic", chip.max_blocks_aic);
        chip.max_blocks_aiv = Number(top, "max_blocks_aiv", chip.max_blocks_aiv);
        chip.event_ids = Number(top, "event_ids", chip.event_ids);
        chip.buffers_per_position = Number(top, "buffers_per_position", chip.buffers_per_position);
        chip.supports_infnan = Flag(top, "supports_infnan", false);
        chip.directed_cast_round = Flag(top, "directed_cast_round", false);
        chip.counter_mode = Flag(top, "counter_mode", true);
        chip.ctrl_spr = Flag(top, "ctrl_spr", false);
        chip.board_overflow = ReadOverflow(top);
        ReadProducts(top, chip);
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

private:
    // A table whose keys are counted off; Done() refuses what nobody asked for.
    class Scope {
    public:
        Scope(Reader& reader, const toml::table& table, std::string_view name)
            : reader_(reader), table_(table), name_(name) {}
        const toml::node* Find(std::string_view key) {
            const toml::node* node = table_.get(key);
            if (node != nullptr) used_.push_back(node);
            return node;
        }
        const toml::node& Need(std::string_view key) {
            const toml::node* node = Find(key);
            if (node == nullptr) reader_.Fail(table_.source(), fmt::format("{}: missing key '{}'", name_, key));
            return *node;
        }
        void Done() {
            for (auto&& [key, node] : table_) {
                bool used = false;
                for (const toml::node* n : used_) used = used || n == &node;
                if (!used) reader_.Fail(key.source(), fmt::format("{}: unknown key '{}'", name_, key.str()));
            }
        }
        const toml::table& table() const { return table_; }
        const std::string& name() const { return name_; }

    private:
        Reader& reader_;
        const toml::table& table_;
        std::string name_;
        std::vector<const toml::node*> used_;
    };

    [[noreturn]] void Fail(const toml::source_region& where, const std::string& what) const {
        throw Error(fmt::format("internal error in the chip data: {}:{}: {}", file_, where.begin.line, what));
    }

    template <typename T>
    T Get(const toml::node& node, const std::string& key, const char* expected) const {
        const auto value = node.value_exact<T>();
        if (!value) Fail(node.source(), fmt::format("'{}' must be {}", key, expected));
        return *value;
    }
    std::string Text(const toml::node& node, const std::string& key) const {
        return Get<std::string>(node, key, "a string");
    }
    std::string Text(Scope& scope, const std::string& key) const { return Text(scope.Need(key), key); }
    std::string Text(Scope& scope, const std::string& key, const char* otherwise) const {
        const toml::node* node = scope.Find(key);
        return node != nullptr ? Text(*node, key) : otherwise;
    }
    bool Flag(Scope& scope, const std::string& key, bool otherwise) const {
        const toml::node* node = scope.Find(key);
        return node != nullptr ? Get<bool>(*node, key, "true or false") : otherwise;
    }
    int64_t Integer(const toml::node& node, const std::string& key) const {
        const int64_t value = Get<int64_t>(node, key, "an integer");
        if (value < 0 || value > UINT32_MAX)
            Fail(node.source(), fmt::format("'{}' must fit 32 bits without sign", key));
        return value;
    }
    int64_t Integer(Scope& scope, const std::string& key) const { return Integer(scope.Need(key), key); }
    uint32_t Number(Scope& scope, const std::string& key, uint32_t otherwise) const {
        const toml::node* node = scope.Find(key);
        return node != nullptr ? static_cast<uint32_t>(Integer(*node, key)) : otherwise;
    }
    const toml::table& Table(const toml::node& node, const std::string& key) const {
        if (!node.is_table()) Fail(node.source(), fmt::format("'{}' must be a table", key));
        return *node.as_table();
    }
    const toml::array& Array(const toml::node& node, const std::string& key) const {
        if (!node.is_array()) Fail(node.source(), fmt::format("'{}' must be an array", key));
        return *node.as_array();
    }

    Overflow ReadOverflow(Scope& top) const {
        const toml::node* node = top.Find("board_overflow");
        if (node == nullptr) return Overflow::kSaturate;
        const std::string text = Text(*node, "board_overflow");
        if (text == "saturate") return Overflow::kSaturate;
        if (text == "infnan") return Overflow::kInfNan;
        Fail(node->source(), fmt::format("unknown overflow policy '{}'", text));
    }

    void ReadProducts(Scope& top, Chip& chip) {
        for (const toml::node& node : Array(top.Need("products"), "products")) {
            Scope scope(*this, Table(node, "products"), "products");
            chip.products.push_back({Text(scope, "name"), static_cast<uint32_t>(Integer(scope, "cube_cores")),
                                     static_cast<uint32_t>(Integer(scope, "vector_cores"))});
            scope.Done();
        }
        for (const Product& product : chip.products) {
            if (product.name == chip.default_product) return SelectProduct(chip, product);
        }
        Fail(top.Need("default_product").source(), fmt::format("'{}' is not among the products", chip.default_product));
    }

    std::optional<Memory> FindMemory(std::string_view name) const {
        for (int i = static_cast<int>(Memory::kGm); i <= static_cast<int>(Memory::kFb); ++i) {
            if (name == isa::Name(static_cast<Memory>(i))) return static_cast<Memory>(i);
        }
        return std::nullopt;
    }

    void ReadMemories(Scope& top, Chip& chip) {
        const toml::table& table = Table(top.Need("memories"), "memories");
        for (auto&& [key, node] : table) {
            const auto memory = FindMemory(key.str());
            if (!memory) Fail(key.source(), fmt::format("memories: unknown memory '{}'", key.str()));
            chip.memory_bytes[static_cast<size_t>(*memory)] =
                static_cast<uint64_t>(Integer(node, std::string(key.str())));
        }
        if (chip.Bytes(Memory::kUb) == 0) Fail(table.source(), "memories: missing memory 'UB'");
    }

    void ReadPositions(Scope& top, Chip& chip) {
        const toml::table& table = Table(top.Need("positions"), "positions");
        for (auto&& [key, node] : table) {
            size_t number = 0;
            while (number < std::size(kPositionNames) && kPositionNames[number] != key.str()) ++number;
            if (number == std::size(kPositionNames)) {
                Fail(key.source(), fmt::format("positions: unknown position '{}'", key.str()));
            }
            const std::string name = Text(node, std::string(key.str()));
            const auto memory = FindMemory(name);
            if (!memory) Fail(node.source(), fmt::format("positions: unknown memory '{}'", name));
            if (*memory != Memory::kGm && chip.Bytes(*memory) == 0) {
                Fail(node.source(), fmt::format("positions: {} is in {}, whose size is missing", key.str(), name));
            }
            chip.position[number] = *memory;
        }
    }

    bool ReadApi(Scope& top, Chip& chip, Api api) {
        const char* name = api == Api::kAscendC ? "ascendc" : "tik";
        const toml::node* node = top.Find(name);
        if (node == nullptr) return false;
        Scope scope(*this, Table(*node, name), name);
        ReadTypes(Table(scope.Need("types"), "types"), chip, api);
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
        if (api == Api::kAscendC) {
            if (const toml::node* deq = scope.Find("cast_deq")) ReadConversions(*deq, chip, api, &chip.cast_deq);
        }
        scope.Done();
        return true;
    }

    DataType ReadType(const toml::node& node, Api api) const {
        const std::string name = Text(node, "type");
        DataType type;
        if (!ParseType(name, api, &type)) Fail(node.source(), fmt::format("unknown type '{}'", name));
        return type;
    }

    void ReadTypes(const toml::table& table, Chip& chip, Api api) {
        for (auto&& [key, node] : table) {
            int opcode = 0;
            while (opcode < isa::kOpcodeCount) {
                const isa::InstructionInfo& info = isa::kInstructions[opcode];
                if (key.str() == (api == Api::kAscendC ? info.ascendc : info.tik)) break;
                ++opcode;
            }
            if (opcode == isa::kOpcodeCount)
                Fail(key.source(), fmt::format("types: unknown instruction '{}'", key.str()));
            Scope scope(*this, Table(node, std::string(key.str())), key.str());
            uint16_t types = 0;
            for (const toml::node& type : Array(scope.Need("types"), "types")) {
                types = static_cast<uint16_t>(types | 1u << static_cast<int>(ReadType(type, api)));
            }
            const size_t a = static_cast<size_t>(api), o = static_cast<size_t>(opcode);
            chip.types[a][o] = types;
            chip.claims[a][o] = {Text(scope, "tag"), Text(scope, "source")};
            const std::string& tag = chip.claims[a][o].tag;
            if (tag != "documented" && tag != "decided" && tag != "assumed") {
                Fail(scope.Need("tag").source(), fmt::format("unknown tag '{}'", tag));
            }
            scope.Done();
        }
    }

    void ReadConversions(const toml::node& list, const Chip& chip, Api api, std::vector<ConversionRow>* rows) {
        for (const toml::node& node : Array(list, "conversions")) {
            Scope scope(*this, Table(node, "conversions"), "conversions");
            ConversionRow row;
            row.api = api;
            row.src = ReadType(scope.Need("src"), api);
            row.dst = ReadType(scope.Need("dst"), api);
            for (const toml::node& mode : Array(scope.Need("modes"), "modes")) {
                row.mode_names.push_back(Text(mode, "modes"));
                row.modes = static_cast<uint16_t>(row.modes | ReadMode(mode, row.mode_names.back(), api));
            }
            if (row.mode_names.empty()) row.modes = Bit(Rounding::kNone);
            if (api == Api::kAscendC && chip.directed_cast_round && (row.modes & Bit(Rounding::kRound)) != 0) {
                row.modes = static_cast<uint16_t>(row.modes | Bit(Rounding::kAway));
            }
            const std::string deq = Text(scope, "deq", "");
            if (deq == "half") {
                row.deq = DeqKind::kHalfScale;
            } else if (deq == "word") {
                row.deq = DeqKind::kWord;
            } else if (!deq.empty()) {
                Fail(scope.Need("deq").source(), fmt::format("unknown deq '{}'", deq));
            }
            row.half_block = Flag(scope, "half_block", false);
            scope.Done();
            rows->push_back(std::move(row));
        }
    }

    uint16_t ReadMode(const toml::node& node, std::string_view name, Api api) const {
        const auto find = [&](auto& modes) -> uint16_t {
            for (const ModeName& mode : modes) {
                if (mode.name == name) return Bit(mode.rounding);
            }
            Fail(node.source(), fmt::format("unknown round mode '{}'", name));
        };
        return api == Api::kAscendC ? find(kAscendCModes) : find(kTikModes);
    }

    std::string file_;
    toml::table root_;
};

}  // namespace

OrderedChip ReadChip(std::string_view file, std::string_view text) { return Reader(file, text).Read(); }

void SelectProduct(Chip& chip, const Product& product) {
    chip.product = product.name;
    chip.cube_cores = product.cube_cores;
    chip.vector_cores = product.vector_cores;
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
