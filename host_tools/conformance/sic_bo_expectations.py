"""What a sic-bo case may expect: refusals, what the table tells, what it shows, what a wager gets.

Importing this adds its steps to the table that sic_bo_acts began; TABLE here is all of them.
"""

from __future__ import annotations

from host_tools.conformance.play import Play
from host_tools.conformance.sic_bo_acts import TABLE
from rules_min import sic_bo

__all__ = ["TABLE"]

step = TABLE.step
ROUND_ENDS = ("result", "settled", "voided")

# -- what is refused

REFUSED = {
    "opening a round": "open",
    "activating the tumbler": "activate",
    "calling no more bets": "no_more_bets",
    "clearing the fault": "clear_fault",
}


@step(
    "betting {cents:number} on {code:word} is refused as {why:word} citing {clause:words}",
    "betting {cents:number} on {code:word} is refused as {why:word}",
)
def bet_refused(play: Play, cents: int, code: str, why: str, clause: str | None = None) -> None:
    play.refused(why, clause, "wager", ref=999, code=code, stake=cents, player="")


@step(
    "declaring no spin because {cause:word} is refused as {why:word} citing {clause:words}",
    "declaring no spin because {cause:word} is refused as {why:word}",
)
def no_spin_refused(play: Play, cause: str, why: str, clause: str | None = None) -> None:
    play.refused(why, clause, "no_spin", cause=cause)


def _add_refusal(words: str, command: str) -> None:
    @step(
        f"{words} is refused as {{why:word}} citing {{clause:words}}", f"{words} is refused as {{why:word}}"
    )
    def act_refused(play: Play, why: str, clause: str | None = None) -> None:
        play.refused(why, clause, command)


for _words, _command in REFUSED.items():
    _add_refusal(_words, _command)


@step("the key is refused as {act:word} citing {clause:words}")
def key_refused(play: Play, act: str, clause: str) -> None:
    play.event("refused", act=act, rule=clause)


# -- what the table tells


@step("the round is open")
def opened(play: Play) -> None:
    play.event("opened")


@step("the tumbler was activated")
def activated(play: Play) -> None:
    play.event("activated")


@step("no more bets was called, citing {clause:words}")
def called(play: Play, clause: str) -> None:
    play.event("called", rule=clause)


@step("the dice are uncovered")
def uncovered(play: Play) -> None:
    play.event("uncovered")


@step("the result is {dice:dice}, called {words:quoted}, citing {clause:words}")
def result(play: Play, dice: list[int], words: str, clause: str) -> None:
    play.event("result", dice=dice, call=words, rule=clause)
    play.same("the call", sic_bo.call(dice), words)
    play.dice = dice


@step(
    "the round is settled: {wagers:wagers}, {staked:number} staked, {pays:number} won, {returned:number} back"
)
def settled(play: Play, wagers: int, staked: int, pays: int, returned: int) -> None:
    play.event("settled", wagers=wagers, staked=staked, pays=pays, returned=returned)


@step("the result is taken back, citing {clause:words}")
def cleared(play: Play, clause: str) -> None:
    play.event("cleared", rule=clause)
    play.dice = []


@step("revision {number:number} of the round counts")
def revision(play: Play, number: int) -> None:
    play.same("the revision that counts", number, play.do("status")["revision"])


@step("the wagers are kept: {wagers:wagers}, {staked:number} staked")
def kept(play: Play, wagers: int, staked: int) -> None:
    status = play.do("status")
    play.same("wagers and cents staked", [wagers, staked], [status["wagers"], status["staked"]])


@step("the round is void, {cause:word}, citing {clause:words}")
def void(play: Play, cause: str, clause: str) -> None:
    stakes = sum(stake for _, stake in play.bench.wagers.values())
    play.event("voided", cause=cause, rule=clause, wagers=len(play.bench.wagers), returned=stakes)


@step("the table reports the fault {code:fault}")
def fault(play: Play, code: int) -> None:
    play.event("fault", code=code)
    play.faults_expected += 1


@step("the lamp of {area:word} is told as failed, {how:word}, citing {clause:words}")
def lamp_failed(play: Play, area: str, how: str, clause: str) -> None:
    play.event("lamp_failed", name=area, area=sic_bo.AREA_INDEX[area], how=how, rule=clause)


