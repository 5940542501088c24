// SPDX-License-Identifier: Apache-2.0
// Ops::Base: questions about shapes whose sizes or rank are not known yet, and shapes as text. Every shape is known
// here.
#pragma once

#include <string>

#include "sfumato/op/shape.h"

namespace Ops {
namespace Base {

// A shape of unknown rank has one dimension, -2; an unknown dimension is -1.
inline bool IsUnknownRank(const gert::Shape& shape) {
    return shape.GetDimNum() == 1 && shape.GetDim(0) == ge::UNKNOWN_DIM_NUM;
}
inline bool IsUnknownShape(const gert::Shape& shape) {
    for (size_t i = 0; i < shape.GetDimNum(); ++i) {
        if (shape.GetDim(i) == ge::UNKNOWN_DIM) return true;
    }
    return false;
}
inline void SetUnknownRank(gert::Shape& shape) { shape = gert::Shape({ge::UNKNOWN_DIM_NUM}); }
inline void SetUnknownShape(int64_t rank, gert::Shape& shape) {
    shape.SetDimNum(static_cast<size_t>(rank));
    for (size_t i = 0; i < shape.GetDimNum(); ++i) shape.SetDim(i, ge::UNKNOWN_DIM);
}
// "[2, 3]".
inline std::string ToString(const gert::Shape& shape) {
    std::string text = "[";
    for (size_t i = 0; i < shape.GetDimNum(); ++i) text += (i ? ", " : "") + std::to_string(shape.GetDim(i));
    return text + "]";
}
inline std::string ToString(ge::DataType type) { return ge::TypeUtils::DataTypeToSerialString(type); }
inline std::string ToString(ge::Format format) { return ge::TypeUtils::FormatToSerialString(format); }

}  // namespace Base
}  // namespace Ops
