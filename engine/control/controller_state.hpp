// ControllerState: what controllers keep between steps, as numbers: written to a list, or read from one. One function of a controller does
// both, so that they cannot differ.
#pragma once
#include <cstddef>
#include <vector>

#include "engine/math/types.hpp"

namespace vertebra::control {

class ControllerState {
 public:
  explicit ControllerState(std::vector<double>& to) : to_(&to) {}
  ControllerState(const double* from, std::size_t count) : from_(from), left_(count) {}

  bool reads() const { return !to_; }
  bool failed() const { return failed_; }  // the numbers that are read end too early or belong to another controller
  void fail() { failed_ = true; }
  std::size_t left() const { return left_; }  // numbers that were not read

  void number(double& x) {
    if (to_) {
      to_->push_back(x);
    } else if (left_ > 0) {
      x = *from_++;
      left_--;
    } else {
      failed_ = true;
    }
  }
  template <class T>
  void whole(T& x) {  // bool, an enumeration or an integer below 2^53
    double number = static_cast<double>(x);
    this->number(number);
    if (reads() && !failed_) x = static_cast<T>(static_cast<long long>(number));
  }
  void numbers(std::vector<double>& x) {  // its size is not exchanged
    for (double& value : x) number(value);
  }
  void vector(Vec3& x) {
    for (int k = 0; k < 3; k++) number(x[k]);
  }
  void pose(Pose& x) {
    vector(x.p);
    for (int k = 0; k < 4; k++) number(x.q.coeffs()[k]);
  }

 private:
  std::vector<double>* to_ = nullptr;
  const double* from_ = nullptr;
  std::size_t left_ = 0;
  bool failed_ = false;
};

}  // namespace vertebra::control
