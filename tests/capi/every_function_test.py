#!/usr/bin/env python3
"""Fails when a function of vertebra.json is not called in the C program that is to call them all, with good and with bad arguments.

Arguments: vertebra.json, the folder of the program. A good call stands inside OK(...), a bad one inside FAILS(...).
"""
import json
import pathlib
import re
import sys

CANNOT_FAIL = {"vtb_abi", "vtb_version", "vtb_status_name", "vtb_last_error"}
# All they take is an object, or NULL.
NO_BAD_ARGUMENT = {"vtb_skeleton_builder_destroy", "vtb_ode_destroy", "vtb_diagnostics_release", "vtb_motion_release", "vtb_markers_release", "vtb_marker_fitter_destroy", "vtb_retarget_map_destroy", "vtb_retarget_report_destroy", "vtb_retargeter_destroy", "vtb_scene_release", "vtb_skeleton_release", "vtb_trajectory_release", "vtb_workspace_destroy",
                   "vtb_world_destroy"}


def main():
    functions = {f["name"] for f in json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))["functions"]}
    if len(functions) < 100:
        sys.exit(f"only {len(functions)} functions in vertebra.json")
    sources = "\n".join(p.read_text(encoding="utf-8") for p in sorted(pathlib.Path(sys.argv[2]).glob("*.[ch]")))
    called = set(re.findall(r"\b(vtb_\w+)\s*\(", sources))
    good = set(re.findall(r"\bOK\(\s*(vtb_\w+)\s*\(", sources)) | CANNOT_FAIL
    bad = set(re.findall(r"\bFAILS\(\s*\w+,\s*(vtb_\w+)\s*\(", sources)) | CANNOT_FAIL | NO_BAD_ARGUMENT
    complaints = [f"{f}: never called" for f in sorted(functions - called)]
    complaints += [f"{f}: never called with good arguments" for f in sorted(functions & called - good)]
    complaints += [f"{f}: never called with bad arguments" for f in sorted(functions & called - bad)]
    complaints += [f"{f}: called, but not in vertebra.json" for f in sorted(called - functions)]
    print("\n".join(complaints) or f"{len(functions)} functions called")
    sys.exit(1 if complaints else 0)


main()
