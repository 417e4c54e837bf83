// The firewall between C callers and C++: every exported function runs its body inside guarded(), in the floating-point environment
// our arithmetic needs. Refusals and exceptions become a status and this thread's error text; nothing is thrown across the ABI.
#pragma once
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

#include "engine/tasks/floating_point.hpp"
#include "vertebra/vertebra.h"

namespace vertebra::capi {

// What a check throws inside this layer: the status to answer and a text of what, where and how to mend.
struct Refusal {
  vtb_status status;
  std::string text;
};
[[noreturn]] inline void refuse(vtb_status status, std::string text) { throw Refusal{status, std::move(text)}; }

// Stores "function: text" as vtb_last_error of this thread; cut to fit, at a character boundary.
void setLastError(const char* function, const char* text) noexcept;
struct ErrorText {
  char text[2048] = "";
};
ErrorText& lastError() noexcept;

// Not inlined, so that no arithmetic of the body moves out of the scope that sets the environment.
template <class Body>
[[gnu::noinline]] vtb_status run(Body& body) {
  if constexpr (std::is_void_v<decltype(body())>) {
    body();
    return VTB_OK;
  } else {
    return body();
  }
}

// Body: returns nothing (VTB_OK), or a vtb_status, for which it has set the text itself.
template <class Body>
vtb_status guarded(const char* function, Body&& body) noexcept {
  const tasks::FloatingPointScope environment;
  try {
    return run(body);
  } catch (const Refusal& refusal) {
    setLastError(function, refusal.text.c_str());
    return refusal.status;
  } catch (const std::bad_alloc&) {
    setLastError(function, "out of memory");
    return VTB_E_NOMEM;
  } catch (const std::length_error&) {  // a container was asked for more than can exist
    setLastError(function, "out of memory");
    return VTB_E_NOMEM;
  } catch (const std::exception& e) {
    setLastError(function, e.what());
    return VTB_E_INTERNAL;
  } catch (...) {
    setLastError(function, "unknown exception");
    return VTB_E_INTERNAL;
  }
}

}  // namespace vertebra::capi
