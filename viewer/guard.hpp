// How functions of vertebra_view.h end: exceptions become statuses with a text, arguments are checked by name.
#pragma once
#include <cmath>
#include <cstdint>
#include <new>
#include <stdexcept>
#include <string>

#include "viewer/include/vertebra_view.h"

namespace vertebra::viewer {

std::string& lastError();  // this thread's

struct Refused : std::runtime_error {
  Refused(vtb_status given, const std::string& text) : std::runtime_error(text), status(given) {}
  vtb_status status;
};

template <class Work>
vtb_status guarded(const char* function, Work&& work) {
  try {
    work();
    return VTB_OK;
  } catch (const Refused& refused) {
    lastError() = std::string(function) + ": " + refused.what();
    return refused.status;
  } catch (const std::bad_alloc&) {
    lastError() = std::string(function) + ": not enough memory";
    return VTB_E_NOMEM;
  } catch (const std::exception& error) {
    lastError() = std::string(function) + ": " + error.what();
    return VTB_E_ARG;
  }
}

template <class T>
T& required(T* argument, const char* name) {
  if (!argument) throw Refused(VTB_E_ARG, std::string(name) + " is NULL");
  return *argument;
}

inline void finite(const double* values, int count, const char* name) {
  required(values, name);
  for (int i = 0; i < count; i++)
    if (!std::isfinite(values[i])) throw Refused(VTB_E_ARG, std::string(name) + "[" + std::to_string(i) + "] is not a finite number");
}

void checkSize(int width, int height);
void checkShown(std::uint32_t shown);
void checkCamera(const vtb_camera& camera);

}  // namespace vertebra::viewer
