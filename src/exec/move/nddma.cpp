// SPDX-License-Identifier: Apache-2.0
// NDDMA: a box of global memory, with pads, to places of UB (arch950.md 1.3).
#include <algorithm>
#include <cstring>

#include "exec/meaning.h"
#include "isa/boxes.h"

namespace sfumato::exec {
namespace {

// Elements as integers of their width.
template <class T>
void MoveBox(const isa::NdDma& s, uint8_t* dst, const uint8_t* src) {
    const isa::NdDma::Loop& inner = s.loops[0];
    const auto pad = static_cast<T>(s.pad_value);
    const size_t from_step = inner.src_stride * sizeof(T), to_step = inner.dst_stride * sizeof(T);
    isa::ForEachBoxRow(s, [&](const isa::BoxRow& row) {
        uint8_t* to = dst + row.dst * sizeof(T);
        const uint8_t* from = src + row.src * sizeof(T);
        const auto fill = [&](size_t count, T value) {
            for (; count > 0; --count, to += to_step) std::memcpy(to, &value, sizeof(T));
        };
        const auto element = [&](size_t i) {
            T value;
            std::memcpy(&value, from + i * from_step, sizeof(T));
            return value;
        };
        if (!row.inside && !s.nearest) {
            fill(inner.places(), pad);
            return true;
        }
        if (inner.before != 0) fill(inner.before, s.nearest ? element(0) : pad);
        if (inner.src_stride == 1 && inner.dst_stride == 1) {
            std::memcpy(to, from, inner.size * sizeof(T));
            to += inner.size * sizeof(T);
        } else {
            for (size_t i = 0; i < inner.size; ++i, to += to_step) std::memcpy(to, from + i * from_step, sizeof(T));
        }
        if (inner.behind != 0) fill(inner.behind, s.nearest ? element(inner.size - 1) : pad);
        return true;
    });
}

}  // namespace

bool Execute(const isa::Record& r, const isa::NdDma& s, const MemoryMap& memory) {
    uint8_t* dst = memory.Address(r.dst());
    const uint8_t* src = memory.Address(r.src0());
    switch (BytesOf(r.dst().type, 1)) {
        case 1: MoveBox<uint8_t>(s, dst, src); break;
        case 2: MoveBox<uint16_t>(s, dst, src); break;
        case 4: MoveBox<uint32_t>(s, dst, src); break;
        case 8: MoveBox<uint64_t>(s, dst, src); break;
        default: Refuse(r, "has no elements of this width.");
    }
    return false;
}

}  // namespace sfumato::exec
