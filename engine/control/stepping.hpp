// Stepping: a course for a biped that nothing holds up. The divergent component of its centre of mass is kept near the course's by the
// centre of pressure as far as the soles reach; what will be left at touch-down moves the place where the swinging foot lands, and the rest
// of the course moves along. World axes, Z up, level ground at height 0, SI units.
// Sources: Pratt 2006 (capture point), Takenaka 2009 and Englsberger 2015 (divergent component), Khadiv 2016 (landing).
#pragma once
#include <memory>
#include <vector>

#include "engine/control/course.hpp"
#include "engine/control/legs.hpp"

namespace vertebra::control {

struct SteppingSettings {
  double gain = 3;         // the centre of pressure goes 1 + gain times as far from the course's as the divergent component
  double beyond = 0.1;     // m: farthest that it is asked for outside of the soles: the hips' part
  double reach = 0.55;     // share of the height of the centre of mass: farthest that a landing moves
  double apart = 0.7;      // share of the distance of the hips: nearest that a moved foot lands beside the other, on its side
  double turn = 10;        // rad/s: of the feedback of the root's orientation
  double height = 25;      // rad/s: of that of the height of the centre of mass
  double stiffness = 0.2;  // share of the stiffness of drives in legs that stand: stiffer ones press the edges of the soles
};

class Stepping {
 public:
  using Vec2 = Eigen::Vector2d;

  Stepping(std::shared_ptr<const Course> course, const SteppingSettings& settings);
  bool able() const { return legs_.size() == 2; }  // the figure floats and stands on two legs only
  void start(double t);

  // Which feet stand. k: the figure's at time t of the course.
  void read(double t, const retarget::Kinematics& k);
  bool leads(int body) const;  // it is a leg's foot
  bool stands(int body) const;
  double stiffness(std::size_t velocity) const;  // share of that of an axis's drive

  // After read(): moves the landings, and changes the course's acceleration a at (q, v) = (course, courseV) so that the figure at (q, v)
  // accelerates by feedback. h: s, of the step that comes.
  void balance(double t, double h, double gravity, const double* q, const double* v, const double* course, const double* courseV,
               double* a);
  // The course at the end of that step moves along: its root by shift(), legs by inverse kinematics.
  void move(double h, const double* q, const double* v, double* course, double* courseV);
  const Vec2& shift() const { return shift_; }
  Vec2 offset(int foot) const;  // by which a leg's foot is moved now

 private:
  struct Stance {
    double from = 0, to = 0;                         // s
    Vec2 place = Vec2::Zero(), side = Vec2::Zero();  // of the foot in it; unit vector from the other hip to its own
  };
  struct Leg {
    int top = -1, foot = -1;                // bodies
    std::size_t atFoot = 0;                 // of the course's feet
    std::vector<std::size_t> soles, upper;  // of the foot; of other bodies of the leg: where they stand, it kneels
    std::vector<int> qs, vs;                // coordinates and velocities of its axes
    std::vector<Stance> stances;
    const Stance* next = nullptr;
    const Stance* last = nullptr;
    bool due = false, early = false, down = false, kneels = false;         // in the course; before it; as felt
    Vec2 here = Vec2::Zero();                                              // where the foot is
    Vec2 offset = Vec2::Zero(), rate = Vec2::Zero(), goal = Vec2::Zero();  // by which its foot is moved; at touch-down
  };
  void findLegs();
  void findStances(Leg& leg);
  void followFeet(double h, const double* course);
  Vec3 wantedAcceleration(double gravity, const Vec3& courseCentre, const Vec3& courseVelocity, const Vec3& courseAcceleration);
  void moveLanding(Leg& leg, const Leg& other, double t, double h);
  Vec3 centreAcceleration(const double* q, const double* v, const double* a);
  bool solveLeg(const Leg& leg, const Vec3& place, const Mat3& turn, const Vec6& twist, const double* v, const double* course,
                const double* courseV);

  std::shared_ptr<const Course> course_;
  SteppingSettings settings_;
  LegSolver solver_;
  figure::FigureWorkspace workspace_;
  std::vector<Leg> legs_;
  double hips_ = 0;                                                              // m: their distance
  std::vector<double> qLegs_, vLegs_, qEnd_, qRoot_, vRoot_, difference_, tau_;  // scratch
  std::vector<Vec2> support_, inner_;
  Vec3 centre_ = Vec3::Zero(), velocity_ = Vec3::Zero();
  Vec2 shift_ = Vec2::Zero(), shiftRate_ = Vec2::Zero(), deviation_ = Vec2::Zero(), pressure_ = Vec2::Zero();
  double omega_ = 1, height_ = 1;  // rad/s, m
  std::size_t stance_ = 0;         // the leg that came down last
};

}  // namespace vertebra::control
