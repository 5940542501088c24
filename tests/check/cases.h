// SPDX-License-Identifier: Apache-2.0
// Wrong records; their reports stand in reports/rules_test.txt, under the rule and the title.
#pragma once

#include <vector>

#include "check/records.h"

namespace sfumato::check {

struct Case {
    Rule rule;
    const char* title;
    const char* chip;
    isa::Record record;
};

std::vector<Case> LoadCases();    // LoadData and the memories it works on
std::vector<Case> CubeCases();    // Mmad, the ways out of L0C, layouts, tables
std::vector<Case> LaneCases();    // compares, selects, fills, gathers
std::vector<Case> ReduceCases();  // reductions and transposes
std::vector<Case> SortCases();    // sorts, merges, fields of records

}  // namespace sfumato::check
