// A small HTTP server for one page of our own, on the loopback interface only, with streams of server-sent events. It refuses requests that
// name another host or come from another page, so that no page of the net reaches it through the user's browser.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace vertebra::cli {

struct WebRequest {
  std::string method, path, body;
  std::map<std::string, std::string> heads;  // names in lower case
};

struct WebAnswer {
  int status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body;
  bool stream = false;  // the connection stays open and gets what send() is given
};

class WebServer {
 public:
  explicit WebServer(int port);  // 0: a free one. Failure where it cannot be had
  ~WebServer();
  WebServer(const WebServer&) = delete;
  WebServer& operator=(const WebServer&) = delete;

  int port() const { return port_; }
  // Reads and writes for so long; at once after an answer was given. False where a signal came in between.
  bool serve(double seconds, const std::function<WebAnswer(const WebRequest&)>& answer);
  std::vector<std::uint64_t> streams() const;                // that are open
  bool drained(std::uint64_t stream) const;                  // all that it was given is on its way
  void send(std::uint64_t stream, const std::string& text);  // one event

 private:
  struct Connection {
    int socket = -1;
    std::uint64_t number = 0;
    std::string in, out;
    bool stream = false, last = false;  // last: to be closed when `out` is written
  };

  void accept();
  bool read(Connection& connection);   // false: it is over
  bool write(Connection& connection);  // likewise
  bool answerAll(Connection& connection, const std::function<WebAnswer(const WebRequest&)>& answer);

  int listener_ = -1, port_ = 0;
  std::uint64_t numbers_ = 0;
  std::vector<Connection> connections_;
};

}  // namespace vertebra::cli
