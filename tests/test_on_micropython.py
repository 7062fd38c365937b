"""Every plain test of the rooms that run on the board, run again on the board's own interpreter."""

import subprocess
from pathlib import Path

import pytest

from host_tools import micropython

TESTS = Path(__file__).parent
ROOT = TESTS.parent


def plain_files() -> list[Path]:
    """The test files of the board's rooms that lean on no CPython package."""
    found = [*TESTS.glob("rules_min/test_*.py"), *TESTS.glob("firmware/test_*.py")]
    return sorted(p for p in found if not any(w in p.read_text() for w in ("import pytest", "hypothesis")))


@pytest.mark.parametrize("file", plain_files(), ids=lambda p: p.stem)
def test_the_same_file_passes_on_micropython(file: Path) -> None:
    runner = str(TESTS / "run_on_micropython.py")
    command = [str(micropython.find()), "-X", "heapsize=16M", runner, str(ROOT), str(file)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr


def test_there_are_such_files() -> None:
    assert len(plain_files()) >= 8
