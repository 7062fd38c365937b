"""When what may happen at a table with a dice tumbler: the (betting, device) pairs of each act.

A covered tumbler runs while bets are taken (act sicbo 5.1-5.2, qld s72(3)); at one without a
cover the call comes first (qld s72(1)-(2)). Facts only; the table's engine looks acts up here.
"""

from .table import AT_REST, CALLED, CLOSED, IDLE, NO_SPIN, OPEN, RESULT, RUNNING

NOT_YET_OVER = ((OPEN, RUNNING), (OPEN, AT_REST), (CALLED, RUNNING), (CALLED, AT_REST))

# act: the (betting, device) pairs it may happen in. Anything else is refused.
COVERED = {
    "open": ((CLOSED, IDLE), (CLOSED, RESULT), (CLOSED, NO_SPIN)),
    "wager": ((OPEN, IDLE), (OPEN, RUNNING), (OPEN, AT_REST)),
    "activate": ((OPEN, IDLE),),
    "rested": ((OPEN, RUNNING), (CALLED, RUNNING)),
    "no_more_bets": ((OPEN, RUNNING), (OPEN, AT_REST)),
    "uncover": NOT_YET_OVER,
    "number": ((CALLED, AT_REST),),
    "entry": ((CALLED, AT_REST), (CLOSED, RESULT)),  # the second press of s78(5) takes the result back
    "no_spin": ((OPEN, IDLE), (CLOSED, RESULT)) + NOT_YET_OVER,  # act sicbo 10.1: the outcome, too
}
# qld s72(1) has the call before the tumbler is activated; (3) lets it wait, it does not make it.
COVERED_QLD = dict(COVERED)
COVERED_QLD["activate"] = ((OPEN, IDLE), (CALLED, IDLE))
COVERED_QLD["no_more_bets"] = ((OPEN, IDLE), (OPEN, RUNNING), (OPEN, AT_REST))
COVERED_QLD["no_spin"] = ((OPEN, IDLE), (CALLED, IDLE)) + NOT_YET_OVER

UNCOVERED = {
    "open": COVERED["open"],
    "wager": ((OPEN, IDLE),),
    "activate": ((CALLED, IDLE),),
    "rested": ((CALLED, RUNNING),),
    "no_more_bets": ((OPEN, IDLE),),
    "uncover": (),
    "number": COVERED["number"],
    "entry": COVERED["entry"],
    "no_spin": ((OPEN, IDLE), (CALLED, IDLE), (CALLED, RUNNING), (CALLED, AT_REST)),
}


def times(edition, covered):
    """The table of this edition's tumbler."""
    if not covered:
        return UNCOVERED
    return COVERED_QLD if edition.startswith("qld") else COVERED
