"""The whole machine as attackers left it: newer journals, full ones, forged records, results taken back."""

import zlib
from typing import Any

import pytest
from machine_rig import METERS, NUMBER, OPENED, WAGER, Rig, _parts, carry, played, spoil, told

from firmware import faults
from firmware.faults import Fault
from firmware.journal import records
from firmware.protocol import messages
from firmware.protocol.session import Refusal

NOON = 1_800_000_000_000
MINUTE_MS = 60_000


# -- as a second attack found it


def newer(rig: Rig) -> None:
    """The journal's newest segment as a later firmware's: its version, its own good crc."""
    memory = rig.flashes.areas["journal"].memory
    head = bytearray(memory[: records.HEADER_BYTES - 4])
    head[3] += 1
    memory[: records.HEADER_BYTES] = head + zlib.crc32(head).to_bytes(4, "little")


def test_a_board_with_a_newer_firmwares_journal_comes_up_and_says_so() -> None:
    rig = played(1)
    rig.do("time_set", utc_ms=NOON)
    rig.apply(1000)
    newer(rig)
    kept = bytes(rig.flashes.areas["journal"].memory)
    again = rig.restart()
    assert again.table.fault == faults.JOURNAL_NEWER
    with pytest.raises(Fault):
        again.do("time_set", utc_ms=NOON)
    with pytest.raises(Refusal):
        again.apply(300)
    assert bytes(again.flashes.areas["journal"].memory) == kept


def brimful(rig: Rig) -> Rig:
    with pytest.raises(Refusal, match="nobody has pulled"):
        while True:
            rig.round()
    with pytest.raises(Fault):
        for minute in range(5000):
            rig.do("time_set", utc_ms=NOON + minute * 1000)
    return rig


def test_a_waiting_configuration_and_a_full_journal_still_start() -> None:
    rig = Rig.new(8, journal={"retention_games": 5000})
    rig.round()
    rig.do("time_set", utc_ms=NOON)
    rig.apply(1000, journal={"retention_games": 5000})
    rig = brimful(rig)
    rig.idle(60)
    for _ in range(40):
        rig = rig.restart()
    assert rig.table.fault == 0 and rig.machine.setup.settings()[0]["limits"]["*"][0] == 500
    rig.do("pulled", upto=rig.journal.next_seq - 1, digest="")
    rig.idle()
    rig.do("time_set", utc_ms=NOON + 10**8)
    rig.idle(5)
    assert rig.machine.setup.settings()[0]["limits"]["*"][0] == 1000


def test_no_unpulled_game_goes_because_the_configuration_is_spoilt() -> None:
    rig = Rig.new(24, journal={"retention_games": 5000})
    with pytest.raises(Refusal):
        while True:
            rig.round()
    for copy in (0, 1):
        rig.flashes.areas["config"].memory[copy * 4096 + 60] ^= 1
    again = rig.restart()
    assert again.table.fault == faults.CONFIG_BAD and again.journal.first_seq == 1


def test_two_spoilt_records_of_the_oldest_segment_cost_two_records() -> None:
    rig = Rig.new(24, journal={"retention_games": 5000})
    for _ in range(40):
        rig.round()
    assert len(rig.journal.order) >= 4
    memory = rig.flashes.areas["journal"].memory
    for at in (600, 1200):
        memory[at] ^= 2
    again = rig.restart()
    again.idle(30)
    assert again.journal.first_seq == 1 and faults.JOURNAL_SPOILT in told(again)


def test_a_lasting_fault_is_kept_though_the_journal_is_full() -> None:
    rig = brimful(Rig.new(8, journal={"retention_games": 5000}))
    rig.table.fail(faults.TUMBLER_STALLED)
    assert rig.restart().table.fault == faults.TUMBLER_STALLED


def test_a_wager_written_twice_was_taken_once() -> None:
    rig = Rig.new()
    rig.do("open")
    rig.do("wager", ref=1, code="small", stake=500, player="")
    rig.machine.log("wager", round=1, ref=1, code="small", stake=500, player="")
    assert rig.restart().events("voided")[-1]["returned"] == 500


