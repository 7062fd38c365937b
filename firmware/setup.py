"""The configuration over the line: read in parts, sent in parts, taken as a whole or not at all."""

import json

from . import config
from .config_store import parse, text_hash
from .protocol.session import Refusal

PART_BYTES = 192


class Setup:
    def __init__(self, store, default, board, log, rebuild):
        self.store = store
        self.default = json.dumps(default).encode() if default else b""  # what the image was built for
        self.board = board
        self.log = log
        self.coming = bytearray()
        self.rebuild = rebuild  # main.py builds the table anew

    def settings(self):
        """(configuration, None) or (None, why there is none)."""
        if self.store.spoilt and not self.store.text:
            return None, "the configuration is spoilt in both copies"
        found = parse(self.text())
        if found is None:
            return None, "the board has not been configured"
        why = self._problem(found)
        return (None, why) if why else (found, None)

    def _problem(self, found):
        return config.problem(found, self.board.pins) or self.board.bad_pins(found.get("pins", {}))

    def text(self):
        """The configuration in force, as it was sent or as the image has it; a spoilt one has no stand-in."""
        return self.store.text or (b"" if self.store.spoilt else self.default)

    def hash(self):
        return text_hash(self.text()) if self.text() else ""

    def handlers(self, table):
        return {
            "config_read": self._read,
            "config_part": self._part,
            "config_commit": lambda asked: self._commit(asked, table),
        }

    def _read(self, asked):
        text = self.text()
        at = min(asked["offset"], len(text))
        return {"length": len(text), "part": text[at : at + PART_BYTES]}

    def _part(self, asked):
        at = asked["offset"]
        if at == 0:
            self.coming = bytearray()
        if at != len(self.coming) or at + len(asked["part"]) > self.store.most_bytes:
            raise Refusal("bad_config", "the parts do not follow one another, or are more than fits")
        self.coming += asked["part"]

    def _commit(self, asked, table):
        text = bytes(self.coming)
        if len(text) != asked["length"] or text_hash(text) != asked["hash"]:
            raise Refusal("bad_config", "what arrived is not what was sent")
        found = parse(text)
        why = "it is no configuration" if found is None else self._problem(found)
        if why:
            raise Refusal("bad_config", why)
        if not table.is_idle():
            raise Refusal("wrong_state", "a round is under way: configure the table when it is over")
        self.store.save(text)
        self.log("configured", hash=text_hash(text), author=asked["by"])
        self.rebuild()  # at once: the next order on the line is for the new table
        return {"hash": text_hash(text)}
