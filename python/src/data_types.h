// SPDX-License-Identifier: Apache-2.0
// Names of element types as Python spells them.
#pragma once

#include <optional>
#include <string>

#include "sfumato/data_type.h"
#include "sfumato/report.h"

namespace sfumato::python {

// The NumPy and the Ascend C spelling of a type.
inline std::optional<DataType> FindDataType(const std::string& name) {
    for (int i = 0; i < kDataTypeCount; ++i) {
        const auto t = static_cast<DataType>(i);
        if (name == NumpyName(t) || name == CName(t)) return t;
    }
    return std::nullopt;
}

inline DataType DataTypeOf(const std::string& name) {
    if (const auto t = FindDataType(name)) return *t;
    throw Error("'" + name + "' is not a type of the AI Core");
}

}  // namespace sfumato::python
