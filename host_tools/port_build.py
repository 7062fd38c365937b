"""Compiles MicroPython's rp2 port with a folder of frozen modules in it.

The C is compiled once and kept in the cache; after that a build only freezes, compiles one file and
links, in a few seconds. The same inputs give the same image to the byte, wherever the cache is.
"""

import os
import re
import shlex
import shutil
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from host_tools import cache, toolchain
from host_tools.errors import CannotRun
from host_tools.programs import Words, run, run_logged
from host_tools.progress import Say
from host_tools.toolchain import Toolchain

NATIVE = Path(__file__).parent.parent / "firmware" / "native"  # our C module, in every image
SOURCE_DATE_EPOCH = "1750000000"  # the day the image says it was built: the same for every build
REPORT_S = 5
# The collector's mark stack: with MicroPython's own 64 entries it overflows on our tables and walks the whole
# heap again: 10 ms a collection in place of 5 on the emulated RP2040. Costs 2 KB of static RAM.
GC_STACK = "-DMICROPY_ALLOC_GC_STACK_SIZE=512"


@dataclass(frozen=True)
class Built:
    bin: bytes
    map: bytes
    text_bytes: int
    data_bytes: int
    bss_bytes: int


@dataclass(frozen=True)
class Job:
    """One port board's build folder in the cache, and what it is built with."""

    tools: Toolchain
    folder: Path
    port_board: str
    cmake: Path
    ninja: Path
    mpy_cross: Path

    @property
    def out(self) -> Path:
        return self.folder / "out"


def build(port_board: str, stage: Path, say: Say, objects: Path | None = None) -> Built:
    """`stage` holds manifest.py and, beside it, the folder `modules`. The compiled C is kept in the
    cache; with `objects`, an empty folder, nothing of it is used and all is compiled there."""
    _check_path(objects or cache.root())
    tools = toolchain.find(say)
    cmake, ninja = toolchain.cmake(say), toolchain.ninja(say)
    name = f"build/{port_board}-{_key(cmake, ninja)}"
    folder = objects or cache.root() / name
    job = Job(tools, folder, port_board, cmake, ninja, toolchain.mpy_cross(say))
    with cache.lock(name, say):
        _prepare(job, stage)
        _compile(job, say)
        built = _collect(job)
    if objects is None:
        cache.keep_newest("build", 6)
    return built


def _key(*programs: Path) -> str:
    """A folder is good for the tools that set it up, and for no others."""
    tools = [f"{program} {program.stat().st_mtime_ns}" for program in programs]
    return cache.key(toolchain.wanted(), Path(__file__).read_bytes(), *native_source(), *tools)


def native_source() -> list[str | bytes]:
    """Name and text of every file of the C module, for hashes."""
    return [part for file in _native_files() for part in (file.name, file.read_bytes())]


def _native_files() -> list[Path]:
    return sorted(path for path in NATIVE.iterdir() if path.suffix in (".c", ".h", ".cmake"))


def _check_path(folder: Path) -> None:
    """The port's build rules do not quote paths; better said now than after fetching 110 MB."""
    if not re.fullmatch(r"[\w./@~+-]+", str(folder)):
        raise CannotRun(f"MicroPython cannot be built under {folder}: PITKIT_CACHE must name a plainer path")


def _prepare(job: Job, stage: Path) -> None:
    job.folder.mkdir(parents=True, exist_ok=True)
    os.utime(job.folder)
    for stale in ("frozen", "out/frozen_mpy"):
        shutil.rmtree(job.folder / stale, ignore_errors=True)
    for old in (
        "out/frozen_content.c",
        "build.log",
    ):  # MicroPython goes by dates and would miss a file taken out
        (job.folder / old).unlink(missing_ok=True)
    shutil.copytree(stage, job.folder / "frozen")
    _copy_native(job.folder / "native")
    # the Python of today: the one that configured the folder may be gone with its virtual environment
    python = job.folder / "python3"
    python.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} "$@"\n')
    python.chmod(0o755)


