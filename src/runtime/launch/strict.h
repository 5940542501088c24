// SPDX-License-Identifier: Apache-2.0
// What --strict makes of a finding.
#pragma once

#include "sfumato/launch.h"

namespace sfumato::runtime {

// Warnings of a strict launch are faults.
inline void ApplyStrict(const LaunchOptions& options, Report* report) {
    if (options.strict && report->severity == Severity::kWarning) report->severity = Severity::kFault;
}

}  // namespace sfumato::runtime
