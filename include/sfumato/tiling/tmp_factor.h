// SPDX-License-Identifier: Apache-2.0
// tmp_sizes.inc as constants, for the host functions and for the kernels that check a buffer against them.
#pragma once

#include <cstdint>

namespace sfumato::tiling {

// What an elementwise call lists: nodes of temporaries and bytes besides.
struct TmpFactor {
    uint32_t live = 0, extra = 0;
    constexpr uint64_t Least() const { return uint64_t{live} * 256 + extra; }
};

enum class TmpRow : uint8_t {
#define SFUMATO_TMP_SIZE(Name, half, single, extra) k##Name,
#include "sfumato/tiling/tmp_sizes.inc"
#undef SFUMATO_TMP_SIZE
};

// type_size: bytes of an element, 1, 2 or 4.
constexpr TmpFactor FactorOf(TmpRow row, uint32_t type_size) {
    constexpr struct {
        uint32_t half, single, extra;
    } kRows[] = {
#define SFUMATO_TMP_SIZE(Name, half, single, extra) {half, single, extra},
#include "sfumato/tiling/tmp_sizes.inc"
#undef SFUMATO_TMP_SIZE
    };
    const auto& of = kRows[static_cast<int>(row)];
    return {type_size == 4 ? of.single : of.half, of.extra};
}

}  // namespace sfumato::tiling
