"""Puts the page of `vertebra view --web` and `--export` together: page.html with the style, three.js and our scripts in it. What the command
fills in, @TITLE@ and @DATA@, stays.

page.py FOLDER THREE.js COPYRIGHT LICENSE OUT: COPYRIGHT is the file of the package of three.js, LICENSE is ours: both are under the same
licence, whose text has to go with three.js."""
import pathlib
import re
import sys


def main():
    folder, three, rights, licence, out = map(pathlib.Path, sys.argv[1:])
    holder = re.search(r"^Copyright: *(.*three\.js authors)$", rights.read_text(encoding="utf-8"), re.MULTILINE)
    if not holder:
        sys.exit(f"{rights}: no line tells who holds the copyright of three.js")
    text = licence.read_text(encoding="utf-8")
    terms = text[text.index("Permission is hereby granted"):].strip()
    script = three.read_text(encoding="utf-8").strip()
    if re.search(r"</script|<!--", script, re.IGNORECASE):
        sys.exit(f"{three}: holds what ends a script in HTML")
    parts = {
        "STYLE": (folder / "page.css").read_text(encoding="utf-8"),
        "LICENCE": f"three.js\nCopyright {holder[1]}\n\n{terms}",
        "THREE": script,
        "SCRIPT": "".join((folder / name).read_text(encoding="utf-8") for name in ("orbit.js", "scene.js", "live.js", "recorded.js")),
    }
    page = re.sub(r"@(STYLE|LICENCE|THREE|SCRIPT)@", lambda match: parts[match[1]], (folder / "page.html").read_text(encoding="utf-8"))
    for mark in ("@TITLE@", "@DATA@"):
        if page.count(mark) != 1:
            sys.exit(f"page.html: {mark} has to be there once")
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(page, encoding="utf-8")


main()
