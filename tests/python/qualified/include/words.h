// SPDX-License-Identifier: Apache-2.0
// Qualifiers as public code writes them, in macros of two headers.
// clang-format off
#pragma once
#include <deep/force.hpp>
#if __has_include("beside.h")
#include "beside.h"
#else
#error "beside.h stands beside this header"
#endif

#define HD FORCE [host, aicore]
#define KERNEL extern "C" __global__ [aicore]
#define UB __ubuf__
#define BUFFER(T, name, count) UB T name[count]

namespace words {

struct Shape {
    uint32_t rows, columns;
    HD constexpr Shape(uint32_t r, uint32_t c) : rows(r), columns(c) {}
    HD Shape operator*(uint32_t n) const { return {rows * n, columns}; }
    HD explicit operator uint32_t() const { return rows * columns; }
    friend [host, aicore] bool operator==(const Shape& a, const Shape& b) {
        return a.rows == b.rows && a.columns == b.columns;
    }
    template <class T>
    HD auto Bytes() const -> uint64_t {
        return uint64_t{rows} * columns * sizeof(T);
    }
    [aicore] ~Shape() = default;
};

template <int n>
struct Power {
    HD static float Of(float x) { return x * Power<n - 1>::Of(x); }
};
template <>
struct Power<0> {
    static __forceinline__[aicore] inline float Of(float) { return 1; }
};

}  // namespace words
