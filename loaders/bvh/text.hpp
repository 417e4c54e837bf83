// Text of a BVH file in blocks: a cursor with line numbers over a file of any size or over text in memory, and number parsing
// that is correctly rounded and the same under every locale. Line ends: LF, CRLF, CR, mixed.
#pragma once
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace vertebra::bvh {

enum class NumberKind { Finite, NotFinite, NotANumber };

// Parses the decimal number at [p, end) and moves p behind it. A leading +, ".5", "5." and exponents are accepted. NotFinite: nan, inf,
// 1.#QNAN and numbers beyond double's range. On NotANumber p is unchanged. The caller checks what follows the number.
NumberKind parseNumber(const char*& p, const char* end, double& value);

class Text {
 public:
  bool openFile(const std::string& path);     // false: cannot be read
  void openText(std::string_view text);       // must outlive this object
  std::size_t size() const { return size_; }  // bytes of the whole text; 0 when unknown
  bool readFailed() const { return readFailed_; }

  const char* at = nullptr;   // cursor
  const char* end = nullptr;  // of the loaded bytes
  int line = 1;

  static constexpr std::ptrdiff_t kLookahead = 4096;  // longest word
  // Afterwards kLookahead bytes are loaded, or all that remain.
  void need() {
    if (end - at < kLookahead && !atLast_) fill();
  }
  bool exhausted() {
    if (at < end) return false;
    need();
    return at >= end;
  }
  static bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }
  static bool isLineEnd(char c) { return c == '\n' || c == '\r'; }
  void skipBlanks() {
    while (!exhausted() && isBlank(*at)) ++at;
  }
  void takeLineEnd();  // at a line end
  void skipLine();     // to the start of the next line

  // Next word, after blanks and line ends; braces are separate words. Empty at the end. Valid until the next call.
  std::string_view word();
  std::string_view peekWord();        // the same without consuming it (blanks before it are consumed)
  std::string restOfLine(char stop);  // up to `stop` or the line end, trimmed; neither is consumed; cut at kLookahead bytes

 private:
  void fill();
  struct Closer {
    void operator()(std::FILE* f) const { std::fclose(f); }
  };
  std::unique_ptr<std::FILE, Closer> file_;
  std::vector<char> block_;
  std::size_t size_ = 0;
  bool atLast_ = true, readFailed_ = false;
};

bool sameWord(std::string_view a, std::string_view lowerCase);  // ASCII case ignored

}  // namespace vertebra::bvh
