"""Finds MicroPython's unix port, 1.24 or later: the simulated board runs on it.

Looks at $PITKIT_MICROPYTHON, then the PATH, then the cache; else fetches Debian's, with its own
libc beside it, so that it runs whatever the machine's libc is.
"""

import os
import shlex
import shutil
from pathlib import Path

from host_tools import cache, debian, progress
from host_tools.debian import Package
from host_tools.errors import CannotRun
from host_tools.programs import run
from host_tools.progress import Say

OLDEST = (1, 24)
SUITE = "trixie"
PACKAGES = [
    Package("micropython", SUITE, "1.25.0+ds-1"),
    Package("libc6", SUITE, "2.41-12+deb13u4"),
    Package("libffi8", SUITE, "3.4.8-2"),
    Package("libmbedtls21", SUITE, "3.6.6-0.1~deb13u1"),
    Package("libmbedcrypto16", SUITE, "3.6.6-0.1~deb13u1"),
    Package("libmbedx509-7", SUITE, "3.6.6-0.1~deb13u1"),
]
INSTEAD = "install micropython 1.24 or later, or name one in PITKIT_MICROPYTHON"


def find(arch: str | None = None, say: Say = progress.say) -> Path:
    """A MicroPython for this machine, or for the architecture named (i386 has an RP2040's word size)."""
    native = debian.host_arch()
    if arch in (None, native):
        ours = _named() or _on_path()
        if ours:
            return ours
    return _fetched(arch or native, say)


def version(program: Path) -> tuple[int, ...]:
    """Asks the program itself, so that one that cannot run here is found out now."""
    answer = run([program, "-c", "import sys; print(*sys.implementation[1][:3])"], f"running {program}")
    try:
        return tuple(int(word) for word in answer.split())
    except ValueError as error:
        raise CannotRun(f"{program} is not MicroPython") from error


def _named() -> Path | None:
    named = os.environ.get("PITKIT_MICROPYTHON")
    if not named:
        return None
    found = version(Path(named))
    if found < OLDEST:
        raise CannotRun(
            f"PITKIT_MICROPYTHON names {named}, which is {_dotted(found)}; 1.24 or later is needed"
        )
    return Path(named)


def _on_path() -> Path | None:
    """One that is too old or does not run is passed over: the cache has a better one."""
    found = shutil.which("micropython")
    try:
        return Path(found) if found and version(Path(found)) >= OLDEST else None
    except CannotRun:
        return None


def _fetched(arch: str, say: Say) -> Path:
    wanted = cache.key(*(f"{package.name}={package.version}" for package in PACKAGES))
    name = f"micropython/{arch}-{wanted}"
    try:
        return cache.made(name, lambda folder: _make(folder, arch, name, say), say) / "micropython"
    except CannotRun as error:
        raise CannotRun(f"MicroPython is not on this machine: {error}; {INSTEAD}") from error


def _make(folder: Path, arch: str, name: str, say: Say) -> None:
    for fetched in debian.fetch(PACKAGES, folder, arch, say):
        debian.unpack(folder / fetched.file, folder)
        (folder / fetched.file).unlink()
    for unused in [
        *folder.glob("usr/lib/*/gconv"),
        folder / "usr/share",
        folder / "usr/sbin",
        folder / "etc",
    ]:
        shutil.rmtree(unused, ignore_errors=True)
    say(f"MicroPython {_dotted(version(_write_start(folder, folder)))} for {arch} is in the cache")
    _write_start(folder, cache.root() / name)


def _write_start(folder: Path, place: Path) -> Path:
    """A script that starts it with the loader and libraries it came with, once the folder is at `place`."""
    libraries = next(folder.glob("usr/lib/*/libc.so.6")).parent
    loader = next(libraries.glob("ld-linux*.so.*"))
    words = [place / loader.relative_to(folder), "--library-path", place / libraries.relative_to(folder)]
    line = shlex.join(str(word) for word in [*words, place / "usr/bin/micropython"])
    script = folder / "micropython"
    script.write_text(f'#!/bin/sh\nexec {line} "$@"\n')
    script.chmod(0o755)
    return script


def _dotted(numbers: tuple[int, ...]) -> str:
    return ".".join(str(number) for number in numbers)
