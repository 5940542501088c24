// SPDX-License-Identifier: Apache-2.0
// TopKMode: a word of kernels and of host code (adv.md 10).
#pragma once

namespace AscendC {

// TOPK_NSMALL: rows of 32.
enum class TopKMode { TOPK_NORMAL, TOPK_NSMALL };

}  // namespace AscendC
