// SPDX-License-Identifier: Apache-2.0
// What this Sfumato is and has: version, chips, SIMD targets. For `sfumato chips`, `sfumato doctor` and the Python
// module.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sfumato/chip_fact.h"
#include "sfumato/data_type.h"

namespace sfumato {

struct ProductInfo {
    std::string name;  // "Ascend910B1"
    uint32_t cube_cores = 0, vector_cores = 0;
};

struct ChipInfo {
    std::string name, title, arch;  // "Ascend910B", "Atlas A2 ...", "dav-2201"
    bool ascendc = false, tik = false;
    bool split_cores = false;  // cube and vector cores are separate
    bool vector_only = false;
    bool supports_infnan = false;
    Overflow board_overflow = Overflow::kSaturate;
    uint32_t event_ids = 0, buffers_per_position = 0;
    std::vector<std::pair<std::string, uint64_t>> memories;  // "UB", bytes; those it has
    uint32_t ascendc_conversions = 0,
             tik_conversions = 0;  // (source, destination) rows of the Cast and vec_conv tables
    std::vector<ProductInfo> products;
    std::vector<ChipFact> facts;  // everything that is known of it, with its source
};

SFUMATO_API std::vector<ChipInfo> Chips();
// The family that a family's or a product's name means, in any case. Throws UnsupportedError that lists them.
SFUMATO_API ChipInfo ChipOf(const std::string& name);

// SIMD targets compiled in and usable here, best first, and the one in use.
SFUMATO_API std::vector<std::string> SimdTargets();
SFUMATO_API std::string CurrentSimdTarget();

SFUMATO_API std::string Version();

}  // namespace sfumato
