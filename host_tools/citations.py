"""Finds the clauses that a text cites: `qld s75(a)`, `qld ss139-140`, `act sicbo 4.3(a)-(b)`, `cgr 6(3)(a)`.

One way of writing serves code, comments, tests and cases. `%s` in a citation is a template
that stands for any paragraph: `qld s75(%s)` names qld s75(a) to (h).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

DOCUMENT = r"(?:qld2004 sch \d+|qld|act (?:sicbo|roulette|wheel|keno|pai gow|blackjack)|cgr)"
NUMBER = r"(?:\d+[A-Z]?(?:\.\d+)?)?(?:\((?:\w+|%s|%d)\))*"
ITEM = re.compile(r"\s*(?:ss?\s?)?(" + NUMBER + ")")
CHAIN = re.compile(r"\b(" + DOCUMENT + r") (?:ss?\s?)?(?=\d)")
JOIN = re.compile(r"(, | and |-)(?=(?:ss?\s?)?\d|\()")
PARTS = re.compile(r"^(\d+[A-Z]?(?:\.\d+)?)((?:\([^)]*\))*)$")


def cited(text: str) -> Iterator[str]:
    """Every clause that this text cites, lists and ranges written out."""
    for start in CHAIN.finditer(text):
        yield from _chain(text, start.end(), start.group(1))


def _chain(text: str, at: int, document: str) -> Iterator[str]:
    previous = ""
    joined = ""
    while found := ITEM.match(text, at):
        item = _whole(found.group(1), previous)
        if not item:
            return
        for each in _range(previous, item) if joined == "-" else (item,):
            yield clause_id(document, each)
        previous, at = item, found.end()
        if not (join := JOIN.match(text, at)):
            return
        joined, at = join.group(1), join.end()


def _whole(item: str, previous: str) -> str:
    """`(b)` after `4.3(a)` is 4.3(b)."""
    if not item.startswith("("):
        return item
    before = PARTS.match(previous)
    return before.group(1) + _last_replaced(before.group(2), item) if before else ""


def _last_replaced(paragraphs: str, item: str) -> str:
    kept = re.findall(r"\([^)]*\)", paragraphs)
    return "".join(kept[: -item.count("(")]) + item


def _range(first: str, last: str) -> Iterator[str]:
    """What lies after `first` up to `last`: sections 139-140, rules 5.1-5.3, paragraphs (a)-(c)."""
    head, begin, end = _ends(first, last)
    if begin.isdigit() and end.isdigit():
        between = [str(n) for n in range(int(begin) + 1, int(end))]
    elif len(begin) == len(end) == 1:
        between = [chr(n) for n in range(ord(begin) + 1, ord(end))]
    else:
        between = []
    tail = ")" if head.endswith("(") else ""
    yield from (head + each + tail for each in between)
    yield last


def _ends(first: str, last: str) -> tuple[str, str, str]:
    """What both have in front, and the two ends that differ."""
    one, two = re.split(r"(\(|\.)", first.rstrip(")")), re.split(r"(\(|\.)", last.rstrip(")"))
    if one[:-1] != two[:-1]:
        return "", "", ""
    return "".join(one[:-1]), one[-1], two[-1]


def clause_id(document: str, item: str) -> str:
    return f"{document} s{item}" if document.startswith("qld") else f"{document} {item}"


def names(citation: str, clause: str) -> bool:
    """Whether the citation names the clause: the same, a template of it, or a paragraph of it."""
    if "%" in citation:
        pattern = re.escape(citation).replace("%s", r"\w+").replace("%d", r"\d+")
        return re.match(pattern + "$", clause) is not None
    return citation == clause or citation.startswith(clause + "(")
