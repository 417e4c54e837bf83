// Hostile input: an answer within 0.1 s, no crash, no stack overflow.
#include <ctime>
#include <filesystem>

#include "loaders/urdf/urdf.hpp"
#include "tests/loaders/urdf/urdf_support.hpp"

using namespace vertebra;

namespace {

// Seconds of processor time until the answer, which equals wall-clock time on an idle machine.
double timed(const std::string& text, bool& loaded, Diagnostics& d) {
  figure::Skeleton s;
  std::clock_t start = std::clock();
  loaded = loadUrdfText(text, "hostile.urdf", {}, s, d);
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

void refusedFast(const std::string& name, const std::string& text) {
  INFO(name);
  bool loaded = true;
  Diagnostics d;
  double seconds = timed(text, loaded, d);
  CHECK(!loaded);
  REQUIRE(d.hasErrors());
  CHECK(!d.firstError()->message.empty());
  CHECK(seconds < 0.1);
}

std::string repeated(const std::string& s, int n) {
  std::string out;
  out.reserve(s.size() * n);
  for (int i = 0; i < n; ++i) out += s;
  return out;
}

}  // namespace

TEST_CASE("Nesting, nonsense and floods are refused in 0.1 s") {
  refusedFast("100k open tags", repeated("<a>", 100000));
  refusedFast("100k nested and closed", "<robot name='r'>" + repeated("<a>", 100000) + repeated("</a>", 100000) + "</robot>");
  refusedFast("nested comments", repeated("<!--", 100000));
  refusedFast("zero bytes", std::string(1000000, '\0'));
  refusedFast("UTF-16", std::string("\xff\xfe<\0r\0o\0b\0o\0t\0", 14));
  std::string noise;
  test::Random random(3);
  for (int i = 0; i < 1000000; ++i) noise += static_cast<char>(random.below(256));
  refusedFast("noise", noise);
  refusedFast("noise without zeros", [&] {
    std::string s = noise;
    for (char& c : s)
      if (c == 0) c = '<';
    return s;
  }());
  refusedFast(
      "many attributes", "<robot name='r'><link " + [] {
        std::string s;
        for (int i = 0; i < 100000; ++i) s += "a" + std::to_string(i) + "='1' ";
        return s;
      }() + "/></robot>");
  refusedFast("long name", "<" + std::string(4000000, 'x'));
  refusedFast("open quote", "<robot name=\"" + std::string(4000000, 'x'));
  refusedFast("more than the largest text", std::string((std::size_t(32) << 20) + 1, ' '));
}

TEST_CASE("A real file cut short anywhere is refused") {
  const std::string whole = test::readFile(test::sourceDir() + "/tests/urdf/limit_effort_zero.urdf");
  REQUIRE(whole.size() > 300);
  std::size_t end = whole.rfind("</robot>");
  for (std::size_t n = 0; n < end + 7; ++n) {
    bool loaded = true;
    Diagnostics d;
    timed(whole.substr(0, n), loaded, d);
    INFO(n);
    CHECK(!loaded);
    CHECK(d.hasErrors());
  }
}

TEST_CASE("Files that are none") {
  figure::Skeleton s;
  Diagnostics d;
  CHECK(!loadUrdfFile("/nonexistent/robot.urdf", {}, s, d));
  CHECK(!loadUrdfFile(std::filesystem::temp_directory_path().string(), {}, s, d));
  CHECK(!loadUrdfFile("/dev/zero", {}, s, d));
  CHECK(!loadUrdfFile("", {}, s, d));
  CHECK(d.entries.size() == 4);
  for (const Diagnostic& e : d.entries) CHECK(e.code == "urdf.file.unreadable");
}

TEST_CASE("A chain of 20,000 links loads without deep recursion; names fall so that teardown order is the worst") {
  std::string text = "<robot name='r'>";
  const int n = 20000;
  for (int i = 0; i < n; ++i) text += "<link name='l" + std::to_string(100000 - i) + "'/>";
  for (int i = 0; i + 1 < n; ++i)
    text += "<joint name='j" + std::to_string(100000 - i) + "' type='fixed'><parent link='l" + std::to_string(100000 - i) +
            "'/><child link='l" + std::to_string(100000 - i - 1) + "'/></joint>";
  figure::Skeleton s = test::loadText(text + "</robot>");
  CHECK(s.links.size() == n);
  CHECK(s.joints.size() == n - 1);
}

TEST_CASE("A flood of one finding is cut short with its number") {
  std::string text = "<robot name='r'><link name='a'/>";
  for (int i = 0; i < 1000; ++i)
    text += "<joint name='j" + std::to_string(i) + "' type='fixed'><parent link='a'/><child link='x" + std::to_string(i) + "'/></joint>";
  figure::Skeleton s;
  Diagnostics d;
  CHECK(loadUrdfText(text + "</robot>", "x", {}, s, d));
  CHECK(test::countOf(d, "urdf.joint.child-unknown") == 200);
  REQUIRE(test::countOf(d, "urdf.joint.child-unknown.more") == 1);
  CHECK(d.entries.front().message.find("800 more") != std::string::npos);
}

TEST_CASE("Names may hold anything; a byte order mark is no fault") {
  figure::Skeleton s = test::loadText("\xef\xbb\xbf<robot name='&lt;&quot;&amp;'><link name='a &lt;b&gt; &quot;'/></robot>");
  CHECK(s.name == "<\"&");
  CHECK(s.links[0].name == "a <b> \"");
}
