// SPDX-License-Identifier: Apache-2.0
// Where ASCENDC_TPL_* come from in operator projects.
#pragma once

#include "sfumato/tiling_template.h"
