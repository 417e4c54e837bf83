#!/usr/bin/env python3
"""The site of docs/ as HTML: stages the pages, makes those that things tell of themselves, runs MkDocs, checks the links of what came out.

site.py ROOT BUILD OUT: BUILD holds bin/vertebra and reference/html (by Doxygen), OUT/../gallery the gallery. Writes OUT/html; prints the path of
its first page.
"""
import html.parser
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import urllib.parse

import links
import references

PLACES = {"README.md": "index.md", "CHANGELOG.md": "changelog.md"}  # others below docs/ keep their place; the rest goes to files/
LANGUAGES = {".h": "c", ".c": "c", ".cpp": "cpp", ".hpp": "cpp", ".py": "python", ".xml": "xml", ".urdf": "xml", ".txt": "text", ".toml": "toml"}


class Stage:
    """The folder that MkDocs reads. Links to sources become links to pages that show them."""

    def __init__(self, root, folder):
        self.root, self.folder, self.pages = root, folder, {}

    def place(self, path):
        """Where a file of the checkout stands on the stage."""
        name = path.relative_to(self.root).as_posix()
        if name in PLACES:
            return PLACES[name]
        if name.startswith("docs/") and path.suffix in (".md", ".svg", ".png"):
            return name.removeprefix("docs/")
        return f"files/{name}/index.md" if path.is_dir() else f"files/{name}.md"

    def show(self, path):
        """A page for a source file or a folder that a document names."""
        target = self.folder / self.place(path)
        if target in self.pages:
            return
        name = path.relative_to(self.root).as_posix()
        self.pages[target] = name
        if path.is_dir():
            body = "\n".join(f"- {child.name}" for child in sorted(path.iterdir()) if not child.name.startswith(("_", ".")))
        else:
            body = f"~~~~{LANGUAGES.get(path.suffix, 'text')}\n{path.read_text(encoding='utf-8')}\n~~~~"
        self.write(target, f"# {name}\n\n{body}\n")

    def write(self, target, text):
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")

    def moved(self, path, target):
        """A link of the document `path`, as it must be on the stage."""
        name, hash_, fragment = target.partition("#")
        if links.on_web(target) or not name:
            return target
        other = (path.parent / name).resolve()
        place = self.place(other)
        if place.startswith("files/"):
            self.show(other)
        return os.path.relpath(place, os.path.dirname(self.place(path)) or ".") + hash_ + fragment

    def document(self, path):
        def line(text):
            return links.LINK.sub(lambda m: m[0].replace(f"({m[1]})", f"({self.moved(path, m[1])})"), text)
        out, inside = [], False
        for text in path.read_text(encoding="utf-8").splitlines():
            fence = links.FENCE.match(text)
            inside ^= bool(fence)
            begins = not inside and re.match(r"(- |\d+\. |\|)", text)
            if begins and out and out[-1].strip() and not re.match(r"(- |\d+\. |\||  )", out[-1]):
                out.append("")  # MkDocs' dialect begins lists and tables after an empty line
            out.append(text if inside or fence else line(text))
        self.write(self.folder / self.place(path), "\n".join(out) + "\n")

    def documents(self):
        for path in links.documents(self.root):
            name = path.relative_to(self.root).as_posix()
            if name in PLACES or name.startswith("docs/"):
                self.document(path)
        for path in (self.root / "docs").rglob("*"):
            if path.suffix in (".svg", ".png", ".css"):
                target = self.folder / path.relative_to(self.root / "docs")
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, target)
        shutil.copyfile(self.root / "docs/site/site.css", self.folder / "site.css")

    def gallery(self, folder):
        lines = ["# Gallery", "", "Made by `./dev gallery`: each picture by the command below it.", ""]
        (self.folder / "gallery").mkdir()
        for entry in json.loads((folder / "entries.json").read_text(encoding="utf-8")):
            picture = f"gallery/{entry['name']}.png"
            shutil.copyfile(folder / f"{entry['name']}.png", self.folder / picture)
            shown = "vertebra " + " ".join(entry["command"]) + f" -o {entry['name']}.png"
            lines += [f"## {entry['title']}", "", entry["about"], "", f"[![{entry['title']}]({picture})]({picture})", "", f"`{shown}`", ""]
            if "page" in entry:
                shutil.copyfile(folder / f"{entry['name']}.html", self.folder / f"gallery/{entry['name']}.html")
                lines += [f"[Play it](gallery/{entry['name']}.html)", ""]
        self.write(self.folder / "gallery.md", "\n".join(lines))


