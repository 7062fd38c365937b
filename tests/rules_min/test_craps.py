"""Craps against a reading of its own of qld Part 7 and cgr regulation 2: one wager, roll by roll."""

from rules_min import craps, craps_facts

THROWS = [(a, b) for a in range(1, 7) for b in range(1, 7)]
SHORT = [
    (1, 1),
    (1, 2),
    (2, 2),
    (1, 3),
    (1, 4),
    (3, 3),
    (1, 5),
    (1, 6),
    (4, 4),
    (2, 6),
    (3, 6),
    (5, 5),
    (4, 6),
]
SHORT += [(5, 6), (6, 6)]
STAKE = 12000  # divides by every piece and pays every odds in whole dollars
QLD, CGR = "qld1985", "cgr1993"
TRUE = {4: (2, 1), 5: (3, 2), 6: (6, 5), 8: (6, 5), 9: (3, 2), 10: (2, 1)}
PLACE = {4: (9, 5), 5: (7, 5), 6: (7, 6), 8: (7, 6), 9: (7, 5), 10: (9, 5)}


def come_outs(rolls):
    """Whether each roll is a come-out roll: qld s108, cgr 2(1)(b)."""
    found, point = [], None
    for a, b in rolls:
        found.append(point is None)
        total = a + b
        if point is None:
            point = total if total in TRUE else None
        elif total == point or total == 7:
            point = None
    return found


def is_line(code):
    return code in ("win", "pass", "dont_win", "dont_pass", "come", "dont_come")


def expected(edition, code, rolls, at, on):
    """(outcome, pays of STAKE, outcome of odds of STAKE, what they pay) or None for an illegal time."""
    outs = come_outs(rolls)
    if code in ("win", "pass", "dont_win", "dont_pass") and not outs[at]:
        return None
    if code in ("come", "dont_come") and outs[at]:
        return None
    if is_line(code):
        return line_wager(edition, code, rolls[at:], outs[at:], on)
    kind, _, name = code.partition(":")
    if kind in ("place", "buy", "big", "lay", "hard"):
        return box_wager(edition, kind, int(name), rolls[at:], outs[at:], on)
    return one_roll(edition, kind, name, rolls[at])


