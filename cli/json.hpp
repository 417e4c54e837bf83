// Writes one JSON text: shortest numbers that read back the same, escaped strings, null for what is not finite.
// Independent of the locale. Commas are placed by the writer; the caller keeps begin and end, key and value in pairs.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace vertebra::cli {

class Json {
 public:
  Json& beginObject() { return open('{'); }
  Json& endObject() { return close('}'); }
  Json& beginArray() { return open('['); }
  Json& endArray() { return close(']'); }
  Json& key(std::string_view name);
  Json& value(double number);
  Json& value(std::int64_t number);
  Json& value(int number) { return value(static_cast<std::int64_t>(number)); }
  Json& value(bool truth);
  Json& value(std::string_view text);
  Json& value(const char* text) { return value(std::string_view(text)); }
  Json& null();
  Json& numbers(const double* values, std::size_t count);
  Json& numbers(const std::vector<double>& values) { return numbers(values.data(), values.size()); }
  Json& strings(const std::vector<std::string>& values);
  // One member of an object.
  template <class T>
  Json& member(std::string_view name, const T& content) {
    return key(name).value(content);
  }
  const std::string& text() const { return text_; }

 private:
  Json& open(char bracket);
  Json& close(char bracket);
  void separate();
  void quote(std::string_view text);

  std::string text_;
  bool first_ = true;  // no comma before the next entry
};

// A number as JSON has it; "null" if it is not finite.
std::string shortest(double number);

}  // namespace vertebra::cli
