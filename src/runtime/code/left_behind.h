// SPDX-License-Identifier: Apache-2.0
// What a kernel left running when its launch ended: processes it forked, threads it started. For processes that run
// one kernel after another and nothing else, such as the child of the command.
#pragma once

#include <optional>

#include "sfumato/report.h"

namespace sfumato {

// Before a launch: from here on processes that lose their parent below this one become its children, and threads are
// the launch's.
SFUMATO_API void AdoptOrphans();

// The last argument of a process of Sfumato that outlives whoever started it: it is no kernel's.
constexpr const char* kBackground = "sfumato-background";

// Kills every child of this process but those, and says whether one still ran.
SFUMATO_API bool EndChildren();

// After a launch: ends the processes, and finds the threads, which go with this process. None: the report of neither.
SFUMATO_API std::optional<Report> FindLeftBehind();

}  // namespace sfumato
