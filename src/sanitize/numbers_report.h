// SPDX-License-Identifier: Apache-2.0
// What the check of numbers says.
#pragma once

#include <string>

#include "sanitize/launch_view.h"
#include "sanitize/numbers_results.h"

namespace sfumato::sanitize {

// at: byte offset of the result in its memory; bits: of the result.
Report BirthReport(const LaunchView& launch, const isa::Record& record, uint64_t at, uint64_t bits,
                   const Sources& sources);
// limited: what the policy put in its place.
Report HiddenReport(const LaunchView& launch, const isa::Record& record, uint64_t at, uint64_t bits, uint64_t limited,
                    const Sources& sources);
// Of a result that the default policy limited though nobody asked for it; bits: what a board gives.
Report LimitedReport(const LaunchView& launch, const isa::Record& record, uint64_t at, uint64_t bits, uint64_t limited,
                     const Sources& sources);
// The same where that cannot be read off.
Report LimitedReport(const LaunchView& launch, const isa::Record& record);
// Whether a term holds the fill pattern of memory nobody wrote.
bool IsUnwritten(const LaunchView& launch, const isa::Record& record, const Sources::Term& term);
Report OverflowReport(const LaunchView& launch, const isa::Record& record, uint64_t at, const Sources& sources,
                      const std::string& exact);
Report FlushedReport(const LaunchView& launch, const isa::Record& record, uint64_t at, const Sources& sources);

// "...; 12 elements of 3 instructions at this line".
Report WithCount(Report report, uint64_t elements, uint64_t records);

// Whether a result 0 may stand for a number that is none: products, quotients, conversions to a smaller type.
bool RoundsToZero(const isa::Record& record);
bool RoundedToZero(const isa::Record& record, const Sources& sources);

}  // namespace sfumato::sanitize
