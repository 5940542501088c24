// SPDX-License-Identifier: Apache-2.0
// DataCopy and DataCopyPad: what their calls are made of (framework.md 3.3, 3.4, 3.7).
#pragma once

#include "sfumato/ascendc/ends.h"
#include "sfumato/ascendc/issue_copy.h"

namespace sfumato::ascendc {

// A move of so many elements, or of blocks with gaps.
template <class Dst, class Src, class Shape>
MoveCall Moving(const Dst& dst, const Src& src, const Shape& shape, Where where) {
    auto call = Join<MoveCall>(dst, src, where);
    if constexpr (std::is_integral_v<Shape>) {
        call.by_count = true;
        call.block_len = shape;
    } else {
        call.block_count = shape.blockCount;
        call.block_len = shape.blockLen;
        call.src_gap = shape.srcStride;
        call.dst_gap = shape.dstStride;
    }
    return call;
}

}  // namespace sfumato::ascendc

#include "sfumato/ascendc/calls/data_copy.h"