def _copy_native(folder: Path) -> None:
    """Only what differs: another checkout's dates would have it all compiled again."""
    folder.mkdir(exist_ok=True)
    for file in _native_files():
        place = folder / file.name
        if not place.exists() or place.read_bytes() != file.read_bytes():
            shutil.copyfile(file, place)


def _compile(job: Job, say: Say) -> None:
    log = job.folder / "build.log"
    env = _environment(job)
    if not (job.out / "build.ninja").exists():
        say("setting up the build of MicroPython")
        run_logged(_configure(job), "setting up the build of MicroPython", log, env, lambda line: None)
    words: Words = [job.ninja, "-C", job.out, "firmware"]
    try:
        run_logged(words, "compiling MicroPython", log, env, _counter(say))
    except CannotRun as error:
        raise _blame(log.read_text(encoding="utf-8")) or error from error


def _blame(log: str) -> CannotRun | None:
    """The frozen module that mpy-cross refused, if that is what stopped the build."""
    found = re.search(r"error compiling (\S+):.*?line (\d+).*?(\w+Error: [^\n]*)", log, re.DOTALL)
    return CannotRun(f"{found[1]} cannot be frozen: line {found[2]}: {found[3]}") if found else None


def _configure(job: Job) -> Words:
    tree = job.tools.micropython
    settings = {
        "CMAKE_MAKE_PROGRAM": job.ninja,
        "CMAKE_EXE_LINKER_FLAGS": f"-L{job.tools.folder / 'empty'}",
        "MICROPY_BOARD": job.port_board,
        "MICROPY_FROZEN_MANIFEST": job.folder / "frozen/manifest.py",
        "PICO_NO_PICOTOOL": 1,
        "PICO_TOOLCHAIN_PATH": job.tools.compiler,
        "USER_C_MODULES": job.folder / "native/micropython.cmake",
        "Python3_EXECUTABLE": job.folder / "python3",
    }
    defines = [f"-D{name}={value}" for name, value in settings.items()]
    return [job.cmake, "-G", "Ninja", "-S", tree / "ports/rp2", "-B", job.out, *defines]


def _environment(job: Job) -> dict[str, str]:
    """All the build sees of this machine: no settings of the user's, no paths in what it makes."""
    maps = f"-ffile-prefix-map={job.tools.folder}=. -ffile-prefix-map={job.folder}=."
    return {
        "PATH": f"{job.tools.compiler / 'bin'}{os.pathsep}{os.environ.get('PATH', os.defpath)}",
        "TMPDIR": os.environ.get("TMPDIR", "/tmp"),
        "CFLAGS": f"{maps} {GC_STACK}",
        "CXXFLAGS": maps,
        "ASMFLAGS": maps,
        "MICROPY_GIT_TAG": f"v{toolchain.MICROPYTHON}",
        "MICROPY_MPYCROSS": str(job.mpy_cross),
        "PYTHONHASHSEED": "0",  # the port's pin table is written in the order of a set
        "SOURCE_DATE_EPOCH": SOURCE_DATE_EPOCH,
    }


def _counter(say: Say) -> Callable[[str], None]:
    """Hears ninja's "[12/300] …" and says so now and then."""
    next_s = time.monotonic() + REPORT_S / 2

    def heard(line: str) -> None:
        nonlocal next_s
        count = re.match(r"\[(\d+)/(\d+)\]", line)
        if count and time.monotonic() >= next_s:
            next_s = time.monotonic() + REPORT_S
            say(f"compiling MicroPython: {count[1]} of {count[2]}")

    return heard


def _collect(job: Job) -> Built:
    size = job.tools.compiler / "bin/arm-none-eabi-size"
    numbers = run([size, job.out / "firmware.elf"], "measuring the image").splitlines()[1].split()
    text, data, bss = (int(number) for number in numbers[:3])
    image, link_map = job.out / "firmware.bin", job.out / "firmware.elf.map"
    return Built(image.read_bytes(), link_map.read_bytes(), text, data, bss)
