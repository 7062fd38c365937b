"""Meters: what the journal says, no more and no less, over restarts, cuts and ring wraps."""

from fakes import FakeFlash, PowerCut, first_key

from firmware.journal.journal import Journal
from firmware.journal.meters import Meters
from firmware.tables.record import Log, begin_meters


def start(flash):
    journal = Journal(flash, lambda: 0, first_key)
    begin_meters(journal)
    while journal.make_room():
        pass
    return journal, Log(journal, lambda: 0)


def settle(log, round_, revision=1, staked=500, returned=200):
    log("settled", round=round_, revision=revision, wagers=2, staked=staked, pays=0, returned=returned)


def test_they_count_games_money_voids_and_faults():
    journal, log = start(FakeFlash())
    settle(log, 1)
    log("voided", round=2, cause="exposed", rule="act sicbo 8.3", wagers=1, returned=300)
    log("voided", round=3, cause="exposed", rule="act sicbo 8.3", wagers=1, returned=300)
    log("fault", code=20, detail="")
    fields = journal.meters.fields()
    assert (fields["games"], fields["turnover"], fields["paid"]) == (1, 500, 200)
    assert (fields["voided"], fields["refunded"]) == (2, 600)
    assert journal.meters.causes() == {"causes": "exposed:2"}
    assert fields["faults"] == "20:1"


def test_a_correction_is_paid_once():
    _, log = start(FakeFlash())
    settle(log, 7, 1, 500, 0)
    settle(log, 7, 2, 500, 900)
    assert log.journal.meters.sums["games"] == 1 and log.journal.meters.sums["paid"] == 900


def test_they_survive_restarts_and_the_ring_going_round():
    flash, whole = FakeFlash(sectors=6), Meters()
    for round_ in range(1, 1200):
        if round_ % 37 == 1:
            journal, log = start(flash)
        fields = {"round": round_, "revision": 1, "wagers": 1, "staked": round_, "pays": 0, "returned": 3}
        journal.round, journal.pending, journal.retention = round_, 0, 20
        log("settled", **fields)
        whole.count("settled", fields)
        while journal.make_room():
            pass
    assert start(flash)[0].meters.fields() == whole.fields()
    assert journal.order[0][0] > 1, "the ring did not go round"


def test_a_cut_anywhere_leaves_them_as_the_journal_has_it():
    for cut in range(70):
        for keep in (0, 30, 256):
            flash = FakeFlash(sectors=6)
            _, log = start(flash)
            flash.cut_after, flash.keep = cut, keep
            done = 0
            try:
                for round_ in range(1, 100):
                    settle(log, round_)
                    done += 1
            except PowerCut:
                pass
            flash.cut_after = None
            games = start(flash)[0].meters.sums["games"]
            assert games in (done, done + 1), (cut, keep, games, done)
            assert start(flash)[0].meters.sums["paid"] == games * 200
