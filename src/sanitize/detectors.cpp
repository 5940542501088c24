// SPDX-License-Identifier: Apache-2.0
// Which detectors the checks mean.
#include "sanitize/detectors.h"
#include "sanitize/init.h"
#include "sanitize/races.h"

namespace sfumato::sanitize {

std::vector<std::unique_ptr<events::Listener>> MakeDetectors(const LaunchView& launch) {
    std::vector<std::unique_ptr<events::Listener>> detectors;
    const Checks& checks = launch.checks;
    // One core alone has nobody to race with.
    if (checks.Has(Check::kRaces) || (checks.Has(Check::kCores) && launch.cores > 1))
        detectors.push_back(std::make_unique<Races>(launch));
    InitDetector* init = nullptr;
    if (checks.Has(Check::kInit) || checks.Has(Check::kNumbers)) {
        auto made = std::make_unique<InitDetector>(launch);
        init = made.get();
        detectors.push_back(std::move(made));
    }
    if (checks.Has(Check::kOutputs)) detectors.push_back(MakeOutputs(launch));
    if (checks.Has(Check::kOutputNotes)) detectors.push_back(MakeLoads(launch));
    if (checks.Has(Check::kNumbers)) detectors.push_back(MakeNumbers(launch, *init));
    // A2 and A3 are the chips that the report speaks of.
    if (checks.Has(Check::kSync) && launch.chip.cross_core_flags) detectors.push_back(MakeFlagIdentity());
    return detectors;
}

}  // namespace sfumato::sanitize
