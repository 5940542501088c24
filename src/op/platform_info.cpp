// SPDX-License-Identifier: Apache-2.0
// The platform's tables, from the chip data.
#include "sfumato/op/platform_info.h"

#include <fmt/format.h>

#include "op/said.h"
#include "soc/chip.h"

namespace fe {
namespace {

using sfumato::isa::Memory;
using sfumato::op::Text;
using Table = std::map<std::string, std::string>;

std::map<std::string, Table> TablesOf(const std::string& name) {
    const sfumato::soc::Chip& chip = sfumato::soc::FindChip(name);
    std::map<std::string, Table> tables;
    tables["version"] = {{"SoC_version", chip.product}, {"Short_SoC_version", chip.name}};
    const bool coupled = !chip.split_cores;
    tables["SoCInfo"] = {{"ai_core_cnt", std::to_string(chip.cube_cores)},
                         {"cube_core_cnt", std::to_string(chip.split_cores ? chip.cube_cores : 0)},
                         {"vector_core_cnt", std::to_string(chip.vector_cores)}};
    if (coupled) tables["SoCInfo"].erase("cube_core_cnt");
    Table& core = tables["AICoreSpec"];
    const auto memory = [&](const char* key, Memory which) {
        if (chip.Bytes(which) != 0) core[key] = std::to_string(chip.Bytes(which));
    };
    memory("ub_size", Memory::kUb);
    memory("l1_size", Memory::kL1);
    memory("l0_a_size", Memory::kL0A);
    memory("l0_b_size", Memory::kL0B);
    memory("l0_c_size", Memory::kL0C);
    memory("bt_size", Memory::kBt);
    memory("fb_size", Memory::kFb);
    core["ubblock_size"] = "32";
    return tables;
}

void SayAbsent(const std::string& what, const std::string& found, std::string legal, sfumato::Where where) {
    sfumato::op::Warn({sfumato::Rule::kPlatformKey, "", what, found, std::move(legal), ""}, "GetPlatformResWithLock",
                      where);
}

std::string Keys(const auto& table) {
    std::string keys;
    for (const auto& [key, value] : table) keys += (keys.empty() ? "" : ", ") + key;
    return keys;
}

}  // namespace

bool PlatFormInfos::sfumato_value(const char* label, const char* key, Text& value, Where where) const {
    const auto tables = TablesOf(chip.str());
    value = Text();
    const auto table = tables.find(label);
    const std::string asked = fmt::format("{}, {}", label, key);
    if (table == tables.end()) {
        SayAbsent("the chip data have no such table", asked, Keys(tables), where);
        return false;
    }
    const auto entry = table->second.find(key);
    if (entry == table->second.end()) {
        SayAbsent("the chip data have no such key", asked, fmt::format("{}: {}", label, Keys(table->second)), where);
        return false;
    }
    value = entry->second;
    return true;
}

bool PlatFormInfos::sfumato_values(const char* label, std::vector<std::pair<Text, Text>>& values, Where where) const {
    const auto tables = TablesOf(chip.str());
    const auto table = tables.find(label);
    values.clear();
    if (table != tables.end()) values.assign(table->second.begin(), table->second.end());
    if (table == tables.end()) SayAbsent("the chip data have no such table", label, Keys(tables), where);
    return table != tables.end();
}

uint32_t PlatFormInfos::sfumato_cores(const char* core_type) const {
    const sfumato::soc::Chip& data = sfumato::soc::FindChip(chip.str());
    return std::string_view(core_type) == "VectorCore" ? data.vector_cores : data.cube_cores;
}

void PlatFormInfos::GetLocalMemSize(const LocalMemType& type, uint64_t& size) const {
    constexpr Memory kMemories[] = {Memory::kL0A, Memory::kL0B,  Memory::kL0C, Memory::kL1, Memory::kNone,
                                    Memory::kUb,  Memory::kNone, Memory::kFb,  Memory::kBt};
    const auto number = static_cast<size_t>(type);
    const Memory memory = number < std::size(kMemories) ? kMemories[number] : Memory::kNone;
    size = memory == Memory::kNone ? 0 : sfumato::soc::FindChip(chip.str()).Bytes(memory);
}

}  // namespace fe
