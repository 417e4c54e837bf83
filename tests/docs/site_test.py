#!/usr/bin/env python3
"""The site as far as it can be checked without MkDocs: site_test.py ROOT COMMAND WORK.

Links of every Markdown file lead somewhere, and a broken one is noticed; every document is in the site's navigation; pages that are made from the
command and the package hold what these say.
"""
import pathlib
import re
import shutil
import sys

root, command, work = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
sys.path.insert(0, str(root / "docs/site"))
import links  # noqa: E402
import references  # noqa: E402

ours = references.load(root / "docs/site/site.py")

found = [f"{path.relative_to(root)}:{line}: {target}: {why}" for path, line, target, why in links.broken(root)]
assert not found, "\n".join(found)

shutil.rmtree(work, ignore_errors=True)
(work / "broken").mkdir(parents=True)
(work / "broken/a.md").write_text("# One\n[b](b.md) [there](a.md#one)\n[c](a.md#two)\n`[d](d.md)`\n```\n[e](e.md)\n```\n", encoding="utf-8")
assert [(line, target) for _, line, target, _ in links.broken(work / "broken")] == [(2, "b.md"), (3, "a.md#two")]

page = work / "page"
page.mkdir()
(page / "a.html").write_text('<link rel="icon" href="data:,"><img src="b.png"><script src="//x.org/y.js"></script><a href="#c">c</a>', encoding="utf-8")
assert sorted(ours.faults(page)) == ["a.html: #c: no such heading", "a.html: b.png: no such file", "a.html: loads //x.org/y.js from the web"]

navigation = (root / "docs/site/mkdocs.yml").read_text(encoding="utf-8")
made = {"gallery.md", "reference/c.md", "reference/python.md", "reference/command.md"}
listed = set(re.findall(r"([\w/]+\.md)", navigation))
written = {ours.PLACES.get(name, name.removeprefix("docs/")) for path in links.documents(root)
           for name in [path.relative_to(root).as_posix()] if name in ours.PLACES or name.startswith("docs/")}
written = {name for name in written if not name.startswith("notes/")}  # listed by their headings
assert listed == written | made, f"docs/site/mkdocs.yml: lists {sorted(listed - written - made)}, lacks {sorted(written - listed)}"

stage = ours.Stage(root, work / "stage")
stage.documents()
references.write(root, command, stage.folder)
for path in stage.folder.rglob("*.md"):
    for _, target in links.links(path.read_text(encoding="utf-8")):
        name = target.partition("#")[0]
        if name and not links.on_web(target) and not name.startswith("c/"):
            assert (path.parent / name).exists(), f"{path.relative_to(stage.folder)}: {target}"
commands = (stage.folder / "reference/command.md").read_text(encoding="utf-8")
assert "## vertebra simulate" in commands and "| `--dt H` |" in commands
assert "## World" in (stage.folder / "reference/python.md").read_text(encoding="utf-8")
print(f"{len(written)} documents, {len(list(stage.folder.rglob('*.md')))} pages")
