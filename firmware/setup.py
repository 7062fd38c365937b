"""The configuration over the line: read in parts, sent in parts, taken as a whole or not at all.

A higher minimum waits where the edition wants it announced first (qld s74(3) and its like): it is
kept in a pair of copies of its own until its notice is over, by a clock that is known. Every
change is on the journal, with who made it and what changed.
"""

import json

from rules_min import limits
from rules_min.games import GAMES

from . import config, faults
from .config_store import parse, text_hash
from .protocol import messages
from .protocol.session import Refusal

PART_BYTES = 192
CHANGED_BYTES = 100  # of the names of changed keys, in a record
MINUTE_MS = 60000


class Setup:
    def __init__(self, store, waiting, default, board, log, utc, rebuild):
        self.store = store
        self.waiting = waiting  # a second store: what counts once its notice is over
        self.default = json.dumps(default).encode() if default else b""  # what the image was built for
        self.board = board
        self.log = log
        self.utc = utc
        self.coming = bytearray()
        self.not_before_ms = 0  # by the board's own time, should somebody set its clock ahead
        self.rebuild = rebuild  # main.py builds the table anew
        self._tell_what_a_start_finds()

    def _tell_what_a_start_finds(self):
        """A spoilt or worn copy; a change that the power cut off from its record; what still waits."""
        for store, detail in ((self.store, ""), (self.waiting, "announced")):
            if store.worn or (store.spoilt and (store.text or store is self.waiting)):
                self.log("fault", code=faults.CONFIG_COPY, detail=detail)
        known = self.log.journal.meters.config
        if self.store.text and known != text_hash(self.store.text):
            self._tell("configured", hash=text_hash(self.store.text), author=self.store.author)
        if self.waiting.text and self.waiting.base != self.store.version:
            self.waiting.clear()  # another configuration is in force since
        elif self.waiting.text:
            self._tell("noticed", **self._notice_fields(self.waiting.author, ""))

    def _tell(self, event, **fields):
        """At a start: a journal without room is told it at a later one, and keeps no board from starting."""
        try:
            self.log(event, **fields)
        except faults.Fault:
            pass

    def _can_record(self):
        return not self.log.journal.newer and self.log.has_room()

    def settings(self):
        """(configuration, None) or (None, why there is none)."""
        if self.store.spoilt and not self.store.text:
            return None, "the configuration is spoilt in both copies"
        found = parse(self.text())
        if found is None:
            return None, "the board has not been configured"
        why = self._problem(found)
        return (None, why) if why else (found, None)

    def _problem(self, found):
        why = config.problem(found, self.board.pins, self.board.parts)
        return why or self.board.bad_pins(found.get("pins", {}))

    def text(self):
        """The configuration in force, as it was sent or as the image has it; a spoilt one has no stand-in."""
        return self.store.text or (b"" if self.store.spoilt else self.default)

    def hash(self):
        return text_hash(self.text()) if self.text() else ""

    def handlers(self, table):
        return {
            "config_read": lambda asked: _part_of(self.text(), asked),
            "config_waiting": self._waiting,
            "config_part": self._part,
            "config_commit": lambda asked: self._commit(asked, table),
        }

    def _waiting(self, asked):
        fields = _part_of(self.waiting.text, asked)
        fields["due_ms"] = self.waiting.due_ms
        return fields

    def _part(self, asked):
        at = asked["offset"]
        if at == 0:
            self.coming = bytearray()
        if at != len(self.coming) or at + len(asked["part"]) > self.store.most_bytes:
            raise Refusal("bad_config", "the parts do not follow one another, or are more than fits")
        self.coming += asked["part"]

    def _commit(self, asked, table):
        text = bytes(self.coming)
        if len(text) != asked["length"] or text_hash(text) != asked["hash"]:
            raise Refusal("bad_config", "what arrived is not what was sent")
        found = parse(text)
        why = "it is no configuration" if found is None else self._problem(found)
        if why:
            raise Refusal("bad_config", why)
        if not table.is_idle():
            raise Refusal("wrong_state", "a round is under way: configure the table when it is over")
        if not self._can_record():
            raise Refusal("journal_full", "the change cannot be put on record: see to the journal first")
        minutes, rule = self._notice(found)
        withdrawn = self._withdraw(asked["by"]) if self.waiting.text else 0
        if minutes:
            self._announce(text, asked["by"], minutes, rule)
            told = {"due_ms": self.waiting.due_ms, "rule": rule}
        else:
            self._try(text, asked["by"])
            told = {}
        return dict(told, hash=text_hash(text), withdrawn=withdrawn)

    def _try(self, text, author):
        """Takes it; where no table can be built on it (a pin cannot do that) the one before comes back."""
        before = self.store.text
        table = self._take(text, author)
        if before and table is not None and table.fault == faults.CONFIG_BAD:
            why = table.detail
            self._take(before, author)
            raise Refusal("bad_config", why)

    def _withdraw(self, author):
        """A newer word replaces what was announced and waits."""
        self.log("withdrawn", hash=text_hash(self.waiting.text), author=author)
        self.waiting.clear()
        return 1

    # -- notice

    def _notice(self, found):
        """(minutes, clause) that a change to this configuration must be announced before; (0, "") if not."""
        if not self.log.journal.round:
            return 0, ""  # nobody has played at this table yet
        now, why = self.settings()
        game, edition = [found["table"][name] for name in ("game", "edition")]
        if why or now["table"]["game"] != game:
            return 0, ""  # another table: its limits are new, not raised
        old, new = now.get("limits", {}), found.get("limits", {})
        codes = list(GAMES[game].KINDS) + list(old) + list(new)
        due = limits.notice(game, edition)
        return due if due and due[0] and limits.raised(old, new, codes) else (0, "")

    def _announce(self, text, author, minutes, rule):
        """It counts so many minutes from now, or from when the clock is known."""
        now_ms = self.utc.utc_ms()
        due_ms = now_ms + minutes * MINUTE_MS if now_ms else 0
        self.not_before_ms = self.utc.now_ms() + minutes * MINUTE_MS
        self.waiting.save(text, author, now_ms, due_ms, base=self.store.version)
        self.log("noticed", **self._notice_fields(author, rule))

    def _notice_fields(self, author, rule):
        text, due_ms = self.waiting.text, self.waiting.due_ms
        known = {"hash": text_hash(text), "rule": rule, "author": author, "due_ms": due_ms}
        return dict(known, changed=self._changed(text))

    def poll(self):
        """While no round is under way: takes what has waited long enough."""
        if not self.waiting.text or not self.utc.utc_ms() or not self._can_record():
            return
        text, author = self.waiting.text, self.waiting.author
        due_ms, now_ms = self.waiting.due_ms, self.utc.utc_ms()
        minutes, rule = self._notice(parse(text))
        if not due_ms or due_ms > now_ms + minutes * MINUTE_MS:  # the clock was not known, or was wrong
            self._announce(text, author, minutes, rule)
        elif now_ms >= due_ms and self.utc.now_ms() >= self.not_before_ms:
            self._take(text, author)

    # -- taking it

    def _take(self, text, author):
        changed = self._changed(text)
        self.store.save(text, author, self.utc.utc_ms())  # from here on, what waits is void
        self.waiting.clear()
        self.log("configured", hash=text_hash(text), author=author, changed=changed)
        return self.rebuild()  # at once: the next order on the line is for the new table

    def _changed(self, text):
        """The keys that it changes, as many as a record holds."""
        old, new = parse(self.text()) or {}, parse(text)
        names = []
        for section in sorted(set(old) | set(new)):
            before, after = old.get(section, {}), new.get(section, {})
            for key in sorted(set(before) | set(after)):
                if before.get(key) != after.get(key):
                    names.append("%s.%s" % (section, key))
        return messages.short(" ".join(names), CHANGED_BYTES)


def _part_of(text, asked):
    at = min(asked["offset"], len(text))
    return {"length": len(text), "part": text[at : at + PART_BYTES]}
