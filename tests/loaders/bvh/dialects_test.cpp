// Every dialect of BVH that occurs in practice (and some hostile text), one case each.
#include <clocale>
#include <cmath>
#include <cstring>
#include <ctime>
#include <fstream>

#include "loaders/bvh/bvh.hpp"
#include "loaders/bvh/text.hpp"
#include "tests/loaders/bvh/bvh_support.hpp"
#include "tests/support.hpp"

using namespace vertebra;
using test::find;

namespace {
// Two joints, channels: root Xposition Yposition Zposition, child Zrotation Xrotation Yrotation.
const std::string kHierarchy =
    "HIERARCHY\nROOT hips\n{\n OFFSET 0 0 0\n CHANNELS 3 Xposition Yposition Zposition\n JOINT arm\n {\n  OFFSET 0 150 0\n"
    "  CHANNELS 3 Zrotation Xrotation Yrotation\n  End Site\n  {\n   OFFSET 0 100 0\n  }\n }\n}\n";

std::string withRows(const std::string& rows, const std::string& frames = "Frames: 2", const std::string& time = "Frame Time: 0.02") {
  return kHierarchy + "MOTION\n" + frames + "\n" + time + "\n" + rows;
}

struct Loaded {
  bool good;
  figure::Motion m;
  Diagnostics d;
};
Loaded load(const std::string& text, bool strict = false) {
  Loaded r;
  BvhOptions o;
  o.strict = strict;
  r.good = loadBvhText(text, "t.bvh", o, r.m, r.d);
  return r;
}
bool onlyInfos(const Diagnostics& d) {
  for (const Diagnostic& e : d.entries)
    if (e.severity != Severity::Info) return false;
  return true;
}
const std::vector<double> kTwo = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
}  // namespace

TEST_CASE("a plain file loads without a warning, strict too") {
  for (bool strict : {false, true}) {
    Loaded r = load(withRows("1 2 3 4 5 6\n7 8 9 10 11 12\n"), strict);
    REQUIRE(r.good);
    CHECK(onlyInfos(r.d));
    CHECK(r.m.values == kTwo);
    CHECK(r.m.frameTime == 0.02);
    CHECK(r.m.joints[1].endSites.size() == 1);
    CHECK(r.m.joints[1].channels ==
          std::vector<figure::Channel>{figure::Channel::Zrotation, figure::Channel::Xrotation, figure::Channel::Yrotation});
  }
}

TEST_CASE("line ends, blanks, tabs, byte order mark and case make no difference") {
  const std::string plain = withRows("1 2 3 4 5 6\n7 8 9 10 11 12\n");
  std::string crlf, cr, mixed, blanks;
  int n = 0;
  for (char c : plain) {
    crlf += c == '\n' ? "\r\n" : std::string(1, c);
    cr += c == '\n' ? '\r' : c;
    mixed += c == '\n' ? std::vector<std::string>{"\n", "\r\n", "\r", " \t\n"}[n++ % 4] : std::string(1, c);
    blanks += c == ' ' ? "\t  \t" : c == '\n' ? " \t \n\n" : std::string(1, c);
  }
  std::string lower = plain;
  for (char& c : lower) c = static_cast<char>(std::tolower(c));
  for (const std::string& text : {crlf, cr, mixed, blanks, lower, "\xEF\xBB\xBF" + plain, plain.substr(0, plain.size() - 1)}) {
    INFO(text);
    Loaded r = load(text, true);
    INFO(r.d.text());
    REQUIRE(r.good);
    CHECK(r.m.values == kTwo);
    CHECK(r.m.joints[1].name == "arm");
    CHECK(r.m.frameTime == 0.02);
  }
}

TEST_CASE("line numbers are right under any line end") {
  for (const char* end : {"\n", "\r\n", "\r"}) {
    std::string text;
    for (char c : withRows("1 2 3 4 5 6\n7 8 nan 10 11 12\n")) text += c == '\n' ? std::string(end) : std::string(1, c);
    Loaded r = load(text);
    REQUIRE(find(r.d, "bvh.motion.not-finite"));
    CHECK(find(r.d, "bvh.motion.not-finite")->line == 20);
    CHECK(find(r.d, "bvh.motion.not-finite")->element.find("'hips' Zposition") != std::string::npos);
  }
}

