// SPDX-License-Identifier: Apache-2.0
// Atomic stores into GM, element by element (framework.md 3.10), without exec and numeric.
#pragma once

#include "oracle/image.h"
#include "sfumato/data_type.h"

namespace sfumato::oracle {

struct AtomicMode {
    enum class Kind { kNone, kAdd, kMax, kMin } kind = Kind::kNone;
    DataType type = DataType::kFloat;
    Overflow overflow = Overflow::kSaturate;
};

// Stores an element at byte `at`, through the atomic unit where a mode is on. *replaced is set when the policy
// `saturate` changed the result.
void Store(const AtomicMode& mode, Bytes& image, uint64_t at, uint32_t bits, uint64_t value, bool* replaced);

}  // namespace sfumato::oracle
