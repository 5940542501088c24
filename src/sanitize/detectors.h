// SPDX-License-Identifier: Apache-2.0
// The detectors of checks that are known by nothing else.
#pragma once

#include <memory>

#include "sanitize/detector.h"

namespace sfumato::sanitize {

class InitDetector;

// --check outputs (docs/checks/outputs.md): what a launch leaves unwritten, adds to what nobody wrote, takes for
// another type; it sees records and accesses of global memory alone. What it loads in vain: sees what stays inside the
// core, too.
std::unique_ptr<Detector> MakeOutputs(const LaunchView& launch);
std::unique_ptr<Detector> MakeLoads(const LaunchView& launch);
// --check numbers (docs/checks/numbers.md): the first lines where NaN, infinity and lost digits are born. init: follows
// what nobody wrote, and begins with each core before this does; what comes of that is told by it, or a note where it
// is not told (`Check::kInit` is off).
std::unique_ptr<Detector> MakeNumbers(const LaunchView& launch, InitDetector& init);
// --check sync: flags that hold only because events of one pipe are apart (framework.md 2.3). One public report says
// that A2 and A3 keep a flag for each setting pipe and id, whatever pipe waits.
std::unique_ptr<Detector> MakeFlagIdentity();

}  // namespace sfumato::sanitize
