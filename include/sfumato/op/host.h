// SPDX-License-Identifier: Apache-2.0
// What the headers of registration bring: definitions, contexts, log macros, the platform (docs/spec/clients.md 6.2).
#pragma once

// What sources of the vendor's age take from these headers without naming it.
#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <iostream>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

#include "sfumato/op/definition.h"
#include "sfumato/op/log.h"
#include "sfumato/op/securec.h"
#include "sfumato/tiling_data.h"
