// Command line parser and help texts; see arguments.hpp.
#include "cli/arguments.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace vertebra::cli {

namespace {

bool parsePlain(std::string_view text, double& number) {
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() && std::isfinite(number);
}

const Option* find(const Syntax& syntax, std::string_view name) {
  const auto found = std::find_if(syntax.options.begin(), syntax.options.end(), [&](const Option& o) { return o.name == name; });
  return found == syntax.options.end() ? nullptr : &*found;
}

const Option* findLetter(const Syntax& syntax, std::string_view name) {  // "-o"
  const auto found = std::find_if(syntax.options.begin(), syntax.options.end(),
                                  [&](const Option& o) { return name.size() == 2 && o.letter != 0 && name[1] == o.letter; });
  return found == syntax.options.end() ? nullptr : &*found;
}

}  // namespace

bool parseNumber(std::string_view text, double& number) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return parsePlain(text, number);
  double numerator = 0, denominator = 0;
  if (!parsePlain(text.substr(0, slash), numerator) || !parsePlain(text.substr(slash + 1), denominator)) return false;
  number = numerator / denominator;
  return std::isfinite(number);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

Arguments::Arguments(const Syntax& syntax, const std::vector<std::string>& words) {
  bool optionsEnded = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (optionsEnded || !word.starts_with('-') || word == "-") {
      operands_.push_back(word);
      continue;
    }
    if (word == "--") {
      optionsEnded = true;
      continue;
    }
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const Option* option = name.starts_with("--") ? find(syntax, name.substr(2)) : findLetter(syntax, name);
    if (option == nullptr) throw UsageError("unknown option " + name);
    if (has(option->name) && !option->repeatable) throw UsageError(name + " is given twice");
    std::string value;
    if (option->value.empty()) {
      if (equals != std::string::npos) throw UsageError(name + " takes no value");
    } else if (equals != std::string::npos) {
      value = word.substr(equals + 1);
    } else {
      if (i + 1 == words.size()) throw UsageError(name + " needs a value: " + name + " " + option->value);
      value = words[++i];
    }
    values_[option->name].push_back(std::move(value));
  }
  if (operands_.size() < syntax.operandCount) throw UsageError("missing operand; expected " + syntax.operands);
  if (operands_.size() > syntax.operandCount)
    throw UsageError("'" + operands_[syntax.operandCount] + "' is one operand too many; expected " + syntax.operands);
}

std::string Arguments::text(const std::string& name, const std::string& fallback) const {
  return has(name) ? values_.at(name).front() : fallback;
}

std::vector<std::string> Arguments::all(const std::string& name) const { return has(name) ? values_.at(name) : std::vector<std::string>(); }

double Arguments::number(const std::string& name, double fallback) const {
  if (!has(name)) return fallback;
  double result = 0;
  if (!parseNumber(text(name), result)) throw UsageError("--" + name + ": '" + text(name) + "' is not a number");
  return result;
}

double Arguments::positive(const std::string& name, double fallback) const {
  const double result = number(name, fallback);
  if (has(name) && !(result > 0)) throw UsageError("--" + name + " must be greater than 0, not " + text(name));
  return result;
}

long Arguments::integer(const std::string& name, long fallback, long lowest, long highest) const {
  if (!has(name)) return fallback;
  const std::string given = text(name);
  long result = 0;
  const auto [end, error] = std::from_chars(given.data(), given.data() + given.size(), result);
  if (error != std::errc() || end != given.data() + given.size() || result < lowest || result > highest)
    throw UsageError("--" + name + ": '" + given + "' is not a whole number from " + std::to_string(lowest) + " to " +
                     std::to_string(highest));
  return result;
}

int Arguments::choice(const std::string& name, const std::vector<std::string>& choices, int fallback) const {
  if (!has(name)) return fallback;
  const auto found = std::find(choices.begin(), choices.end(), text(name));
  if (found != choices.end()) return static_cast<int>(found - choices.begin());
  std::string list;
  for (const std::string& each : choices) list += (list.empty() ? "" : ", ") + each;
  throw UsageError("--" + name + ": '" + text(name) + "' is not one of " + list);
}

std::vector<double> Arguments::numbers(const std::string& name, std::size_t count) const {
  std::vector<double> result;
  const std::string given = text(name);
  for (const std::string_view part : split(given, ',')) {
    double number = 0;
    if (!parseNumber(part, number)) throw UsageError("--" + name + ": '" + std::string(part) + "' is not a number");
    result.push_back(number);
  }
  if (result.size() != count)
    throw UsageError("--" + name + ": " + std::to_string(result.size()) + " numbers given, " + std::to_string(count) + " needed");
  return result;
}

std::string helpText(const Syntax& syntax) {
  constexpr std::size_t column = 28, width = 100;
  std::string result = "usage: vertebra " + syntax.verb + " " + syntax.operands + " [options]\n\n" + syntax.summary + "\n\noptions:\n";
  for (const Option& option : syntax.options) {
    std::string line = (option.letter ? std::string("  -") + option.letter + ", --" : "  --") + option.name +
                       (option.value.empty() ? "" : " " + option.value);
    line.append(line.size() + 2 <= column ? column - line.size() : 2, ' ');
    for (const std::string_view word : split(option.help, ' ')) {
      if (line.size() + word.size() > width) {
        while (line.back() == ' ') line.pop_back();
        result += line + "\n";
        line.assign(column, ' ');
      }
      line += std::string(word) + " ";
    }
    line.pop_back();
    result += line + "\n";
  }
  result += "  --help                    print this text\n";
  if (!syntax.details.empty()) result += "\n" + syntax.details;
  return result;
}

std::pair<std::string, std::string> parted(const std::string& option, const std::string& text) {
  const std::size_t equals = text.rfind('=');
  if (equals == std::string::npos || equals == 0) throw UsageError("--" + option + ": '" + text + "' is not NAME=...");
  return {text.substr(0, equals), text.substr(equals + 1)};
}

}  // namespace vertebra::cli
