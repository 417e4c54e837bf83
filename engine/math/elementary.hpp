// Elementary functions that give the same result on every machine: those of the C library may choose their code by CPU, and trajectories
// would depend on it.
// Radians; relative error below 8e-16 in the stated ranges (tests/engine/math compares with long double).
#pragma once

namespace vertebra::inline math {

struct SinCos {
  double s, c;
};
SinCos sincos(double x);  // |x| up to 1e9; beyond that accuracy falls with the spacing of x itself
inline double sine(double x) { return sincos(x).s; }
inline double cosine(double x) { return sincos(x).c; }
double arctan2(double y, double x);  // (-pi, pi]; 0 for (0, 0)
double arccos(double x);             // argument clamped to [-1, 1]
double arcsin(double x);             // argument clamped to [-1, 1]
double exponential(double x);        // overflow gives +inf, underflow 0

}  // namespace vertebra::inline math
