// See check.hpp.
#include "capi/src/check.hpp"

namespace vertebra::capi {

void checkTail(const void* def, std::size_t known, std::size_t size, const char* name) {
  const auto* bytes = static_cast<const unsigned char*>(def);
  for (std::size_t i = known; i < size; i++)
    if (bytes[i] != 0) refuse(VTB_E_ARG, std::string(name) + " sets fields that this library (" VERTEBRA_VERSION ") does not know");
}

}  // namespace vertebra::capi
