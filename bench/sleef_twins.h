// SPDX-License-Identifier: Apache-2.0
// SLEEF's functions of float with errors of 1 unit in the last place: the twins of the correctly rounded ones.
#pragma once

#include <cstddef>

namespace sfumato::bench {

struct SleefTwin {
    const char* name;
    void (*run)(const float* src, float* dst, size_t n);  // n is a multiple of 16
};

// The function of this name for the best vectors of this CPU, nullptr where there is none.
const SleefTwin* FindSleef(const char* name);

}  // namespace sfumato::bench
