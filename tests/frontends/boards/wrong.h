// SPDX-License-Identifier: Apache-2.0
// Kernels of Ascend310B and Ascend310P with one mistake each, and without it. Tables in wrong_*.cpp.
#pragma once

#include "operators.h"

namespace sfumato::boards {

// x: 2048 floats, or 8192 bytes of anything, 0 to 9; y: 8192 bytes that nothing has written.
constexpr uint32_t kBytes = 8192, kFloats = kBytes / 4;

// wrong: with the mistake; without it the same kernel runs, and nothing is found.
struct Wrong {
    const char* name;
    const char* chip;
    void (*kernel)(GM_ADDR x, GM_ADDR y, bool wrong);
    struct Options {
        const char* schedule = "eager";
        const char* check = "";
        uint32_t blocks = 1;
        bool auto_sync = true;
    } options = {};
    const char* file = __builtin_FILE();  // of its table
};

constexpr const char *kOn310B = "Ascend310B1", *kOn310P = "Ascend310P3";

std::vector<Wrong> WrongVector();
std::vector<Wrong> WrongCalls();
std::vector<Wrong> WrongCube();

}  // namespace sfumato::boards