TEST_CASE("numbers: exponents, bare points, glued signs, plus signs") {
  Loaded r = load(withRows("1.5e-05 2E+3 .5 -.25 +4 5.\n0.0-7.5-8.25 1e1-2 3e+0\n"));
  REQUIRE(r.good);
  CHECK(r.m.values == std::vector<double>{1.5e-05, 2e3, .5, -.25, 4, 5, 0, -7.5, -8.25, 10, -2, 3});
  CHECK(find(r.d, "bvh.motion.glued"));
}

TEST_CASE("numbers are read as strtod reads them, to the last bit") {
  test::Random random(5);
  auto check = [](const std::string& s) {
    const char* p = s.data();
    double x = 0;
    bvh::NumberKind kind = bvh::parseNumber(p, s.data() + s.size(), x);
    double y = std::strtod(s.c_str(), nullptr);
    INFO(s);
    if (std::isfinite(y)) {
      REQUIRE(kind == bvh::NumberKind::Finite);
      REQUIRE(std::memcmp(&x, &y, sizeof x) == 0);
    } else {
      REQUIRE(kind == bvh::NumberKind::NotFinite);
    }
    REQUIRE(p == s.data() + s.size());
  };
  for (const char* s : {"0",
                        "-0",
                        "1e22",
                        "1e23",
                        "9007199254740993",
                        "9007199254740992.9",
                        "1.7976931348623157e308",
                        "1e308",
                        "1e309",
                        "-1e400",
                        "1e-400",
                        "4.9e-324",
                        "2.2250738585072011e-308",
                        "0.000000000000000000000000000000000001",
                        "123456789012345678901234567890",
                        "0.1e1",
                        "00000000000000000000000000012.5",
                        "nan",
                        "-inf",
                        "Infinity"})
    check(s);
  for (int i = 0; i < 200000; i++) {
    std::string s = random.unit() < 0.5 ? "-" : "";
    int digits = 1 + random.below(20), point = random.below(digits + 1);
    for (int k = 0; k < digits; k++) {
      if (k == point) s += '.';
      s += static_cast<char>('0' + random.below(10));
    }
    if (random.unit() < 0.4) s += (random.unit() < 0.5 ? "e" : "E") + std::to_string(random.below(40) - 20);
    check(s);
  }
}

TEST_CASE("numbers read the same under a locale with decimal commas") {
  std::string before = std::setlocale(LC_ALL, nullptr);
  if (!std::setlocale(LC_ALL, "de_DE.UTF-8")) {
    WARN("skipped: no locale de_DE.UTF-8");
    return;
  }
  Loaded r = load(withRows("1.5 2 3 4 5 6.25\n7 8 9 10 11 12\n"));
  std::string written = writeBvhText(r.m);
  std::setlocale(LC_ALL, before.c_str());
  REQUIRE(r.good);
  CHECK(r.m.values[0] == 1.5);
  CHECK(r.m.values[5] == 6.25);
  CHECK(written.find("1.5 2 3 4 5 6.25\n") != std::string::npos);
}

TEST_CASE("nan, inf and words that are not numbers are reported with line and joint; lenient keeps the frame before") {
  for (const char* bad : {"nan", "-NaN", "nan(ind)", "inf", "-Infinity", "1.#QNAN", "-1.#IND00", "1e999"}) {
    std::string rows;
    for (int i = 0; i < 200; i++) rows += "1 2 3 4 5 6\n";
    Loaded r = load(withRows(rows + std::string("7 8 9 10 ") + bad + " 12\n", "Frames: 201"));
    INFO(bad << "\n" << r.d.text());
    REQUIRE(r.good);
    const Diagnostic* d = find(r.d, "bvh.motion.not-finite");
    REQUIRE(d);
    CHECK(d->line == 219);
    CHECK(d->element.find("'arm' Xrotation") != std::string::npos);
    CHECK(r.m.frame(200)[4] == 5);
    CHECK(r.m.frame(200)[5] == 12);
    CHECK_FALSE(load(withRows(rows + std::string("7 8 9 10 ") + bad + " 12\n", "Frames: 201"), true).good);
  }
  Loaded r = load(withRows("1 2 3 4 5 6\n7 8 x9 10 1.2.3 12\n"));
  CHECK_FALSE(r.good);  // two of twelve values: not a minor fault
  CHECK(find(r.d, "bvh.motion.number"));
  CHECK(find(r.d, "bvh.motion.numbers"));
}

