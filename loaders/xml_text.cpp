// See xml_text.hpp.
#include "loaders/xml_text.hpp"

#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace vertebra {

bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'; }

std::string_view trimmed(std::string_view s) {
  while (!s.empty() && isBlank(s.front())) s.remove_prefix(1);
  while (!s.empty() && isBlank(s.back())) s.remove_suffix(1);
  return s;
}

std::string_view takeWord(std::string_view& rest) {
  rest = trimmed(rest);
  std::size_t end = 0;
  while (end < rest.size() && !isBlank(rest[end])) ++end;
  const std::string_view word = rest.substr(0, end);
  rest.remove_prefix(end);
  return word;
}

namespace {

// from_chars reports overflow and underflow alike; an underflow is read as zero.
bool isUnderflow(std::string_view s) {
  std::size_t e = s.find_first_of("eE");
  if (e != std::string_view::npos) return e + 1 < s.size() && s[e + 1] == '-';
  return s.find('.') != std::string_view::npos && s.substr(0, s.find('.')).find_first_of("123456789") == std::string_view::npos;
}

// Guards against XML that costs more than its size: for each attribute the parser compares all earlier ones of the tag, and it keeps some
// hundred bytes per element. Returns a line, 0 when there is no such problem.
int tooManyTagsOrAttributes(const std::string& text) {
  constexpr int kMostTags = 1000000, kMostAttributes = 256;
  int line = 1, tags = 0;
  auto skipTo = [&](std::size_t from, const char* mark) {
    std::size_t end = text.find(mark, from);
    if (end == std::string::npos) end = text.size();
    for (std::size_t i = from; i < end; ++i) line += text[i] == '\n';
    return end;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') ++line;
    if (text[i] != '<') continue;
    if (text.compare(i, 4, "<!--") == 0) {
      i = skipTo(i, "-->");
    } else if (text.compare(i, 9, "<![CDATA[") == 0) {
      i = skipTo(i, "]]>");
    } else {
      if (++tags > kMostTags) return line;
      int attributes = 0;
      char quote = 0;
      for (++i; i < text.size() && (quote != 0 || text[i] != '>'); ++i) {
        char c = text[i];
        if (c == '\n') ++line;
        if (quote != 0) {
          if (c == quote) quote = 0;
        } else if (c == '"' || c == '\'') {
          quote = c;
        } else if (c == '=' && ++attributes > kMostAttributes) {
          return line;
        }
      }
    }
  }
  return 0;
}

std::string xmlProblem(tinyxml2::XMLError e) {
  using namespace tinyxml2;
  switch (e) {
    case XML_ERROR_EMPTY_DOCUMENT:
      return "the file holds no XML element";
    case XML_ERROR_MISMATCHED_ELEMENT:
      return "a closing tag does not match the tag that is open, or the file is cut short";
    case XML_ERROR_PARSING_ATTRIBUTE:
      return "an attribute is malformed (name=\"value\" expected) or given twice";
    case XML_ERROR_PARSING_ELEMENT:
      return "a tag is malformed or not closed";
    case XML_ERROR_PARSING_COMMENT:
      return "a comment is not closed by -->";
    case XML_ERROR_PARSING_CDATA:
      return "a CDATA section is not closed by ]]>";
    case XML_ERROR_PARSING_DECLARATION:
      return "the <?xml ...?> declaration is malformed or not at the start";
    case XML_ERROR_PARSING_UNKNOWN:
      return "a <!...> section is not closed";
    case XML_ERROR_PARSING_TEXT:
      return "text outside any element, or not closed";
    case XML_ELEMENT_DEPTH_EXCEEDED:
      return "elements are nested more than 100 deep";
    default:
      return "not well-formed XML";
  }
}

}  // namespace

bool parseNumber(std::string_view text, double& out) {
  std::string_view s = trimmed(text);
  if (!s.empty() && s.front() == '+') {
    s.remove_prefix(1);
    if (!s.empty() && s.front() == '-') return false;
  }
  if (s.empty()) return false;
  double value = 0;
  auto [end, ec] = std::from_chars(s.data(), s.data() + s.size(), value);
  if (end != s.data() + s.size()) return false;
  if (ec == std::errc::result_out_of_range) {
    if (!isUnderflow(s)) return false;
    value = 0;
  } else if (ec != std::errc()) {
    return false;
  }
  out = value;
  return true;
}

std::string formatNumber(double x) {
  char buffer[32];
  auto r = std::to_chars(buffer, buffer + sizeof buffer, x);
  return std::string(buffer, r.ptr);
}

std::string readXmlFile(const std::string& path, std::string& text) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return "the file does not exist; to mend: check the path";
  if (!std::filesystem::is_regular_file(path, error)) return "it is not a regular file; to mend: give the path of a file";
  const auto size = std::filesystem::file_size(path, error);
  if (error || size > kLargestXml)
    return "the file is larger than " + std::to_string(kLargestXml >> 20) + " MiB; to mend: keep geometry in mesh files";
  std::ifstream in(path, std::ios::binary);
  text.resize(size);
  in.read(text.data(), static_cast<std::streamsize>(size));
  if (!in && size > 0) return "the file cannot be read; to mend: check its permissions";
  return "";
}

bool parseXml(const std::string& text, const char* root, tinyxml2::XMLDocument& document, XmlFault& fault) {
  const std::string element = std::string("<") + root + ">";
  auto refuse = [&](const char* kind, int line, const std::string& message) {
    fault = {kind, line, message};
    return false;
  };
  if (text.size() > kLargestXml)
    return refuse("file.too-large", 0,
                  "the text has " + std::to_string(text.size()) + " bytes, more than " + std::to_string(kLargestXml) +
                      "; to mend: keep geometry in mesh files");
  if (text.find_first_not_of(" \t\r\n") == std::string::npos)
    return refuse("file.empty", 0, "the file is empty; to mend: give one with a " + element + " element");
  if (std::memchr(text.data(), 0, text.size()) != nullptr)
    return refuse("file.binary", 0, "the file holds zero bytes, so it is binary or UTF-16; to mend: save it as UTF-8 text");
  if (int line = tooManyTagsOrAttributes(text))
    return refuse("file.too-large", line, "more than a million elements, or more than 256 attributes in one; to mend: split the file");
  if (document.Parse(text.data(), text.size()) != tinyxml2::XML_SUCCESS)
    return refuse("xml.malformed", document.ErrorLineNum(),
                  xmlProblem(document.ErrorID()) + "; to mend: check the XML near this line (an XML editor or xmllint shows the place)");
  if (document.RootElement() == nullptr)
    return refuse("file.empty", 0, "the file holds no XML element; to mend: give one with a " + element + " element");
  return true;
}

}  // namespace vertebra
