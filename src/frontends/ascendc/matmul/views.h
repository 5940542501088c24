// SPDX-License-Identifier: Apache-2.0
// Sizes and parts of tensors as Matmul needs them.
#pragma once

#include <algorithm>
#include <cstdint>

#include "frontends/ascendc/context.h"
#include "sfumato/round_up.h"

namespace sfumato::ascendc::mm {

inline uint32_t Bytes(DataType type, uint64_t count) { return static_cast<uint32_t>(BytesOf(type, count)); }

// The tensor from a byte on.
inline LocalView From(LocalView view, uint64_t bytes) {
    const auto left = static_cast<uint32_t>(view.room - std::min<uint64_t>(bytes, view.room));
    view.address += bytes;
    if (view.room) view.size = static_cast<uint32_t>(uint64_t{view.size} * left / view.room);
    view.room = left;
    return view;
}
inline LocalView Typed(LocalView view, DataType type) {
    view.size = static_cast<uint32_t>(uint64_t{view.room} * 8 / BitsOf(type));
    return view;
}

}  // namespace sfumato::ascendc::mm
