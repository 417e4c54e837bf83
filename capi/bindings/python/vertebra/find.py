"""Where the library, vertebra.json and the command are: named by the environment, in this package (a wheel), in the build tree around it, or installed."""
import os
import pathlib
import shutil

_HERE = pathlib.Path(__file__).resolve().parent
_ROOT = _HERE.parents[3] if len(_HERE.parents) > 3 else _HERE


def _prefixes():
    """Prefixes of an installation: the one that this package is in, as lib/python3/dist-packages/vertebra, then the usual ones."""
    return [*_HERE.parents[:5], pathlib.Path("/usr/local"), pathlib.Path("/usr")]


def _first(candidates) -> str | None:
    return next((str(path) for path in candidates if path.is_file()), None)


def find_description() -> str:
    """The path of vertebra.json. VERTEBRA_JSON names it outright, VERTEBRA_BUILD the build folder that it is in."""
    named = os.environ.get("VERTEBRA_JSON")
    build = pathlib.Path(os.environ.get("VERTEBRA_BUILD") or _ROOT / "build" / "release")
    found = named or _first([_HERE / "native" / "vertebra.json", build / "api" / "vertebra.json",
                             *(prefix / "share" / "vertebra" / "vertebra.json" for prefix in _prefixes())])
    if not found:
        raise ImportError("vertebra.json was not found; name it in VERTEBRA_JSON, or its build folder in VERTEBRA_BUILD")
    return found


def find_library(name: str = "vertebra", variable: str = "VERTEBRA_LIBRARY") -> str:
    """The path of libNAME.so.1, or its bare name for the loader's own search."""
    named = os.environ.get(variable)
    build = pathlib.Path(os.environ.get("VERTEBRA_BUILD") or _ROOT / "build" / "release")
    file = f"lib{name}.so.1"
    folders = [prefix / "lib" for prefix in _prefixes()]
    return named or _first([_HERE / "native" / file, build / "lib" / file, *(folder / file for folder in folders),
                            *(path for folder in folders for path in folder.glob(f"*-linux-gnu/{file}"))]) or file


def find_command() -> str | None:
    """The path of the command vertebra, or None. VERTEBRA_COMMAND names it outright, VERTEBRA_BUILD the build folder that it is in."""
    build = pathlib.Path(os.environ.get("VERTEBRA_BUILD") or _ROOT / "build" / "release")
    return os.environ.get("VERTEBRA_COMMAND") or _first([build / "bin" / "vertebra"]) or shutil.which("vertebra")