TEST_CASE("commas: as separators taken, decimal commas refused") {
  Loaded r = load(withRows("1, 2, 3, 4, 5, 6\n7 , 8 , 9 , 10 , 11 , 12\n"));
  REQUIRE(r.good);
  CHECK(r.m.values == kTwo);
  CHECK(find(r.d, "bvh.motion.comma"));
  CHECK_FALSE(load(withRows("1,5 2,5 3,5 4,5 5,5 6,5\n7 8 9 10 11 12\n")).good);
}

TEST_CASE("the rows win over the header's count") {
  for (const char* frames :
       {"Frames: 1", "Frames: 3", "Frames: 10000000", "Frames: 99999999999999999999", "Frames: -4", "Frames: many", "Frames 2.5"}) {
    Loaded r = load(withRows("1 2 3 4 5 6\n7 8 9 10 11 12\n", frames));
    INFO(frames << "\n" << r.d.text());
    REQUIRE(r.good);
    CHECK(r.m.values == kTwo);
    CHECK_FALSE(onlyInfos(r.d));
    CHECK_FALSE(load(withRows("1 2 3 4 5 6\n7 8 9 10 11 12\n", frames), true).good);
  }
  Loaded r = load(kHierarchy + "MOTION\n1 2 3 4 5 6\n7 8 9 10 11 12\n");
  REQUIRE(r.good);
  CHECK(r.m.values == kTwo);
}

TEST_CASE("frame time: zero, negative, missing, not a number") {
  for (const char* time : {"Frame Time: 0", "Frame Time: -0.01", "Frame Time: nan", "Frame Time:", "Frame Time: fast"}) {
    Loaded r = load(withRows("1 2 3 4 5 6\n7 8 9 10 11 12\n", "Frames: 2", time));
    INFO(time << "\n" << r.d.text());
    REQUIRE(r.good);
    CHECK(find(r.d, "bvh.frame-time"));
    CHECK(r.m.frameTime == 1.0 / 30);
    CHECK(r.m.values == kTwo);
  }
  for (const char* time : {"Frame Time: .0083333", "Frame Time:.0083333", "FrameTime: 8.3333e-3", "frame  time :\t0.0083333"}) {
    Loaded r = load(withRows("1 2 3 4 5 6\n7 8 9 10 11 12\n", "Frames:2", time), true);
    INFO(time << "\n" << r.d.text());
    REQUIRE(r.good);
    CHECK(r.m.frameTime == 0.0083333);
  }
  CHECK(load(withRows("1 2 3 4 5 6\n7 8 9 10 11 12\n", "Frame Time: 0.02", "Frames: 2"), true).m.frameTime == 0.02);
}

TEST_CASE("rows wrapped, too short, too long, on one line, flowing") {
  Loaded r = load(withRows("1 2 3\n4 5 6\n7 8\n9 10 11 \n12\n"));
  CHECK(r.m.values == kTwo);
  CHECK(find(r.d, "bvh.motion.wrapped"));
  CHECK(r.good);

  r = load(withRows("1 2 3 4 5 6 7 8 9 10 11 12"));
  CHECK(r.m.values == kTwo);
  CHECK(r.good);

  r = load(withRows("1 2 3 4\n5 6 7 8\n9 10 11 12\n"));  // line ends have no meaning
  CHECK(r.m.values == kTwo);
  CHECK(r.good);
  CHECK(find(r.d, "bvh.motion.flowing"));

  r = load(withRows("1 2 3 4 5 6\n0 0 0 0\n7 8 9 10 11 12\n", "Frames: 3"));
  CHECK(r.m.values == kTwo);
  REQUIRE(find(r.d, "bvh.motion.row-short"));
  CHECK(find(r.d, "bvh.motion.row-short")->line == 20);

  r = load(withRows("1 2 3 4 5 6 99\n7 8 9 10 11 12\n"));
  CHECK(r.m.values == kTwo);
  REQUIRE(find(r.d, "bvh.motion.row-long"));
  CHECK(find(r.d, "bvh.motion.row-long")->line == 19);
  CHECK_FALSE(load(withRows("1 2 3 4 5 6 99\n7 8 9 10 11 12\n"), true).good);

  CHECK_FALSE(load(withRows("1 2 3 4 5\n1 2 3 4 5\n1 2 3 4 5\n", "Frames: 3")).good);
  CHECK(find(load(withRows("1 2 3 4 5\n1 2 3 4 5\n", "Frames: 3")).d, "bvh.motion.row-length"));
}

