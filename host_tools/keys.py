"""The host's keys of boards: one JSON file, named by PITKIT_KEYS, readable by its owner only.

Never printed, never in a configuration, a report or a log.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

from .errors import CannotRun

ENVIRONMENT = "PITKIT_KEYS"
PRIVATE = 0o600


def _path() -> Path | None:
    named = os.environ.get(ENVIRONMENT)
    return Path(named) if named else None


def _load(path: Path) -> dict[str, dict[str, str]]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        if not all(isinstance(keys, dict) for keys in found.values()):
            raise ValueError
        return dict(found)
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise CannotRun(f"the key file {path} cannot be read: {error.strerror}.") from error
    except (ValueError, AttributeError) as error:
        raise CannotRun(f"{path} is no key file.") from error


def journal_key(unique_id: str) -> bytes | None:
    """The first key of this board's journal chain, if we have it."""
    path = _path()
    text = _load(path).get(unique_id, {}).get("journal") if path else None
    try:
        return bytes.fromhex(text) if text else None
    except ValueError as error:
        raise CannotRun(f"the key file's entry for board {unique_id} is spoilt.") from error


def keep_journal_key(unique_id: str, key: bytes) -> Path:
    path = _path()
    if path is None:
        raise CannotRun(f"name the file for the key: {ENVIRONMENT}=…/keys.json.")
    keys = _load(path)
    kept = keys.get(unique_id, {}).get("journal")
    if kept and kept != key.hex():
        raise CannotRun(f"{path} has another key of board {unique_id} already: name another file.")
    keys.setdefault(unique_id, {})["journal"] = key.hex()
    half = path.with_name(path.name + ".part")
    try:
        half.unlink(missing_ok=True)
        descriptor = os.open(half, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump(keys, file, indent=1)
        half.replace(path)
    except OSError as error:
        raise CannotRun(f"the key file {path} cannot be written: {error.strerror}.") from error
    return path
