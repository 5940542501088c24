// SPDX-License-Identifier: Apache-2.0
// Where host code finds the tiling of Matmul.
#pragma once

#include "sfumato/host/matmul_tiling.h"
