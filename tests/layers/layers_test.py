#!/usr/bin/env python3
"""Checks the rules of the layers: who includes whom, that every source opens with a comment, and that none is too long.

layers_test.py ROOT checks a tree; layers_test.py --self-test checks that each rule is able to fail.
"""
import os
import re
import sys
import tempfile

FOLDERS = ("engine", "loaders", "capi", "cli", "viewer", "plugins", "bench", "tests", "models", "cmake")
OURS = ("engine", "loaders", "capi", "cli", "viewer", "plugins", "bench", "tests", "vertebra")  # first part of an include of ours
HARD_LIMIT = 800  # lines of a file
PUBLIC = "capi/include"
CLIENT = "capi/client"  # what C++ programs in front of the C ABI share
PUBLIC_LIMIT = 300  # lines of a public header, one topic each
PUBLIC_HEADER = PUBLIC + "/vertebra/vertebra.h"  # includes the topics; the only one that others include

ROOMS = ("math", "geometry", "dynamics", "solve", "tasks", "state", "trees", "collision", "islands", "forces", "constraints",
         "driveline", "particles", "sensors", "steppers", "world", "figure", "retarget", "control")  # lowest first
ENGINE = ["engine/" + room for room in ROOMS]
# Descriptions that loaders fill in: no code of the upper layers behind them.
DESCRIPTIONS = ["engine/figure/skeleton.hpp", "engine/figure/motion.hpp", "engine/figure/trajectory.hpp",
                "engine/figure/markers.hpp", "engine/dynamics/joint_type.hpp",
                "engine/retarget/role_map.hpp"]
# What the state holds of upper rooms: structs that their headers define on definitions of the state alone.
HELD = ["engine/driveline/driveline.hpp", "engine/particles/particles.hpp"]

# folder -> what its files may include of ours; the longest matching folder counts
ALLOWED = {folder: ENGINE[: level + 1] for level, folder in enumerate(ENGINE)}
ALLOWED["engine/state"] = ALLOWED["engine/state"] + HELD
ALLOWED.update({held: ENGINE[:2] + ["engine/dynamics/joint_type.hpp", "engine/state/definitions.hpp"] for held in HELD})
ALLOWED.update({description: ENGINE[:2] + DESCRIPTIONS for description in DESCRIPTIONS})
ALLOWED["loaders"] = ENGINE[:2] + DESCRIPTIONS + ["loaders"]
ALLOWED["capi"] = ["engine", "loaders", "capi", "vertebra/vertebra.h"]
ALLOWED[PUBLIC] = []
ALLOWED[PUBLIC_HEADER] = ["vertebra"]
for client in ("cli", "viewer", "plugins", "capi/bindings"):
    ALLOWED[client] = [client, CLIENT, "vertebra/vertebra.h"]
ALLOWED[CLIENT] = [CLIENT, "vertebra/vertebra.h"]
ALLOWED["plugins/osgdb"] = ["plugins/osgdb", CLIENT, "vertebra/vertebra.h", "viewer/surface.hpp"]  # draws a mesh as the viewer does

# The states of a world, each containing the one before, and the largest that a room may see.
WORLDS = ["engine/state/tree_world.hpp", "engine/state/contact_world.hpp", "engine/state/island_world.hpp", "engine/state/world_data.hpp"]
SEES = {"trees": 1, "forces": 1, "collision": 2, "islands": 3, "constraints": 3, "driveline": 3, "sensors": 2}  # the first so many of them
# Rooms whose words the whole engine uses: their namespaces are inline.
VOCABULARY = ("math", "state")

NAMESPACE = re.compile(r"^namespace (vertebra[\w: ]*) \{$")
FORWARD = re.compile(r"^(struct|class) \w+;")  # what may stand in the namespace of another room
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
C_LIKE = (".c", ".h", ".cpp", ".hpp")
COMMENTED = C_LIKE + (".py", ".sh", ".cmake")


def within(path, folder):
    return path == folder or path.startswith(folder + "/")


