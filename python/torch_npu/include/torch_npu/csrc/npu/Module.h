// SPDX-License-Identifier: Apache-2.0
// A header that extensions include for its macros.
#pragma once

#include "torch_npu/csrc/core/npu/NPUMacros.h"
#include "torch_npu/csrc/core/npu/NPUStream.h"
