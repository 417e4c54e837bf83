// See failure.hpp.
#include "engine/state/failure.hpp"

namespace vertebra::inline state {

namespace {
// A step that goes too deep is made again in parts, which must take no memory: all such failures are one, without a text.
template <class Error>
Error& tooDeep() {
  static Error error{Failure::TooDeep, "", -1};
  return error;
}
}  // namespace

Failure::Failure(Kind kind, std::string text, int body)
    : error_(kind == TooDeep ? &tooDeep<Error>() : new Error{kind, std::move(text), body}) {}

const std::string& Failure::text() const {
  static const std::string none;
  return error_ ? error_->text : none;
}

void Failure::within(const std::string& where) {
  if (error_) error_->text = where + error_->text;
}

void Failure::discard(Error* error) {
  if (error != &tooDeep<Error>()) delete error;
}

}  // namespace vertebra::inline state