def check_file(root, path, complaints):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        lines = file.read().splitlines()
    limit = PUBLIC_LIMIT if within(path, PUBLIC) else HARD_LIMIT
    if len(lines) > limit:
        complaints.append(f"{path}: {len(lines)} lines; the limit is {limit}")
    code = [line for line in lines if line.strip() and not line.startswith("#!")]
    if code and not code[0].lstrip().startswith(("//", "/*") if path.endswith(C_LIKE) else ("#", '"""')):
        complaints.append(f"{path}: does not open with a comment on what it is for")
    if not path.endswith(C_LIKE):
        return
    room = path.split("/")[1] if within(path, "engine") else None
    wanted = f"vertebra::{'inline ' * (room in VOCABULARY)}{room}"
    for number, line in enumerate(lines, 1):
        match = NAMESPACE.match(line) if room in ROOMS else None
        if match and match.group(1) != wanted and not FORWARD.match(lines[number]):
            complaints.append(f"{path}:{number}: opens namespace {match.group(1)}; the room's is {wanted}")
    rules = [folder for folder in ALLOWED if within(path, folder)]
    allowed = ALLOWED[max(rules, key=len)] if rules else None
    for number, line in enumerate(lines, 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        included = match.group(2)
        where = f"{path}:{number}: includes {included}"
        if os.path.exists(os.path.join(root, os.path.dirname(path), included)) or ".." in included:
            complaints.append(f"{where}, which is not spelled from the root of the tree")
            continue
        if "/" not in included or included.split("/")[0] not in OURS:
            continue
        if included in WORLDS[SEES.get(room, len(WORLDS)) :]:
            complaints.append(f"{where}; a room may see no larger state than {WORLDS[SEES[room] - 1]}")
        elif allowed is not None and not any(within(included, a) for a in allowed):
            complaints.append(f"{where}; it may use only {', '.join(allowed) or 'nothing of ours'}")


def check(root):
    complaints = []
    for folder in FOLDERS:
        for directory, subdirectories, files in os.walk(os.path.join(root, folder)):
            subdirectories.sort()
            for name in sorted(files):
                if name.endswith(COMMENTED):
                    check_file(root, os.path.relpath(os.path.join(directory, name), root), complaints)
    return complaints


def self_test():
    good = {
        PUBLIC_HEADER: '/* header */\n#include "vertebra/base.h"\n',
        PUBLIC + "/vertebra/base.h": "/* base */\n",
        "engine/math/a.hpp": "// a\n#include <vector>\n",
        "engine/steppers/b.cpp": '// b\n#include "engine/math/a.hpp"\nnamespace vertebra::solve {\nstruct S;\n}\nnamespace vertebra::steppers {\nint x;\n',
        "engine/figure/skeleton.hpp": '// s\n#include "engine/math/a.hpp"\n',
        "loaders/c.cpp": '// c\n#include "engine/figure/skeleton.hpp"\n#include <tinyxml2.h>\n',
        "capi/d.cpp": '// d\n#include "loaders/c.cpp"\n#include "vertebra/vertebra.h"\n',
        "cli/e.cpp": "// e\n#include <vertebra/vertebra.h>\n",
        "tests/t.py": '#!/usr/bin/env python3\n"""t"""\n',
    }
    bad = {
        "engine/math/f.cpp": '// f\n#include "engine/steppers/b.cpp"\n',
        "engine/steppers/g.cpp": '// g\n#include "engine/figure/skeleton.hpp"\n',
        "engine/figure/h.cpp": '// h\n#include "loaders/c.cpp"\n',
        "engine/figure/motion.hpp": '// m\n#include "engine/steppers/b.cpp"\n',
        "loaders/i.cpp": '// i\n#include "engine/steppers/b.cpp"\n',
        "engine/trees/y.cpp": '// y\n#include "engine/state/world_data.hpp"\n',
        "engine/trees/z.cpp": "// z\nnamespace vertebra {\nint x;\n",
        "cli/j.cpp": '// j\n#include "engine/math/a.hpp"\n',
        PUBLIC + "/vertebra/r.h": '/* r */\n#include "vertebra/base.h"\n',
        PUBLIC + "/vertebra/s.h": "/* s */\n" * (PUBLIC_LIMIT + 1),
        "cli/v.cpp": "// v\n#include <vertebra/base.h>\n",
        "capi/bindings/k.c": '/* k */\n#include "capi/d.cpp"\n',
        "plugins/x/l.cpp": '// l\n#include "../../engine/math/a.hpp"\n',
        "engine/math/q.cpp": '// q\n#include "a.hpp"\n',
        "engine/math/o.cpp": '#include "engine/math/a.hpp"\n',
        "tests/u.py": "import os\n",
        "engine/math/p.cpp": "// p\n" * (HARD_LIMIT + 1),
    }
    for extra in [None] + list(bad):
        with tempfile.TemporaryDirectory() as root:
            for path, text in list(good.items()) + ([(extra, bad[extra])] if extra else []):
                os.makedirs(os.path.dirname(os.path.join(root, path)), exist_ok=True)
                with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                    file.write(text)
            complaints = check(root)
            expected = 1 if extra else 0
            if len(complaints) != expected or any(not c.startswith(extra or "") for c in complaints):
                sys.exit(f"self-test with {extra}: expected {expected} complaint, got {complaints}")


def main():
    if sys.argv[1] == "--self-test":
        self_test()
        return
    complaints = check(sys.argv[1])
    print("\n".join(complaints) or "layers: in order")
    sys.exit(1 if complaints else 0)


main()
