"""One case under way: the bench, the events already accounted for, and how an expectation is judged.

Expectations walk the board's events forward: each finds its event behind the last one found, so
a case checks their order too. What differs is Failed, with both sides in words.
"""

from __future__ import annotations

from typing import Any

from host_tools.conformance.bench import Bench
from host_tools.conformance.patterns import Failed
from host_tools.errors import Refused

# an event that ends the wait for these: the round went another way
INSTEAD = {
    "result": ("voided", "fault"),
    "settled": ("voided", "fault"),
    "rested": ("voided", "fault"),
    "voided": ("settled",),
}


class Play:
    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.at = 0  # events before this one are accounted for
        self.faults_expected = 0
        self.dice: list[int] = []
        self.said_before = ""  # on the result line

    # -- acts

    def do(self, command: str, /, **fields: Any) -> dict[str, Any]:
        """A command that the table is to take."""
        try:
            return self.bench.link.command(command, **fields)
        except Refused as refusal:
            raise Failed(f"{command} taken", _refusal(refusal)) from refusal

    def refused(self, why: str, clause: str | None, command: str, /, **fields: Any) -> None:
        """A command that the table is to refuse."""
        expected = f"{command} refused as {why}" + (f" ({clause})" if clause else "")
        try:
            self.bench.link.command(command, **fields)
        except Refused as refusal:
            if refusal.code != why or (clause is not None and refusal.rule != clause):
                raise Failed(expected, _refusal(refusal)) from refusal
            return
        raise Failed(expected, "it was taken")

    # -- expectations

    def event(self, name: str, /, **fields: Any) -> dict[str, Any]:
        """The next event of this name, saying just this; nothing may have happened in its stead."""
        expected = name + (" with " + _fields(fields) if fields else "")
        index = self.bench.wait_for((name, *INSTEAD.get(name, ())), self.at)
        if index is None:
            raise Failed(expected, self._heard())
        event = self.bench.events[index]
        said = {key: event.get(key) for key in fields}
        if event["event"] != name or said != fields:
            raise Failed(expected, describe(event))
        self.at = index + 1
        return event

    def no_event(self, *names: str) -> None:
        """Nothing of the kind since the last event accounted for, even when given time."""
        self.bench.run_ms(300)
        self.bench.collect()
        for event in self.bench.events[self.at :]:
            if event["event"] in names:
                raise Failed(f"no {' and no '.join(names)}", describe(event))

    def same(self, what: str, expected: Any, seen: Any) -> None:
        if expected != seen:
            raise Failed(f"{what} {_words(expected)}", _words(seen))

    def end(self) -> None:
        """A fault that no step speaks of fails the case."""
        if self.bench.off:
            self.bench.power()
        self.bench.collect()
        faults = [event for event in self.bench.events if event["event"] == "fault"]
        if len(faults) > self.faults_expected:
            raise Failed("no fault but those the case speaks of", describe(faults[-1]))

    def _heard(self) -> str:
        names = [event["event"] for event in self.bench.events[self.at :]]
        return "only " + ", ".join(names) if names else "nothing"


def describe(event: dict[str, Any]) -> str:
    fields = {key: value for key, value in event.items() if key not in ("event", "seq", "at_ms")}
    return f"{event['event']} with {_fields(fields)}" if fields else str(event["event"])


def _fields(fields: dict[str, Any]) -> str:
    return ", ".join(f"{key} {_words(value)}" for key, value in fields.items())


def _words(value: Any) -> str:
    if isinstance(value, (list, tuple, set, frozenset)):
        return " ".join(str(item) for item in value) or "none"
    return f'"{value}"' if isinstance(value, str) else str(value)


def _refusal(refusal: Refused) -> str:
    return f"refused as {refusal.code}: {refusal.message}" + (f" ({refusal.rule})" if refusal.rule else "")
