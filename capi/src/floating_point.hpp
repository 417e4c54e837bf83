// The floating-point environment our arithmetic needs: round to nearest, subnormals kept, no traps. A host may run another one;
// results must not depend on it.
#pragma once
#if defined(__SSE2__)
#include <xmmintrin.h>
#else
#include <cfenv>
#endif

namespace vertebra::capi {

class FloatingPointScope {  // ours until the end of the scope, then the host's again
 public:
#if defined(__SSE2__)
  FloatingPointScope() noexcept : host_(_mm_getcsr()) {
    if ((host_ & ~kFlags) != kDefault) _mm_setcsr(kDefault);
  }
  ~FloatingPointScope() {
    if ((host_ & ~kFlags) != kDefault) _mm_setcsr(host_);
  }

 private:
  static constexpr unsigned kFlags = 0x3f;      // "has happened" bits, no settings
  static constexpr unsigned kDefault = 0x1f80;  // all exceptions masked, nearest, no flushing to zero
  unsigned host_;
#else
  FloatingPointScope() noexcept {
    std::fegetenv(&host_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~FloatingPointScope() { std::fesetenv(&host_); }

 private:
  std::fenv_t host_;
#endif
  FloatingPointScope(const FloatingPointScope&) = delete;
  FloatingPointScope& operator=(const FloatingPointScope&) = delete;
};

}  // namespace vertebra::capi
