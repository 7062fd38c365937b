"""The board definition and the build, as the image's generated module gives them on silicon.

Here they come from the wiring file and from the files themselves.
"""

# ruff: noqa: PTH123, PTH208
# (MicroPython has no pathlib)

import hashlib
import os
from binascii import hexlify

import bench


def _rules_hash(folder):
    digest = hashlib.sha256()
    for name in sorted(os.listdir(folder)):
        if name.endswith(".py"):
            with open(folder + "/" + name, "rb") as file:
                digest.update(name.encode() + b"\0" + file.read() + b"\0")
    return hexlify(digest.digest()).decode()[:16]


BOARD = bench.WIRING["board"]
PARTS = bench.WIRING.get(
    "parts", BOARD.get("parts", {})
)  # as they are wired; the firmware may think otherwise
BUILD = {
    "version": bench.WIRING["version"],
    "rules_hash": _rules_hash(bench.ROOT + "/rules_min"),
    "image_hash": "",
    "default_config": bench.WIRING.get("default_config"),
}
