// SPDX-License-Identifier: Apache-2.0
// What the library libtorch_npu offers.
#pragma once

#define TORCH_NPU_API __attribute__((visibility("default")))
#define C10_NPU_API TORCH_NPU_API
