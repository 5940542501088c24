// SPDX-License-Identifier: Apache-2.0
// --check numbers: the first lines where NaN, infinity and lost digits are born (docs/checks/numbers.md).
#pragma once

#include <memory>

#include "sanitize/detector.h"
#include "sanitize/init.h"

namespace sfumato::sanitize {

// init: follows what nobody wrote, and begins with each core before this does; what comes of that is told by it, or a
// note where it is not told (`Check::kInit` is off).
std::unique_ptr<Detector> MakeNumbers(const LaunchView& launch, InitDetector& init);

}  // namespace sfumato::sanitize
