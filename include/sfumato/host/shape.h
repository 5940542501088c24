// SPDX-License-Identifier: Apache-2.0
// ge::Shape, ge::DataType and ge::Format as tiling functions take them. Sizes: outermost first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

#include "sfumato/op/graph_numbers.h"
#include "sfumato/type_numbers.h"
#include "sfumato/type_macros_off.inc"

namespace ge {

// Macros of these names: see matmul_tiling::DataType.
#ifdef DT_FLOAT
enum DataType : int;
enum Format : int;
#else
#define SFUMATO_X(word, number) DT_##word = number,
#define SFUMATO_OF_KERNELS(word, number, type, numpy) SFUMATO_X(word, number)
enum DataType : int {
    SFUMATO_TYPE_NUMBERS(SFUMATO_OF_KERNELS) SFUMATO_SMALL_FLOAT_NUMBERS(SFUMATO_OF_KERNELS)
        SFUMATO_GRAPH_TYPE_NUMBERS(SFUMATO_X) DT_BFLOAT16 = DT_BF16,
    DT_MAX = 42
};
#undef SFUMATO_OF_KERNELS
#undef SFUMATO_X
#define SFUMATO_X(word, number) FORMAT_##word = number,
enum Format : int {
    SFUMATO_FORMAT_NUMBERS(SFUMATO_X) SFUMATO_GRAPH_FORMAT_NUMBERS(SFUMATO_X) FORMAT_END,
    FORMAT_MAX = 0xff
};
#undef SFUMATO_X
#endif

class Shape {
public:
    Shape() = default;
    explicit Shape(std::vector<int64_t> dims) : dims_(std::move(dims)) {}
    Shape(std::initializer_list<int64_t> dims) : dims_(dims) {}

    size_t GetDimNum() const { return dims_.size(); }
    // 0 outside of the shape.
    int64_t GetDim(size_t index) const { return index < dims_.size() ? dims_[index] : 0; }
    void SetDim(size_t index, int64_t value) {
        if (index < dims_.size()) dims_[index] = value;
    }
    std::vector<int64_t> GetDims() const { return dims_; }
    // Elements; 0 of a shape without dimensions.
    int64_t GetShapeSize() const {
        int64_t size = dims_.empty() ? 0 : 1;
        for (const int64_t dim : dims_) size *= dim;
        return size;
    }

private:
    std::vector<int64_t> dims_;
};

}  // namespace ge

#ifdef SFUMATO_TYPE_MACROS
#include "sfumato/type_macros.h"
#endif
