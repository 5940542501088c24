// SPDX-License-Identifier: Apache-2.0
// A header that extensions include for what it brings along.
#pragma once

#include <dlfcn.h>

#include <functional>
#include <string>

#include <ATen/ATen.h>

#include "acl/acl_base.h"

namespace at_npu::native {
class CalcuOpUtil {};
}  // namespace at_npu::native
