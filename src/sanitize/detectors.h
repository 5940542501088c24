// SPDX-License-Identifier: Apache-2.0
// The detectors: listeners that look for what is wrong beyond a single record, one a check.
#pragma once

#include <memory>
#include <vector>

#include "events/listener.h"
#include "sanitize/launch_view.h"

namespace sfumato::sanitize {

class InitDetector;

// Those of the checks that are on.
std::vector<std::unique_ptr<events::Listener>> MakeDetectors(const LaunchView& launch);

// --check outputs (docs/checks/outputs.md): what a launch leaves unwritten, adds to what nobody wrote, takes for
// another type; it sees records and accesses of global memory alone. What it loads in vain: sees what stays inside the
// core, too.
std::unique_ptr<events::Listener> MakeOutputs(const LaunchView& launch);
std::unique_ptr<events::Listener> MakeLoads(const LaunchView& launch);
// --check numbers (docs/checks/numbers.md): the first lines where NaN, infinity and lost digits are born. init: follows
// what nobody wrote, and begins with each core before this does; what comes of that is told by it, or a note where it
// is not told (`Check::kInit` is off).
std::unique_ptr<events::Listener> MakeNumbers(const LaunchView& launch, InitDetector& init);
// --check sync: flags that hold only because events of one pipe are apart (framework.md 2.3). One public report says
// that A2 and A3 keep a flag for each setting pipe and id, whatever pipe waits.
std::unique_ptr<events::Listener> MakeFlagIdentity();

}  // namespace sfumato::sanitize