TEST_CASE("text among and behind the rows is reported and left out") {
  for (const char* note : {"note 1 2", "# note", "// 3 4", "; 5", "MOTION"}) {
    Loaded r = load(withRows(std::string("1 2 3 4 5 6\n") + note + "\n7 8 9 10 11 12\nend of capture\n"));
    INFO(note << "\n" << r.d.text());
    REQUIRE(r.good);
    CHECK(r.m.values == kTwo);
    CHECK(find(r.d, "bvh.motion.text")->line == 20);
  }
}

TEST_CASE("many findings of a kind are counted, the error that ends reading is always listed") {
  Loaded r = load("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\n}\n" + std::string(500, '}') + "\nROOT b\nno brace\n");
  CHECK_FALSE(r.good);
  CHECK(r.d.hasErrors());
  CHECK(r.d.entries.size() < 120);
}

TEST_CASE("findings are printable whatever the file holds; good UTF-8 names stay") {
  Loaded r = load("HIERARCHY\nROOT M\xC3\xBCller\n{\nJOINT \x01\xFF\x1B[2J\n{\n}\n}\nMOTION\nFrames: 0\nFrame Time: 1\n\xFE\x02\n");
  bool utf8 = false;
  for (const Diagnostic& d : r.d.entries) {
    for (char c : d.element + d.message) {
      CHECK(static_cast<unsigned char>(c) >= 32);
      CHECK(c != '\xFF');
    }
    utf8 = utf8 || d.element.find("M\xC3\xBCller") != std::string::npos;
  }
  CHECK(utf8);
}

TEST_CASE("truncated files: an error in the hierarchy, complete frames kept in the motion, at every byte") {
  const std::string whole = withRows("1 2 3 4 5 6\n7 8 9 10 11 12\n");
  const std::size_t rowsAt = whole.find("1 2 3 4 5 6");
  for (std::size_t n = 0; n < whole.size(); n++) {
    INFO(n);
    Loaded r = load(whole.substr(0, n));
    if (n < kHierarchy.size() - 1) CHECK_FALSE(r.good);
    if (n >= rowsAt + 12 && n < whole.size() - 3) {
      CHECK(r.good);
      CHECK(r.m.frames() == 1);
      if (n > rowsAt + 12) CHECK_FALSE(onlyInfos(r.d));
    }
  }
  Loaded r = load(withRows("1 2 3 4 5 6\n7 8 9 10 11 12", "Frames: 3"));
  CHECK(r.m.frames() == 1);  // 12 may be the start of 123
  CHECK(find(r.d, "bvh.motion.truncated"));
}

TEST_CASE("rotation orders mixed in one file; positions anywhere; channel counts 0 to 6") {
  figure::Motion m = test::loadedFile(test::sourceDir() + "/tests/bvh/two_roots.bvh");
  REQUIRE(m.joints.size() == 4);
  CHECK(m.joints[1].name == "mid:joint one");
  CHECK(m.joints[1].channels.empty());
  CHECK(m.joints[3].parent == -1);
  CHECK(m.joints[3].endSites.size() == 2);
  CHECK(m.channelCount == 9);
  // Position channels replace the OFFSET component by component, wherever they stand among the rotations.
  Pose a = figure::motionLocalPose(m, 0, m.frame(0));
  CHECK((a.p - Vec3(1, 1, 3)).norm() == 0);
  Pose b = figure::motionLocalPose(m, 3, m.frame(0));
  CHECK((b.p - Vec3(7, 0, 5)).norm() == 0);
  const double r = kPi / 180;
  Mat3 expected =
      (Eigen::AngleAxisd(60 * r, Vec3::UnitZ()) * Eigen::AngleAxisd(80 * r, Vec3::UnitX()) * Eigen::AngleAxisd(-90 * r, Vec3::UnitZ()))
          .toRotationMatrix();
  CHECK((b.q.toRotationMatrix() - expected).norm() < 1e-14);
}