def mend_theme(stage):
    """Debian's package of the theme lacks two scripts that its pages load: jQuery under that name, and one for the theme's own tables."""
    (stage / "js").mkdir()
    shutil.copyfile("/usr/share/javascript/jquery/jquery.min.js", stage / "js/jquery-3.6.0.min.js")
    (stage / "js/theme_extra.js").write_text("// tables are laid out by site.css\n", encoding="utf-8")


def configure(root, out):
    """mkdocs.yml with the notes, which are listed by their headings, and the folders of this build."""
    base = (root / "docs/site/mkdocs.yml").read_text(encoding="utf-8")
    notes = []
    for path in sorted((root / "docs/notes").glob("*.md")):
        heading = path.read_text(encoding="utf-8").split("\n", 1)[0].lstrip("# ").replace("`", "").replace('"', "'")
        notes.append(f'      - "{heading}": notes/{path.name}')
    text = base + "  - Notes:\n" + "\n".join(notes) + f"\ndocs_dir: {out / 'stage'}\nsite_dir: {out / 'html'}\n"
    (out / "mkdocs.yml").write_text(text, encoding="utf-8")


class Page(html.parser.HTMLParser):
    """Where a page leads to, what it loads, and which anchors it has."""

    def __init__(self):
        super().__init__()
        self.targets, self.loaded, self.anchors = [], [], set()

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.anchors |= {found[key] for key in ("id", "name") if found.get(key)}
        target = found.get("href") or found.get("src")
        if target:
            (self.targets if tag == "a" else self.loaded).append(target)


def faults(folder):
    """Links that lead nowhere, and things that a page would load from the web. Doxygen checks its own pages."""
    pages = {}
    for path in folder.rglob("*.html"):
        if "reference/c/" in path.as_posix() or path.name == "404.html":
            continue
        pages[path] = Page()
        pages[path].feed(path.read_text(encoding="utf-8"))
    for path, page in pages.items():
        for target in page.loaded + page.targets:
            if target.startswith("data:"):  # it stands in the page itself
                continue
            if links.on_web(target) or target.startswith("//"):
                if target in page.loaded:
                    yield f"{path.relative_to(folder)}: loads {target} from the web"
                continue
            name, _, fragment = target.partition("#")
            other = (path.parent / urllib.parse.unquote(name)).resolve() if name else path
            if not other.exists():
                yield f"{path.relative_to(folder)}: {target}: no such file"
            elif fragment and other in pages and fragment not in pages[other].anchors:
                yield f"{path.relative_to(folder)}: {target}: no such heading"


def main():
    root, build, out = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
    for folder in ("stage", "html"):
        shutil.rmtree(out / folder, ignore_errors=True)
    stage = Stage(root, out / "stage")
    stage.documents()
    references.write(root, build / "bin/vertebra", stage.folder)
    stage.gallery(out.parent / "gallery")
    shutil.copytree(build / "reference/html", stage.folder / "reference/c")
    mend_theme(stage.folder)
    configure(root, out)
    subprocess.run(["/usr/bin/mkdocs", "--quiet", "build", "--config-file", out / "mkdocs.yml"], check=True)
    style = subprocess.run([sys.executable, "-m", "pygments", "-S", "default", "-f", "html", "-a", ".codehilite"], check=True, capture_output=True, text=True)
    with open(out / "html/site.css", "a", encoding="utf-8") as file:
        file.write(style.stdout)
    found = list(faults(out / "html"))
    print("\n".join(found), file=sys.stderr)
    print(out / "html/index.html")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
