// SPDX-License-Identifier: Apache-2.0
// Refusals, and slices as operands: what recording and running share.
#include "frontends/tik/fault.h"

#include <fmt/format.h>

#include <utility>

namespace sfumato::tik {

void Refuse(Finding finding) { throw Refused{std::move(finding)}; }

isa::Operand MakeOperand(const TensorNode& tensor, DataType type, int64_t offset, uint64_t copy) {
    const uint64_t start = tensor.offset + copy * tensor.pitch;
    if (offset < 0) {
        Refuse({Rule::kSliceStart, tensor.name, "the slice starts before the Tensor", fmt::format("element {}", offset),
                "0 or more", "check how the index is computed"});
    }
    isa::Operand o;
    o.memory = tensor.memory;
    o.type = type;
    o.allocation = tensor.gm >= 0 ? static_cast<uint32_t>(tensor.gm) : 0;
    o.offset = start + BytesOf(type, static_cast<uint64_t>(offset));
    o.limit = start + tensor.bytes;
    return o;
}

}  // namespace sfumato::tik
