// SPDX-License-Identifier: Apache-2.0
// Matmul and what kernel_operator.h has (adv.md 2.1).
#pragma once

#include "kernel_operator.h"
#include "sfumato/ascendc/matmul/matmul.h"
