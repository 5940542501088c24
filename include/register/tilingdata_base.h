// SPDX-License-Identifier: Apache-2.0
// Where the host's tiling definitions come from in operator projects.
#pragma once

#include "sfumato/tiling_data.h"
