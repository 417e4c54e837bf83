// See expression.hpp. A recursive descent over the text between the braces.
#include "loaders/scene/expression.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "engine/math/elementary.hpp"
#include "engine/math/types.hpp"
#include "loaders/scene/spelling.hpp"
#include "loaders/xml_text.hpp"

namespace vertebra::scene {
namespace {

constexpr int kDeepest = 64;  // parentheses in parentheses

class Parser {
 public:
  Parser(std::string_view text, const Variables& variables) : rest_(text), variables_(variables) {}

  double whole() {
    const double x = sum();
    skip();
    if (!rest_.empty()) fail("'" + std::string(rest_.substr(0, 20)) + "' follows the expression and does not belong to it");
    return x;
  }
  const std::string& problem() const { return problem_; }

 private:
  void fail(const std::string& what) {
    if (problem_.empty()) problem_ = what;
    rest_ = {};
  }
  void skip() {
    while (!rest_.empty() && isBlank(rest_.front())) rest_.remove_prefix(1);
  }
  bool take(char c) {
    skip();
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  double sum() {
    double x = product();
    while (true) {
      if (take('+'))
        x += product();
      else if (take('-'))
        x -= product();
      else
        return x;
    }
  }
  double product() {
    double x = factor();
    while (true) {
      if (take('*'))
        x *= factor();
      else if (take('/'))
        x /= factor();
      else
        return x;
    }
  }
  double factor() {
    if (++depth_ > kDeepest) {
      fail("it is nested more than " + std::to_string(kDeepest) + " deep");
      return 0;
    }
    const double x = take('-') ? -factor() : atom();
    --depth_;
    return x;
  }
  double atom() {
    if (take('(')) return closed(sum());
    skip();
    if (!rest_.empty() && std::isalpha(static_cast<unsigned char>(rest_.front()))) return named();
    std::size_t end = 0;
    while (end < rest_.size() && (std::isdigit(static_cast<unsigned char>(rest_[end])) || rest_[end] == '.' || exponent(end))) end++;
    double x = 0;
    if (end == 0 || !parseNumber(rest_.substr(0, end), x)) {
      fail(rest_.empty() ? "it ends too soon" : "'" + std::string(rest_.substr(0, 20)) + "' is not a number, a variable or a function");
      return 0;
    }
    rest_.remove_prefix(end);
    return x;
  }
  bool exponent(std::size_t i) const {  // of 1e-3
    const char c = rest_[i];
    if (c == 'e' || c == 'E') return i > 0;
    return (c == '-' || c == '+') && i > 0 && (rest_[i - 1] == 'e' || rest_[i - 1] == 'E');
  }
  double closed(double x) {
    if (!take(')')) fail("a ')' is missing");
    return x;
  }
  double named() {
    std::size_t end = 0;
    while (end < rest_.size() && (std::isalnum(static_cast<unsigned char>(rest_[end])) || rest_[end] == '_')) end++;
    const std::string name(rest_.substr(0, end));
    rest_.remove_prefix(end);
    if (take('(')) return function(name);
    if (name == "pi") return kPi;
    for (auto v = variables_.rbegin(); v != variables_.rend(); ++v)
      if (v->first == name) return v->second;
    std::vector<std::string> known{"pi"};
    for (const auto& v : variables_) known.push_back(v.first);
    fail("there is no variable '" + name + "' here" + suggestion(name, known) + " (known: " + list(known) + ")");
    return 0;
  }
  double function(const std::string& name) {
    const double a = sum();
    if (name == "floor") return closed(std::floor(a));
    if (name == "sqrt") return closed(std::sqrt(a));
    if (name == "sin") return closed(sine(a));
    if (name == "cos") return closed(cosine(a));
    const std::vector<std::string> known{"floor", "sqrt", "sin", "cos", "mod", "min", "max"};
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      fail("there is no function '" + name + "'" + suggestion(name, known) + " (known: " + list(known) + ")");
      return 0;
    }
    if (!take(',')) fail(name + " takes two arguments");
    const double b = closed(sum());
    if (name == "mod") return a - b * std::floor(a / b);
    return name == "min" ? std::min(a, b) : std::max(a, b);
  }

  std::string_view rest_;
  const Variables& variables_;
  std::string problem_;
  int depth_ = 0;
};

std::string written(double x) {
  if (x == std::floor(x) && std::fabs(x) < 1e15) return std::to_string(static_cast<long long>(x));
  return formatNumber(x);
}

}  // namespace

std::string substitute(const std::string& text, const Variables& variables, std::string& out) {
  out.clear();
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t open = text.find('{', at);
    out.append(text, at, open == std::string::npos ? open : open - at);
    if (open == std::string::npos) break;
    const std::size_t close = text.find('}', open);
    if (close == std::string::npos) return "a '{' is not closed by '}'";
    Parser parser(std::string_view(text).substr(open + 1, close - open - 1), variables);
    const double x = parser.whole();
    const std::string expression = text.substr(open, std::min<std::size_t>(close + 1 - open, 60));
    if (!parser.problem().empty()) return "the expression " + expression + " cannot be read: " + parser.problem();
    if (!std::isfinite(x)) return "the expression " + expression + " has no finite value";
    out += written(x);
    at = close + 1;
  }
  return "";
}

}  // namespace vertebra::scene
