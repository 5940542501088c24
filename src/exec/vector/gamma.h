// SPDX-License-Identifier: Apache-2.0
// The functions of the gamma family in double, for arguments that are floats.
#pragma once

namespace sfumato::exec {

// ln |gamma(x)|: +inf at the poles 0, -1, -2 ... and at both infinities. The error is below 2^-46 of the result, or
// 2^-44.
double LgammaInDouble(double x);
// Its derivative, with the same errors: NaN at the poles below 0 and at -inf; -inf at +0, +inf at -0.
double DigammaInDouble(double x);

}  // namespace sfumato::exec
