// The floating-point environment that the library's arithmetic needs: round to nearest, subnormals kept, no traps. A host may use another
// one; results must not depend on it. The C library's number conversions, which loaders call through urdfdom, depend on it too.
#pragma once
#include <cfenv>
#if defined(__SSE2_MATH__)
#include <xmmintrin.h>
#endif

namespace vertebra::tasks {

class FloatingPointScope {  // the library's until the end of the scope, then the host's again
 public:
  FloatingPointScope() noexcept : foreign_(!isOurs()) {
    if (!foreign_) return;
    std::fegetenv(&host_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~FloatingPointScope() {
    if (foreign_) std::fesetenv(&host_);
  }
  FloatingPointScope(const FloatingPointScope&) = delete;
  FloatingPointScope& operator=(const FloatingPointScope&) = delete;

 private:
  static bool isOurs() noexcept {  // avoids the two slow calls where a quick test suffices
#if defined(__SSE2_MATH__)
    constexpr unsigned kHappened = 0x3f, kDefault = 0x1f80;  // flags; all exceptions masked, nearest, no flushing to zero
    return (_mm_getcsr() & ~kHappened) == kDefault;          // the x87 unit's own mode is of no use to arithmetic in SSE registers
#else
    return false;
#endif
  }
  bool foreign_;
  std::fenv_t host_;
};

}  // namespace vertebra::tasks
