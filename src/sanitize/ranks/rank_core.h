// SPDX-License-Identifier: Apache-2.0
// What the history of ranks hears of one core.
#pragma once

#include <memory>

#include "sanitize/ranks/rank_watch.h"

namespace sfumato::sanitize {

std::unique_ptr<events::CoreListener> MakeRankCore(RankWatch& watch, const events::Place& place);

}  // namespace sfumato::sanitize
