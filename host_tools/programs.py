"""Runs outside programs (apt-get, pip, cmake, make) and turns their failures into one sentence.

Nothing here knows what the programs are for. Their output is kept from the user: a failure
quotes the one line that says why, or points at the log.
"""

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from host_tools.errors import CannotRun

Words = Sequence[str | Path]


def need(name: str) -> Path:
    found = shutil.which(name)
    if not found:
        raise CannotRun(f"{name} is needed and is not on the PATH")
    return Path(found)


def run(words: Words, what: str, cwd: Path | None = None, env: Mapping[str, str] | None = None) -> str:
    """Standard output of a program that must succeed; `what` names the job in the sentence if not."""
    done = _start(words, cwd, env)
    if done.returncode:
        raise CannotRun(f"{what} failed: {reason(done.stderr or done.stdout)}")
    return done.stdout


def run_logged(words: Words, what: str, log: Path, env: Mapping[str, str] | None = None) -> None:
    """The same for a program with much to say: its output is added to the log."""
    done = _start(words, None, env)
    with log.open("a", encoding="utf-8") as file:
        file.write(done.stdout + done.stderr)
    if done.returncode:
        raise CannotRun(f"{what} failed: {reason(done.stderr or done.stdout)} (all of it in {log})")


def reason(output: str) -> str:
    """The line of a program's output that says why: the first that claims an error, else the last."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith(("E:", "ERROR:")) or "error:" in line.lower()]
    chosen = errors[:1] or lines[-1:] or ["it said nothing"]
    return chosen[0].removeprefix("E:").removeprefix("ERROR:").strip()


def _start(words: Words, cwd: Path | None, env: Mapping[str, str] | None) -> subprocess.CompletedProcess[str]:
    # LC_ALL: the sentences we quote, and the words we look for, are then the same on every machine
    surroundings = {**os.environ, "LC_ALL": "C", **(env or {})}
    arguments = [str(word) for word in words]
    try:
        return subprocess.run(
            arguments,
            cwd=cwd,
            env=surroundings,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
        )
    except OSError as error:
        raise CannotRun(f"{arguments[0]} cannot be run: {error.strerror}") from error
