// SPDX-License-Identifier: Apache-2.0
// The estimates of 1 / x and 1 / sqrt(x) with eight fraction bits, as boards give them: the tables RecipEstimate and
// RecipSqrtEstimate that the Arm Architecture Reference Manual gives as pseudocode for FRECPE and FRSQRTE
// (docs/last-bits.md).
#pragma once

#include <array>
#include <cstdint>

namespace sfumato::numeric {

// Entry i belongs to the significands [256 + i, 257 + i) / 512 in [0.5, 1): the eight fraction bits of the estimate,
// which is in [1, 2), as they stand in a float.
constexpr std::array<uint32_t, 256> ReciprocalEstimates() {
    std::array<uint32_t, 256> table{};
    for (uint32_t i = 0; i < 256; ++i) {
        const uint32_t middle = 2 * (256 + i) + 1;  // in units of 1/1024
        table[i] = (((1u << 19) / middle + 1) / 2 - 256) << 15;
    }
    return table;
}

// The same of the root: entries 0 to 127 of significands [128 + i, 129 + i) / 512 in [0.25, 0.5), 128 to 255 of
// [256 + 2 k, 258 + 2 k) / 512 in [0.5, 1), where k = i - 128.
constexpr std::array<uint32_t, 256> RsqrtEstimates() {
    std::array<uint32_t, 256> table{};
    for (uint32_t i = 0; i < 256; ++i) {
        const uint64_t middle = i < 128 ? 2 * (128 + i) + 1 : 4 * i + 2;  // in units of 1/1024
        uint64_t root = 512;
        while (middle * (root + 1) * (root + 1) < uint64_t{1} << 28) ++root;
        table[i] = static_cast<uint32_t>((root + 1) / 2 - 256) << 15;
    }
    return table;
}

}  // namespace sfumato::numeric
