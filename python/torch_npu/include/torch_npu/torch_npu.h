// SPDX-License-Identifier: Apache-2.0
// All of libtorch_npu that C++ programs call.
#pragma once

#include "torch_npu/csrc/aten/common/from_blob.h"
#include "torch_npu/csrc/core/npu/DeviceUtils.h"
#include "torch_npu/csrc/core/npu/NPUFormat.h"
#include "torch_npu/csrc/core/npu/NPUFunctions.h"
#include "torch_npu/csrc/core/npu/NPUGuard.h"
#include "torch_npu/csrc/core/npu/NPUStream.h"
#include "torch_npu/csrc/framework/OpCommand.h"
#include "torch_npu/csrc/libs/init_npu.h"
