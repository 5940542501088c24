// SPDX-License-Identifier: Apache-2.0
// Which function runs an operation on registers of a type: one table, filled in by the file of each group.
#pragma once

#include <cstdint>

#include "exec/registers/registers.h"
#include "sfumato/data_type.h"

namespace sfumato::exec {

using RegisterFn = uint32_t (*)(const RegisterCall&, const RegisterControl&);

// By the type of the sources. Where `to` matters, the function tells the targets apart.
struct RegisterTable {
    RegisterFn run[static_cast<int>(RegisterOp::kCount)][static_cast<int>(DataType::kEnd)]{};

    RegisterFn& At(RegisterOp op, DataType type) { return run[static_cast<int>(op)][static_cast<int>(type)]; }
    RegisterFn At(RegisterOp op, DataType type) const { return run[static_cast<int>(op)][static_cast<int>(type)]; }
};

void AddIntegers(RegisterTable& table);     // integers.cpp
void AddArithmetic(RegisterTable& table);   // arithmetic.cpp: of floats
void AddFunctions(RegisterTable& table);    // functions.cpp: Div, Sqrt, Exp and their like
void AddComplex(RegisterTable& table);      // complex.cpp
void AddLogic(RegisterTable& table);        // logic.cpp
void AddComparisons(RegisterTable& table);  // comparisons.cpp
void AddReductions(RegisterTable& table);   // reductions.cpp
void AddConversions(RegisterTable& table);  // conversions.cpp
void AddShuffles(RegisterTable& table);     // shuffles.cpp

}  // namespace sfumato::exec
