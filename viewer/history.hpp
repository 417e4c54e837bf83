// The ring of snapshots that rewinding goes back to: all pictures of the last seconds, older ones every tenth of a second, within a span of
// time and of memory. Seconds of the world.
#pragma once
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "viewer/cannon.hpp"
#include "viewer/grab.hpp"

namespace vertebra::viewer {

class History {
 public:
  History(vtb_world* world, double span, double memory) : world_(world), span_(span), memory_(memory) {}

  // The world as it is now, unless the last snapshot is of the same time; the very first stays for reset.
  void record(const Cannon& cannon, const Grab& grab);
  // To the last snapshot at or before a time; shots fired since are destroyed, whatever is held is let go. False, with the reason in why,
  // if there is none that fits; the world is as it was then, but for shots and hold.
  bool back(double time, Cannon& cannon, Grab& grab, const char*& why);
  void forget();  // all but the present: the world's things have been changed
  double earliest() const { return moments_.empty() ? 0 : moments_.front().time; }
  bool empty() const { return moments_.empty(); }
  const double* before(double time) const;  // of the last snapshot earlier than a time; null: none

 private:
  struct Moment {
    double time = 0;
    std::vector<std::uint8_t> bytes;
    std::size_t shots = 0;
    std::optional<Hold> hold;
  };
  void thin();
  bool restore(const Moment& moment, Cannon& cannon, Grab& grab);

  vtb_world* world_;
  double span_, memory_, used_ = 0;
  std::deque<Moment> moments_;
};

}  // namespace vertebra::viewer
