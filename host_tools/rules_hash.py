"""The fingerprint of the rules: which rulebook, to the byte, a board plays by.

Over every module of rules_min in the order of their names. The board carries it from the day its image
was built; identify compares it with the host's own.
"""

import hashlib
from pathlib import Path

RULES = Path(__file__).parent.parent / "rules_min"


def rules_hash(folder: Path = RULES) -> str:
    digest = hashlib.sha256()
    for path in sorted(folder.glob("*.py"), key=lambda path: path.name):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]
