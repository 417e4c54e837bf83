// The result of a call that may fail. A step makes some hundred such calls, so that what comes with an error (a text, the body concerned)
// lies on the heap: without one a result is a null pointer.
#pragma once
#include <string>
#include <utility>

namespace vertebra::inline state {

class Failure {  // converts to true when there is an error
 public:
  enum Kind { None, Argument, Unsupported, Diverged, Infeasible, Unsolved, TooDeep };

  Failure() = default;
  Failure(Kind kind, std::string text, int body = -1);  // the body concerned, if there is one; the engine has no names
  Failure(Failure&& other) noexcept : error_(std::exchange(other.error_, nullptr)) {}
  Failure& operator=(Failure&& other) noexcept {
    std::swap(error_, other.error_);
    return *this;
  }
  ~Failure() {
    if (error_) discard(error_);
  }
  explicit operator bool() const { return error_ != nullptr; }
  Kind kind() const { return error_ ? error_->kind : None; }
  int body() const { return error_ ? error_->body : -1; }
  const std::string& text() const;        // empty without an error
  void within(const std::string& where);  // puts this before the text of an error

 private:
  struct Error {
    Kind kind;
    std::string text;
    int body;
  };
  [[gnu::cold]] static void discard(Error* error);

  Error* error_ = nullptr;
};

}  // namespace vertebra::inline state
