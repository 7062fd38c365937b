"""The record on the host: pulled whole, checked to the bit, shown; meters; the key kept safe."""

import base64
import json
import random
from pathlib import Path

import pytest
from click.testing import CliRunner

from firmware.journal import chain, records
from host_tools import journal_board, journal_check, journal_file, keys
from host_tools.cli import main
from host_tools.errors import CannotRun
from host_tools.ports import Session, open_port

SIC_BO = "sim:sic_bo@act1999"


def play(session: Session, rounds: int) -> None:
    for _ in range(rounds):
        session.link.command("open")
        session.link.command("wager", ref=1, code="small", stake=500, player="Ada")
        session.link.command("activate")
        session.link.command("no_spin", cause="malfunction")


@pytest.fixture(scope="module")
def pulled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, bytes]:
    """A journal of several segments, and its first key."""
    path = tmp_path_factory.mktemp("journal") / "table.journal"
    with open_port(SIC_BO, role="inspector") as session:
        key = session.link.command("journal_key")["key"]
        play(session, 60)
        journal_board.pull(session.link, path)
    return path, key


def test_a_pull_is_whole_and_its_chain_holds(pulled: tuple[Path, bytes]) -> None:
    journal = journal_file.read(pulled[0])
    verdict = journal_check.verify(journal, pulled[1])
    assert verdict.problem is None and verdict.chain and verdict.segments >= 3
    assert verdict.records == journal.header["next_event"] - 1 and journal_file.damage(pulled[0]) is None
    names = [event["event"] for event in journal_file.events(journal)]
    assert names.count("opened") == names.count("voided") == 60 and "meters" in names


def test_the_key_is_in_no_pull(pulled: tuple[Path, bytes]) -> None:
    whole = b"".join(segment.data for segment in journal_file.read(pulled[0]).segments)
    key = pulled[1]
    for _ in range(6):
        assert key not in whole
        key = chain.ratchet(key)


