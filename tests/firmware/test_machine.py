"""The whole machine through hardships: flipped bits, worn copies, a full journal, cuts in a configuration."""

import random

import pytest
from fakes import PowerCut
from machine_rig import METERS, OPENED, WAGER, Flashes, Rig, carry, played, spoil, told

from firmware import faults
from firmware.faults import Fault
from firmware.journal import records
from firmware.journal.meters import ADOPTING
from firmware.protocol.session import Refusal

NOON = 1_800_000_000_000
MINUTE_MS = 60_000


def bits_of_records(rig: Rig) -> list[int]:
    """Where the header, the key and every record of the newest segment stand."""
    sector = rig.journal.order[-1][1]
    found = [bit + sector * 4096 * 8 for bit in range(records.FIRST_RECORD * 8)]
    begin, last_page = records.FIRST_RECORD, 0
    for _, page, end in rig.journal.walk(sector):
        begin, last_page = (begin if page == last_page else 0), page
        first = sector * 4096 + page * 256
        found += range((first + begin) * 8, (first + end) * 8)
        begin = end
    return found


def test_no_flipped_bit_of_the_newest_segment_undoes_a_game_in_silence() -> None:
    rig = played()
    settled = {event["round"]: event["returned"] for event in rig.events("settled")}
    for bit in random.Random(4).sample(bits_of_records(rig), 400):
        flashes = rig.flashes.copy()
        flashes.areas["journal"].memory[bit // 8] ^= 1 << bit % 8
        again = Rig(flashes)
        again.idle()
        assert faults.JOURNAL_SPOILT in told(again) or again.events("boot")[-1]["torn"], bit
        assert not again.events("voided"), bit
        kept = {event["round"]: event["returned"] for event in again.events("settled")}
        lost = [round_ for round_, cents in settled.items() if kept.get(round_) != cents]
        assert len(lost) <= 1 and again.table.round == 3, bit
        again.round()
        assert again.table.round == 4


@pytest.mark.parametrize("area", ["config", "waiting"])
def test_a_worn_second_copy_is_told_and_the_board_comes_up(area: str) -> None:
    rig = played(1)
    rig.do("time_set", utc_ms=NOON)
    rig.flashes.areas[area].worn = (1,)
    rig.apply(1000 if area == "waiting" else 450)
    for _ in range(2):
        rig = rig.restart()
        assert rig.table.fault == 0 and faults.CONFIG_COPY in told(rig)
    assert bool(rig.machine.setup.waiting.text) == (area == "waiting")
    rig.apply(400)
    assert rig.restart().machine.setup.settings()[0]["limits"]["*"][0] == 400


@pytest.mark.parametrize("worn", [(0,), (0, 1)])
def test_where_the_first_copy_takes_nothing_it_stays_as_it_was(worn: tuple[int, ...]) -> None:
    rig = played(1)
    rig.flashes.areas["config"].worn = worn
    with pytest.raises(Fault):
        rig.apply(400)
    for _ in range(2):
        assert rig.machine.setup.settings()[0]["limits"]["*"][0] == 500
        rig = rig.restart()
        assert rig.table.fault == 0 and faults.CONFIG_COPY in told(rig)


def test_a_full_journal_ends_its_round_starts_and_can_be_pulled() -> None:
    for extra in range(0, 60, 20):
        rig = Rig.new(8, journal={"retention_games": 5000})
        with pytest.raises(Refusal, match="nobody has pulled"):
            while True:
                rig.round()
        for _ in range(extra):
            rig.machine.log("boot", count=1, cause=1, firmware="0.1.0")
        rig = rig.restart()
        rig.key("key_entry")  # a result taken back needs room too: it is refused, or ends well
        if rig.table.betting == "called":
            rig.cover(0)
            rig.enter(1, 2, 3)
        rig = rig.restart()
        assert rig.table.fault == 0, extra
        rig.do("pulled", upto=rig.journal.next_seq - 1, digest="")
        rig.idle()
        rig.round()


def test_orders_that_fill_the_journal_leave_room_for_the_rounds_end() -> None:
    rig = Rig.new(8, journal={"retention_games": 5000})
    rig.to_called()
    with pytest.raises(Fault) as full:
        for minute in range(5000):
            rig.do("time_set", utc_ms=NOON + minute * MINUTE_MS)
    assert full.value.code == faults.JOURNAL_FULL
    again = rig.restart()
    assert again.events("voided")[-1]["returned"] == 1100


def test_the_configured_retention_holds_over_a_restart() -> None:
    rig = Rig.new(16, journal={"retention_games": 5000})
    with pytest.raises(Refusal):
        while True:
            rig.round()
    again = rig.restart()
    assert again.journal.first_seq == 1 and again.events("opened")[0]["round"] == 1


def test_a_settled_round_whose_result_cannot_be_read_is_settled() -> None:
    again = spoil(played(), "result")
    assert not again.events("voided") and again.sums["games"] == 3


def test_a_round_whose_opening_cannot_be_read_is_not_forgotten() -> None:
    rig = played(2)
    rig.to_called()
    again = spoil(rig, "opened")
    assert again.events("voided")[-1]["round"] == 3 and again.events("voided")[-1]["returned"] == 1100
    settled = spoil(played(3), "opened")
    settled.round()
    assert [event["round"] for event in settled.events("settled")] == [1, 2, 3, 4]


def cuts(act: str) -> list[tuple[Rig, Rig]]:
    """(before, after) of a start for every cut in a change of the configuration."""
    found = []
    for keep in (0, 128, 255):
        left = 0
        while True:
            rig = played(1)
            rig.do("time_set", utc_ms=NOON)
            rig.flashes.left, rig.flashes.keep = left, keep
            try:
                rig.apply(300 if act == "lower" else 1000)
            except PowerCut:
                found.append((rig, rig.restart()))
                left += 1
                continue
            break
    return found


@pytest.mark.parametrize("act", ["lower", "raise"])
def test_a_cut_in_a_change_leaves_no_configuration_without_its_record(act: str) -> None:
    for _, again in cuts(act):
        hashes = [event["hash"] for event in again.events("configured")]
        assert again.machine.setup.hash() == hashes[-1]
        waiting = again.machine.setup.waiting.text
        if waiting:
            assert again.events("noticed"), "what waits is on no record"
        assert again.table.fault == 0


def test_what_was_superseded_stays_superseded_over_any_cut() -> None:
    for left in range(12):
        rig = played(1)
        rig.do("time_set", utc_ms=NOON)
        rig.apply(1000)
        rig.flashes.left = left
        try:
            rig.apply(300)
        except PowerCut:
            pass
        again = rig.restart()
        lowered = again.machine.setup.settings()[0]["limits"]["*"][0] == 300
        again.do("time_set", utc_ms=NOON + 60 * MINUTE_MS)
        again.idle(60)
        minimum = again.machine.setup.settings()[0]["limits"]["*"][0]
        assert minimum == 300 if lowered else minimum in (500, 1000), left


def test_a_change_that_drops_an_announced_one_says_so() -> None:
    rig = played(1)
    rig.do("time_set", utc_ms=NOON)
    rig.apply(1000)
    assert rig.apply(500, lamps={"brightness": 3})["withdrawn"] == 1
    assert len(rig.events("withdrawn")) == 1


def test_a_notice_counted_by_a_clock_that_was_wrong_is_counted_anew() -> None:
    rig = played(1)
    rig.do("time_set", utc_ms=NOON + 10**10)
    rig.apply(1000)
    rig.do("time_set", utc_ms=NOON)
    rig.idle(22 * 60)
    assert rig.machine.setup.settings()[0]["limits"]["*"][0] == 1000


def test_a_clock_set_back_over_a_restart_is_noticed() -> None:
    rig = played(1)
    rig.do("time_set", utc_ms=NOON)
    again = rig.restart()
    assert again.do("time_set", utc_ms=NOON - 10**9)["back_ms"] == 10**9


def test_a_round_counts_by_the_mode_it_was_opened_in() -> None:
    rig = played(1)
    paid = rig.sums["paid"]
    rig.do("test_mode", on=1)
    rig.key("key_entry")
    rig.enter(6, 6, 6)  # the real round is corrected: nothing is won
    assert paid > 0 and rig.sums["paid"] == 0
    rig.round()
    rig.do("test_mode", on=0)
    rig.key("key_entry")
    rig.enter(1, 2, 3)
    assert rig.sums == {**rig.sums, "games": 1, "paid": 0, "voided": 0}


def test_a_round_is_ended_by_its_own_edition_though_the_table_was_set_up_anew() -> None:
    rig = played(1)
    rig.to_called()
    for copy in (0, 1):
        rig.flashes.areas["config"].memory[copy * 4096 + 60] ^= 1
    again = rig.restart()
    assert again.table.fault == faults.CONFIG_BAD
    again.apply(500, edition="act1999")
    voided = again.events("voided")[-1]
    assert (voided["round"], voided["returned"], voided["rule"]) == (2, 1100, "qld s80(2)")
    again.round()
    assert again.events("result")[-1]["rule"] == "act sicbo 7.1"


def test_a_void_in_place_of_a_result_is_another_revision() -> None:
    rig = played(1)
    rig.key("key_entry")
    rig.do("no_spin", cause="not_flat")
    ends = [(event["event"], event["revision"]) for event in rig.events("settled", "voided")]
    assert ends == [("settled", 1), ("voided", 2)]


def test_a_second_try_with_a_later_file_forgets_the_first() -> None:
    first = [("meters", METERS), ("voids", {}), ("opened", OPENED), ("wager", WAGER)]
    later = [("meters", {**METERS, "games": 2}), ("voids", {})]
    for left in range(2, 6):
        rig = Rig.new()
        rig.flashes.left = left
        with pytest.raises(PowerCut):
            carry(rig, first, 2)
        again = rig.restart()
        if not again.journal.meters.flags & ADOPTING:
            continue  # the cut came after it was whole
        carry(again, later, 2)
        assert not again.events("voided") and again.sums["games"] == 2, left


BAD = [
    [("meters", {**METERS, "faults": "a:b"})],
    [("meters", METERS), ("voids", {"causes": "x:y"})],
    [("meters", METERS), ("opened", OPENED), ("result", {"round": 2, "revision": 1, "dice": []})],
    [("meters", METERS), ("opened", OPENED), ("result", {"round": 2, "revision": 1, "dice": [9, 9, 9]})],
    [("meters", {**METERS, "last": (1,)})],
    [("meters", {**METERS, "last": (1, 99999, 0)})],
    [("meters", {**METERS, "standing": 999})],
]


@pytest.mark.parametrize("rows", BAD)
def test_what_no_board_could_have_written_is_not_taken(rows: list[tuple[str, dict]]) -> None:  # type: ignore[type-arg]
    rig = Rig.new()
    with pytest.raises(Refusal, match="cannot be"):
        carry(rig, rows, 2)
    again = rig.restart()
    assert again.table.fault == 0
    again.round()


def test_a_retired_board_takes_no_other_table() -> None:
    rig = Rig.new()
    rig.do("retire", by="inspector")
    with pytest.raises(Refusal):
        carry(rig, [("meters", METERS), ("voids", {})], 2)


def test_a_stalled_tumbler_is_seen_to_before_the_next_round_whatever_is_switched_off() -> None:
    rig = Rig.new()
    rig.table.fail(faults.TUMBLER_STALLED)
    again = rig.restart()
    again.apply(400)
    assert again.table.fault == faults.TUMBLER_STALLED
    again.do("clear_fault")
    assert again.restart().table.fault == 0


def test_a_table_that_cannot_be_built_is_closed_and_can_be_pulled(monkeypatch: pytest.MonkeyPatch) -> None:
    rig = played(1)
    monkeypatch.setattr("firmware.tables.record._finish", lambda *_: 1 // 0)
    again = Rig(rig.flashes)
    assert again.table.fault == faults.CRASHED and again.do("segment", index=0)["segments"] == 1


def test_the_fakes_have_a_power_switch() -> None:
    rig = Rig(Flashes())
    rig.flashes.left = 0
    with pytest.raises(PowerCut):
        rig.apply()
