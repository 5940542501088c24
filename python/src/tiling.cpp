// SPDX-License-Identifier: Apache-2.0
// Tilings from words, for sfumato.tiling.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "module.h"
#include "sfumato/tiling/tiling_of.h"

namespace nb = nanobind;

namespace sfumato::python {

void BindTiling(nb::module_& m) {
    // (name of the struct, [(C++ type, name)], bytes)
    m.def("tiling_of", [](const std::string& chip, const std::string& call, const tiling::TilingSettings& settings) {
        const tiling::TilingValue value = tiling::TilingOf(chip, call, settings);
        nb::list fields;
        for (const tiling::TilingField& field : value.fields) fields.append(nb::make_tuple(field.type, field.name));
        return nb::make_tuple(value.name, fields, nb::bytes(value.bytes.data(), value.bytes.size()));
    });
    // (maximum, minimum) in bytes
    m.def("tmp_sizes", [](const std::string& call, const std::vector<int64_t>& shape, const std::string& type) {
        const tiling::TmpSizes sizes = tiling::TmpSizesOf(call, shape, type);
        return std::pair(sizes.max, sizes.min);
    });
}

}  // namespace sfumato::python
