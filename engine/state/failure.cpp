// See failure.hpp.
#include "engine/state/failure.hpp"

namespace vertebra::inline state {

Failure::Failure(Kind kind, std::string text, int body) : error_(new Error{kind, std::move(text), body}) {}

const std::string& Failure::text() const {
  static const std::string none;
  return error_ ? error_->text : none;
}

void Failure::within(const std::string& where) {
  if (error_) error_->text = where + error_->text;
}

void Failure::discard(Error* error) { delete error; }

}  // namespace vertebra::inline state
