"""Recorded draws: what the board draws verifies, and nothing else does."""

from __future__ import annotations

import hashlib
import hmac
import json
import random
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from firmware.rng import verifiable
from host_tools import draw_file, journal_board
from host_tools.cli import main
from host_tools.errors import BoardFault, Refused
from host_tools.ports import open_port

BOARD = "e6614103e7452e26"


def made(games: list[int], seed: int = 1, size: tuple[int, int] = (20, 80)) -> list[dict[str, Any]]:
    """Draws as a board would have made them."""
    chance = random.Random(seed)
    last, lines = verifiable.FIRST, []
    for game in games:
        secret, pool, nonce = (chance.randbytes(32) for _ in range(3))
        numbers = verifiable.numbers(secret, game, pool, nonce, *size)
        said = (size[1], secret, pool, nonce, numbers, last)
        digest = verifiable.digest(BOARD, game, *said)
        drawn = dict(zip(("of", "seed", "pool", "nonce", "numbers", "last"), said, strict=True))
        drawn |= {"round": game, "digest": digest}
        lines.append(draw_file.line(BOARD, verifiable.commitment(BOARD, game, secret), drawn))
        last = digest
    return lines


def as_file(path: Path, lines: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def test_draws_verify_and_games_in_between_are_counted(tmp_path: Path) -> None:
    verdict = draw_file.verify(as_file(tmp_path / "d", made([1, 2, 5, 6, 9])))
    assert verdict == draw_file.Verdict(draws=5, numbers=100, first=1, last=9, unopened=4)
    assert draw_file.verify(as_file(tmp_path / "t", made([3, 4], size=(2, 54)))).numbers == 4


def by_a_stranger(line: dict[str, Any]) -> tuple[str, list[int]]:
    """Commitment and numbers from the record alone, by the standard library and what the README says."""
    record, game = line["record"], line["game_number"].to_bytes(8, "big")
    seed, pool, nonce = (bytes.fromhex(record[name]) for name in ("seed", "pool", "nonce"))
    named = bytes([len(record["board"])]) + record["board"].encode()
    committed = hashlib.sha256(b"pitkit draw commitment 1\0" + named + game + seed).hexdigest()
    key, value = bytes(32), b"\x01" * 32

    def mac(data: bytes) -> bytes:
        return hmac.digest(key, data, "sha256")

    for mark in (b"\0", b"\x01"):
        key = mac(value + mark + seed + game + pool + nonce)
        value = mac(value)
    stream, balls = [], list(range(1, record["of"] + 1))
    for at in range(len(line["numbers"])):
        span = len(balls) - at
        while True:
            if not stream:
                value = mac(value)
                stream = list(value)
                key = mac(value + b"\0")
                value = mac(value)
            byte = stream.pop(0)
            if byte < 256 - 256 % span:
                break
        other = at + byte % span
        balls[at], balls[other] = balls[other], balls[at]
    return committed, balls[: len(line["numbers"])]


def test_a_stranger_comes_to_the_same_numbers() -> None:
    for line in made([1, 2, 300], seed=9) + made([4, 5], seed=8, size=(2, 63)):
        assert by_a_stranger(line) == (line["commitment"], line["numbers"])


def test_one_flipped_bit_anywhere_makes_it_no(tmp_path: Path) -> None:
    data = as_file(tmp_path / "d", made([7, 8])).read_bytes()
    for at in range(len(data)):
        for bit in range(8):
            changed = bytearray(data)
            changed[at] ^= 1 << bit
            lines = bytes(changed).removesuffix(b"\n").split(b"\n")
            verdict = draw_file.verify_lines(lines)
            assert verdict.problem, (at, bit, bytes(changed[max(0, at - 20) : at + 20]))
            assert verdict.problem.startswith("line ")


def test_a_flip_in_the_file_reaches_the_verdict(tmp_path: Path) -> None:
    """Whatever byte it is: also the ones by which the kind of file is told."""
    data = as_file(tmp_path / "d", made([7])).read_bytes()
    for at in range(0, len(data), 3):
        changed = bytearray(data)
        changed[at] ^= 1 << at % 7
        (tmp_path / "x").write_bytes(changed)
        assert draw_file.verify(tmp_path / "x").problem


def tampered(change: str) -> list[dict[str, Any]]:
    lines = made([1, 2, 3, 4])
    if change == "left out":
        del lines[1]
    elif change == "swapped":
        lines[1], lines[2] = lines[2], lines[1]
    elif change == "twice":
        lines.insert(2, lines[1])
    elif change == "another board's":
        lines[2:] = made([1, 2, 3, 4], seed=2)[2:]
    elif change == "two numbers swapped":
        numbers = lines[2]["numbers"]
        numbers[0], numbers[1] = numbers[1], numbers[0]
    elif change == "nonce chosen later":
        record = lines[3]["record"]
        record["nonce"] = "ab" * 32
        fields = [bytes.fromhex(record[name]) for name in ("seed", "pool", "nonce")]
        lines[3]["numbers"] = verifiable.numbers(fields[0], 4, fields[1], fields[2], 20, 80)
    return lines


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("left out", "line 2: it does not follow the record of game 1"),
        ("swapped", "line 2: it does not follow the record of game 1"),
        ("twice", "line 3: game 2 comes after game 2"),
        ("another board's", "line 3: it does not follow the record of game 2"),
        ("two numbers swapped", "line 3: number 1 is"),
        ("nonce chosen later", "line 4: its digest is not that of the record"),
    ],
)
def test_what_was_done_to_it_is_named(tmp_path: Path, change: str, words: str) -> None:
    problem = draw_file.verify(as_file(tmp_path / "d", tampered(change))).problem
    assert problem and problem.startswith(words)