TEST_CASE("joints named ..._End are joints, End Sites may be named, names may hold colons and blanks") {
  Loaded r = load(
      "HIERARCHY ROOT ns:Hips one { OFFSET 0 0 0 CHANNELS 0 JOINT Hand_End { OFFSET 0 1 0 CHANNELS 1 Xrotation "
      "End Site tip of it { OFFSET 0 1 0 } End Site { OFFSET 1 1 0 } } JOINT End { OFFSET 1 0 0 CHANNELS 1 Yrotation } } MOTION Frames: 1 "
      "Frame Time: 0.1 5 6");
  INFO(r.d.text());
  REQUIRE(r.good);
  REQUIRE(r.m.joints.size() == 3);
  CHECK(r.m.joints[0].name == "ns:Hips one");
  CHECK(r.m.joints[1].name == "Hand_End");
  CHECK(r.m.joints[1].endSites.size() == 2);
  CHECK(r.m.joints[2].name == "End");
  CHECK(r.m.values == std::vector<double>{5, 6});
}

TEST_CASE("duplicate names are renamed and said; names taken by others are not used") {
  Loaded r = load(
      "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\nJOINT a_2\n{\nOFFSET 0 1 0\n}\nJOINT a\n{\nOFFSET 0 1 0\n}\nJOINT "
      "a\n{\nOFFSET 0 1 0\n}\n}\nMOTION\nFrames: 0\nFrame Time: 1\n");
  REQUIRE(r.good);
  CHECK(r.m.joints[2].name == "a_3");
  CHECK(r.m.joints[3].name == "a_4");
  CHECK(find(r.d, "bvh.joint.duplicate")->line == 10);
}

TEST_CASE("faults of the hierarchy: code, line and joint") {
  struct Case {
    const char *text, *code;
    int line;
  };
  const Case cases[] = {
      {"", "bvh.not-bvh", 1},
      {"\n\n<html>", "bvh.not-bvh", 3},
      {"\xFF\xFEH", "bvh.encoding", 1},
      {"HIERARCHY\n", "bvh.hierarchy.empty", 2},
      {"HIERARCHY\nROOT a\nOFFSET 0 0 0\n", "bvh.hierarchy.brace", 2},
      {"HIERARCHY\nROOT a\n{\nOFFSET 0 0\nCHANNELS 0\n}\n", "bvh.joint.offset", 4},
      {"HIERARCHY\nROOT a\n{\nOFFSET 0 0 inf\nCHANNELS 0\n}\n", "bvh.joint.offset", 4},
      {"HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Xscale\n}\n", "bvh.joint.channel-name", 5},
      {"HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 2 Xrotation\n}\nMOTION\n", "bvh.joint.channel-count", 5},
      {"HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\nEnd Site\n{\nOFFSET 0 0 0\nJOINT b\n", "bvh.hierarchy.end-site", 9},
      {"HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nMOTION\n", "bvh.hierarchy.brace", 5},
      {"HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nLIMITS 1 2\n}\n", "bvh.hierarchy.unknown", 5},
      {"HIERARCHY\nROOT a\n{\nCHANNELS 0\n}\n", "bvh.joint.offset", 2},
      {"HIERARCHY\nROOT\n{\nOFFSET 0 0 0\n}\n", "bvh.joint.unnamed", 2},
  };
  for (const Case& c : cases) {
    Loaded r = load(c.text);
    INFO(c.text << "\n" << r.d.text());
    const Diagnostic* d = find(r.d, c.code);
    REQUIRE(d);
    CHECK(d->line == c.line);
    CHECK_FALSE(load(c.text, true).good);
  }
}

