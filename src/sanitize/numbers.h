// SPDX-License-Identifier: Apache-2.0
// --check numbers: the first lines where NaN, infinity and lost digits are born (docs/checks/numbers.md).
#pragma once

#include <memory>

#include "sanitize/detector.h"

namespace sfumato::sanitize {

std::unique_ptr<Detector> MakeNumbers(const LaunchView& launch);

}  // namespace sfumato::sanitize
