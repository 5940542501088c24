// SPDX-License-Identifier: Apache-2.0
// Functions of real numbers, the clear form, with 512 bits: for the arguments whose result a double cannot decide.
// Arguments are finite floats or halves for which the function is finite. The result is rounded to odd: the double
// below in magnitude, with its last bit set where something was dropped, so that rounding it again to float or half,
// either way to nearest even, is right. What a double cannot hold becomes 0 or the largest double.
#pragma once

namespace sfumato::numeric {

double Sin(double x);
double Cos(double x);
double Tan(double x);
double Asin(double x);
double Acos(double x);
double Atan(double x);
double Sinh(double x);
double Cosh(double x);
double Tanh(double x);
double Asinh(double x);
double Acosh(double x);
double Atanh(double x);
double Erf(double x);
double Erfc(double x);
double Lgamma(double x);   // ln |gamma(x)|; x is no pole
double Digamma(double x);  // x is no pole
double Log2(double x);
double Log10(double x);
// x to the power y, x != 0; y is an integer where x < 0.
double Power(double x, double y);
double Hypot(double x, double y);

// x = (4 n + quadrant) pi/2 + the result, which lies within pi/4 and is right to 2^-52 of itself. x is a finite float.
double QuarterTurns(double x, int* quadrant);

}  // namespace sfumato::numeric
