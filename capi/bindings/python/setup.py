"""What pyproject.toml cannot say. The wheel holds libvertebra.so.1 and vertebra.json of the build folder that VERTEBRA_BUILD names, else of
build/release of this tree, and is then for this machine's platform; without either it is pure Python and uses an installed library. Debian's
libraries that libvertebra itself needs (qhull, urdfdom, tinyxml2, assimp) are not in it."""
import os
import pathlib
import re
import shutil

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

HERE = pathlib.Path(__file__).resolve().parent
BUILD = pathlib.Path(os.environ.get("VERTEBRA_BUILD") or HERE.parents[2] / "build" / "release")
FILES = [BUILD / "lib" / "libvertebra.so.1", BUILD / "api" / "vertebra.json"]
VIEW = BUILD / "lib" / "libvertebra_view.so.1"  # pictures; a wheel without it has none
if os.environ.get("VERTEBRA_BUILD") and not all(file.is_file() for file in FILES):
    raise SystemExit(f"VERTEBRA_BUILD={BUILD}: no {' and no '.join(str(file) for file in FILES if not file.is_file())}; build the library first")
NATIVE = all(file.is_file() for file in FILES)


class BuildWithLibrary(build_py):
    def run(self):
        super().run()
        native = pathlib.Path(self.build_lib) / "vertebra" / "native"
        shutil.rmtree(native, ignore_errors=True)  # of an earlier build
        if NATIVE:
            native.mkdir(parents=True, exist_ok=True)
            for file in FILES + [VIEW] * VIEW.is_file():
                shutil.copyfile(file, native / file.name)
        self.announce(f"the wheel {'holds the library of ' + str(BUILD) if NATIVE else 'holds no library'}", level=3)


class PlatformDistribution(Distribution):
    def has_ext_modules(self):
        return NATIVE


def version():
    text = (HERE.parents[2] / "CMakeLists.txt").read_text(encoding="utf-8")
    return re.search(r"project\(vertebra VERSION (\S+)", text)[1]


setup(version=version(), cmdclass={"build_py": BuildWithLibrary}, distclass=PlatformDistribution)
