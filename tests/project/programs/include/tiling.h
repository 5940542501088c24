// SPDX-License-Identifier: Apache-2.0
// What the host tells the kernel.
#pragma once
#include <cstdint>

struct TwiceTiling {
    uint32_t count;
    float factor;
};