TEST_CASE("hostile text answers in 0.1 s with little memory") {
  auto timed = [](const std::string& text) {
    const std::clock_t start = std::clock();  // processor time: the machine may be shared
    load(text);
    double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(NDEBUG)
    seconds /= 20;
#endif
    CHECK(seconds < 0.1);
  };
  std::string deep = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\n", wide = deep, braces(1000000, '{');
  for (int i = 0; i < 100000; i++) deep += "JOINT b\n{\nOFFSET 0 1 0\n";
  for (int i = 0; i < 20000; i++) wide += "JOINT b\n{\nOFFSET 0 1 0\nCHANNELS 3 Xrotation Yrotation Zrotation\n}\n";
  timed(deep);
  timed(wide + "}\nMOTION\nFrames: 10000000\nFrame Time: 0.01\n1 2 3\n");
  timed("HIERARCHY\n" + braces);
  timed("HIERARCHY\nROOT " + std::string(1000000, 'x'));
  timed(withRows("1 2 3 4 5 6\n", "Frames: 10000000"));
  timed(withRows(std::string(1000000, '-')));
  timed(withRows(std::string(1000000, '9')));
  timed(withRows(std::string(1000000, ' ')));
  timed(withRows(std::string(1000000, '\0')));
  std::string words;
  for (int i = 0; i < 100000; i++) words += "nan\n";
  timed(withRows(words));
  test::Random random(3);
  std::string binary = withRows("");
  for (int i = 0; i < 500000; i++) binary += static_cast<char>(random.below(256));
  timed(binary);
}

TEST_CASE("a deep chain is written and read again") {
  std::string deep = "HIERARCHY\nROOT j0\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n", close = "}\n", row = "1";
  for (int i = 1; i < 3000; i++) {
    deep += "JOINT j" + std::to_string(i) + "\n{\nOFFSET 0 1 0\nCHANNELS 1 Xrotation\n";
    close += "}\n";
    row += " " + std::to_string(i);
  }
  figure::Motion a = test::loaded(deep + close + "MOTION\nFrames: 1\nFrame Time: 0.1\n" + row + "\n");
  figure::Motion b = test::loaded(writeBvhText(a));
  CHECK(a.values == b.values);
  CHECK(b.joints.size() == 3000);
}

TEST_CASE("units and up axis are guessed, said, and can be given") {
  const std::string text = withRows("0 90 0 0 0 0\n");
  Loaded r = load(text);
  CHECK(find(r.d, "bvh.unit"));
  CHECK(find(r.d, "bvh.up-axis"));
  CHECK(r.m.unit == 0.01);
  CHECK((r.m.turn * Vec3::UnitY() - Vec3::UnitZ()).norm() < 1e-15);
  for (int up = 0; up < 3; up++) {
    BvhOptions o;
    o.unit = 0.5;
    o.upAxis = up;
    figure::Motion m;
    Diagnostics d;
    REQUIRE(loadBvhText(text, "t", o, m, d));
    CHECK(m.unit == 0.5);
    CHECK((m.turn * Vec3::Unit(up) - Vec3::UnitZ()).norm() < 1e-15);
    CHECK(std::fabs(m.turn.coeffs().norm() - 1) < 1e-15);
  }
  std::string standing =
      "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\nJOINT b\n{\nOFFSET 0 0 1\nEnd Site\n{\nOFFSET 0 0 "
      "0.8\n}\n}\n}\nMOTION\nFrames: 1\nFrame Time: 1\n0 0 0\n";
  r = load(standing);
  CHECK(r.m.turn.coeffs() == Quat::Identity().coeffs());
  CHECK(r.m.unit == 1);
}

