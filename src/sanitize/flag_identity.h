// SPDX-License-Identifier: Apache-2.0
// --check sync: flags that hold only because events of one pipe are apart (framework.md 2.3). One public report says
// that A2 and A3 keep a flag for each setting pipe and id, whatever pipe waits.
#pragma once

#include <memory>

#include "sanitize/detector.h"

namespace sfumato::sanitize {

std::unique_ptr<Detector> MakeFlagIdentity();

}  // namespace sfumato::sanitize
