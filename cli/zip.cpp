// See zip.hpp.
#include "cli/zip.hpp"

#include <zlib.h>

#include <fstream>
#include <vector>

#include "cli/arguments.hpp"

namespace vertebra::cli {

namespace {

constexpr std::uint16_t kVersion = 20, kDeflated = 8, kUtf8 = 0x0800, kMidnight = 0, kDay = 0x0021;  // 1980-01-01

void put16(std::string& to, std::uint16_t value) {
  for (int shift = 0; shift < 16; shift += 8) to += static_cast<char>(value >> shift & 0xFF);
}
void put32(std::string& to, std::uint32_t value) {
  for (int shift = 0; shift < 32; shift += 8) to += static_cast<char>(value >> shift & 0xFF);
}

std::string deflated(std::string_view content) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    throw Failure("zlib cannot start");
  std::string result(deflateBound(&stream, content.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = reinterpret_cast<Bytef*>(result.data());
  stream.avail_out = static_cast<uInt>(result.size());
  const int status = deflate(&stream, Z_FINISH);
  result.resize(stream.total_out);
  deflateEnd(&stream);
  if (status != Z_STREAM_END) throw Failure("zlib cannot compress");
  return result;
}

}  // namespace

void Zip::add(const std::string& name, std::string_view content) {
  constexpr std::size_t kMost = 0xFFFFFFF0u;
  if (content.size() > kMost || entries_.size() + content.size() > kMost || count_ == 0xFFFF)
    throw Failure("the archive would be too large");
  const std::string packed = deflated(content);
  const auto offset = static_cast<std::uint32_t>(entries_.size());
  const auto sum = static_cast<std::uint32_t>(
      crc32(crc32(0, nullptr, 0), reinterpret_cast<const Bytef*>(content.data()), static_cast<uInt>(content.size())));
  // What the entry's own head and its line in the directory have in common.
  std::string head;
  for (const std::uint16_t value : {kVersion, kUtf8, kDeflated, kMidnight, kDay}) put16(head, value);
  put32(head, sum);
  put32(head, static_cast<std::uint32_t>(packed.size()));
  put32(head, static_cast<std::uint32_t>(content.size()));
  put16(head, static_cast<std::uint16_t>(name.size()));
  put16(head, 0);  // no extra field

  put32(entries_, 0x04034b50);
  entries_ += head + name + packed;

  put32(directory_, 0x02014b50);
  put16(directory_, 3 << 8 | kVersion);  // made on Unix
  directory_ += head;
  put16(directory_, 0);               // no comment
  put16(directory_, 0);               // first disk
  put16(directory_, 0);               // binary
  put32(directory_, 0100644u << 16);  // a file that its owner may write and all may read
  put32(directory_, offset);
  directory_ += name;
  ++count_;
}

void Zip::write(const std::string& path) const {
  std::string end;
  put32(end, 0x06054b50);
  put32(end, 0);  // one disk
  put16(end, count_);
  put16(end, count_);
  put32(end, static_cast<std::uint32_t>(directory_.size()));
  put32(end, static_cast<std::uint32_t>(entries_.size()));
  put16(end, 0);  // no comment
  std::ofstream file(path, std::ios::binary);
  file << entries_ << directory_ << end;
  file.close();
  if (!file) throw Failure("cannot write " + path);
}

}  // namespace vertebra::cli
