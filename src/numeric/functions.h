// SPDX-License-Identifier: Apache-2.0
// Exponential and logarithm rounded correctly to float, in integer arithmetic: the clear form, for the few arguments
// whose result a double cannot decide.
#pragma once

namespace sfumato::numeric {

// e^x to nearest even; x is finite.
float Exp(float x);
// ln x to nearest even; x is finite and above 0.
float Ln(float x);

}  // namespace sfumato::numeric
