"""The acts of a table as typed calls, over any `command(name, **fields)`: live.py has one.

Money is whole cents. Each call returns what the board answered, or raises Refused with the clause.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Payout:
    """What became of one wager."""

    code: str
    stake: int
    outcome: str
    pays: int
    returned: int
    odds: tuple[int, ...]
    rule: str


@dataclass(frozen=True)
class Status:
    betting: str
    device: str
    round: int
    wagers: int
    staked: int
    dice: tuple[int, ...]
    fault: int


class Orders:
    def command(self, name: str, /, timeout_s: float = 30.0, **fields: Any) -> dict[str, Any]:
        raise NotImplementedError

    def status(self) -> Status:
        return status_of(self.command("status"))

    def open(self) -> int:
        """Opens betting; the round's number."""
        return int(self.command("open")["round"])

    def wager(self, ref: int, code: str, stake_cents: int, player: str = "") -> int:
        """Takes a wager under a reference of yours; the same reference again is the same wager."""
        return int(self.command("wager", ref=ref, code=code, stake=stake_cents, player=player)["round"])

    def activate(self) -> int:
        return int(self.command("activate")["round"])

    def no_more_bets(self) -> int:
        return int(self.command("no_more_bets")["round"])

    def no_spin(self, cause: str) -> int:
        return int(self.command("no_spin", cause=cause)["round"])

    def payout(self, ref: int) -> Payout:
        return payout_of(self.command("payout", ref=ref))

    def meters(self) -> dict[str, Any]:
        return self.command("meters")

    def clear_fault(self) -> None:
        self.command("clear_fault")


def status_of(fields: dict[str, Any]) -> Status:
    names = ("betting", "device", "round", "wagers", "staked", "fault")
    return Status(**{name: fields[name] for name in names}, dice=tuple(fields["dice"]))


def payout_of(fields: dict[str, Any]) -> Payout:
    return Payout(**{**fields, "odds": tuple(fields["odds"])})
