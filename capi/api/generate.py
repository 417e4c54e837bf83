#!/usr/bin/env python3
"""Reads vertebra.h and writes what is made from it: generate.py VERTEBRA_H VERSION FOLDER writes descriptions.inc, vertebra.json and
vertebra_amalgamated.h to the folder. Leaves with the faults, each with file and line, where a declaration or comment breaks the grammar."""
import pathlib
import sys

import amalgamated
import json_file
import read
import tables


def main():
    header, version, folder = sys.argv[1:]
    model = read.read(header)
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in (("descriptions.inc", tables.write(model)), ("vertebra.json", json_file.write(model, version)),
                       ("vertebra_amalgamated.h", amalgamated.write(model))):
        (folder / name).write_text(text, encoding="utf-8")


main()