@step("a dark lamp draws current, citing {clause:words}")
def dark_lamp_draws(play: Play, clause: str) -> None:
    play.event("lamp_failed", name="", area=len(sic_bo.AREAS), how="lit", rule=clause)


@step("the lamp of {area:word} is told as working again")
def lamp_works(play: Play, area: str) -> None:
    play.event("lamp_works", name=area)


@step("no lamp is told as failed")
def no_lamp_failed(play: Play) -> None:
    play.bench.run_ms(1500)  # a picture that stands is looked at every second
    play.no_event("lamp_failed")


@step("the result line gives round, revision {revision:number} and {text:quoted}")
def result_line(play: Play, revision: int, text: str) -> None:
    _line(play, "R", f"{revision} {text}")


@step("the result line takes revision {revision:number} back")
def cleared_line(play: Play, revision: int) -> None:
    _line(play, "C", str(revision))


@step("the result line gives a void round, {cause:word}")
def void_line(play: Play, cause: str) -> None:
    _line(play, "V", f"0 {cause}")


def _line(play: Play, letter: str, rest: str) -> None:
    play.bench.run_ms(100)
    said = play.bench.fixture.line()
    text = f"{letter} {play.do('status')['round']:06} {rest}\r\n"
    play.same("the result line says", text, said.removeprefix(play.said_before))
    play.said_before = said


@step("nothing is decided")
def undecided(play: Play) -> None:
    play.no_event(*ROUND_ENDS)


# -- what the table shows


@step("no lamp is lit")
def dark(play: Play) -> None:
    play.same("lamps lit:", [], sorted(play.bench.fixture.lamps()))


@step("lamps are lit on exactly {areas:areas}")
def lit(play: Play, areas: list[str]) -> None:
    if play.dice:
        play.same("by the rules, the winning areas", sorted(sic_bo.winners(play.dice)), areas)
    play.same("lamps lit:", areas, sorted(play.bench.fixture.lamps()))


@step("every winning lamp but {area:word} is lit")
def lit_but(play: Play, area: str) -> None:
    areas = sorted(set(sic_bo.winners(play.dice)) - {area})
    play.same("lamps lit:", areas, sorted(play.bench.fixture.lamps()))


@step("display shows {digits:digits}")
def shows(play: Play, digits: str) -> None:
    play.same("the display shows", digits, play.bench.fixture.display())


@step("display is blank")
def blank(play: Play) -> None:
    play.same("the display shows", " " * 4, play.bench.fixture.display())


@step("motor is {on:on_off}")
def motor(play: Play, on: bool) -> None:
    play.same("the motor is driven", on, play.bench.fixture.motor()["way"] != 0)


@step("betting is {betting:word} and the device is {device:word}")
def states(play: Play, betting: str, device: str) -> None:
    status = play.do("status")
    play.same("betting and device", [betting, device], [status["betting"], status["device"]])


# -- what becomes of a wager


@step("wager {ref:number} wins {pays:number} and gets {returned:number} back, citing {clause:words}")
def wins(play: Play, ref: int, pays: int, returned: int, clause: str) -> None:
    _payout(play, ref, ["win", pays, returned, clause])


@step("wager {ref:number} loses, citing {clause:words}")
def loses(play: Play, ref: int, clause: str) -> None:
    _payout(play, ref, ["lose", 0, 0, clause])


@step("wager {ref:number} is void and gets {returned:number} back, citing {clause:words}")
def voided(play: Play, ref: int, returned: int, clause: str) -> None:
    _payout(play, ref, ["void", 0, returned, clause])


@step("wager {ref:number} stays")
def stays(play: Play, ref: int) -> None:
    _payout(play, ref, ["stays", 0, 0, ""])


def _payout(play: Play, ref: int, expected: list[object]) -> None:
    seen = play.do("payout", ref=ref)
    code, stake = play.bench.wagers.get(ref, ("", 0))
    play.same(f"wager {ref}:", [code, stake], [seen["code"], seen["stake"]])
    play.same(f"wager {ref}:", expected, [seen[key] for key in ("outcome", "pays", "returned", "rule")])
