// SPDX-License-Identifier: Apache-2.0
// A wrong record and its report.
#pragma once

#include <vector>

#include "check/records.h"

namespace sfumato::check {

struct Case {
    Rule rule;
    const char* title;
    const char* chip;
    isa::Record record;
    // Without these the words are those of reports/rules_test.txt, under the title: so for new cases.
    const char *operand = nullptr, *message = nullptr, *found = nullptr, *legal = nullptr, *hint = nullptr;
};

std::vector<Case> LoadCases();    // LoadData and the memories it works on
std::vector<Case> CubeCases();    // Mmad, the ways out of L0C, layouts, tables
std::vector<Case> LaneCases();    // compares, selects, fills, gathers
std::vector<Case> ReduceCases();  // reductions and transposes
std::vector<Case> SortCases();    // sorts, merges, fields of records

}  // namespace sfumato::check
