// SPDX-License-Identifier: Apache-2.0
// What makes a kernel slower than it need be: conditions over what the model has added up. What a kernel would gain
// without the cause, the model finds by running again (docs/spec/timing.md 9).
#pragma once

#include <vector>

#include "sfumato/estimate.h"
#include "timing/ledger.h"
#include "timing/without.h"

namespace sfumato::timing {

struct Candidate {
    TimeHint hint;  // without the gain, unless no run of the model is needed
    Without without = Without::kNothing;
};

// all_cores: of its kind.
std::vector<Candidate> FindHints(const Ledger& ledger, const TimeEstimate& base, bool all_cores);

}  // namespace sfumato::timing