def line_wager(edition, code, rolls, outs, on):
    right = code in ("win", "pass", "come")
    bar = 2 if edition == QLD else 12
    first = rolls[0][0] + rolls[0][1]
    if first in (7, 11):
        return ("win", STAKE, "void", 0) if right else ("lose", 0, "void", 0)
    if first in (2, 3, 12):
        if right:
            return "lose", 0, "void", 0
        return ("void", 0, "void", 0) if first == bar else ("win", STAKE, "void", 0)
    for (a, b), out in zip(rolls[1:], outs[1:]):
        if a + b not in (first, 7):
            continue
        won = (a + b == first) == right
        to, one = TRUE[first]
        if not right:
            to, one = one, to
        if out and code == "come" and edition == QLD and not on:
            return ("win", STAKE, "void", 0) if won else ("lose", 0, "void", 0)
        return ("win", STAKE, "win", STAKE * to // one) if won else ("lose", 0, "lose", 0)
    return "stays", 0, "stays", 0


def box_wager(edition, kind, number, rolls, outs, on):
    sleeps = ("place", "buy", "hard") if edition == QLD else ("place", "buy")
    hard = {QLD: {4: (15, 2), 6: (19, 2)}, CGR: {4: (7, 1), 6: (9, 1)}}[edition]
    for (a, b), out in zip(rolls, outs):
        if a + b not in (number, 7) or (out and kind in sleeps and not on):
            continue
        if kind == "lay":
            won, (one, to) = a + b == 7, TRUE[number]
        elif kind == "hard":
            won, (to, one) = a == b, hard[min(number, 14 - number)]
        else:
            won = a + b == number
            to, one = {"place": PLACE[number], "buy": TRUE[number], "big": (1, 1)}[kind]
        return ("win", STAKE * to // one) if won else ("lose", 0)
    return "stays", 0


def one_roll(edition, kind, name, roll):
    total = roll[0] + roll[1]
    single = {2: 33, 12: 33, 3: 16, 11: 16} if edition == QLD else {2: 30, 12: 30, 3: 15, 11: 15, 7: 4}
    if kind in ("horn", "horn_high", "world"):
        if total not in single or (kind != "world" and total == 7):
            return "lose", 0
        units, mine = {"horn": (4, 1), "world": (5, 1), "horn_high": (5, 1 + (name == str(total)))}[kind]
        return "win", STAKE // units * mine * single[total]
    if kind == "hop":
        if "%d-%d" % tuple(sorted(roll)) != name:
            return "lose", 0
        return "win", STAKE * (30 if roll[0] == roll[1] else 15)
    if kind == "field":
        if total in (5, 6, 7, 8):
            return "lose", 0
        return "win", STAKE * (2 if total in (2, 12) else 1)
    on = {
        "any7": (7,),
        "any_craps": (2, 3, 12),
        "craps2": (2,),
        "craps3": (3,),
        "craps12": (12,),
        "eleven": (11,),
    }
    if total not in on[kind]:
        return "lose", 0
    if kind == "any7":
        return "win", STAKE * 4
    if kind == "any_craps":
        return "win", STAKE * 15 // 2 if edition == QLD else STAKE * 7
    return "win", STAKE * single[total]


def settle(edition, rolls, wagers, **more):
    line = {"game": "craps", "edition": edition, "result": [list(roll) for roll in rolls], "wagers": wagers}
    line.update(more)
    return craps.settle_line(line)


def offered(edition, at, on):
    for code in craps_facts.codes(edition):
        wager = {"code": code, "stake": STAKE, "at": at}
        if is_line(code):
            wager["odds_stake"] = STAKE
        if on:
            wager["on"] = True
        yield wager


def compare(edition, rolls, ats):
    """Every wager at these times: the bad alone, the good together in one line."""
    wagers, hopes = [], []
    for at in ats:
        for on in (False, True):
            for wager in offered(edition, at, on):
                hope = expected(edition, wager["code"], rolls, at, on)
                if hope is None:
                    bad = settle(edition, rolls, [wager])
                    assert bad["error"]["code"] == "bad_wager", (rolls, wager)
                else:
                    wagers.append(wager)
                    hopes.append(hope)
    rows = settle(edition, rolls, wagers)["settlements"]
    for row, hope in zip(rows, hopes):
        found = (row["outcome"], row["pays"])
        if is_line(row["code"]):
            found += (row["odds_outcome"], row["odds_pays"])
            check_back(row, "odds_outcome", "odds_pays", "odds_returned")
        assert found == hope, (edition, rolls, row, hope)
        if "pieces" not in row:
            check_back(row, "outcome", "pays", "returned")


def check_back(row, outcome, pays, returned):
    back = {"win": STAKE + row[pays], "void": STAKE}.get(row[outcome], 0)
    assert row[returned] == back, row


def test_the_codes():
    assert len(craps_facts.codes(QLD)) == len(set(craps_facts.codes(QLD))) == 4 + 18 + 2 + 4 + 7 + 1 + 4
    assert len(craps_facts.codes(CGR)) == len(set(craps_facts.codes(CGR))) == 4 + 18 + 2 + 4 + 7 + 1 + 1 + 21


def test_every_wager_on_every_throw():
    """At its odds, neither less nor more: cgr 2(4)(b)."""
    for edition in (QLD, CGR):
        for roll in THROWS:
            compare(edition, [roll], [0])


def test_every_wager_on_every_two_rolls():
    """Each is settled by the throw that decides it: qld s129(5), cgr 2(10)(b)."""
    for edition in (QLD, CGR):
        for first in SHORT:
            for second in SHORT:
                compare(edition, [first, second], [0, 1])


def dice(seed):
    """A small generator of its own: the same rolls on every interpreter."""
    while True:
        seed = (seed * 1103515245 + 12345) % 2**31
        yield THROWS[(seed >> 8) % 36]


def test_every_wager_over_long_lists():
    rolls = dice(7)
    for edition in (QLD, CGR):
        for length in (3, 4, 6, 9, 14, 22):
            for _ in range(12):
                compare(edition, [next(rolls) for _ in range(length)], range(0, length, 2))


def test_line_wagers_by_the_shortcut():
    """A host keeps what it worked out: the same answers, from one line to the next."""
    rolls, memory = dice(11), {}
    for edition, codes in ((QLD, ("win", "dont_win")), (CGR, ("pass", "dont_pass"))):
        for _ in range(20):
            thrown = [list(next(rolls)) for _ in range(25)]
            wagers = []
            for at, out in enumerate(come_outs(thrown)):
                for code in codes if out else ():
                    wagers.append({"code": code, "stake": STAKE, "at": at, "odds_stake": STAKE})
            line = {"game": "craps", "edition": edition, "result": thrown, "wagers": wagers}
            answer = craps.settle_line(line, memory)
            assert answer == craps.settle_line(line)
            for row in answer["settlements"]:
                hope = expected(edition, row["code"], thrown, row["at"], False)
                assert (row["outcome"], row["pays"], row["odds_outcome"], row["odds_pays"]) == hope
            assert memory[("craps", edition, "lines")]
            for name, wager in enumerate(wagers):  # fields of their own come back as they were
                wager["player"], wager["note"] = str(name), name
            assert craps.settle_line(line, memory) == craps.settle_line(line)


def test_the_rules_cited():
    def rule(edition, code, *rolls, at=0):
        return settle(edition, rolls, [{"code": code, "stake": STAKE, "at": at}])["settlements"][0]["rule"]

    six, seven = (3, 3), (3, 4)
    assert rule(QLD, "win", seven) == rule(QLD, "place:6", six, six) == "qld s115(1)"
    assert rule(QLD, "win", six, seven) == rule(QLD, "dont_win", (1, 1)) == "qld s109"
    assert rule(QLD, "buy:6", six, six) == "qld s116(2)"
    assert rule(QLD, "lay:6", seven) == "qld s117(2)"
    assert rule(QLD, "horn", (1, 1)) == rule(QLD, "horn_high:3", (1, 1)) == "qld s115(2)"
    assert rule(CGR, "pass", seven) == rule(CGR, "lay:9", seven) == "cgr 2(4)(c)"
    assert rule(CGR, "buy:4", six, (2, 2)) == "cgr 2(5)(a)"
    assert rule(CGR, "horn", (1, 1)) == "cgr 2(4)(d)" and rule(CGR, "world", seven) == "cgr 2(4)(e)"
    # each wager's own paragraph, where it loses: cgr 2(2)(a)-(v)
    lost = "pass dont_pass come dont_come place:6 lay:6 big:6 big:8 hard:4 hard:6 hard:8 hard:10 field any7"
    lost += " any_craps craps2 craps3 craps12 eleven horn world hop:1-2"
    against = {
        "pass": (1, 1),
        "dont_pass": seven,
        "come": (1, 1),
        "dont_come": (5, 6),
        "lay:6": six,
        "any7": six,
        "world": six,
    }
    for code, letter in zip(lost.split(), "abcdefghijklmnopqrstuv"):
        rolls = [six, against.get(code, seven)] if "pass" not in code else [against[code]]
        found = rule(CGR, code, *rolls, at=len(rolls) - 1)
        assert found == "cgr 2(2)(%s)" % letter, (code, found)


def test_the_call_is_the_sum():
    answer = settle(QLD, [(3, 4), (6, 6), (1, 1)], [])  # qld s129(1), cgr 2(10)(a)
    assert answer["call"] == ["7", "12", "2"] and answer["settlements"] == []


def test_the_come_out_point():
    """qld s108, cgr 2(1)(a)-(e)."""
    assert [craps_facts.advance(0, total) for total in range(2, 13)] == [0, 0, 4, 5, 6, 0, 8, 9, 10, 0, 0]
    assert [craps_facts.advance(6, total) for total in (5, 6, 7, 8)] == [6, 0, 0, 6]
