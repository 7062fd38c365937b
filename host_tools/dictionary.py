"""A board's own words: its commands and events as text, so that an older host can name a newer one's.

    C 10 open dealer : > round:u         command: number, name, role, fields, fields of its answer
    E 3 opened : round:u game:s          event: number, name, fields

The board makes the text (firmware/protocol/dictionary.py) and sends it as bulk, packed.
"""

from __future__ import annotations

from dataclasses import dataclass

Fields = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Dictionary:
    events: dict[int, tuple[str, Fields]]
    commands: dict[int, tuple[str, str, Fields, Fields]]

    @classmethod
    def read(cls, text: bytes) -> Dictionary:
        """Lines it does not know are passed over: a yet newer board may say more."""
        found = cls({}, {})
        for line in text.decode().splitlines():
            head, _, rest = line.partition(" : ")
            words = head.split(" ")
            asked, _, answered = rest.partition(" > ")
            if words[0] == "E" and len(words) == 3:
                found.events[int(words[1])] = (words[2], _fields(rest))
            elif words[0] == "C" and len(words) == 4:
                found.commands[int(words[1])] = (words[2], words[3], _fields(asked), _fields(answered))
        return found


def _fields(text: str) -> Fields:
    """Up to the first whose type we do not know: what is behind it cannot be read."""
    found: list[tuple[str, str]] = []
    for word in text.split():
        name, _, kind = word.partition(":")
        if kind not in ("u", "s", "b", "l"):
            break
        found.append((name, kind))
    return tuple(found)
