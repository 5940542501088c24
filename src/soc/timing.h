// SPDX-License-Identifier: Apache-2.0
// What is known of how long instructions take, of chips with published figures: the table [timing] of chips/*.toml
// (docs/spec/timing.md).
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "isa/opcode.h"
#include "sfumato/data_type.h"

namespace sfumato::soc {

struct TimingConstants {
#define SFUMATO_TIMING(name) double name = 0;
#include "soc/timing.inc"
#undef SFUMATO_TIMING
};

// One figure as its file states it, for the page.
struct TimingFigure {
    std::string name, unit, tag, source, from;
    double value = 0;
};

struct TimingProduct {
    std::string name;
    double megahertz = 0, l2_mib = 0;
    double gm_tbs = 0;  // 1e12 bytes a second, reads and writes
    std::string tag, source, gm_tag;
};

struct Timing {
    // Elements a cycle of full repeats; 0: no figure.
    struct Rate {
        float elements = 0;
        bool assumed = false;
    };
    TimingConstants constants;
    std::vector<TimingFigure> figures;
    std::vector<TimingProduct> products;
    std::array<std::array<Rate, kDataTypeCount>, isa::kOpcodeCount> rates{};  // by opcode and widest type
    std::vector<TimingFigure> rate_rows;                                      // for the page: name is calls and types

    // nullptr: no published figures of this product.
    const TimingProduct* Product(std::string_view name) const {
        for (const TimingProduct& product : products) {
            if (product.name == name) return &product;
        }
        return nullptr;
    }
};

}  // namespace sfumato::soc