def test_hostile_lines_are_no_and_never_a_crash(tmp_path: Path) -> None:
    good = made([1])[0]
    record = good["record"]
    for bad in (
        {**good, "numbers": []},
        {**good, "numbers": [1] * 300},
        {**good, "game_number": -1},
        {**good, "game_number": 1 << 70},
        {**good, "numbers": "1 2 3"},
        {**good, "record": {**record, "of": 5}},
        {**good, "record": {**record, "of": 100000}},
        {**good, "record": {**record, "seed": "zz"}},
        {**good, "record": {**record, "board": "x" * 1000}},
        {**good, "more": 1},
        {"game_number": 1},
    ):
        assert draw_file.verify(as_file(tmp_path / "d", [bad])).problem
    for data in (b'"game_number"', b'{"game_number":' * 5000, b'\xff\xfe"record"\x00'):
        (tmp_path / "d").write_bytes(data)
        assert draw_file.verify(tmp_path / "d").problem


def test_it_is_fast_enough(tmp_path: Path) -> None:
    """100,000 numbers a second is the goal (make bench); here only that it is not ten times off."""
    path = as_file(tmp_path / "d", made(list(range(1, 1001))))
    start = time.perf_counter()
    assert draw_file.verify(path).numbers == 20_000
    assert time.perf_counter() - start < 2


def run(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(main, [*words])
    return done.exit_code, done.stdout


def test_drawn_on_the_simulated_board_and_verified_from_lines_and_journal(tmp_path: Path) -> None:
    port = f"sim:keno@act1999?state={tmp_path / 'board'}"
    tickets = tmp_path / "tickets"
    tickets.write_bytes(b"spots 1 2 3\n")
    code, lines = run("draw", "--count", "3", "--json", "--tickets", str(tickets), "--port", port)
    assert code == 0
    first = json.loads(lines.split("\n")[0])
    assert set(first) == {"game_number", "numbers", "commitment", "record"}
    assert first["record"]["pool"] == hashlib.sha256(tickets.read_bytes()).hexdigest()
    with open_port(port, "supervisor") as session:
        session.link.command("game_open")
        assert session.fixture
        session.fixture.cut()  # game 4: its commitment is never opened
        session.fixture.power()
        session.reconnect()
        journal_board.pull(session.link, tmp_path / "board.journal")
    code, later = run("draw", "--count", "2", "--json", "--port", port)
    assert code == 0
    (tmp_path / "d").write_text(lines + later)
    code, said = run("draw", "verify", str(tmp_path / "d"), "--json")
    assert code == 0
    told = json.loads(said)
    assert (told["good"], told["draws"], told["first"], told["last"], told["unopened"]) == (True, 5, 1, 6, 1)
    code, said = run("draw", "verify", str(tmp_path / "board.journal"), "--json")
    assert (code, json.loads(said)["draws"], json.loads(said)["unopened"]) == (0, 3, 1)
    data = bytearray((tmp_path / "d").read_bytes())
    data[40] ^= 1
    (tmp_path / "d").write_bytes(data)
    assert run("draw", "verify", str(tmp_path / "d"))[0] == 1


def test_exit_codes(tmp_path: Path) -> None:
    assert run("draw", "--port", "sim:sic_bo@act1999")[0] == 2
    (tmp_path / "empty").write_bytes(b"")
    assert run("draw", "verify", str(tmp_path / "empty"))[0] == 2
    port = f"sim:keno@act1999?state={tmp_path / 'board'}"
    with open_port(port) as session:
        session.link.command("game_open")
        with pytest.raises(Refused):
            session.link.command("game_open")
        assert session.fixture
        session.fixture.rosc("stuck")
        session.link.command("no_spin", cause="malfunction")
        with pytest.raises(BoardFault):
            session.link.command("game_open")
    assert run("draw", "--port", port)[0] == 5  # healthy again, but the fault stands


def test_one_seed_in_two_games_is_no(tmp_path: Path) -> None:
    last, lines = verifiable.FIRST, []
    for game in (1, 2):
        said = (80, b"s" * 32, b"p" * 32, b"n" * 32)
        numbers = verifiable.numbers(said[1], game, said[2], said[3], 20, 80)
        digest = verifiable.digest(BOARD, game, *said, numbers, last)
        drawn = dict(zip(("of", "seed", "pool", "nonce"), said, strict=True))
        drawn |= {"numbers": numbers, "last": last, "round": game, "digest": digest}
        lines.append(draw_file.line(BOARD, verifiable.commitment(BOARD, game, said[1]), drawn))
        last = digest
    problem = draw_file.verify(as_file(tmp_path / "d", lines)).problem
    assert problem is not None and "the seed was used before" in problem
