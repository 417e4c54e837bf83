#!/usr/bin/env python3
"""Runs the demo as a user does, without a display: exit codes, report, size and content of its picture. Usage: demo_test.py PROGRAM"""
import os
import re
import struct
import subprocess
import sys
import tempfile
import zlib


def run(*arguments):
    environment = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    return subprocess.run([sys.argv[1], *arguments], capture_output=True, text=True, env=environment, check=False)


def png(path):
    """Width, height, and the number of different bytes in the filtered rows."""
    with open(path, "rb") as file:
        data = file.read()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", "not a PNG"
    width, height = struct.unpack(">II", data[16:24])
    packed, at = b"", 8
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at : at + 8])
        if kind == b"IDAT":
            packed += data[at + 8 : at + 8 + size]
        at += size + 12
    return width, height, len(set(zlib.decompress(packed)))


with tempfile.TemporaryDirectory() as folder:
    out = os.path.join(folder, "made", "by the demo")
    done = run("--out", out, "--seconds", "0.6")
    assert done.returncode == 0, done.stderr
    assert done.stderr == "", done.stderr
    picture = os.path.join(out, "vertebra_demo.png")
    assert picture in done.stdout, done.stdout
    width, height, bytes_seen = png(picture)
    assert f"8 pictures, {width} x {height}" in done.stdout, done.stdout
    assert (width, height) == (2520, 904), (width, height)
    assert bytes_seen > 100, "the picture is all but blank"
    walked = run("--seconds", "0.6", "--out", folder)
    lines = [text.splitlines()[1:] for text in (done.stdout, walked.stdout)]
    assert lines[0][:-1] == lines[1][:-1] and len(lines[0]) >= 6, "two runs differ"

    whole = run("--out", folder)  # the ball strikes a figure whose drives are at their bounds
    overlap = float(re.search(r"overlap by at most ([0-9.]+) mm", whole.stdout)[1])
    assert "the walker fell" in whole.stdout and overlap < 10, whole.stdout

    for wrong in (["--seconds", "0"], ["--seconds", "nan"], ["--seconds", "1x"], ["--out"], ["--fast", "1"]):
        refused = run(*wrong)
        assert refused.returncode == 2 and refused.stderr.startswith("usage:") and not refused.stdout, (wrong, refused)
    helped = run("--help")
    assert helped.returncode == 0 and helped.stdout.startswith("usage:")

    blocked = os.path.join(folder, "file")
    open(blocked, "w").close()
    failed = run("--out", os.path.join(blocked, "below"), "--seconds", "0.1")
    assert failed.returncode == 1 and failed.stderr.startswith("vertebra_demo: "), failed
print("ok")
