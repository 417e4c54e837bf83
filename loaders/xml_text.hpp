// Common code of the XML readers: rejects texts that are not XML or cost more than their size, states tinyxml2's errors in texts that do
// not depend on the locale, reads and writes numbers to the same bits.
#pragma once
#include <tinyxml2.h>

#include <string>
#include <string_view>

namespace vertebra {

// Largest text accepted; a robot of thousands of links stays far below.
inline constexpr std::size_t kLargestXml = std::size_t(32) << 20;

// Empty, or what is wrong with the file.
std::string readXmlFile(const std::string& path, std::string& text);

struct XmlFault {         // why a text was rejected
  const char* kind = "";  // end of a diagnostic's code: "file.too-large", "file.empty", "file.binary", "xml.malformed"
  int line = 0;
  std::string message;
};
// Parses; false and a fault for a text that is not an XML document with an element. `root` is the expected tag, for the messages.
bool parseXml(const std::string& text, const char* root, tinyxml2::XMLDocument& document, XmlFault& fault);

bool isBlank(char c);
std::string_view trimmed(std::string_view s);
// The next word of a text, separated by blanks; the remainder stays in it. Empty at the end.
std::string_view takeWord(std::string_view& rest);

// Decimal number with optional blanks and '+'; "inf" and "nan" are accepted. Independent of the locale.
bool parseNumber(std::string_view text, double& out);
std::string formatNumber(double x);  // shortest text that reads back the same

}  // namespace vertebra
