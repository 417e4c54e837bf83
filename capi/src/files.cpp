// Whether a file can be read, and if not why, in words that depend on no locale.
#include <cerrno>
#include <cstdio>
#include <memory>
#include <string>

#include "capi/src/objects.hpp"

namespace vertebra::capi {
namespace {
struct Closer {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Closer>;

[[noreturn]] void refuseFile(const char* path, int error) {
  std::string reason;
  switch (error) {
    case ENOENT:
      reason = "there is no such file or folder";
      break;
    case EACCES:
    case EPERM:
      reason = "permission denied";
      break;
    case EISDIR:
      reason = "it is a folder";
      break;
    default:
      reason = "error " + std::to_string(error) + " of the system";
      break;
  }
  refuse(VTB_E_IO, "'" + std::string(path) + "' cannot be read: " + reason);
}
}  // namespace

void requireReadable(const char* path) {
  errno = 0;
  File file(std::fopen(path, "rb"));
  if (!file) refuseFile(path, errno);
  if (std::fgetc(file.get()) == EOF && std::ferror(file.get())) refuseFile(path, errno);
}

}  // namespace vertebra::capi