def test_a_record_inside_a_players_name_never_becomes_one() -> None:
    fields = {"round": 1, "ref": 9, "code": "big", "stake": 7}
    inner, seq = messages.pack(messages.EVENTS[NUMBER["wager"]][1], fields), 5
    rig = Rig.new()
    rig.do("open")
    payload = messages.pack(
        messages.EVENTS[NUMBER["wager"]][1], {"round": 1, "ref": 1, "code": "small", "stake": 500}
    )
    rig.journal.append(NUMBER["wager"], payload + forged(inner, seq))
    memory = rig.flashes.areas["journal"].memory
    memory[memory.find(forged(inner, seq)) - 1] ^= 1  # the outer record is spoilt
    again = rig.restart()
    assert again.events("voided")[-1]["returned"] == 0


def forged(payload: bytes, seq: int) -> bytes:
    packed: bytes = records.pack(NUMBER["wager"], seq, 0, payload, (bytes(64), bytes(64)), bytes(8))
    return packed


def test_a_round_with_an_unreadable_wager_is_not_settled_anew() -> None:
    again = spoil(played(1), "wager")
    again.key("key_entry")
    assert again.table.device == "result" and again.events("refused")[-1]["act"] == "entry"


MORE_BAD = [
    [("meters", METERS), ("opened", {**OPENED, "edition": "zzz"})],
    [("meters", METERS), ("opened", OPENED), ("wager", {**WAGER, "stake": 1 << 66})],
    [("meters", {**METERS, "faults": "10:1 " * 30})],
]


@pytest.mark.parametrize("rows", MORE_BAD)
def test_more_that_no_board_could_have_written(rows: list[tuple[str, dict]]) -> None:  # type: ignore[type-arg]
    rig = Rig.new()
    with pytest.raises(Refusal, match="cannot be"):
        carry(rig, rows, 2)


def test_records_of_two_rounds_or_one_ref_twice_are_not_carried() -> None:
    for rows in (
        [("opened", {**OPENED, "round": 3})],
        [("opened", OPENED), ("wager", WAGER), ("wager", WAGER)],
    ):
        with pytest.raises(Refusal, match="not of one round"):
            carry(Rig.new(), [("meters", METERS), *rows], 2)


# -- a result taken back, and troubles


def taken_back() -> Rig:
    rig = played(1)
    rig.key("key_entry")
    assert (rig.table.betting, rig.table.device) == ("called", "at_rest")
    return rig


def test_a_fault_voids_no_round_whose_spin_was_valid() -> None:
    rig = taken_back()
    rig.table.fail(faults.EDGES_LOST)
    for _ in range(2):
        assert (rig.table.betting, rig.table.device) == ("called", "at_rest") and not rig.events("voided")
        with pytest.raises(Refusal):
            rig.do("activate")
        rig = rig.restart()
    rig.do("clear_fault")
    rig.cover(0)
    rig.enter(1, 2, 3)
    assert rig.events("settled")[-1]["revision"] == 2


def test_a_round_keeps_its_edition_until_the_next_opens() -> None:
    rig = played(1)
    rig.apply(edition="act1999")
    assert rig.table.book.payout(1)["rule"] == "qld s75(a)"
    rig.cover(0)
    rig.key("key_entry")
    rig.enter(1, 2, 3)
    assert rig.events("cleared")[-1]["rule"] == "qld s78(5)"
    assert rig.events("result")[-1]["rule"] == "qld s77(2)"
    rig.round()
    assert rig.events("result")[-1]["rule"] == "act sicbo 7.1"


def test_a_key_that_ends_the_look_back_does_nothing_else() -> None:
    rig = played(2)
    rig.key("key_no_spin")
    rig.key("key_no_spin")
    rig.key("key_entry")
    assert rig.table.device == "result" and not rig.events("cleared")
    for _ in range(5):
        rig.key("key_no_spin")
    assert rig.table.recalled in range(3), "there is no game before the first"


def test_a_configuration_no_table_can_be_built_on_does_not_replace_one_that_works(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rig = played(1)
    monkeypatch.setattr("machine_rig.build.Parts", _refusing("lamps"))
    with pytest.raises(Refusal, match="no ADC there"):
        rig.apply(400, lamps={"brightness": 1})
    assert rig.table.fault == 0 and rig.machine.setup.settings()[0]["limits"]["*"][0] == 500


def _refusing(section: str) -> Any:
    def parts(board: Any, settings: dict[str, Any], *rest: Any) -> Any:
        if section in settings:
            raise ValueError("no ADC there")
        return _parts(board, settings, *rest)

    return parts
