// SPDX-License-Identifier: Apache-2.0
// --check outputs: what a launch leaves unwritten, adds to what nobody wrote, takes for another type, loads in vain
// (docs/checks/outputs.md).
#pragma once

#include <memory>

#include "sanitize/detector.h"

namespace sfumato::sanitize {

// Sees records and accesses of global memory alone.
std::unique_ptr<Detector> MakeOutputs(const LaunchView& launch);
// The loads: sees what stays inside the core, too.
std::unique_ptr<Detector> MakeLoads(const LaunchView& launch);

}  // namespace sfumato::sanitize
