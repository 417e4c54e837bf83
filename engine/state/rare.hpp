// A value that few objects have: no memory is used where it has its default.
#pragma once
#include <memory>

namespace vertebra::inline state {

template <class T>
class Rare {
 public:
  Rare() = default;
  Rare(Rare&&) = default;
  Rare& operator=(Rare&&) = default;
  Rare(const Rare& o) : value_(o.value_ ? std::make_unique<T>(*o.value_) : nullptr) {}
  Rare& operator=(const Rare& o) {
    value_ = o.value_ ? std::make_unique<T>(*o.value_) : nullptr;
    return *this;
  }
  explicit operator bool() const { return value_ != nullptr; }
  const T* operator->() const {
    static const T none{};
    return value_ ? value_.get() : &none;
  }
  const T& operator*() const { return *operator->(); }
  T& make() {  // to write
    if (!value_) value_ = std::make_unique<T>();
    return *value_;
  }
  T* get() { return value_.get(); }
  void reset() { value_.reset(); }

 private:
  std::unique_ptr<T> value_;
};

}  // namespace vertebra::inline state
