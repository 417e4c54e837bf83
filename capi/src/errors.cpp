// Version, names of statuses and the thread's error text.
#include <cstring>

#include "capi/src/description.hpp"
#include "capi/src/guard.hpp"

namespace vertebra::capi {
namespace {
thread_local ErrorText error;

// Appends as much of text as fits; a UTF-8 character is taken whole or not at all.
std::size_t append(char* buffer, std::size_t size, std::size_t used, const char* text) noexcept {
  std::size_t length = std::strlen(text);
  if (length > size - 1 - used) {
    length = size - 1 - used;
    while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0) == 0x80) length--;
  }
  std::memmove(buffer + used, text, length);
  buffer[used + length] = '\0';
  return used + length;
}
}  // namespace

void setLastError(const char* function, const char* text) noexcept {
  char* buffer = error.text;
  std::size_t used = append(buffer, sizeof error.text, 0, function);
  used = append(buffer, sizeof error.text, used, ": ");
  append(buffer, sizeof error.text, used, text);
}

ErrorText& lastError() noexcept { return error; }

}  // namespace vertebra::capi

uint32_t vtb_abi(void) { return VTB_ABI; }

const char* vtb_version(void) { return VERTEBRA_VERSION; }

const char* vtb_status_name(vtb_status code) {
  const vertebra::capi::EnumerationDescription& statuses = vertebra::capi::enumeration<vtb_status>();
  for (std::size_t i = 0; i < statuses.count; i++)
    if (statuses.words[i].value == vertebra::capi::enumerator(code)) return statuses.words[i].name;
  return "unknown status";
}

const char* vtb_last_error(void) { return vertebra::capi::lastError().text; }
