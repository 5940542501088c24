// SPDX-License-Identifier: Apache-2.0
// The facts of a chip, each with its source.
#include "soc/facts.h"

#include <fmt/format.h>

#include "soc/reader.h"

namespace sfumato::soc {
namespace {

using isa::Api;
using isa::Memory;
using List = std::vector<std::string>;

List TypeNames(uint16_t types, Api api) {
    List names;
    for (int i = 0; i < kDataTypeCount; ++i) {
        const auto type = static_cast<DataType>(i);
        if ((types >> i) & 1) names.emplace_back(api == Api::kAscendC ? CName(type) : NumpyName(type));
    }
    return names;
}

// One for each kind of facts.inc.
bool ShowFlag(bool value) { return value; }
uint64_t ShowNumber(uint32_t value) { return value; }
std::string ShowText(const std::string& value) { return value; }
std::string ShowPolicy(Overflow value) { return value == Overflow::kInfNan ? "infnan" : "saturate"; }
List ShowTypes(uint16_t value) { return TypeNames(value, Api::kAscendC); }
List ShowOrders(uint8_t value) {
    List names;
    for (int i = 0; i < static_cast<int>(isa::ReduceOrder::kCount); ++i) {
        if ((value >> i) & 1) names.emplace_back(Name(static_cast<isa::ReduceOrder>(i)));
    }
    return names;
}

enum class Who { kAll, kAscendC, kTik, kCube };
bool Applies(Who who, const Chip& chip) {
    switch (who) {
        case Who::kAll: return true;
        case Who::kAscendC: return chip.ascendc;
        case Who::kTik: return chip.tik;
        case Who::kCube: return chip.Bytes(Memory::kL0A) != 0;
    }
    return false;
}

void AddMemories(const Chip& chip, std::vector<ChipFact>* facts) {
    for (int m = 0; m < isa::kMemoryCount; ++m) {
        const auto memory = static_cast<Memory>(m);
        if (chip.Bytes(memory) == 0) continue;
        facts->push_back(
            {fmt::format("memories.{}", isa::Name(memory)), "bytes", "cube.md 1.1", "", true, chip.Bytes(memory)});
    }
    for (size_t p = 0; p < chip.position.size(); ++p) {
        if (chip.position[p] == Memory::kNone) continue;
        facts->push_back({fmt::format("positions.{}", PositionName(p)), "the memory behind the position", "cube.md 1.2",
                          "", true, std::string(isa::Name(chip.position[p]))});
    }
}

std::string Cores(const Chip& chip, const Product& product) {
    const std::string vector = fmt::format("{} vector cores", product.vector_cores);
    if (chip.vector_only) return vector;
    if (chip.split_cores) return fmt::format("{} cube cores, {}", product.cube_cores, vector);
    const std::string both = fmt::format("{} AI Core{}", product.cube_cores, product.cube_cores == 1 ? "" : "s");
    return chip.vector_beside ? fmt::format("{}, {} beside them", both, vector) : both;
}

void AddProducts(const Chip& chip, std::vector<ChipFact>* facts) {
    for (const Product& product : chip.products) {
        facts->push_back({"products." + product.name, "its cores", product.claim.source, product.claim.tag, true,
                          Cores(chip, product)});
    }
    for (const Board& board : chip.boards) {
        List has = board.has;
        if (!board.product.empty()) has.insert(has.begin(), fmt::format("{} ({})", board.product, board.product_tag));
        facts->push_back({"boards." + board.name, "a board, its product and what its page says", board.claim.source,
                          board.claim.tag, true, std::move(has)});
    }
}

ChipFact Conversions(const std::string& key, const std::vector<ConversionRow>& rows, Api api, const char* source) {
    List list;
    for (const ConversionRow& row : rows) {
        if (row.api != api) continue;
        const auto name = [api](DataType t) { return api == Api::kAscendC ? CName(t) : NumpyName(t); };
        const char* scale = row.deq == DeqKind::kNone        ? ""
                            : row.deq == DeqKind::kHalfScale ? ", with a half scale"
                                                             : ", with a word of scale and offset";
        list.push_back(fmt::format("{} to {}{}{}{}", name(row.src), name(row.dst),
                                   row.mode_names.empty() ? "" : fmt::format(" ({})", ModeList(row)), scale,
                                   row.half_block ? ", either half of the blocks" : ""));
    }
    return {key, "conversions with their round modes", source, "", true, list};
}

void AddApi(const Chip& chip, Api api, std::vector<ChipFact>* facts) {
    const std::string front = api == Api::kAscendC ? "ascendc" : "tik";
    const auto a = static_cast<size_t>(api);
    for (size_t o = 0; o < isa::kOpcodeCount; ++o) {
        const auto op = static_cast<isa::Opcode>(o);
        const std::string key(api == Api::kAscendC ? isa::AscendCKey(op) : isa::TikKey(op));
        const Claim& claim = chip.claims[a][o];
        if (chip.types[a][o] != 0) {
            facts->push_back({front + ".types." + key, "element types", claim.source, claim.tag, true,
                              TypeNames(chip.types[a][o], api)});
        }
        if (chip.equal_only[a][o] != 0) {
            facts->push_back({front + ".equal_only." + key, "element types compared with EQ alone", claim.source,
                              claim.tag, true, TypeNames(chip.equal_only[a][o], api)});
        }
        if (chip.widens[a][o]) {
            facts->push_back({front + ".widens." + key, "half sources may go to a float destination", claim.source,
                              claim.tag, true, true});
        }
        List paths;
        for (int s = 0; s < isa::kMemoryCount; ++s) {
            for (int d = 0; d < isa::kMemoryCount; ++d) {
                const auto src = static_cast<Memory>(s), dst = static_cast<Memory>(d);
                if (!chip.HasPath(api, op, src, dst)) continue;
                paths.push_back(src == Memory::kNone ? fmt::format("to {}", isa::Name(dst))
                                                     : fmt::format("{} to {}", isa::Name(src), isa::Name(dst)));
            }
        }
        if (!paths.empty()) {
            facts->push_back({front + ".paths." + key, "memories it moves between", "framework.md 3.2; cube.md 1.4", "",
                              true, paths});
        }
        if (const auto& rows = chip.Own(api, op); !rows.empty()) {
            const ChipFact own =
                Conversions(front + ".conversions." + key, rows, api, "vector_instructions.md 9; conversions.md");
            if (!std::get<List>(own.value).empty()) facts->push_back(own);
        }
    }
    for (const MatmulRow& row : chip.mmad) {
        if (row.api != api) continue;
        facts->push_back({fmt::format("{}.mmad.{} x {} to {}", front, CName(row.a), CName(row.b), CName(row.c)),
                          "Mmad multiplies these element types", row.source, row.tag, true, true});
    }
    if (api == Api::kAscendC && chip.unlisted.any) {
        facts->push_back({front + ".unlisted", "what no page lists, and published operators do",
                          "compat.md, Limits by chip", "decided", true, List(chip.unlisted.words)});
    }
    if (api == Api::kAscendC && !chip.high_level.calls.empty()) {
        const HighLevel& high_level = chip.high_level;
        facts->push_back({front + ".high_level", "high-level calls that pages list", "adv.md 15", "documented", true,
                          List(high_level.calls.begin(), high_level.calls.end())});
        if (!high_level.words.empty()) {
            facts->push_back({front + ".high_level_uses", "instructions that these alone are made of", "adv.md 15",
                              "decided", true, List(high_level.words)});
        }
    }
    facts->push_back(Conversions(front + ".conversions", chip.conversions, api,
                                 api == Api::kAscendC ? "Ascend C API page Cast" : "TIK API page vec_conv"));
}

template <class Name>
ChipFact Quants(const char* key, const char* words, const char* source, const std::vector<QuantRow>& rows,
                const Name& name) {
    List list;
    for (const QuantRow& row : rows) {
        std::string modes;
        for (int i = 0; i < 16; ++i) {
            if ((row.modes >> i) & 1) modes += (modes.empty() ? "" : ", ") + std::string(name(i));
        }
        list.push_back(fmt::format("{} to {} ({})", CName(row.src), CName(row.dst), modes));
    }
    return {key, words, source, "", true, list};
}

}  // namespace

std::vector<ChipFact> ScalarFacts(const Chip& chip) {
    return {
#define SFUMATO_FACT(kind, name, who, otherwise, words, source) \
    {#name, words, source, "", Applies(Who::who, chip), Show##kind(chip.name)},
#define SFUMATO_REDUCE_FACT(kind, name, who, otherwise, words, source) \
    {"reduce." #name, words, source, "", Applies(Who::who, chip), Show##kind(chip.reduce.name)},
#include "soc/facts.inc"
#undef SFUMATO_FACT
#undef SFUMATO_REDUCE_FACT
    };
}

std::vector<ChipFact> AllFacts(const Chip& chip) {
    std::vector<ChipFact> facts = ScalarFacts(chip);
    AddProducts(chip, &facts);
    AddMemories(chip, &facts);
    if (chip.ascendc) AddApi(chip, Api::kAscendC, &facts);
    if (chip.tik) AddApi(chip, Api::kTik, &facts);
    if (!chip.fixpipe.empty()) {
        facts.push_back(Quants("fixpipe", "conversions from L0C to GM or L1, with their modes",
                               "Ascend C API page Fixpipe; cube.md 5.2", chip.fixpipe,
                               [](int i) { return isa::Name(static_cast<isa::Quant>(i)); }));
    }
    if (!chip.tensor_mov.empty()) {
        facts.push_back(Quants("tensor_mov", "conversions from L0C to UB, with their modes",
                               "Ascend C API page DataCopy, CO1 to CO2; cube.md 5.4", chip.tensor_mov,
                               [](int i) { return isa::DeqName(static_cast<isa::MatrixMove::Deq>(i)); }));
    }
    return facts;
}

}  // namespace sfumato::soc