namespace {
// A figure that walks: a spine with a head and two legs that swing; its bones at rest along `bones`, standing along `up` (1: y, 2: z) by
// the rotation of its hips, and walking along the axis `way` at 1 m/s. `lies`: on its back instead, along z in a world with y up, and
// kicking.
std::string walker(const Vec3& bones, int up, int way, bool lies = false) {
  const auto offset = [&](double length) {
    const Vec3 o = length * bones;
    return "OFFSET " + std::to_string(o.x()) + " " + std::to_string(o.y()) + " " + std::to_string(o.z()) + "\n";
  };
  std::string out = "HIERARCHY\nROOT hips\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation\n";
  out += "JOINT spine\n{\n" + offset(0.1) + "CHANNELS 3 Zrotation Yrotation Xrotation\nEnd Site\n{\n" + offset(0.7) + "}\n}\n";
  for (const char* leg : {"left", "right"})
    out += std::string("JOINT ") + leg + "\n{\n" + offset(-0.05) + "CHANNELS 3 Zrotation Yrotation Xrotation\nEnd Site\n{\n" +
           offset(-0.9) + "}\n}\n";
  out += "}\nMOTION\nFrames: 60\nFrame Time: 0.0333333\n";
  const Vec3 stands = lies ? Vec3(Vec3::UnitZ()) : Vec3(Vec3::Unit(up));
  const Quat turn = Quat::FromTwoVectors(bones, stands);
  const Vec3 zyx = turn.toRotationMatrix().eulerAngles(2, 1, 0);
  for (int i = 0; i < 60; i++) {
    const double swing = 0.4 * std::sin(0.2 * i), height = lies ? 0.1 : 0.95 * std::cos(swing);
    Vec3 p = height * Vec3::Unit(up);
    if (!lies) p += (i / 30.0) * Vec3::Unit(way) + 0.03 * std::sin(0.2 * i) * Vec3::Unit(way).cross(stands);
    out += std::to_string(p.x()) + " " + std::to_string(p.y()) + " " + std::to_string(p.z());
    for (int k = 0; k < 3; k++) out += " " + std::to_string(zyx[k] * 180 / kPi);
    // The legs swing about the axis that walking needs; on its back both are drawn up and stretched.
    const Vec3 across = turn.conjugate() * (lies ? Vec3(Vec3::UnitX()) : Vec3(stands.cross(Vec3::Unit(way))));
    for (int limb = 0; limb < 3; limb++) {
      const double angle = limb == 0 ? 0 : lies ? 0.8 + swing : limb == 1 ? swing : -swing;
      const Vec3 e = Quat(Eigen::AngleAxisd(angle, across)).toRotationMatrix().eulerAngles(2, 1, 0);
      for (int k = 0; k < 3; k++) out += " " + std::to_string(e[k] * 180 / kPi);
    }
    out += "\n";
  }
  return out;
}
}  // namespace

TEST_CASE("the up axis is found whatever the figure does at rest") {
  struct Case {
    Vec3 bones;
    int up, way;
    bool lies;
  };
  for (const Case& c : {Case{Vec3::UnitY(), 1, 2, false}, Case{Vec3::UnitY(), 1, 0, false}, Case{Vec3::UnitZ(), 2, 1, false},
                        Case{Vec3::UnitX(), 1, 2, false}, Case{Vec3::UnitX(), 2, 0, false}, Case{Vec3::UnitX(), 2, 1, false},
                        Case{Vec3::UnitY(), 2, 0, false}, Case{Vec3::UnitY(), 2, 1, false}, Case{Vec3::UnitZ(), 1, 0, false},
                        Case{Vec3::UnitY(), 1, 0, true}}) {
    const Loaded r = load(walker(c.bones, c.up, c.way, c.lies));
    INFO("bones along " << c.bones.transpose() << ", up " << c.up << ", walks along " << c.way << (c.lies ? ", lies" : ""));
    REQUIRE(r.good);
    CHECK((r.m.turn * Vec3::Unit(c.up) - Vec3::UnitZ()).norm() < 1e-15);
  }
}

