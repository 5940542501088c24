// SPDX-License-Identifier: Apache-2.0
// What elementwise records and conversions must leave in UB: lanes by oracle/lanes.h, values by the oracles of
// elements.
#pragma once

#include "isa/record.h"
#include "oracle/image.h"

namespace sfumato::oracle {

// Whether ExpectVector knows the form.
bool IsElementwise(isa::Form form);

// Runs the record on the image: repeats one after another, each reading all its elements before it writes. Returns true
// when the overflow policy changed a result.
bool ExpectVector(const isa::Record& record, Bytes& ub);

}  // namespace sfumato::oracle
