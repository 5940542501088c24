// SPDX-License-Identifier: Apache-2.0
// The unit flags of a core: one for each 512 bytes of L0C, by which Mmad hands C over to Fixpipe (cube.md 4).
#pragma once

#include <bitset>
#include <optional>

#include "isa/record.h"
#include "report/finding.h"

namespace sfumato::runtime {

// Mmad with 2 or 3 waits until the flags of its C are clear, and 3 sets them; Fixpipe with 2 or 3 waits until those of
// its C are set, and 3 clears them. With 0 neither waits nor changes one. Records come in the order of the program.
class UnitFlags {
public:
    // Notes what a Mmad or Fixpipe does. What is wrong where it would wait for ever, or leaves flags set that it should
    // clear.
    std::optional<Finding> Follow(const isa::Record& record);
    void Clear() { set_.reset(); }

private:
    std::bitset<1024> set_;
};

}  // namespace sfumato::runtime
