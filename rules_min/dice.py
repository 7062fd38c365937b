"""Three dice in a tumbler: what sic-bo, mini-dice and pai gow share. PURE.

The uppermost faces decide (qld s69(1), s178(2), act sicbo 7.1); nobody asks which die shows which.
"""


def bad_dice(result):
    """Why `result` cannot be three dice, or None."""
    if not isinstance(result, (list, tuple)) or len(result) != 3:
        return "a result is three dice, as [3,3,4]"
    for die in result:
        if type(die) is not int or not 1 <= die <= 6:
            return "each die shows a whole number from 1 to 6"
    return None


def call(dice):
    """What the dealer announces: smallest first (qld s77(2), s186(1)), the total too (qld s77(3), s186(2)).

    Doubles and triples are called as one (qld s77(4), s186(3)).
    """
    a, b, c = sorted(dice)
    if a == c:
        faces = "triple %d" % a
    elif a == b:
        faces = "double %d, %d" % (a, c)
    elif b == c:
        faces = "%d, double %d" % (a, b)
    else:
        faces = "%d, %d, %d" % (a, b, c)
    return "%s; total %d" % (faces, a + b + c)
