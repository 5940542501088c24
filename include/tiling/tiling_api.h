// SPDX-License-Identifier: Apache-2.0
// The tiling functions of the high-level calls, all in one.
#pragma once

#include "sfumato/host/matmul_tiling.h"
#include "sfumato/host/vector_tiling.h"