def test_every_flipped_bit_of_the_file_is_noticed_and_placed(
    pulled: tuple[Path, bytes], tmp_path: Path
) -> None:
    whole, path, dice = pulled[0].read_bytes(), tmp_path / "hurt.journal", random.Random(1)
    for bit in dice.sample(range(len(whole) * 8), 400):
        hurt = bytearray(whole)
        hurt[bit // 8] ^= 1 << bit % 8
        path.write_bytes(hurt)
        line = whole[: bit // 8].count(b"\n") + 1
        where = journal_file.damage(path)
        assert where is not None, bit
        last = line == whole.count(b"\n")
        assert ("last line" in where) if last else f"line {line} " in where, (bit, line, where)


def test_the_command_says_no_to_any_flipped_bit(pulled: tuple[Path, bytes], tmp_path: Path) -> None:
    whole, path, dice = pulled[0].read_bytes(), tmp_path / "hurt.journal", random.Random(3)
    for bit in dice.sample(range(len(whole) * 8), 40):
        hurt = bytearray(whole)
        hurt[bit // 8] ^= 1 << bit % 8
        path.write_bytes(hurt)
        done = CliRunner().invoke(main, ["journal", "verify", str(path)])
        assert done.exit_code == 1 and "line" in done.output, (bit, done.output)


def spans(segment: journal_file.Segment) -> list[tuple[int, int]]:
    """Where the header and each record of a segment stand."""
    found = [(0, records.HEADER_BYTES)]
    for page in range(0, len(segment.data), 256):
        at = 0 if page else records.FIRST_RECORD
        while record := records.unpack(segment.data[page : page + 256], at):
            found.append((page + at, page + record[1]))
            at = record[1]
    return found


def test_every_flipped_bit_of_a_record_on_the_flash_is_noticed(pulled: tuple[Path, bytes]) -> None:
    journal, dice = journal_file.read(pulled[0]), random.Random(2)
    for _ in range(300):
        segment = dice.choice(journal.segments)
        at = dice.randrange(*dice.choice(spans(segment)))
        good = segment.data
        hurt = bytearray(good)
        hurt[at] ^= 1 << dice.randrange(8)
        segment.data = bytes(hurt)
        assert journal_check.verify(journal, pulled[1]).problem is not None, (segment.number, at)
        segment.data = good


def test_a_record_rewritten_with_a_right_crc_is_noticed_with_the_key_only(pulled: tuple[Path, bytes]) -> None:
    journal = journal_file.read(pulled[0])
    segment = journal.segments[0]
    begin, end = next(span for span in spans(segment) if b"Ada" in segment.data[slice(*span)])
    (seq, at_ms, type_, payload), _ = records.unpack(segment.data[begin:end], 0)
    strangers = (bytes(64), bytes(64))
    cause = records.cause_at(segment.data, begin)
    forged = records.pack(type_, seq, at_ms, payload.replace(b"Ada", b"Eve"), strangers, bytes(8), cause)
    segment.data = segment.data[:begin] + forged + segment.data[end:]
    assert journal_check.verify(journal, None).problem is None
    problem = journal_check.verify(journal, pulled[1]).problem
    assert problem is not None and f"record {seq}" in problem


def test_a_tail_cut_off_or_a_segment_left_out_is_noticed(pulled: tuple[Path, bytes]) -> None:
    journal = journal_file.read(pulled[0])
    del journal.segments[1]
    assert "begins with record" in str(journal_check.verify(journal, None).problem)
    journal = journal_file.read(pulled[0])
    del journal.segments[-1]
    assert "are not there" in str(journal_check.verify(journal, None).problem)


def test_the_command_says_no_and_where(pulled: tuple[Path, bytes], tmp_path: Path) -> None:
    good = CliRunner().invoke(main, ["journal", "verify", str(pulled[0]), "--json"])
    assert good.exit_code == 0 and json.loads(good.stdout)["problem"] is None
    lines = pulled[0].read_text().splitlines()
    row = json.loads(lines[1])
    data = bytearray(base64.b64decode(row["data"]))
    data[300] ^= 4
    row["data"] = base64.b64encode(bytes(data)).decode()
    path = tmp_path / "hurt.journal"
    path.write_text("\n".join([lines[0], json.dumps(row), *lines[2:]]) + "\n")
    bad = CliRunner().invoke(main, ["journal", "verify", str(path)])
    assert bad.exit_code == 1 and "NOT GOOD" in bad.output
    (tmp_path / "nonsense").write_text("nonsense")
    assert CliRunner().invoke(main, ["journal", "verify", str(tmp_path / "nonsense")]).exit_code == 2
    assert CliRunner().invoke(main, ["journal", "verify", str(tmp_path / "nowhere")]).exit_code == 2


def test_show_recalls_the_newest_games(pulled: tuple[Path, bytes]) -> None:
    done = CliRunner().invoke(main, ["journal", "show", str(pulled[0]), "--games", "2", "--json"])
    rounds = {json.loads(line)["round"] for line in done.stdout.splitlines()}
    assert done.exit_code == 0 and rounds == {59, 60}


def test_meters_survive_a_cut() -> None:
    with open_port(SIC_BO) as session:
        play(session, 3)
        assert session.fixture
        session.fixture.cut()
        session.fixture.power()
        session.reconnect()
        told = session.link.command("meters")
        causes = session.link.command("voids")["causes"]
    assert (told["voided"], told["refunded"], causes) == (3, 1500, "malfunction:3")


def test_the_key_is_kept_for_its_owner_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "keys.json"
    monkeypatch.setenv("PITKIT_KEYS", str(path))
    done = CliRunner().invoke(main, ["journal", "key", "--port", SIC_BO, "--json"])
    assert done.exit_code == 0, done.output
    board = json.loads(done.stdout)["unique_id"]
    assert path.stat().st_mode & 0o777 == 0o600
    key = keys.journal_key(board)
    assert key is not None and len(key) == 32 and key.hex() not in done.output
    path.write_text("[]")
    with pytest.raises(CannotRun):
        keys.journal_key(board)


def test_the_first_key_is_given_only_while_it_is_the_first() -> None:
    with open_port(SIC_BO, role="inspector") as session:
        play(session, 30)
        with pytest.raises(Exception, match="wiped once a second segment"):
            session.link.command("journal_key")
