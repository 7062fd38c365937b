"""The user's cache folder: things fetched or built once, each complete or not there at all.

A thing is made in a folder beside its place and moved there when whole, under a lock, so a run
that was stopped leaves nothing half-made and two runs do not make it twice. Deleting the whole
folder is always safe.
"""

import hashlib
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import platformdirs

from host_tools import progress
from host_tools.errors import CannotRun
from host_tools.progress import Say


def root() -> Path:
    """$PITKIT_CACHE, else where this system keeps a user's caches."""
    named = os.environ.get("PITKIT_CACHE")
    folder = Path(named).expanduser().absolute() if named else platformdirs.user_cache_path("pitkit")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _unwritable(folder, error) from error
    return folder


def key(*parts: str | bytes) -> str:
    """A short name for exactly these inputs; the length goes in, so that no two lists run together."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        digest.update(len(data).to_bytes(8, "big") + data)
    return digest.hexdigest()[:16]


def made(name: str, make: Callable[[Path], None], say: Say = progress.say) -> Path:
    """The folder `name` of the cache; if it is not there, `make(folder)` fills it first."""
    place = root() / name
    if not place.is_dir():
        with lock(name, say):
            if not place.is_dir():
                _make_whole(place, make)
    with suppress(OSError):  # only to know which were used lately; a cache may be read-only
        os.utime(place)
    return place


def keep_newest(group: str, count: int) -> None:
    """Of the folders in a group, those not used for longest go: every change of the firmware leaves one."""
    for folder in sorted((root() / group).iterdir(), key=_used_s)[:-count]:
        shutil.rmtree(folder, ignore_errors=True)


def _used_s(folder: Path) -> float:
    try:
        return folder.stat().st_mtime
    except FileNotFoundError:  # another run has just moved it to its place, or cleared it away
        return float("inf")


@contextmanager
def lock(name: str, say: Say = progress.say) -> Iterator[None]:
    """One process at a time for `name`; the system lets go of it when the process ends, however it ends."""
    import fcntl  # not on Windows, where nothing is fetched or built

    path = root() / "locks" / (name.replace("/", "-") + ".lock")
    try:
        path.parent.mkdir(exist_ok=True)
        file = path.open("w")
    except OSError as error:
        raise _unwritable(path.parent, error) from error
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say(f"waiting for another pitkit that is making {name}")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _make_whole(place: Path, make: Callable[[Path], None]) -> None:
    part = place.with_name(place.name + ".part")
    try:
        shutil.rmtree(part, ignore_errors=True)  # what a stopped run left
        part.mkdir(parents=True)
        make(part)
        part.rename(place)
    except OSError as error:
        raise _unwritable(place, error) from error
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _unwritable(folder: Path, error: OSError) -> CannotRun:
    why = error.strerror or str(error)
    return CannotRun(f"the cache folder cannot be written ({folder}: {why}); PITKIT_CACHE can name another")
