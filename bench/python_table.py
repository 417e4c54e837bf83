#!/usr/bin/env python3
"""What Python costs over C: a step by a call of its own, the poses of all bodies of 1,000 figures in one read. The same calls in C and in Python
in turn, seven times; processor time, the least of each. Prints markdown with the aims.

    python_table.py [BUILD [FIGURES]]     build/release, 1,000 figures of models/urdf/humanoid.urdf

Aims: a step over C within 2 us, a read within 1 ms.
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import time

if len(sys.argv) > 3 or any(word.startswith("-") for word in sys.argv[1:]):
    print(__doc__, file=sys.stderr)
    sys.exit(2)
ROOT = pathlib.Path(__file__).resolve().parents[1]
BUILD = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build" / "release").resolve()
FIGURES = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
STEPS, READS, ROUNDS = 50_000, 100, 7
MODEL = ROOT / "models/urdf/humanoid.urdf"
os.environ["VERTEBRA_BUILD"] = str(BUILD)
sys.path.insert(0, str(ROOT / "capi/bindings/python"))
from vertebra import Skeleton, World  # noqa: E402

PROGRAM = f"""
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <vertebra/vertebra.h>
static double now(void) {{ struct timespec t; clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); return t.tv_sec + 1e-9 * t.tv_nsec; }}
static void ok(vtb_status status) {{ if (status) exit((fprintf(stderr, "%s\\n", vtb_last_error()), 1)); }}
int main(int argc, char** argv) {{
  vtb_world* world; vtb_figure_def def; vtb_figure figure; vtb_body body; size_t total; double pose[7] = {{0, 0, 1, 0, 0, 0, 1}};
  (void)argc;
  ok(vtb_world_create(NULL, &world)); ok(vtb_make_sphere(world, pose, 0.1, 1, &body)); ok(vtb_world_step(world, 1000));
  for (char command[8]; fgets(command, sizeof command, stdin);) {{
    if (command[0] == 's') {{
      double begun = now();
      for (int k = 0; k < {STEPS}; ++k) ok(vtb_world_step(world, 1));
      printf("%.9g\\n", (now() - begun) / {STEPS});
    }} else {{
      static vtb_world* crowd; static double* poses;
      if (!crowd) {{
        ok(vtb_world_create(NULL, &crowd)); ok(vtb_figure_def_init(&def, sizeof def));
        ok(vtb_skeleton_load_urdf(argv[1], NULL, NULL, &def.skeleton));
        for (int k = 0; k < {FIGURES}; ++k) {{ def.pose[0] = 2 * k; ok(vtb_figure_create(crowd, &def, &figure)); }}
        ok(vtb_world_step(crowd, 1)); ok(vtb_world_get_poses(crowd, NULL, 0, 0, &total)); poses = malloc(total * sizeof(double[7]));
      }}
      double begun = now();
      for (int k = 0; k < {READS}; ++k) ok(vtb_world_get_poses(crowd, poses, total, 0, &total));
      printf("%.9g\\n", (now() - begun) / {READS});
    }}
    fflush(stdout);
  }}
  return 0;
}}
"""


def timed(count, call):
    begun = time.process_time()
    for _ in range(count):
        call()
    return (time.process_time() - begun) / count


world = World()
world.sphere((0, 0, 1), 0.1)
world.step(1000)
crowd, skeleton = World(), Skeleton(MODEL)
for k in range(FIGURES):
    crowd.add_figure(skeleton, pose=(2 * k, 0, 0, 0, 0, 0, 1))
crowd.step()
poses = crowd.poses()
in_python = {"s": lambda: timed(STEPS, world.step), "p": lambda: timed(READS, crowd.poses), "o": lambda: timed(READS, lambda: crowd.poses(out=poses))}
c, python = ({key: float("inf") for key in "spo"} for _ in range(2))
with tempfile.TemporaryDirectory() as folder:
    source = pathlib.Path(folder) / "loop.c"
    source.write_text(PROGRAM, encoding="utf-8")
    subprocess.run(["cc", "-std=gnu99", "-O2", "-I", ROOT / "capi/include", source, BUILD / "lib/libvertebra.so", f"-Wl,-rpath,{BUILD}/lib", "-o",
                    f"{folder}/loop"], check=True)
    with subprocess.Popen([f"{folder}/loop", MODEL], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as loop:
        for turn in range(ROUNDS):
            for key in "spo":
                print(f"\rround {turn + 1} of {ROUNDS}", end="", file=sys.stderr, flush=True)
                python[key] = min(python[key], in_python[key]())
                loop.stdin.write(key + "\n")
                loop.stdin.flush()
                c[key] = min(c[key], float(loop.stdout.readline()))
        loop.stdin.close()
print(file=sys.stderr)
print("| | C, us | Python, us | over C, us | aim |\n|---|--:|--:|--:|---|")
for key, what, aim in (("s", "a step of a falling ball", "2 us over C"), ("p", f"poses of {FIGURES} figures ({len(poses)} bodies), a new array", "1,000 us"),
                       ("o", "the same into an array used again", "1,000 us")):
    print(f"| {what} | {1e6 * c[key]:.2f} | {1e6 * python[key]:.2f} | {1e6 * (python[key] - c[key]):.2f} | {aim} |")
