// SPDX-License-Identifier: Apache-2.0
// kernel_tiling/kernel_tiling.h: the structs that tiling functions fill and kernels read, for either side. It brings no
// kernel_operator.h, which chooses CPU mode.
#pragma once

#include "sfumato/tiling/cube_tiling.h"
#include "sfumato/tiling/vector_tiling.h"
