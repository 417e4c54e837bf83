#!/usr/bin/env python3
"""The links of our Markdown files: every file, folder and heading that one names must be there.

links.py ROOT: prints each broken link with file and line; exit status 1 if there is any. Addresses on the web are not followed.
"""
import pathlib
import re
import shutil
import subprocess
import sys

LINK = re.compile(r"!?\[(?:[^\]\\]|\\.)*\]\(([^)\s]+)\)")
FENCE = re.compile(r"^ *(```|~~~)")


def prose(text):
    """Lines with their numbers, code left out."""
    inside = False
    for number, line in enumerate(text.splitlines(), 1):
        if FENCE.match(line):
            inside = not inside
        elif not inside:
            yield number, re.sub(r"`[^`]*`", "", line)


def links(text):
    """(line, target) of every link."""
    for number, line in prose(text):
        for match in LINK.finditer(line):
            yield number, match[1]


def on_web(target):
    return re.match(r"[a-z]+:", target) is not None


def anchor(heading):
    """The anchor that a heading gets, as hosts of Markdown and the site make it."""
    plain = re.sub(r"[`*]|\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
    return re.sub(r"\s+", "-", re.sub(r"[^\w\s-]", "", plain))


def anchors(text):
    inside, found = False, set()
    for line in text.splitlines():
        if FENCE.match(line):
            inside = not inside
        heading = None if inside else re.match(r"#+ +(.*)", line)
        if heading:
            found.add(anchor(heading[1]))
    return found | set(re.findall(r'<a (?:id|name)="([^"]+)"', text))


def documents(root):
    """All Markdown files that are or will be under version control."""
    if (root / ".git").exists() and shutil.which("git"):
        words = ["git", "-C", root, "ls-files", "--cached", "--others", "--exclude-standard", "*.md"]
        names = subprocess.run(words, check=True, capture_output=True, text=True).stdout.splitlines()
    else:
        names = [path.relative_to(root) for path in root.rglob("*.md") if "build" not in path.relative_to(root).parts]
    return sorted(root / name for name in names if (root / name).exists())


def broken(root):
    """(file, line, target, why) of every link that leads nowhere."""
    for path in documents(root):
        for number, target in links(path.read_text(encoding="utf-8")):
            if on_web(target):
                continue
            name, _, fragment = target.partition("#")
            other = (path.parent / name).resolve() if name else path
            if not other.exists():
                yield path, number, target, "no such file"
            elif fragment and other.suffix == ".md" and fragment not in anchors(other.read_text(encoding="utf-8")):
                yield path, number, target, "no such heading"


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    found = list(broken(root))
    for path, number, target, why in found:
        print(f"{path.relative_to(root)}:{number}: {target}: {why}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
