// The command line: which options a verb knows, what was given, and the help text made from the same table.
// Numbers are read independent of the locale. What cannot be understood is a UsageError: exit status 2.
#pragma once
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vertebra::cli {

// The command line is wrong: exit status 2.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};
// The command line is right, but it could not be done: exit status 1.
struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Option {
  std::string name;   // without the dashes
  std::string value;  // what the help calls its value; empty for a switch
  std::string help;
  bool repeatable = false;
  char letter = 0;  // short form, such as o for -o
};

struct Syntax {
  std::string verb;
  std::string operands;  // as printed, e.g. "IN.bvh OUT.bvh"
  std::size_t operandCount = 0;
  std::string summary;  // one line
  std::string details;  // printed after the options; may be empty
  std::vector<Option> options;
};

class Arguments {
 public:
  // words: what follows the verb. Options may be written --name value or --name=value; "--" ends them.
  Arguments(const Syntax& syntax, const std::vector<std::string>& words);

  const std::string& operand(std::size_t index) const { return operands_.at(index); }
  bool has(const std::string& name) const { return values_.count(name) != 0; }
  std::string text(const std::string& name, const std::string& fallback = {}) const;
  std::vector<std::string> all(const std::string& name) const;
  double number(const std::string& name, double fallback) const;  // finite; a fraction such as 1/240 is a number too
  double positive(const std::string& name, double fallback) const;
  long integer(const std::string& name, long fallback, long lowest, long highest) const;
  // Index of the text among the choices.
  int choice(const std::string& name, const std::vector<std::string>& choices, int fallback) const;
  std::vector<double> numbers(const std::string& name, std::size_t count) const;

 private:
  std::vector<std::string> operands_;
  std::map<std::string, std::vector<std::string>> values_;
};

std::string helpText(const Syntax& syntax);

// The whole text as one finite number, or as a fraction of two; false if it is anything else.
bool parseNumber(std::string_view text, double& number);
std::vector<std::string_view> split(std::string_view text, char separator);
std::vector<std::string_view> split(std::string&& text, char separator) = delete;  // the parts would refer to what is gone
// NAME=REST, the value of an option; names may hold '='.
std::pair<std::string, std::string> parted(const std::string& option, const std::string& text);

}  // namespace vertebra::cli
