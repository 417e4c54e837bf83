// See npz.hpp.
#include "loaders/trajectory/npz.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

namespace vertebra {

namespace {
std::uint32_t crc32(const std::string& bytes) {  // reflected polynomial 0xEDB88320, as ZIP has it
  static const std::array<std::uint32_t, 256> table = [] {
    std::array<std::uint32_t, 256> t{};
    for (std::uint32_t i = 0; i < 256; i++) {
      t[i] = i;
      for (int k = 0; k < 8; k++) t[i] = (t[i] >> 1) ^ (t[i] & 1 ? 0xEDB88320u : 0u);
    }
    return t;
  }();
  std::uint32_t crc = 0xFFFFFFFFu;
  for (const char c : bytes) crc = (crc >> 8) ^ table[(crc ^ static_cast<unsigned char>(c)) & 255];
  return ~crc;
}

void little(std::string& out, std::uint64_t value, int bytes) {
  for (int k = 0; k < bytes; k++) out += static_cast<char>(value >> (8 * k) & 255);
}

std::string npyHead(const std::string& type, const std::vector<std::size_t>& shape) {
  std::string dims;
  for (const std::size_t n : shape) dims += std::to_string(n) + ", ";
  if (shape.size() > 1) dims.resize(dims.size() - 2);  // (5, ) has its comma, (5, 3) needs none
  std::string dict = "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + dims + "), }";
  while ((10 + dict.size() + 1) % 64 != 0) dict += ' ';
  dict += '\n';
  std::string out("\x93NUMPY\x01\x00", 8);
  little(out, dict.size(), 2);
  return out + dict;
}

std::string npy(const std::vector<double>& values, const std::vector<std::size_t>& shape) {
  std::string out = npyHead("<f8", shape);
  for (const double x : values) {
    std::uint64_t bits;
    std::memcpy(&bits, &x, sizeof bits);
    little(out, bits, 8);
  }
  return out;
}

// Code points of UTF-8; bytes that are none are the replacement character.
std::vector<std::uint32_t> codePoints(const std::string& text) {
  std::vector<std::uint32_t> out;
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const int more = lead < 0x80                   ? 0
                     : lead >= 0xC2 && lead < 0xE0 ? 1
                     : lead >= 0xE0 && lead < 0xF0 ? 2
                     : lead >= 0xF0 && lead < 0xF5 ? 3
                                                   : -1;
    std::uint32_t code = more == 0 ? lead : lead & (0x3Fu >> (more < 0 ? 0 : more));
    bool good = more >= 0 && i + static_cast<std::size_t>(more) < text.size();
    for (int k = 1; good && k <= more; k++) {
      const auto next = static_cast<unsigned char>(text[i + static_cast<std::size_t>(k)]);
      good = (next & 0xC0) == 0x80;
      code = code << 6 | (next & 0x3Fu);
    }
    out.push_back(good && code < 0x110000 ? code : 0xFFFD);
    i += good ? static_cast<std::size_t>(more) + 1 : 1;
  }
  return out;
}

std::string npy(const std::vector<std::string>& names) {
  std::vector<std::vector<std::uint32_t>> texts;
  std::size_t width = 1;
  for (const std::string& name : names) {
    texts.push_back(codePoints(name));
    width = std::max(width, texts.back().size());
  }
  std::string out = npyHead("<U" + std::to_string(width), {names.size()});
  for (std::vector<std::uint32_t>& text : texts) {
    text.resize(width, 0);
    for (const std::uint32_t c : text) little(out, c, 4);
  }
  return out;
}

struct Archive {
  std::string bytes, directory;
  std::uint64_t members = 0;

  void add(const std::string& name, const std::string& content) {
    const std::uint64_t at = bytes.size();
    std::string common;         // of the member's head and its entry in the directory
    little(common, 20, 2);      // version needed
    little(common, 0, 2);       // flags
    little(common, 0, 2);       // stored
    little(common, 0, 2);       // time
    little(common, 0x0021, 2);  // date: 1980-01-01, so that equal content gives equal bytes
    little(common, crc32(content), 4);
    little(common, content.size(), 4);
    little(common, content.size(), 4);
    little(common, name.size(), 2);
    little(common, 0, 2);  // extra field
    bytes += std::string("PK\x03\x04", 4) + common + name + content;
    directory += std::string("PK\x01\x02", 4);
    little(directory, 20, 2);  // version made by
    directory += common;
    little(directory, 0, 2);  // comment
    little(directory, 0, 2);  // disk
    little(directory, 0, 2);  // attributes
    little(directory, 0, 4);
    little(directory, at, 4);
    directory += name;
    members++;
  }
  std::string close() const {
    if (bytes.size() + directory.size() >= 0xFFFFFFFFu) return {};
    std::string end("PK\x05\x06", 4);
    little(end, 0, 4);  // disks
    little(end, members, 2);
    little(end, members, 2);
    little(end, directory.size(), 4);
    little(end, bytes.size(), 4);
    little(end, 0, 2);  // comment
    return bytes + directory + end;
  }
};
}  // namespace

std::string writeNpz(const figure::TrajectoryArrays& a) {
  const auto T = static_cast<std::size_t>(a.frames), B = static_cast<std::size_t>(a.links);
  Archive zip;
  zip.add("fps.npy", npy({a.fps}, {1}));
  zip.add("joint_pos.npy", npy(a.jointPositions, {T, static_cast<std::size_t>(a.jointQ)}));
  zip.add("joint_vel.npy", npy(a.jointVelocities, {T, static_cast<std::size_t>(a.jointV)}));
  zip.add("body_pos_w.npy", npy(a.positions, {T, B, 3}));
  zip.add("body_quat_w.npy", npy(a.orientations, {T, B, 4}));
  zip.add("body_lin_vel_w.npy", npy(a.linear, {T, B, 3}));
  zip.add("body_ang_vel_w.npy", npy(a.angular, {T, B, 3}));
  zip.add("joint_names.npy", npy(a.jointNames));
  zip.add("body_names.npy", npy(a.linkNames));
  return zip.close();
}

}  // namespace vertebra