TEST_CASE("what is longer than it is high, as a dog, keeps y up, and one pose that stands along z has z up") {
  const auto dog = [](double length) {
    std::string out = "HIERARCHY\nROOT hips\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\n";
    const auto leg = [&](const char* name) {
      out += std::string("JOINT ") + name + "\n{\nOFFSET 0.1 0 0\nCHANNELS 1 Xrotation\nEnd Site\n{\nOFFSET 0 -0.6 0\n}\n}\n";
    };
    leg("hind");
    out += "JOINT chest\n{\nOFFSET 0 0 " + std::to_string(length) + "\nCHANNELS 1 Xrotation\n";
    leg("fore");
    out += "}\n}\nMOTION\nFrames: 40\nFrame Time: 0.05\n";
    for (int i = 0; i < 40; i++) {
      const std::string swing = std::to_string(20 * std::sin(0.5 * i));
      out += "0 0.6 " + std::to_string(0.03 * i) + " " + swing + " 0 -" + swing + "\n";
    }
    return out;
  };
  for (const double length : {0.6, 0.75, 0.85}) {
    std::string text = dog(length);
    for (std::size_t at = 0; (at = text.find("--", at)) != std::string::npos;) text.erase(at, 2);
    const Loaded r = load(text);
    INFO(length << " m long, 0.6 m high");
    REQUIRE(r.good);
    CHECK((r.m.turn * Vec3::UnitY() - Vec3::UnitZ()).norm() < 1e-15);
  }
  std::string one = walker(Vec3::UnitX(), 2, 0);
  one.replace(one.find("Frames: 60"), 10, "Frames: 1");
  one.resize(one.find('\n', one.find("Frame Time")) + 1 + one.substr(one.find('\n', one.find("Frame Time")) + 1).find('\n') + 1);
  const Loaded r = load(one);
  REQUIRE(r.good);
  REQUIRE(r.m.frames() == 1);
  CHECK((r.m.turn * Vec3::UnitZ() - Vec3::UnitZ()).norm() < 1e-15);
}

TEST_CASE("guessed units make the captured people human") {
  REQUIRE_SHARED_DATA();
  for (const std::string& file : test::bvhFiles(test::sharedData() + "/bvh")) {
    figure::Motion m = test::loadedFile(file);
    std::vector<Pose> poses(m.joints.size());
    double tallest = 0;  // joints only: without the top of the head
    for (int f = 0; f < m.frames(); f += 10) {
      figure::motionWorldPoses(m, m.frame(f), false, poses.data());
      double low = 1e9, high = -1e9;
      for (std::size_t j = 1; j < poses.size(); j++) low = std::min(low, poses[j].p.z()), high = std::max(high, poses[j].p.z());
      tallest = std::max(tallest, high - low);
    }
    INFO(file);
    CHECK(tallest > 1.2);
    CHECK(tallest < 2.0);
  }
}

TEST_CASE("streaming gives the frames of loading, and stops on request") {
  const std::string path = test::sourceDir() + "/tests/bvh/two_roots.bvh";
  figure::Motion whole = test::loadedFile(path), header;
  std::vector<double> values;
  Diagnostics d;
  REQUIRE(readBvhFrames(
      path, {}, header, [&](const double* f) { return values.insert(values.end(), f, f + 9), true; }, d));
  CHECK(values == whole.values);
  CHECK(header.unit == whole.unit);
  CHECK(header.turn.coeffs() == whole.turn.coeffs());
  int calls = 0;
  REQUIRE(readBvhFrames(
      path, {}, header, [&](const double*) { return ++calls < 2; }, d));
  CHECK(calls == 2);
}

TEST_CASE("files that are not there or are directories") {
  figure::Motion m;
  Diagnostics d;
  CHECK_FALSE(loadBvhFile(test::sourceDir() + "/tests/bvh/none.bvh", {}, m, d));
  CHECK_FALSE(loadBvhFile(test::sourceDir() + "/tests/bvh", {}, m, d));
  CHECK(d.entries.size() == 2);
  CHECK_FALSE(writeBvhFile(m, test::sourceDir() + "/tests/none/none.bvh", d));
}

TEST_CASE("a file longer than a block reads as the text does") {
  std::string rows;
  test::Random random(9);
  for (int i = 0; i < 60000; i++) {
    for (int k = 0; k < 6; k++) rows += std::to_string(random.range(-100, 100)) + (k < 5 ? " " : random.unit() < 0.5 ? "\r\n" : "\n");
  }
  const std::string text = withRows(rows, "Frames: 60000");
  REQUIRE(text.size() > 3000000);
  const std::string path = (std::filesystem::temp_directory_path() / "vertebra_bvh_blocks.bvh").string();
  std::ofstream(path, std::ios::binary) << text;
  figure::Motion a = test::loaded(text), b = test::loadedFile(path);
  std::filesystem::remove(path);
  CHECK(a.frames() == 60000);
  CHECK(a.values == b.values);
}
