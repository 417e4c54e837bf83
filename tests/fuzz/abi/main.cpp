// abi_fuzz MODELS FIRST_SEED SEEDS SECONDS [THREADS]: sequences of random calls (abi.hpp), a process for each seed, or for as many seeds as
// threads, each with worlds of its own. Tells each seed that failed, and how often each function was called; the answer is 1 if any failed.
// Again: SEED=n [TRACE=1] [OPS=1,5,9-20] abi_fuzz MODELS, with these operations only.
#include <sys/mman.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include "tests/fuzz/abi/abi.hpp"

namespace {

constexpr int kFunctions = 512;
constexpr int kDefect = 3;  // exit code

std::string textOf(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

bool loaded(vtb_status status, const char* fn) {
  fuzz::Count& count = fuzz::table[fuzz::idOf(fn)];
  (status == VTB_OK ? count.ok : count.bad)++;
  if (status != VTB_OK) std::fprintf(stderr, "%s: %s\n", fn, vtb_last_error());
  return status == VTB_OK;
}

void load(const std::filesystem::path& path) {
  const std::string name = path.string(), extension = path.extension().string();
  vtb_diagnostics* findings = nullptr;
  vtb_skeleton* skeleton = nullptr;
  vtb_motion* motion = nullptr;
  vtb_scene* scene = nullptr;
  if (extension == ".urdf" && loaded(vtb_skeleton_load_urdf(name.c_str(), nullptr, &findings, &skeleton), "vtb_skeleton_load_urdf")) {
    fuzz::shared.skeletons.push_back(skeleton);
    fuzz::shared.urdf.push_back(textOf(path));
  }
  if (extension == ".bvh" && loaded(vtb_motion_load_bvh(name.c_str(), nullptr, &findings, &motion), "vtb_motion_load_bvh")) {
    fuzz::shared.motions.push_back(motion);
    fuzz::shared.bvh.push_back(textOf(path));
  }
  if (extension == ".xml" && loaded(vtb_scene_load(name.c_str(), &findings, &scene), "vtb_scene_load")) {
    fuzz::shared.scenes.push_back(scene);
    fuzz::shared.xml.push_back(textOf(path));
  }
  vtb_diagnostics_release(findings);
}

struct Loaded {  // releases what was loaded
  Loaded() = default;
  Loaded(const Loaded&) = delete;
  Loaded& operator=(const Loaded&) = delete;
  ~Loaded() {
    for (vtb_skeleton* skeleton : fuzz::shared.skeletons) vtb_skeleton_release(skeleton);
    for (vtb_motion* motion : fuzz::shared.motions) vtb_motion_release(motion);
    for (vtb_scene* scene : fuzz::shared.scenes) vtb_scene_release(scene);
  }
};

std::set<int> operations(const char* list) {  // such as 1,5,9-20
  std::set<int> all;
  while (*list) {
    char* end;
    const long first = std::strtol(list, &end, 10);
    const long last = *end == '-' ? std::strtol(end + 1, &end, 10) : first;
    for (long i = first; i <= last; i++) all.insert(static_cast<int>(i));
    list = *end ? end + 1 : end;
  }
  return all;
}

[[noreturn]] void child(std::uint64_t seed, int threads) {
  std::vector<std::thread> all;
  for (int i = 1; i < threads; i++) all.emplace_back([=] { fuzz::Fuzz().run(seed + i, nullptr); });
  fuzz::Fuzz().run(seed, nullptr);
  for (std::thread& t : all) t.join();
  _exit(fuzz::defects ? kDefect : 0);
}

int runSeeds(std::uint64_t first, std::uint64_t count, double seconds, int threads) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  std::uint64_t done = 0, bad = 0;
  for (std::uint64_t seed = first; seed < first + count; seed += threads, done += threads) {
    if (std::chrono::duration<double>(Clock::now() - start).count() > seconds) break;
    const pid_t pid = fork();
    if (pid == 0) child(seed, threads);
    int status = 0;
    waitpid(pid, &status, 0);
    if (status == 0) continue;
    bad++;
    const bool killed = WIFSIGNALED(status);
    std::fprintf(stderr, "SEED %llu: %s %d\n", static_cast<unsigned long long>(seed), killed ? "signal" : "exit",
                 killed ? WTERMSIG(status) : WEXITSTATUS(status));
  }
  long calls = 0;
  int functions = 0;
  for (; fuzz::table[functions].name[0]; functions++) {
    const fuzz::Count& c = fuzz::table[functions];
    calls += c.ok + c.bad;
    std::printf("%-40s %8ld ok %8ld refused\n", c.name, c.ok.load(), c.bad.load());
  }
  std::printf("seeds %llu, bad %llu, calls %ld, functions %d\n", static_cast<unsigned long long>(done),
              static_cast<unsigned long long>(bad), calls, functions);
  return bad ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const std::size_t size = kFunctions * sizeof(fuzz::Count);
  fuzz::table = static_cast<fuzz::Count*>(mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  fuzz::trace = std::getenv("TRACE");
  for (const char* folder : {"urdf", "motions", "scenes"}) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(argv[1]) / folder)) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (const std::filesystem::path& file : files) load(file);
  }
  fuzz::shared.scenesFolder = (std::filesystem::path(argv[1]) / "scenes/").string();
  const Loaded loaded;
  if (const char* seed = std::getenv("SEED")) {
    const char* list = std::getenv("OPS");
    const std::set<int> only = operations(list ? list : "");
    fuzz::Fuzz().run(std::strtoull(seed, nullptr, 10), list ? &only : nullptr);
    return fuzz::defects ? kDefect : 0;
  }
  if (argc < 5) return 2;
  return runSeeds(std::strtoull(argv[2], nullptr, 10), std::strtoull(argv[3], nullptr, 10), std::atof(argv[4]),
                  argc > 5 ? std::max(1, std::atoi(argv[5])) : 1);
}
