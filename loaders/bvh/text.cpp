// See text.hpp.
#include "loaders/bvh/text.hpp"

#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>

namespace vertebra::bvh {

namespace {
constexpr std::size_t kBlock = 1 << 20;

// Exact in double: a mantissa below 2^53, multiplied or divided by one of them, is rounded once, hence correctly (Clinger 1990, "How to
// read floating point numbers accurately").
constexpr double kPowersOfTen[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                   1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

bool isDigit(char c) { return static_cast<unsigned char>(c - '0') < 10; }

bool startsWith(const char* p, const char* end, const char* lowerCase) {
  for (; *lowerCase; ++p, ++lowerCase)
    if (p == end || (*p | 0x20) != *lowerCase) return false;
  return true;
}

// nan, nan(...), inf, infinity and those of old Windows runtimes: 1.#QNAN, 1.#IND00, 1.#INF. p is behind a sign.
bool parseNotFinite(const char*& p, const char* end) {
  const char* q = p;
  if (startsWith(q, end, "nan"))
    q += 3;
  else if (startsWith(q, end, "infinity"))
    q += 8;
  else if (startsWith(q, end, "inf"))
    q += 3;
  else if (end - q > 3 && isDigit(q[0]) && q[1] == '.' && q[2] == '#')
    q += 3;
  else
    return false;
  while (q < end && (isDigit(*q) || (*q >= 'A' && *q <= 'Z') || (*q >= 'a' && *q <= 'z') || *q == '(' || *q == ')' || *q == '_')) ++q;
  p = q;
  return true;
}
}  // namespace

NumberKind parseNumber(const char*& p, const char* end, double& value) {
  const char* q = p;
  bool negative = false;
  if (q < end && (*q == '-' || *q == '+')) negative = *q++ == '-';
  const char* const start = q;
  std::uint64_t mantissa = 0;  // wraps for more than 19 digits, which `digits` shows
  for (; q < end && isDigit(*q); ++q) mantissa = mantissa * 10 + static_cast<unsigned char>(*q - '0');
  std::ptrdiff_t digits = q - start, fraction = 0;
  if (q < end && *q == '.') {
    const char* point = ++q;
    for (; q < end && isDigit(*q); ++q) mantissa = mantissa * 10 + static_cast<unsigned char>(*q - '0');
    fraction = q - point;
    digits += fraction;
  }
  if (digits == 0 || (q < end && *q == '#')) {
    q = start;
    if (!parseNotFinite(q, end)) return NumberKind::NotANumber;
    p = q;
    return NumberKind::NotFinite;
  }
  std::ptrdiff_t power = -fraction;
  bool tinyExponent = false;
  if (q < end && (*q | 0x20) == 'e') {
    const char* e = q + 1;
    bool down = false;
    if (e < end && (*e == '-' || *e == '+')) down = *e++ == '-';
    if (e < end && isDigit(*e)) {
      std::ptrdiff_t exponent = 0;
      for (; e < end && isDigit(*e); ++e)
        if (exponent < 100000000) exponent = exponent * 10 + (*e - '0');
      power += down ? -exponent : exponent;
      tinyExponent = down;
      q = e;
    }
  }
  p = q;
  if (digits <= 19 && mantissa < (std::uint64_t{1} << 53) && power >= -22 && power <= 22) {
    double m = static_cast<double>(mantissa);
    m = power < 0 ? m / kPowersOfTen[-power] : m * kPowersOfTen[power];
    value = negative ? -m : m;
    return NumberKind::Finite;
  }
  double m = 0;
  std::from_chars_result r = std::from_chars(start, q, m);
  if (r.ec == std::errc::result_out_of_range) {
    // The fraction alone cannot overflow, so a small number is one with a negative exponent or with many zeros after the point.
    bool small = tinyExponent || power < 0;
    if (!small) return NumberKind::NotFinite;
    m = 0;
  } else if (r.ec != std::errc()) {
    return NumberKind::NotANumber;
  }
  value = negative ? -m : m;
  return std::isfinite(m) ? NumberKind::Finite : NumberKind::NotFinite;
}

bool Text::openFile(const std::string& path) {
  std::error_code ec;
  if (std::filesystem::is_directory(path, ec)) return false;
  file_.reset(std::fopen(path.c_str(), "rb"));
  if (!file_) return false;
  std::uintmax_t bytes = std::filesystem::file_size(path, ec);
  size_ = ec ? 0 : static_cast<std::size_t>(bytes);
  std::setvbuf(file_.get(), nullptr, _IONBF, 0);
  block_.resize(kBlock + kLookahead);
  at = end = block_.data();
  atLast_ = false;
  fill();
  return !readFailed_;
}

void Text::openText(std::string_view text) {
  at = text.data();
  end = at + text.size();
  size_ = text.size();
  atLast_ = true;
}

void Text::fill() {
  std::size_t rest = static_cast<std::size_t>(end - at);
  std::memmove(block_.data(), at, rest);
  std::size_t got = std::fread(block_.data() + rest, 1, kBlock, file_.get());
  if (got < kBlock) {
    atLast_ = true;
    readFailed_ = std::ferror(file_.get()) != 0;
  }
  at = block_.data();
  end = at + rest + got;
}

void Text::takeLineEnd() {
  bool cr = *at++ == '\r';
  line++;
  if (cr && !exhausted() && *at == '\n') ++at;
}

void Text::skipLine() {
  while (!exhausted() && !isLineEnd(*at)) ++at;
  if (!exhausted()) takeLineEnd();
}

std::string_view Text::peekWord() {
  while (!exhausted()) {
    if (isBlank(*at))
      ++at;
    else if (isLineEnd(*at))
      takeLineEnd();
    else
      break;
  }
  need();
  const char* q = at;
  const char* stop = end - at > kLookahead ? at + kLookahead : end;
  if (q < stop && (*q == '{' || *q == '}')) return {at, 1};
  while (q < stop && !isBlank(*q) && !isLineEnd(*q) && *q != '{' && *q != '}') ++q;
  return {at, static_cast<std::size_t>(q - at)};
}

std::string_view Text::word() {
  std::string_view w = peekWord();
  at += w.size();
  return w;
}

std::string Text::restOfLine(char stopAt) {
  skipBlanks();
  need();
  const char* q = at;
  const char* stop = end - at > kLookahead ? at + kLookahead : end;
  while (q < stop && !isLineEnd(*q) && *q != stopAt) ++q;
  std::string s(at, q);
  at = q;
  while (!s.empty() && isBlank(s.back())) s.pop_back();
  return s;
}

bool sameWord(std::string_view a, std::string_view lower) {
  if (a.size() != lower.size()) return false;
  for (std::size_t i = 0; i < a.size(); i++) {
    char c = a[i];
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
    if (c != lower[i]) return false;
  }
  return true;
}

}  // namespace vertebra::bvh
