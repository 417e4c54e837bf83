#!/usr/bin/env python3
"""Packs the Blender add-on: pack.py ZIP SOURCE LIBRARY JSON. The zip holds the folder vertebra_blender, inside it the Python package vertebra
with its library and vertebra.json, as a wheel has them. Equal contents give an equal zip."""
import pathlib
import sys
import zipfile


def main():
    target, source, library, description = map(pathlib.Path, sys.argv[1:])
    addon = pathlib.PurePath("vertebra_blender")
    files = {addon / path.name: path for path in (source / "plugins/blender/vertebra_blender").glob("*.py")}
    files |= {addon / "vertebra" / path.name: path for path in (source / "capi/bindings/python/vertebra").glob("*.py")}
    files[addon / "vertebra/native/libvertebra.so.1"] = library
    files[addon / "vertebra/native/vertebra.json"] = description
    files[addon / "LICENSE"] = source / "LICENSE"
    target.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(files):
            archive.writestr(zipfile.ZipInfo(str(name)), files[name].read_bytes(), zipfile.ZIP_DEFLATED)


main()
