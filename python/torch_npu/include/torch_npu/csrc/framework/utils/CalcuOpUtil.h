// SPDX-License-Identifier: Apache-2.0
// A header that extensions include for what it brings along.
#pragma once

#include <dlfcn.h>

#include <functional>
#include <string>
#include <vector>

#include <ATen/ATen.h>

#include "acl/acl_base.h"
#include "torch_npu/csrc/core/npu/DeviceUtils.h"
#include "torch_npu/csrc/core/npu/NPUFunctions.h"
#include "torch_npu/csrc/core/npu/npu_log.h"

// Helpers that are copied from extension to extension write these words so.
using std::string;
using std::vector;

namespace at_npu::native {
class CalcuOpUtil {};
}  // namespace at_npu::native
