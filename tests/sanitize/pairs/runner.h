// SPDX-License-Identifier: Apache-2.0
// Runs a half of a pair, and says what it found in words that do not change when lines move.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sanitize/pairs/pair.h"

namespace sfumato::pairs {

const std::vector<Class>& Classes();

struct Outcome {
    std::vector<Report> findings;
    bool ok = false;
    std::vector<std::vector<uint8_t>> memory;  // after the launch, by allocation
};

// workers: threads; 0: what each half is judged with; kAsUsers: nobody says.
constexpr uint32_t kAsUsers = UINT32_MAX;
// with: changes options of the launch.
Outcome RunHalf(const Pair& pair, bool wrong, const std::string& check, const std::string& schedule = "eager",
                uint32_t workers = 0, const std::function<void(LaunchOptions&)>& with = {});

// How often the rule was found, and what else at warning or above.
struct Verdict {
    size_t found = 0;
    std::vector<std::string> others;
};
Verdict Judge(const Pair& pair, const Outcome& run);

// The pairs of the class with inputs in which hardly two tiles are equal, so that an order can decide bytes.
std::vector<Pair> WithMixedInputs(const Class& of);
// Nothing orders two accesses of one core.
bool IsRaceInACore(const Pair& pair);
// Whether the wrong half leaves other bytes than in eager order, or gives a fault.
bool ShowsUnder(const Pair& pair, const std::string& schedule);

// The event or pipe of the call that the corrected half has just before the report's line: "V_MTE2", "PIPE_MTE2".
// Empty: no `if (!wrong)` there, or another call.
std::string MendOf(const Report& report);

}  // namespace sfumato::pairs
