// SPDX-License-Identifier: Apache-2.0
// The cube unit in chips/*.toml: paths of the moves, types of Mmad, conversions on the way out of L0C.
#include <fmt/format.h>

#include <algorithm>

#include "soc/reader.h"
#include "soc/scope.h"

namespace sfumato::soc {
namespace {

using isa::Api;
using isa::Memory;

// "L1 to L0A"; "to L1" reads nothing.
void AddPath(const toml::node& node, const std::string& text, const Chip& chip,
             std::array<uint16_t, isa::kMemoryCount>& paths) {
    constexpr std::string_view kTo = "to ";
    const size_t to = text.find(kTo);
    if (to == std::string::npos) Fail(node.source(), fmt::format("'{}' is not a path such as 'GM to UB'", text));
    const auto memory = [&](const std::string& name) {
        const Memory found = FindMemory(name);
        if (found == Memory::kNone) Fail(node.source(), fmt::format("paths: unknown memory '{}'", name));
        if (found != Memory::kGm && chip.Bytes(found) == 0) {
            Fail(node.source(), fmt::format("paths: '{}' uses {}, whose size is missing", text, name));
        }
        return static_cast<size_t>(found);
    };
    const size_t src = to == 0 ? static_cast<size_t>(Memory::kNone) : memory(text.substr(0, to - 1));
    const size_t dst = memory(text.substr(to + kTo.size()));
    if ((paths[src] >> dst) & 1) Fail(node.source(), fmt::format("paths: '{}' stands twice", text));
    paths[src] = static_cast<uint16_t>(paths[src] | 1u << dst);
}

const char* QuantName(int i) { return isa::Name(static_cast<isa::Quant>(i)); }
const char* DeqName(int i) { return isa::DeqName(static_cast<isa::MatrixMove::Deq>(i)); }

void ReadQuants(const toml::array& list, std::string_view name, int count, const char* (*mode_name)(int),
                std::vector<QuantRow>* rows) {
    for (const toml::node& node : list) {
        Scope scope(ReadTable(node, name), name);
        QuantRow row{scope.Type("src", Api::kAscendC), scope.Type("dst", Api::kAscendC), 0};
        for (const toml::node& mode : scope.Array("modes")) {
            const std::string wanted = ReadText(mode, "modes");
            int i = 0;
            while (i < count && wanted != mode_name(i)) ++i;
            if (i == count) Fail(mode.source(), fmt::format("{}: unknown mode '{}'", name, wanted));
            row.modes = static_cast<uint16_t>(row.modes | 1u << i);
        }
        scope.Done();
        for (const QuantRow& other : *rows) {
            if (other.src == row.src && other.dst == row.dst) {
                Fail(node.source(), fmt::format("{}: {} to {} stands twice", name, CName(row.src), CName(row.dst)));
            }
        }
        rows->push_back(row);
    }
}

}  // namespace

void ReadPaths(const toml::table& table, Chip& chip, Api api) {
    for (auto&& [key, node] : table) {
        const isa::Opcode op = ReadOpcode(key, api, "paths");
        auto& paths = chip.paths[static_cast<size_t>(api)][static_cast<size_t>(op)];
        for (const toml::node& path : ReadArray(node, key.str())) AddPath(path, ReadText(path, "path"), chip, paths);
    }
}

namespace {
// The instruction that a text begins with; `front`: how many of its characters.
isa::Opcode OpcodeOf(const toml::node& node, const std::string& text, size_t front, const char* list) {
    size_t op = 0;
    while (op < isa::kOpcodeCount && isa::AscendCKey(static_cast<isa::Opcode>(op)) != text.substr(0, front)) ++op;
    if (op == isa::kOpcodeCount) Fail(node.source(), fmt::format("{}: unknown instruction in '{}'", list, text));
    return static_cast<isa::Opcode>(op);
}
}  // namespace

// calls: "SoftMax". uses: "Brcb half".
void ReadHighLevel(const toml::array& calls, const toml::array& uses, Chip& chip) {
    for (const toml::node& node : calls) chip.high_level.calls.insert(ReadText(node, "high_level"));
    for (const toml::node& node : uses) {
        const std::string text = ReadText(node, "high_level_uses");
        const size_t blank = std::min(text.find(' '), text.size());
        const auto op = static_cast<size_t>(OpcodeOf(node, text, blank, "high_level_uses"));
        DataType type{};
        if (!ParseType(text.substr(std::min(blank + 1, text.size())), Api::kAscendC, &type))
            Fail(node.source(), fmt::format("high_level_uses: no type in '{}'", text));
        chip.high_level.types[op] |= static_cast<uint16_t>(1u << static_cast<int>(type));
        chip.high_level.words.push_back(text);
    }
}

// "DataCopy UB to UB", "Abs int32_t", "SyncAll".
void ReadUnlisted(const toml::array& list, Chip& chip) {
    for (const toml::node& node : list) {
        const std::string text = ReadText(node, "unlisted");
        const size_t blank = text.find(' ');
        chip.unlisted.any = true;
        chip.unlisted.words.push_back(text);
        if (blank == std::string::npos) {
            chip.unlisted.calls.push_back(text);
            continue;
        }
        const std::string rest = text.substr(blank + 1);
        const auto op = static_cast<size_t>(OpcodeOf(node, text, blank, "unlisted"));
        const auto api = static_cast<size_t>(Api::kAscendC);
        DataType type{};
        if (ParseType(rest, Api::kAscendC, &type)) {
            const auto bit = static_cast<uint16_t>(1u << static_cast<int>(type));
            chip.types[api][op] |= bit;
            chip.unlisted.types[op] |= bit;
        } else {
            AddPath(node, rest, chip, chip.paths[api][op]);
            AddPath(node, rest, chip, chip.unlisted.paths[op]);
        }
    }
}

void ReadMmad(Scope& api_scope, Chip& chip, Api api) {
    for (const toml::node& node : api_scope.ArrayOrNone("mmad")) {
        Scope scope(ReadTable(node, "mmad"), "mmad");
        const DataType a = scope.Type("a", api), b = scope.Type("b", api), c = scope.Type("c", api);
        Claim claim = scope.ReadClaim();
        scope.Done();
        if (chip.Mmad(api, a, b, c) != nullptr) {
            Fail(node.source(), fmt::format("mmad: {} x {} into {} stands twice", CName(a), CName(b), CName(c)));
        }
        chip.mmad.push_back({api, a, b, c, std::move(claim.tag), std::move(claim.source)});
    }
}

void ReadCube(Scope& top, Chip& chip) {
    ReadQuants(top.ArrayOrNone("fixpipe"), "fixpipe", static_cast<int>(isa::Quant::kCount), QuantName, &chip.fixpipe);
    ReadQuants(top.ArrayOrNone("tensor_mov"), "tensor_mov", static_cast<int>(isa::MatrixMove::Deq::kCount), DeqName,
               &chip.tensor_mov);
}

}  // namespace sfumato::soc
