"""Messages: what one side packs, the other reads; the tables are sound."""

from firmware.protocol import messages
from firmware.protocol.session import Refusal


def raises(kind, function, *arguments):
    try:
        function(*arguments)
    except kind:
        return True
    return False


def test_every_message_comes_back():
    uints = (0, 1, 127, 128, 300, 2**32, 10**14)
    samples = {"u": uints, "s": ("", "small", "é"), "b": (b"", b"\0\xff"), "l": ([], [1, 200])}
    tables = [row[2] for row in messages.COMMANDS.values()] + [row[3] for row in messages.COMMANDS.values()]
    tables += [row[1] for row in messages.EVENTS.values()] + [messages.REFUSAL]
    for fields in tables:
        for pick in range(7):
            values = {name: samples[kind][pick % len(samples[kind])] for name, kind in fields}
            assert messages.unpack(fields, messages.pack(fields, values)) == values


def test_missing_fields_are_zero_or_empty():
    assert messages.unpack(messages.PAYOUT, messages.pack(messages.PAYOUT, {}))["odds"] == []


def test_an_older_reader_ignores_what_a_newer_writer_adds():
    data = messages.pack(messages.ROUND + (("more", "s"),), {"round": 9, "more": "new"})
    assert messages.unpack(messages.ROUND, data) == {"round": 9}


def test_a_newer_reader_fills_in_what_an_older_writer_did_not_know():
    newer = messages.ROUND + (("more", "s"), ("yet", "l"))
    data = messages.pack(messages.ROUND, {"round": 9})
    assert messages.unpack(newer, data, older=True) == {"round": 9, "more": "", "yet": []}
    assert raises(messages.Truncated, messages.unpack, newer, data)
    assert raises(messages.Truncated, messages.unpack, newer, data + b"\x05a", True)


def test_every_cut_message_is_noticed():
    fields = messages.PAYOUT
    whole = {
        "code": "pair:1-2",
        "stake": 500,
        "outcome": "win",
        "pays": 3000,
        "returned": 3500,
        "odds": [6, 1],
    }
    data = messages.pack(fields, whole)
    for end in range(len(data)):
        assert raises(messages.Truncated, messages.unpack, fields, data[:end]), end


def test_hostile_bytes_are_noticed():
    text = (("name", "s"),)
    assert raises(messages.Truncated, messages.unpack, text, b"\x02\xff\xfe")
    assert raises(messages.Truncated, messages.unpack, text, b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01a")
    assert raises(messages.Truncated, messages.unpack, (("l", "l"),), b"\xff\xff\xff\x7f\x01")


def test_names_are_unique_and_identity_starts_with_the_version():
    for table in (messages.COMMANDS, messages.EVENTS):
        assert len(messages.numbers(table)) == len(table)
    assert [name for name, _ in messages.IDENTITY[:2]] == ["major", "minor"]
    assert all(row[1] in messages.ROLES for row in messages.COMMANDS.values())


def test_words_are_cut_in_whole_characters():
    assert messages.short("abc", 3) == "abc" and messages.short("abcd", 3) == "abc"
    assert messages.short("a\u20ac\u20ac", 4) == "a\u20ac" and messages.short("\u20ac", 2) == ""


def test_a_refusal_fits_in_a_frame_whatever_it_quotes():
    for words in ("z" * 4000, "\u20ac" * 4000):
        fields = {
            "code": "bad_config",
            "message": Refusal("bad_config", words).message,
            "rule": "act sicbo 3.1",
        }
        assert len(messages.pack(messages.REFUSAL, fields)) < 200
