// See web_server.hpp. HTTP/1.1 as RFC 9112 has it, bodies with Content-Length; one thread, sockets that do not block.
#include "cli/web_server.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>

#include "cli/arguments.hpp"

namespace vertebra::cli {

namespace {

constexpr std::size_t kLargestRequest = 1 << 16;  // bytes
constexpr std::size_t kMostConnections = 64;
constexpr char kHeadEnd[] = "\r\n\r\n";

std::string lower(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

const char* reasonOf(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 400:
      return "Bad Request";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 413:
      return "Content Too Large";
    default:
      return "Error";
  }
}

std::string headOf(const WebAnswer& answer) {
  std::string head = "HTTP/1.1 " + std::to_string(answer.status) + " " + reasonOf(answer.status) + "\r\nContent-Type: " + answer.type +
                     "\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n";
  if (!answer.stream) head += "Content-Length: " + std::to_string(answer.body.size()) + "\r\n";
  return head + "\r\n";
}

// Of what stands before the empty line; false where it is no request.
bool parseHead(std::string_view head, WebRequest& request) {
  bool first = true;
  for (std::size_t start = 0; start < head.size();) {
    const std::size_t end = std::min(head.find("\r\n", start), head.size());
    const std::string_view line = head.substr(start, end - start);
    start = end + 2;
    if (first) {
      const auto words = split(line, ' ');
      if (words.size() != 3 || !words[2].starts_with("HTTP/1.")) return false;
      request.method = words[0];
      request.path = words[1].substr(0, words[1].find('?'));
      first = false;
      continue;
    }
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos ||
        !request.heads.emplace(lower(std::string(line.substr(0, colon))), trimmed(line.substr(colon + 1))).second)
      return false;
  }
  return !first;
}

std::string headNamed(const WebRequest& request, const char* name) {
  const auto found = request.heads.find(name);
  return found == request.heads.end() ? "" : found->second;
}

// The page is asked for by a name of this machine's loopback, and acts are sent by that page alone; a program sends no Origin.
bool ours(const WebRequest& request) {
  const std::string host = lower(headNamed(request, "host")), origin = lower(headNamed(request, "origin"));
  const std::string name = host.substr(0, host.find(':'));
  return (name == "127.0.0.1" || name == "localhost") && (origin.empty() || origin == "http://" + host);
}

[[noreturn]] void cannotListen(int port) {
  const int error = errno;
  if (error == EADDRINUSE) throw Failure("port " + std::to_string(port) + " is taken; give another --port, or none for a free one");
  throw Failure("cannot listen on 127.0.0.1" + (port ? ":" + std::to_string(port) : std::string()) + ": " + std::strerror(error));
}

}  // namespace

WebServer::WebServer(int port) {
  listener_ = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (listener_ < 0) cannotListen(port);
  const int yes = 1;
  setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  socklen_t size = sizeof address;
  if (bind(listener_, reinterpret_cast<sockaddr*>(&address), size) != 0 || listen(listener_, 16) != 0 ||
      getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    const int error = errno;
    close(listener_);
    errno = error;
    cannotListen(port);
  }
  port_ = ntohs(address.sin_port);
}

WebServer::~WebServer() {
  for (const Connection& connection : connections_) close(connection.socket);
  close(listener_);
}

