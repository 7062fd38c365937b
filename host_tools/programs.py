"""Runs outside programs (apt-get, pip, cmake, make) and turns their failures into one sentence.

Nothing here knows what the programs are for. Their output is kept from the user: a failure
quotes the one line that says why, or points at the log.
"""

import os
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from host_tools.errors import CannotRun

Words = Sequence[str | Path]
Heard = Callable[[str], None]

# the sentences we quote, and the words we look for, are then the same on every machine
LANGUAGE = {"LC_ALL": "C.UTF-8", "LANGUAGE": ""}
TICK_S = 5


def need(name: str) -> Path:
    found = shutil.which(name)
    if not found:
        raise CannotRun(f"{name} is needed and is not on the PATH")
    return Path(found)


def run(words: Words, what: str, cwd: Path | None = None, tick: Callable[[], None] | None = None) -> str:
    """Standard output of a program that must succeed; `what` names the job in the sentence if not.

    `tick` is called every few seconds while it runs, for those that take long and say nothing.
    """
    with _started(words, {**os.environ, **LANGUAGE}, cwd, subprocess.PIPE) as process:
        output, errors = _hear_out(process, tick)
    if process.returncode:
        raise CannotRun(f"{what} failed: {reason(errors or output)}")
    return output


def run_logged(words: Words, what: str, log: Path, env: Mapping[str, str], heard: Heard) -> None:
    """The same for a program with much to say: its lines go to the log and, one by one, to `heard`.

    It gets the environment given and nothing else, so that what it makes is the same everywhere.
    """
    lines = []
    with log.open("a", encoding="utf-8") as file, _started(words, {**env, **LANGUAGE}) as process:
        for line in process.stdout or ():
            file.write(line)
            lines.append(line)
            heard(line)
    if process.returncode:
        raise CannotRun(f"{what} failed: {reason(''.join(lines))} (all of it in {log})")


def reason(output: str) -> str:
    """The line of a program's output that says why: the first that claims an error, else the last."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith(("E:", "ERROR:")) or "error:" in line.lower()]
    chosen = errors[:1] or lines[-1:] or ["it said nothing"]
    return chosen[0].removeprefix("E:").removeprefix("ERROR:").strip()


def _hear_out(process: subprocess.Popen[str], tick: Callable[[], None] | None) -> tuple[str, str]:
    while True:
        try:
            return process.communicate(timeout=TICK_S if tick else None)
        except subprocess.TimeoutExpired:
            if tick:
                tick()


def _started(
    words: Words, env: Mapping[str, str], cwd: Path | None = None, errors: int = subprocess.STDOUT
) -> subprocess.Popen[str]:
    line = [str(word) for word in words]
    try:
        return subprocess.Popen(
            line,
            cwd=cwd,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            errors="replace",
        )
    except OSError as error:
        raise CannotRun(f"{line[0]} cannot be run: {error.strerror}") from error
