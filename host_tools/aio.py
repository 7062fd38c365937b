"""The same board for asyncio: `await host_tools.connect_async(…)`.

A thin coat over live.py: the thread that owns the port stays, and hands answers and events over.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from firmware.protocol import messages

from . import live
from .errors import NoBoard
from .live import Answer, Event
from .orders import Payout, Status, payout_of, status_of


class AsyncBoard:
    def __init__(self, board: live.Board) -> None:
        self.board = board
        self._loop = asyncio.get_running_loop()
        self._events: asyncio.Queue[Event] = asyncio.Queue()
        board.listener = self._hand_over
        for event in board.events(timeout_s=0.001):  # what came before we listened
            self._events.put_nowait(event)

    def _hand_over(self, event: Event) -> None:
        self._loop.call_soon_threadsafe(self._events.put_nowait, event)

    @property
    def identity(self) -> dict[str, Any]:
        return self.board.identity

    async def command(self, name: str, /, timeout_s: float = live.ANSWER_S, **fields: Any) -> Answer:
        """As live.Board.command; any number of them may be awaited at a time."""
        try:
            future = asyncio.wrap_future(self.board.submit(name, **fields))
            return await asyncio.wait_for(asyncio.shield(future), timeout_s)
        except TimeoutError:
            words = f"{name} was not answered within {timeout_s:g} s; it is still under way."
            raise NoBoard(f"{self.board.port}: {words}") from None

    async def status(self) -> Status:
        return status_of(await self.command("status"))

    async def open(self) -> int:
        return int((await self.command("open"))["round"])

    async def wager(self, ref: int, code: str, stake_cents: int, player: str = "") -> int:
        answer = await self.command("wager", ref=ref, code=code, stake=stake_cents, player=player)
        return int(answer["round"])

    async def activate(self) -> int:
        return int((await self.command("activate"))["round"])

    async def no_more_bets(self) -> int:
        return int((await self.command("no_more_bets"))["round"])

    async def no_spin(self, cause: str) -> int:
        return int((await self.command("no_spin", cause=cause))["round"])

    async def payout(self, ref: int) -> Payout:
        return payout_of(await self.command("payout", ref=ref))

    async def events(self) -> AsyncIterator[Event]:
        while True:
            yield await self._events.get()

    async def close(self) -> None:
        await asyncio.to_thread(self.board.close)

    async def __aenter__(self) -> AsyncBoard:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


async def connect_async(
    port: str = "auto",
    *,
    role: str = messages.DEALER,
    log: Path | str | None = None,
    follow: int | None = None,
    on_change: live.Change | None = None,
    patience_s: float = live.MET_S,
) -> AsyncBoard:
    """As live.connect."""
    board = await asyncio.to_thread(
        live.connect,
        port,
        role=role,
        log=log,
        follow=follow,
        on_change=on_change,
        patience_s=patience_s,
    )
    return AsyncBoard(board)
