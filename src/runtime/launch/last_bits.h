// SPDX-License-Identifier: Apache-2.0
// What the records of a launch are told of their last bits (isa::LastBits, isa::Accumulation): by its options, by the
// record of a board, or some calls' moved alone.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "isa/memory_map.h"
#include "isa/record.h"
#include "sfumato/launch.h"
#include "soc/board_record.h"
#include "soc/chip.h"

namespace sfumato::runtime {

// What moves in a run: the last bits of a call of the program, Mmad's by its other order; or, with `way`, how all Mmad
// of real numbers add.
struct MovedCall {
    isa::Opcode op;
    std::string file;
    uint32_t line;
    isa::LastBits::Move move;
    std::optional<isa::Accumulation> way = {};
};

class LastBitChoice {
public:
    // moved: may be null; must outlive it. Throws Error for texts of LaunchOptions that say nothing, and for a record
    // that is none for the chip.
    LastBitChoice(const LaunchOptions& options, const soc::Chip& chip, const MovedCall* moved);

    // Whether any record is told something.
    bool any() const { return any_; }
    void Tell(isa::Record* record) const;

    const isa::HalfTables& half_tables() const { return half_tables_; }
    const soc::BoardRecord* record() const { return record_.get(); }  // null: none
    // Of a record that was told.
    bool DecidedByRecord(const isa::Record& record) const;

private:
    void MoveBits(isa::Record* record) const;

    std::shared_ptr<const soc::BoardRecord> record_;
    // Which of these the record says.
    bool records_estimate_ = false, records_div_ = false, records_order_ = false;
    bool exact_;
    isa::LastBits quotients_;
    isa::AccumulationChoice ways_;
    isa::HalfTables half_tables_;
    const MovedCall* moved_;
    bool any_;
};

}  // namespace sfumato::runtime
