// SPDX-License-Identifier: Apache-2.0
// What a board was recorded to give, as `sfumato record import` keeps it: a folder with numerics.json and tables of
// functions of half (docs/last-bits.md).
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "isa/opcode.h"
#include "soc/chip.h"

namespace sfumato::soc {

struct BoardRecord {
    std::string soc;   // "Ascend910B2"
    std::string file;  // its numerics.json
    std::string probes, contributor;
    // Texts of the options of these names, where the record says them.
    std::optional<std::string> mmad_order, estimate, div;
    std::map<isa::Opcode, std::vector<uint16_t>> half;  // results by the operand's 16 bits
};

// Where records are kept: $SFUMATO_RECORDS, else sfumato/records below $XDG_DATA_HOME or ~/.local/share.
std::filesystem::path RecordsFolder();

// The record that "board:SOC", the text of LaunchOptions::numerics, names; "": null. Tables are read once and kept as
// long as numerics.json stays the same. Throws Error for another text, a record that is not there, and one that is
// broken.
std::shared_ptr<const BoardRecord> FindBoardRecord(const std::string& numerics);

// Throws Error where the record is of another family than the chip.
void CheckFamily(const BoardRecord& record, const Chip& chip);

}  // namespace sfumato::soc
