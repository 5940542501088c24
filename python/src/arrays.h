// SPDX-License-Identifier: Apache-2.0
// Arrays of the caller: what they are parts of, and how results get there.
#pragma once

#include <nanobind/ndarray.h>

#include <cstdint>
#include <span>

#include "sfumato/array_part.h"
#include "sfumato/launch.h"

namespace sfumato::python {

// Flat bytes of an array.
using Bytes = nanobind::ndarray<nanobind::ro, uint8_t, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;

// Where the bytes begin in the array that owns them, and how many of it follow.
struct Part {
    uint64_t start = 0, more = 0;
};
// `array`: the NumPy array that `bytes` is.
Part PartOf(nanobind::handle array, const Bytes& bytes);

inline void TellPart(GlobalMemory& memory, const uint8_t* device, nanobind::handle array, const Bytes& bytes) {
    const Part part = PartOf(array, bytes);
    if (part.start != 0 || part.more != 0) SetPart(memory, device, part.start, bytes.data() + bytes.size(), part.more);
}

// Copies results. Large ones go past the caches: nobody here reads them again, and the lines they replace need not be
// fetched first.
void CopyOut(uint8_t* to, std::span<const uint8_t> bytes);

}  // namespace sfumato::python
