// SPDX-License-Identifier: Apache-2.0
// Asks NumPy and PyTorch whose memory an array is.
#include "owner.h"

#include <nanobind/stl/pair.h>

namespace nb = nanobind;

namespace sfumato::python {

Part PartOf(nb::handle array, const Bytes& bytes) {
    if (bytes.size() == 0 || array.attr("base").is_none()) return {};
    const nb::object owner = nb::module_::import_("sfumato._foreign").attr("owner_of")(array);
    const auto [address, size] = nb::cast<std::pair<uint64_t, uint64_t>>(owner);
    const auto begin = reinterpret_cast<uintptr_t>(bytes.data()), end = begin + bytes.size();
    if (begin < address || end > address + size) return {};
    return {begin - address, address + size - end};
}

}  // namespace sfumato::python
