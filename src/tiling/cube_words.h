// SPDX-License-Identifier: Apache-2.0
// Words of texts about Matmul, and the small arithmetic of its tiling.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "sfumato/report.h"
#include "sfumato/tiling/cube_planner.h"

namespace sfumato::tiling {

constexpr int64_t Divided(int64_t a, int64_t b) { return (a + b - 1) / b; }
constexpr int64_t RoundedUp(int64_t a, int64_t unit) { return Divided(a, unit) * unit; }
// Elements of 32 bytes.
constexpr int64_t C0(DataType type) { return 256 / BitsOf(type); }
constexpr int64_t BitBytes(DataType type, int64_t elements) {
    return static_cast<int64_t>(BytesOf(type, static_cast<uint64_t>(elements)));
}

constexpr const char* kMatrices[] = {"A", "B", "C", "bias"};

template <class... Values>
[[noreturn]] void Refuse(fmt::format_string<Values...> text, Values&&... values) {
    throw Error(fmt::format(text, std::forward<Values>(values)...));
}

// Bytes of L1 that the blocks of A, B and the bias take.
struct CubeL1 {
    int64_t a, b, bias;
    int64_t Sum() const { return a + b + bias; }
};
CubeL1 L1Of(const TCubeTiling& tiling, const CubeTypes& types);

// What the base sizes are multiples of.
constexpr int64_t kFractal = 16;

}  // namespace sfumato::tiling
