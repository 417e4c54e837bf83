#!/usr/bin/env python3
"""The gallery: every scene of models/scenes and the pictures of gallery.toml, drawn by the command without a display.

gallery.py ROOT COMMAND OUT: writes OUT/NAME.png, OUT/NAME.html where the run can be played in the browser, OUT/entries.json (what the site takes
in) and OUT/index.html, which needs no other file than these. What is newer than its scene and the command is kept. Prints the path of the page.
"""
import html
import json
import pathlib
import re
import subprocess
import sys
import tomllib
import xml.etree.ElementTree as xml

PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>vertebra: gallery</title><style>
body {{ font-family: sans-serif; max-width: 1200px; margin: 2em auto; color: #223; }} img {{ width: 100%; border: 1px solid #ccd; }}
code {{ background: #f2f4f6; padding: 2px 5px; }} h2 {{ margin-bottom: 0.2em; }}
</style></head><body><h1>Gallery</h1>
{entries}
</body></html>
"""
ENTRY = "<h2>{title}</h2><p>{about}</p>{media}<p><code>{command}</code></p>"


def scene_entry(path, choices):
    """Title and sentence of a scene are its name and its first comment."""
    text = path.read_text(encoding="utf-8")
    comment = re.search(r"<!--(.*?)-->", text, re.S)
    choice = choices.get(path.stem, {})
    command = ["render", f"models/scenes/{path.name}", "--time", choice.get("time", "0:4"), "--strip", "4"]
    command += [word for key in ("camera", "show") if key in choice for word in (f"--{key}", choice[key])]
    made = {"name": path.stem, "title": xml.fromstring(text).get("name", path.stem).replace("_", " "),
            "about": " ".join(comment[1].split()) if comment else "", "command": command}
    if choice.get("page"):
        made["page"] = ["view", command[1], *command[2:4]]
    return made


def bar(done, total, name):
    width = 30 * done // total
    print(f"\r[{'#' * width}{'.' * (30 - width)}] {done}/{total} {name:<24}", end="" if done < total else "\n", file=sys.stderr, flush=True)


def fresh(picture, inputs):
    return picture.exists() and all(picture.stat().st_mtime > path.stat().st_mtime for path in inputs)


def call(root, command, entry, words):
    run = subprocess.run([command, *words], cwd=root, capture_output=True, text=True)
    if run.returncode:
        raise RuntimeError(f"{entry['name']}: vertebra {' '.join(words)}\n{run.stderr}")


def draw(root, command, out, entry):
    """Draws one picture; the commands run where the models are, what they make between goes to the gallery's folder."""
    made = {name: str(out / name) for name in (entry["before"][-1],)} if "before" in entry else {}
    for words in ([entry["before"]] if "before" in entry else []) + [entry["command"] + ["-o", str(out / f"{entry['name']}.png")]]:
        call(root, command, entry, [made.get(word, word) for word in words])
    if "page" in entry:
        call(root, command, entry, [*entry["page"], "--export", str(out / f"{entry['name']}.html")])


def page(entries):
    parts = []
    for entry in entries:
        shown = "vertebra " + " ".join(entry["command"]) + f" -o {entry['name']}.png"
        media = f'<a href="{entry["name"]}.png"><img src="{entry["name"]}.png" alt="{html.escape(entry["title"])}"></a>'
        if "page" in entry:
            media += f'<p><a href="{entry["name"]}.html">Play it</a></p>'
        parts.append(ENTRY.format(title=html.escape(entry["title"]), about=html.escape(entry["about"]), media=media, command=html.escape(shown)))
    return PAGE.format(entries="\n".join(parts))


def main():
    root, command, out = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
    out.mkdir(parents=True, exist_ok=True)
    plan = tomllib.loads((root / "docs/site/gallery.toml").read_text(encoding="utf-8"))
    scenes = sorted((root / "models/scenes").glob("*.xml"))
    unknown = set(plan["scenes"]) - {path.stem for path in scenes}
    if unknown:
        raise ValueError(f"gallery.toml: no scene of models/scenes: {', '.join(sorted(unknown))}")
    entries = plan["pictures"] + [scene_entry(path, plan["scenes"]) for path in scenes]
    for number, entry in enumerate(entries):
        bar(number, len(entries), entry["name"])
        inputs = [command, root / "docs/site/gallery.toml", *(root / word for word in entry["command"] if word.startswith("models/"))]
        files = [out / f"{entry['name']}.{kind}" for kind in (("png", "html") if "page" in entry else ("png",))]
        if not all(fresh(file, inputs) for file in files):
            draw(root, command, out, entry)
    bar(len(entries), len(entries), "")
    (out / "entries.json").write_text(json.dumps(entries, indent=1), encoding="utf-8")
    (out / "index.html").write_text(page(entries), encoding="utf-8")
    print(out / "index.html")


if __name__ == "__main__":
    main()
