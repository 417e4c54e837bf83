// Random calls of the whole C ABI on a few worlds at a time. A seed gives the sequence; each operation has random numbers of its own, so
// that a sequence that fails can be cut down to the operations that matter. Checked after each call: a status of the enumeration and none
// that tells of a defect, outputs untouched and the hash of the world unchanged where it failed; after steps: poses and twists are numbers,
// quaternions of unit length, a failing step is undone, a restored world goes on bit for bit; in callbacks: VTB_E_BUSY.
#pragma once
#include <unistd.h>

#include <atomic>
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include <vertebra/vertebra.h>

namespace fuzz {

struct Count {  // of the calls of a function, by all processes
  char name[56];
  std::atomic<long> ok, bad;
};
struct Shared {  // what was loaded before the first seed
  std::vector<vtb_skeleton*> skeletons;
  std::vector<vtb_motion*> motions;
  std::vector<vtb_scene*> scenes;
  std::vector<std::string> urdf, bvh, xml;
  std::string scenesFolder;  // ends in /
};
extern Shared shared;
extern Count* table;
extern bool trace;
extern std::atomic<int> defects;
int idOf(const char* name);  // in the table

class Random {  // splitmix64
 public:
  std::uint64_t state = 1;
  std::uint64_t bits() {
    std::uint64_t z = (state += 0x9e3779b97f4a7c15ull);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
  }
  std::uint64_t below(std::uint64_t n) { return n ? bits() % n : 0; }
  double unit() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
  bool chance(double p) { return unit() < p; }
};

enum Kind { BODY, SHAPE, JOINT, COUPLING, FIELD, FIGURE, CONSTRAINT, PARTICLES, SENSOR, KINDS };  // as VTB_NAMED_*
struct Callback {                                                                                 // what a callback of the library gets
  double v[16];
  int mode, axes = 0;
  std::uint64_t salt;
  class Fuzz* fuzz;
};
struct FuzzedWorld {
  vtb_world* w;
  std::vector<std::uint64_t> pool[KINDS];  // handles
  bool clock;                              // its steps read the clock: runs differ
};

// An enumerated field or parameter gets any number.
template <class T>
void set(T& to, int value) {
  static_assert(sizeof to == sizeof value);
  std::memcpy(&to, &value, sizeof value);
}
template <class E>
E enumOf(int value) {
  E e;
  set(e, value);
  return e;
}
template <class T>
struct Box {  // a struct with room behind it for a tail that the library does not know
  T d;
  std::uint64_t tail[8];
  Box() { std::memset(static_cast<void*>(this), 0, sizeof *this); }
};

// A call with its checks; CHANGED: also of the world's hash. PREPARED: a def `d` with its defaults.
#define CALLED(fn, ...)                             \
  (before(), after(                                 \
                 #fn,                               \
                 [] {                               \
                   static const int id = idOf(#fn); \
                   return id;                       \
                 }(),                               \
                 fn(__VA_ARGS__)))
#define CHANGED(world, fn, ...) (hashBefore(world), hashAfter(world, CALLED(fn, __VA_ARGS__)))
#define PREPARED(name)     \
  Box<vtb_##name##_def> d; \
  CALLED(vtb_##name##_def_init, &d.d, sizeof d.d)

class Fuzz {
 public:
  void run(std::uint64_t seed, const std::set<int>* only);  // only these operations, or all
  void defect(const char* what, const char* fn, long a = 0, long b = 0);

 private:
  // abi.cpp: around each call
  void before();
  vtb_status after(const char* fn, int id, vtb_status s);
  void hashBefore(FuzzedWorld* w) { hashed_ = chance(0.4) && vtb_world_get_hash(w->w, &hash_) == VTB_OK; }
  vtb_status hashAfter(FuzzedWorld* w, vtb_status s);
  void operation();

  // Outputs, watched for writes of calls that fail; now and then NULL, or a struct of another size.
  template <class T>
  T* out(size_t n = 1) {
    if (chance(0.003)) return nullptr;
    Out o{static_cast<unsigned char*>(std::malloc(n * sizeof(T) + !n)), n * sizeof(T), 0};
    std::memset(o.p, 0xA5, o.n);
    outs.push_back(o);
    return reinterpret_cast<T*>(o.p);
  }
  template <class T>
  T* filled() {  // a struct with its size
    T* t = out<T>();
    if (!t) return t;
    constexpr uint32_t whole = sizeof(T);
    uint32_t size = whole;
    if (chance(0.02)) {
      const uint32_t sizes[] = {0, 7, 8, 12, whole / 2, whole - 4, 20000};
      size = sizes[below(7)];
    }
    std::memcpy(static_cast<void*>(t), &size, 4);
    outs.back().skip = 4;
    return t;
  }
  template <class T>
  T* told(size_t k = 0) {  // output k of the last call
    return k < outs.size() ? reinterpret_cast<T*>(outs[k].p) : nullptr;
  }
  template <class T>
  T* given(Box<T>& b) {  // a def; now and then NULL, or with another size, or with an unknown tail
    constexpr uint32_t whole = sizeof(T);
    if (chance(0.003)) return nullptr;
    if (chance(0.01)) {
      const uint32_t sizes[] = {0, 4, 8, 16, whole - 8, whole + 8, whole + 64, 0xffffffffu};
      b.d.struct_size = sizes[below(8)];
      if (chance(0.5)) b.tail[below(8)] = 1;
    }
    if (trace) dump(reinterpret_cast<const char*>(&b.d), sizeof(T));
    return &b.d;
  }
  static void dump(const char* bytes, size_t size);

  // abi.cpp: numbers, some of them odd
  bool chance(double p) { return random_.chance(p); }
  std::uint64_t below(std::uint64_t n) { return random_.below(n); }
  double unit01() { return random_.unit(); }
  std::uint64_t bits64() { return random_.bits(); }
  double number(double scale = 1);
  double positive(double scale = 1) { return std::fabs(number(scale)); }
  double positiveOrInf(double scale = 1) { return chance(0.3) ? INFINITY : positive(scale); }
  void numbers(double* v, int n, double scale = 1);
  std::vector<double> someNumbers(size_t n, double scale = 1);
  void unitVector(double* v, int n);
  void pose(double* p);
  int index(int n);                                                // below n, or not
  std::uint64_t any(FuzzedWorld* w, int kind, bool zero = false);  // a handle, or what is none
  void drop(FuzzedWorld* w, int kind, std::uint64_t handle);       // it was destroyed
  Callback* callback();
  template <class T>
  T* oneOf(std::vector<T*>& all) {
    return all.empty() ? nullptr : all[below(all.size())];
  }
  vtb_skeleton* skeleton();

  // callbacks.cpp
  static void reenter(const vtb_world* world, Callback* c);
  static void beforeStep(void* u, const vtb_world* w);
  static int32_t filter(void* u, const vtb_world* w, vtb_body a, vtb_body b);
  static void logged(void*, vtb_status, const char*);
  static int32_t force(void* u, const vtb_world* w, vtb_field, vtb_body b, double* f, double* t);
  static int32_t slope(void* u, const vtb_world* w, vtb_field, vtb_body, double* p, double* v);
  static int32_t row(void* u, const vtb_world* w, vtb_constraint, int32_t i, vtb_row* row);
  static int32_t derive(void* u, double t, const double* y, double* dy);

  // worlds.cpp
  void settings(vtb_world_def& d);
  void adopt(vtb_world* w, const vtb_world_def& d);
  void refresh(FuzzedWorld* w);
  void destroyWorld(FuzzedWorld* w);
  void newWorld();
  void finiteCheck(FuzzedWorld* w, const char* fn);
  int32_t step(FuzzedWorld* w, int n);
  bool save(FuzzedWorld* w, std::vector<char>& out);
  void snapshot(FuzzedWorld* w);
  void foreign(FuzzedWorld* w);
  void scene(FuzzedWorld* w);

  // things.cpp
  void shapeDef(vtb_shape_def& d, std::vector<double>& p, std::vector<uint32_t>& t);
  void body(FuzzedWorld* w);
  void shape(FuzzedWorld* w, std::uint64_t b);
  void jointNumbers(vtb_skeleton_joint_def& d);
  void joint(FuzzedWorld* w);
  void axisDef(vtb_axis_def& d);
  std::vector<vtb_coupling_term> terms(FuzzedWorld* w, size_t n);
  void useBody(FuzzedWorld* w);
  void useShape(FuzzedWorld* w);
  void useJoint(FuzzedWorld* w);

  // machines.cpp
  void useCoupling(FuzzedWorld* w);
  void driveline(FuzzedWorld* w);
  void useField(FuzzedWorld* w);
  void useConstraint(FuzzedWorld* w);
  void useParticles(FuzzedWorld* w);
  void useSensor(FuzzedWorld* w);

  // figures.cpp
  void figure(FuzzedWorld* w);
  void build();
  void dynamics();

  // readers.cpp
  void query(FuzzedWorld* w);
  void models();
  void jointsAndPath(vtb_motion* m, int joint);
  void skeletonEdits();

  struct Out {
    unsigned char* p;
    size_t n, skip;
  };
  Random random_;
  std::uint64_t seed_ = 0;
  int op_ = 0;
  double nasty_ = 0, extreme_ = 0, badHandle_ = 0.02;  // chances
  std::uint64_t hash_ = 0;
  bool hashed_ = false;
  std::string file_;  // of its own
  std::vector<Out> outs;
  std::vector<FuzzedWorld*> worlds;
  std::vector<std::uint64_t> dead;  // handles of what was destroyed
  std::vector<std::vector<char>> snaps;
  std::vector<Callback*> callbacks;
  std::vector<vtb_skeleton*> skeletons;
  std::vector<vtb_workspace*> spaces;
  std::vector<vtb_skeleton_builder*> builders;
  std::vector<vtb_ode*> odes;
};

}  // namespace fuzz
