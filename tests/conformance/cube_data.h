// SPDX-License-Identifier: Apache-2.0
// Numbers for the cube unit's operands: kinds of data that reach the corners of the arithmetic.
#pragma once

#include "conformance/cube_runner.h"

namespace sfumato::conformance {

enum class Data {
    kSmallIntegers,  // exact in every type
    kOrdinary,       // magnitudes around 1
    kSprinkled,      // ordinary with a few infinities, NaN, zeros and subnormals
    kExtreme,        // exponents at the ends of the type
    kAnyBits
};

Data DrawData(Random& random);
// The bit pattern of one element. Integers are small, or any.
uint64_t DrawElement(Random& random, DataType type, Data data);

}  // namespace sfumato::conformance
