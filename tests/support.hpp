// Shared by tests: paths of the source tree and of the optional reference data, and random states that are the same everywhere.
#pragma once
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <catch2/catch.hpp>

namespace test {

std::string sourceDir();  // defined in tests/main.cpp alone: a compiler cache serves every other test in any folder

// Real robots and motions; empty when absent. Tests that need it call REQUIRE_SHARED_DATA.
inline std::string sharedData() {
  if (const char* e = std::getenv("VERTEBRA_SHARED")) return std::string(e) + "/data";
  std::filesystem::path p = std::filesystem::path(sourceDir()) / "../shared/data";
  std::error_code ec;
  return std::filesystem::is_directory(p, ec) ? std::filesystem::weakly_canonical(p, ec).string() : std::string();
}
#define REQUIRE_SHARED_DATA()                                                                       \
  if (test::sharedData().empty()) {                                                                 \
    WARN("skipped: " << Catch::getResultCapture().getCurrentTestName() << " needs ../shared/data"); \
    return;                                                                                         \
  }

// Under a sanitizer a step takes ten to twenty times as long, and what the sanitizer looks for shows in a part of the steps.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif
#else
inline constexpr bool kSanitized = false;
#endif
inline constexpr int stepsOf(int all) { return kSanitized ? (all + 5) / 6 : all; }  // of long runs that only compare bits or count

class Random {  // 64-bit linear congruence; the same numbers on every machine
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 2862933555777941757ull + 3037000493ull) {}
  double unit() {  // [0, 1)
    state_ = state_ * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<double>(state_ >> 11) * (1.0 / 9007199254740992.0);
  }
  double range(double a, double b) { return a + (b - a) * unit(); }
  int below(int n) { return static_cast<int>(unit() * n); }

 private:
  std::uint64_t state_;
};

}  // namespace test
