// SPDX-License-Identifier: Apache-2.0
// Words of texts about the tiling of Matmul.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "sfumato/report.h"
#include "sfumato/tiling/cube_planner.h"

namespace sfumato::tiling {

constexpr const char* kMatrices[] = {"A", "B", "C", "bias"};

// "ND_ALIGN"; the number of one that has no name.
std::string FormatName(AscendC::CubeFormat format);

template <class... Values>
[[noreturn]] void Refuse(fmt::format_string<Values...> text, Values&&... values) {
    throw Error(fmt::format(text, std::forward<Values>(values)...));
}

// As they lie in L1 and L0: B of int8_t beside A of half is half.
inline CubeTypes Loaded(CubeTypes types) {
    if (types.a.type == DataType::kHalf && types.b.type == DataType::kInt8) types.b.type = DataType::kHalf;
    return types;
}

}  // namespace sfumato::tiling
