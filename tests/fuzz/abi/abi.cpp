// The frame of a sequence of calls: random numbers, checks, operations. See abi.hpp.
#include "tests/fuzz/abi/abi.hpp"

#include <sys/time.h>

#include <filesystem>
#include <mutex>

namespace fuzz {

Shared shared;
Count* table;
bool trace;
std::atomic<int> defects;

int idOf(const char* name) {
  static std::mutex mutex;
  const std::lock_guard<std::mutex> lock(mutex);
  for (int i = 0;; i++) {
    if (!table[i].name[0]) std::strncpy(table[i].name, name, sizeof table[i].name - 1);
    if (!std::strcmp(table[i].name, name)) return i;
  }
}

void Fuzz::defect(const char* what, const char* fn, long a, long b) {
  defects++;
  std::fprintf(stderr, "DEFECT seed %llu op %d: %s: %s (%ld, %ld) [%s]\n", static_cast<unsigned long long>(seed_), op_, fn, what, a, b,
               vtb_last_error());
}

void Fuzz::before() {
  for (Out& o : outs) std::free(o.p);
  outs.clear();
  // A call that takes longer ends the process: in processor time, which a busy machine does not stretch, or where it waits for ever.
  // The time is that of all threads. A step of `ode` at its bound of work takes 3 s; the address sanitizer with coverage makes it 45 times
  // slower, the thread sanitizer slower still.
#ifdef __SANITIZE_THREAD__
  constexpr int kSeconds = 1800;
#else
  constexpr int kSeconds = 300;
#endif
  constexpr itimerval kLongest{{0, 0}, {kSeconds, 0}};
  setitimer(ITIMER_PROF, &kLongest, nullptr);
  alarm(10 * kSeconds);
}

vtb_status Fuzz::after(const char* fn, int id, vtb_status s) {
  (s == VTB_OK ? table[id].ok : table[id].bad)++;
  if (trace) std::fprintf(stderr, "  op %d %s -> %d %s\n", op_, fn, s, s < 0 ? vtb_last_error() : "");
  if (s > 0 || s < VTB_E_UNSOLVED) defect("status outside the enumeration", fn, s);
  if (s == VTB_E_INTERNAL) defect("VTB_E_INTERNAL", fn, s);
  if (s == VTB_E_NOMEM) defect("VTB_E_NOMEM", fn, s);
  if (s == VTB_OK) return s;
  for (const Out& o : outs)
    for (size_t i = o.skip; i < o.n; i++)
      if (o.p[i] != 0xA5) {
        defect("output touched on failure", fn, s, static_cast<long>(i));
        break;
      }
  return s;
}

vtb_status Fuzz::hashAfter(FuzzedWorld* w, vtb_status s) {
  std::uint64_t now = 0;
  if (hashed_ && s != VTB_OK && s != VTB_E_INFEASIBLE && s != VTB_E_UNSOLVED && vtb_world_get_hash(w->w, &now) == VTB_OK && now != hash_)
    defect("failing call changed the hash", "last call", s);
  return s;
}

void Fuzz::dump(const char* bytes, size_t size) {
  std::fprintf(stderr, "    def[%zu]:", size);
  for (size_t i = 0; i + 8 <= size; i += 8) {
    double x;
    int v[2];
    std::memcpy(&x, bytes + i, 8);
    std::memcpy(v, bytes + i, 8);
    if (!v[0] && !v[1]) continue;
    if (std::fabs(x) > 1e-200 || std::isnan(x))
      std::fprintf(stderr, " +%zu=%.17g", i, x);
    else
      std::fprintf(stderr, " +%zu=(%d,%d)", i, v[0], v[1]);
  }
  std::fprintf(stderr, "\n");
}

double Fuzz::number(double scale) {
  static const double odd[] = {NAN, INFINITY, -INFINITY, 5e-324, DBL_MAX,  -DBL_MAX, 1e300, -0.0,
                               0,   1e-300,   1e155,     1e20,   2.2e-308, 1e-160,   1e9};
  if (chance(nasty_)) return odd[below(15)];
  if (chance(extreme_)) return (chance(0.5) ? 1 : -1) * std::pow(10, 24 * unit01() - 12);
  return scale * (2 * unit01() - 1);
}

void Fuzz::numbers(double* v, int n, double scale) {
  for (int i = 0; i < n; i++) v[i] = number(scale);
}

std::vector<double> Fuzz::someNumbers(size_t n, double k) {
  std::vector<double> v(n + !n);
  numbers(v.data(), static_cast<int>(n), k);
  return v;
}

void Fuzz::unitVector(double* v, int n) {
  double l = 0;
  do {
    l = 0;
    for (int i = 0; i < n; i++) {
      v[i] = 2 * unit01() - 1;
      l += v[i] * v[i];
    }
  } while (l < 1e-3);
  for (int i = 0; i < n; i++) v[i] /= std::sqrt(l);
  if (chance(0.2))
    for (int i = 0; i < n; i++) v[i] = i == n - 1;
  if (chance(nasty_)) v[below(n)] = number();
}

void Fuzz::pose(double* p) {
  numbers(p, 3, 2);
  unitVector(p + 3, 4);
}

int Fuzz::index(int n) {
  static const int odd[] = {-1, INT_MAX, INT_MIN, -2};
  return chance(0.02) ? chance(0.3) ? n : odd[below(4)] : static_cast<int>(below(n));
}

std::uint64_t Fuzz::any(FuzzedWorld* w, int kind, bool zero) {
  if (zero && chance(0.2)) return 0;
  if (chance(badHandle_)) {
    switch (below(4)) {
      case 0:
        return 0;
      case 1:
        if (!dead.empty()) return dead[below(dead.size())];
        break;
      case 2: {
        FuzzedWorld* o = worlds[below(worlds.size())];
        int k = static_cast<int>(below(KINDS));
        if (!o->pool[k].empty()) return o->pool[k][below(o->pool[k].size())];
        break;
      }
      default:
        return bits64();
    }
  }
  std::vector<std::uint64_t>& v = w->pool[kind];
  return v.empty() ? 0 : v[below(v.size())];
}

void Fuzz::drop(FuzzedWorld* w, int kind, std::uint64_t h) {
  std::vector<std::uint64_t>& v = w->pool[kind];
  for (size_t i = 0; i < v.size(); i++)
    if (v[i] == h) {
      v.erase(v.begin() + i);
      dead.push_back(h);
      return;
    }
}

Callback* Fuzz::callback() {
  Callback* c = new Callback;
  c->mode = static_cast<int>(below(6));
  c->salt = bits64();
  c->fuzz = this;
  for (double& x : c->v) x = number(10);
  callbacks.push_back(c);
  return c;
}

vtb_skeleton* Fuzz::skeleton() {
  return chance(0.01) ? nullptr : !skeletons.empty() && chance(0.4) ? oneOf(skeletons) : oneOf(shared.skeletons);
}

void Fuzz::operation() {
  FuzzedWorld* w = worlds[below(worlds.size())];
  const std::uint64_t k = below(100);
  if (k < 2 && worlds.size() < 4) return newWorld();
  if (k == 2 && worlds.size() > 1) return destroyWorld(w);
  if (k < 15) return w->pool[BODY].size() < 60 ? body(w) : void();
  if (k < 18) return shape(w, any(w, BODY, true));
  if (k < 26) return joint(w);
  if (k < 38) return static_cast<void>(step(w, static_cast<int>(below(chance(0.1) ? 20 : 4))));
  if (k < 41) return snapshot(w);
  if (k < 43) return foreign(w);
  if (k < 46) return scene(w);
  if (k < 54) return useBody(w);
  if (k < 59) return useShape(w);
  if (k < 67) return useJoint(w);
  if (k < 71) return useCoupling(w);
  if (k < 73) return driveline(w);
  if (k < 76) return useField(w);
  if (k < 79) return useConstraint(w);
  if (k < 83) return useParticles(w);
  if (k < 88) return figure(w);
  if (k < 93) return query(w);
  if (k < 94) return build();
  if (k < 97) return models();
  dynamics();
}

void Fuzz::run(std::uint64_t seed, const std::set<int>* only) {
  seed_ = seed;
  random_.state = seed * 7919;
  constexpr double kNasty[] = {0, 0, 0.002, 0.02}, kExtreme[] = {0, 0.01, 0.1, 0};
  nasty_ = kNasty[below(4)];
  extreme_ = kExtreme[below(4)];
  badHandle_ = chance(0.3) ? 0 : 0.02;
  file_ = std::filesystem::temp_directory_path() / ("abi_fuzz_" + std::to_string(getpid()) + "_" + std::to_string(seed));
  const int count = 100 + static_cast<int>(below(250));
  op_ = 0;
  newWorld();
  for (op_ = 1; op_ <= count; op_++) {
    random_.state = seed * 1000003 + static_cast<std::uint64_t>(op_) * 0x2545F4914F6CDD1Dull;
    if (only && !only->count(op_)) continue;
    if (worlds.empty()) newWorld();
    if (!worlds.empty()) operation();
  }
  for (int i = 0; i < 20; i++) {
    random_.state = seed * 1000003 + static_cast<std::uint64_t>(op_ + i) * 0x2545F4914F6CDD1Dull;
    skeletonEdits();
  }
  op_ = -1;
  while (!worlds.empty()) destroyWorld(worlds[0]);
  for (vtb_workspace* s : spaces) vtb_workspace_destroy(s);
  for (vtb_skeleton_builder* b : builders) vtb_skeleton_builder_destroy(b);
  for (vtb_ode* o : odes) vtb_ode_destroy(o);
  for (vtb_skeleton* s : skeletons) vtb_skeleton_release(s);
  for (Callback* c : callbacks) delete c;
  before();
  unlink(file_.c_str());
}

}  // namespace fuzz
