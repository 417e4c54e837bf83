#!/usr/bin/env python3
"""examples/README.md names each example with one sentence, and each is there in C and in Python, short, and opens with what it is about.

index_test.py EXAMPLES
"""
import pathlib
import re
import sys

examples = pathlib.Path(sys.argv[1])
index = (examples / "README.md").read_text(encoding="utf-8")
named = re.findall(r"^\| \[C\]\(c/(\w+)\.c\), \[Python\]\(python/(\w+)\.py\) \| \*\*[^*]+\*\*: [^|]+\. \|$", index, re.M)
names = sorted(path.stem for path in (examples / "c").glob("*.c") if path.stem != "show")
assert names == sorted(path.stem for path in (examples / "python").glob("*.py") if path.stem != "show"), names
assert sorted(c for c, _ in named) == names and all(c == python for c, python in named), (named, names)
assert len(names) == 12
assert set(re.search(r"foreach\(example ([\w ]+)\)", (examples / "CMakeLists.txt").read_text())[1].split()) == set(names)
for name in names:
    c, python = ((examples / part).read_text(encoding="utf-8") for part in (f"c/{name}.c", f"python/{name}.py"))
    assert c.startswith("/* ") and python.startswith('"""') and max(len(c.splitlines()), len(python.splitlines())) <= 100, name
    words = re.sub(r"\s+\*?\s*", " ", c[3:c.index("*/")]).strip()  # the same sentences at the top of both
    about = re.sub(r"\s+", " ", python[3:python.index('"""', 3)]).strip()
    assert words == about, f"{name}:\n{words}\n{about}"
print(len(names), "examples are in the index")
