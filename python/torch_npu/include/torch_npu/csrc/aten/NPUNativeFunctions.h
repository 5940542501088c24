// SPDX-License-Identifier: Apache-2.0
// A header that extensions include. The vendor's operators are not provided.
#pragma once

#include <ATen/ATen.h>

namespace at_npu::native {
class NPUNativeFunctions {};
}  // namespace at_npu::native
