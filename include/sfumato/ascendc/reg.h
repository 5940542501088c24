// SPDX-License-Identifier: Apache-2.0
// AscendC::Reg: vector functions and their registers, of chips whose vector unit works on registers.
#pragma once

#include "sfumato/ascendc/reg/call.h"
#include "sfumato/ascendc/reg/older_names.h"