void WebServer::accept() {
  for (;;) {
    const int made = accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (made < 0) return;
    if (connections_.size() >= kMostConnections) {
      close(made);
      continue;
    }
    const int yes = 1;
    setsockopt(made, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    Connection connection;
    connection.socket = made;
    connection.number = ++numbers_;
    connections_.push_back(std::move(connection));
  }
}

bool WebServer::read(Connection& connection) {
  char buffer[1 << 14];
  for (;;) {
    const ssize_t got = recv(connection.socket, buffer, sizeof buffer, 0);
    if (got == 0) return false;
    if (got < 0) return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
    if (!connection.stream) connection.in.append(buffer, static_cast<std::size_t>(got));
    if (connection.in.size() > 2 * kLargestRequest) return true;  // answerAll refuses it
  }
}

bool WebServer::write(Connection& connection) {
  while (!connection.out.empty()) {
    const ssize_t sent = ::send(connection.socket, connection.out.data(), connection.out.size(), MSG_NOSIGNAL);
    if (sent < 0) return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
    connection.out.erase(0, static_cast<std::size_t>(sent));
  }
  return !connection.last;
}

// The requests that are there as a whole; true if there was one.
bool WebServer::answerAll(Connection& connection, const std::function<WebAnswer(const WebRequest&)>& answer) {
  bool any = false;
  while (!connection.stream && !connection.last) {
    const std::size_t end = connection.in.find(kHeadEnd);
    const bool tooLarge = (end == std::string::npos ? connection.in.size() : end) > kLargestRequest;
    if (end == std::string::npos && !tooLarge) return any;
    WebRequest request;
    WebAnswer given;
    std::size_t length = 0;
    bool understood = !tooLarge && parseHead(std::string_view(connection.in).substr(0, end), request);
    if (const std::string text = headNamed(request, "content-length"); understood && !text.empty()) {
      const auto parsed = std::from_chars(text.data(), text.data() + text.size(), length);
      understood = parsed.ec == std::errc() && parsed.ptr == text.data() + text.size();
    }
    understood = understood && headNamed(request, "transfer-encoding").empty();
    if (!understood || length > kLargestRequest) {
      given = {understood || tooLarge ? 413 : 400, given.type, "this is no request of the page\n", false};
      connection.last = true;
    } else {
      const std::size_t whole = end + std::strlen(kHeadEnd) + length;
      if (connection.in.size() < whole) return any;
      request.body = connection.in.substr(whole - length, length);
      connection.in.erase(0, whole);
      given =
          ours(request) ? answer(request) : WebAnswer{403, given.type, "only the page itself, at 127.0.0.1 or localhost, may ask\n", false};
      connection.last = lower(headNamed(request, "connection")) == "close" && !given.stream;
    }
    connection.stream = given.stream;
    connection.out += headOf(given) + given.body;
    any = true;
  }
  return any;
}

bool WebServer::serve(double seconds, const std::function<WebAnswer(const WebRequest&)>& answer) {
  std::vector<pollfd> polled = {{listener_, POLLIN, 0}};
  for (const Connection& connection : connections_)
    polled.push_back({connection.socket, static_cast<short>(POLLIN | (connection.out.empty() ? 0 : POLLOUT)), 0});
  const auto nanoseconds = static_cast<long>(std::clamp(seconds, 0.0, 0.5) * 1e9);
  const timespec wait{0, nanoseconds};
  const int ready = ppoll(polled.data(), polled.size(), &wait, nullptr);
  if (ready < 0) return errno != EINTR;
  if (ready == 0) return true;
  for (std::size_t i = 0; i < connections_.size(); i++) {
    Connection& connection = connections_[i];
    const short events = polled[i + 1].revents;
    bool open = (events & POLLIN) ? read(connection) : (events & (POLLERR | POLLHUP | POLLNVAL)) == 0;
    if (open) answerAll(connection, answer);
    if (open && !connection.out.empty()) open = write(connection);
    if (open) continue;
    close(connection.socket);
    connection.socket = -1;
  }
  std::erase_if(connections_, [](const Connection& c) { return c.socket < 0; });
  if (polled[0].revents & POLLIN) accept();
  return true;
}

std::vector<std::uint64_t> WebServer::streams() const {
  std::vector<std::uint64_t> all;
  for (const Connection& connection : connections_)
    if (connection.stream) all.push_back(connection.number);
  return all;
}

bool WebServer::drained(std::uint64_t stream) const {
  return std::any_of(connections_.begin(), connections_.end(), [&](const Connection& c) { return c.number == stream && c.out.empty(); });
}

void WebServer::send(std::uint64_t stream, const std::string& text) {
  for (Connection& connection : connections_) {
    if (connection.number != stream) continue;
    connection.out += "data: " + text + "\n\n";
    write(connection);  // what is over is noticed by serve()
  }
}

}  // namespace vertebra::cli
