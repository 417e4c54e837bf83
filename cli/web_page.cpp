// The page of web_scene.hpp: one text that the build made of web/ and three.js (web/page.py), held in the program, so that it is there
// wherever the command is.
#include "cli/web_scene.hpp"

// clang-format off
asm(".section .rodata\n"
    ".global vtb_web_page\n"
    "vtb_web_page: .incbin \"" VERTEBRA_WEB_PAGE "\"\n"
    ".global vtb_web_page_end\n"
    "vtb_web_page_end: .byte 0\n"
    ".previous\n");
// clang-format on

extern "C" const char vtb_web_page[], vtb_web_page_end[];

namespace vertebra::cli {

namespace {

// In HTML: neither a tag nor the end of a script.
std::string escaped(const std::string& text, bool script) {
  std::string result;
  for (const char c : text) {
    if (c == '<')
      result += script ? "\\u003c" : "&lt;";
    else if (c == '&' && !script)
      result += "&amp;";
    else
      result += c;
  }
  return result;
}

}  // namespace

std::string webPage(const std::string& title, const std::string& data) {
  static constexpr std::string_view kTitle = "@TITLE@", kData = "@DATA@";
  const std::string_view page(vtb_web_page, static_cast<std::size_t>(vtb_web_page_end - vtb_web_page));
  const std::size_t titleAt = page.find(kTitle), dataAt = page.rfind(kData);
  std::string text(page.substr(0, titleAt));
  text += escaped(title, false);
  text += page.substr(titleAt + kTitle.size(), dataAt - titleAt - kTitle.size());
  text += escaped(data, true);
  return text += page.substr(dataAt + kData.size());
}

}  // namespace vertebra::cli
