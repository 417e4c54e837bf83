// Units of the FMU's variables with their exponents of SI base units, rad among them, for UnitDefinitions.
#pragma once

namespace vertebra::fmi {

struct Unit {
  const char* name;
  int kg, m, s, rad;
};
constexpr Unit kUnits[] = {
    {"s", 0, 0, 1, 0},         {"m", 0, 1, 0, 0},       {"rad", 0, 0, 0, 1},         {"m/s", 0, 1, -1, 0}, {"rad/s", 0, 0, -1, 1},
    {"m/s2", 0, 1, -2, 0},     {"rad/s2", 0, 0, -2, 1}, {"N", 1, 1, -2, 0},          {"N.m", 1, 2, -2, 0}, {"N/m", 1, 0, -2, 0},
    {"N.m/rad", 1, 2, -2, -1}, {"N.s/m", 1, 0, -1, 0},  {"N.m.s/rad", 1, 2, -1, -1}, {"J", 1, 2, -2, 0},   {"W", 1, 2, -3, 0},
    {"kg", 1, 0, 0, 0},        {"kg/s", 1, 0, -1, 0},   {"Pa", 1, -1, -2, 0},
};

}  // namespace vertebra::fmi
