// SPDX-License-Identifier: Apache-2.0
// What a record costs, from its operands and parameters alone (docs/spec/timing.md 4).
#pragma once

#include <array>
#include <cstdint>

#include "isa/record.h"
#include "soc/timing.h"
#include "timing/event.h"
#include "timing/price_memo.h"

namespace sfumato::timing {

class Costs {
public:
    explicit Costs(const soc::Timing& timing);

    // Fills kind, pipe, costs and, of a transfer, what is moved. memo: of the core.
    void Price(const isa::Record& record, PriceMemo& memo, Event& event) const;

    const soc::TimingConstants& constants() const { return c_; }

private:
    void PriceOnV(const isa::Record& record, PriceMemo& memo, Event& event) const;

    const soc::Timing& timing_;
    const soc::TimingConstants c_;
};

// UB bank conflicts of the repeats of a vector record (docs/spec/timing.md 4.1): extra cycles, all repeats together.
// write_floor: a repeat costs at least this for its writes; per repeat, mean.
struct BankCost {
    double extra = 0;        // of reads with reads, and reads with writes
    double write_floor = 1;  // of a repeat
};
BankCost BankConflicts(const soc::TimingConstants& constants, const isa::Record& record, uint64_t repeats);

}  // namespace sfumato::timing
