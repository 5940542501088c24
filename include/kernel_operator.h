// SPDX-License-Identifier: Apache-2.0
// The header every Ascend C kernel includes.
#pragma once

#include "sfumato/kernel_language.h"

#if !SFUMATO_KERNEL_LANGUAGE
#error \
    "kernel_operator.h needs C++20: compile kernels, and programs that launch them, with -std=c++20 (g++ 9: -std=c++2a -fconcepts); g++ 9, clang 13 and newer have it; host code of operators includes no kernel header and compiles from C++11 on"
#include "compile with -std=c++20"  // no such file: the compilation ends here
#endif

#include "sfumato/ascendc/issue.h"
#include "sfumato/ascendc/macros.h"
#include "sfumato/ascendc/tensor.h"
#include "sfumato/ascendc/queue.h"
#include "sfumato/ascendc/static_tensor.h"
#include "sfumato/ascendc/own_pool.h"
#include "sfumato/ascendc/calls/elementwise.h"
#include "sfumato/ascendc/vector.h"
#include "sfumato/ascendc/select.h"
#include "sfumato/ascendc/gather.h"
#include "sfumato/ascendc/reduce.h"
#include "sfumato/ascendc/sort.h"
#include "sfumato/ascendc/adv/elementwise.h"
#include "sfumato/ascendc/adv/normal.h"
#include "sfumato/ascendc/adv/pad.h"
#include "sfumato/ascendc/adv/reduction.h"
#include "sfumato/ascendc/adv/softmax.h"
#include "sfumato/ascendc/adv/broadcast.h"
#include "sfumato/ascendc/adv/byte_mask.h"
#include "sfumato/ascendc/adv/quantisation.h"
#include "sfumato/ascendc/adv/topk.h"
#include "sfumato/ascendc/adv/transpose.h"
#include "sfumato/ascendc/data_copy.h"
#include "sfumato/ascendc/calls/atomic.h"
#include "sfumato/ascendc/fixpipe.h"
#include "sfumato/ascendc/calls/load_data.h"
#include "sfumato/ascendc/mmad.h"
#include "sfumato/ascendc/sync.h"
#include "sfumato/ascendc/cross_core.h"
#include "sfumato/ascendc/system.h"
#include "sfumato/ascendc/tiling.h"
#include "sfumato/tiling/cube_tiling.h"
#include "sfumato/tiling/softmax_tiling.h"
#include "sfumato/ascendc/list_tensor.h"
#include "sfumato/ascendc/print.h"
#include "sfumato/ascendc/services.h"
#include "sfumato/ascendc/compat.h"
#include "sfumato/ascendc/adv/hccl.h"
#include "sfumato/ascendc/scalar_calls.h"
#include "sfumato/ascendc/calls/raw_vector.h"
#include "sfumato/ascendc/local_memory.h"
#if __NPU_ARCH__ == 3510
#include "sfumato/ascendc/dma.h"
#include "sfumato/ascendc/numeric_limits.h"
#include "sfumato/ascendc/reg.h"
#endif

using sfumato::bfloat16_t;
using sfumato::half;
using sfumato::int4b_t;

// The namespace of very old programs.
namespace tik2 {
using namespace AscendC;
}
