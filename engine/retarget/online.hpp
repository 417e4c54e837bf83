// Retargeting frame by frame, with a latency: what the whole-clip form does, from frames up to the latency ahead. Contacts of feet, floor,
// sizes and constant turns of feet, hands and head are those of a clip on which it is calibrated. World axes, Z up, metres, seconds.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "engine/retarget/retarget.hpp"

namespace vertebra::retarget {

struct OnlineState;

class Online {
 public:
  // latency: s. The motion also names the joints of the frames to come. Returns an empty string, or what is wrong.
  static std::string create(const figure::Motion& motion, std::shared_ptr<const figure::FigureModel> model, const Settings& settings,
                            double latency, std::unique_ptr<Online>& out);
  ~Online();

  int joints() const;  // poses in a frame
  int nq() const;
  int latency() const;       // frames
  double frameTime() const;  // between two calls of push
  // The next frame of the source: poses of its joints. True: q receives the coordinates of the frame `latency` frames ago.
  bool push(const Pose* poses, double* q);
  bool finish(double* q);  // one of the frames that are still held back; false: none is
  void restart();          // forget all frames

 private:
  explicit Online(std::unique_ptr<OnlineState> state);
  std::unique_ptr<OnlineState> state_;
};

}  // namespace vertebra::retarget
