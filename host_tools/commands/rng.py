"""`pitkit rng`: raw noise and final output collected from a board; files of either assessed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import click

from firmware.rng_desk import MOST_DRAWS, PART_BYTES
from host_tools.commands.options import board_options, emit, json_option, note, opened, plain
from host_tools.errors import CannotRun, PitkitError
from host_tools.link import Link
from rules_min.draws import SIZES, size

TOLD_EVERY = 1 << 20

file_argument = click.argument("file", type=click.Path(dir_okay=False, path_type=Path))


@click.group()
def rng() -> None:
    """The generator: collect its raw noise or its final output, and assess a file of either.

    \b
    Example:
      pitkit rng raw ring.bin --port /dev/ttyACM0 && pitkit rng assess ring.bin --entropy 0.95
    """


def _sources(link: Link) -> list[tuple[str, int, int]]:
    """(name, stated thousandths of a bit a sample, samples a seed) of each noise source."""
    rows = [row.split(":") for row in link.command("rng_status")["sources"].split()]
    return [(name, int(milli), int(samples)) for name, milli, samples in rows]


@rng.command()
@board_options("observe")
@json_option
def status(port: str, role: str, as_json: bool) -> None:
    """The board's noise sources, what is stated of them, and whether they are healthy.

    \b
    Example:
      pitkit rng status --port /dev/ttyACM0
    """
    with opened(port, role) as session:
        told = session.link.command("rng_status")
        sources = _sources(session.link)
    if as_json:
        rows = [dict(zip(("name", "entropy_milli", "seed_samples"), row, strict=True)) for row in sources]
        emit(
            {"healthy": bool(told["healthy"]), "alarms": told["alarms"], "why": told["why"], "sources": rows}
        )
        return
    for name, milli, samples in sources:
        click.echo(plain(f"{name:<10} {milli / 1000:.3f} bits a sample stated, {samples:,} samples a seed"))
    click.echo(
        plain(f"healthy ({told['alarms']} alarms)" if told["healthy"] else f"NOT drawing: {told['why']}")
    )


@rng.command()
@file_argument
@click.option("--source", default="", help="Which one, by name; the board's first if none is named.")
@click.option("--samples", type=click.IntRange(min=8), default=1_000_000, show_default=True)
@click.option("--packed", is_flag=True, help="Eight samples a byte, in place of one.")
@board_options("observe")
@json_option
def raw(file: Path, source: str, samples: int, packed: bool, port: str, role: str, as_json: bool) -> None:
    """Raw samples of a noise source into FILE, before any test or conditioning: one sample a byte.

    NIST's SP 800-90B tool reads it (ea_non_iid FILE 1). A source that has failed is read all the same.

    \b
    Example:
      pitkit rng raw ring.bin --source ring --samples 1000000 --port /dev/ttyACM0
    """
    with opened(port, role) as session, _created(file) as out:
        names = [name for name, _, _ in _sources(session.link)]
        if source and source not in names:
            raise CannotRun(f"the board has no source {source!r}; it has: {', '.join(names)}.")
        index = names.index(source) if source else 0
        for part in _raw_parts(session.link, index, -(-samples // 8)):
            out.write(part if packed else unpacked(part))
        told = {"file": str(file), "source": names[index], "samples": -(-samples // 8) * 8, "packed": packed}
    _say(told, as_json, f"{told['samples']:,} raw samples of {names[index]} are in {file}")


def unpacked(part: bytes) -> bytes:
    """One sample a byte, in the order they came."""
    return bytes(byte >> shift & 1 for byte in part for shift in range(7, -1, -1))


def _raw_parts(link: Link, index: int, total: int) -> Iterator[bytes]:
    done = 0
    while done < total:
        part = link.command("rng_raw", source=index, bytes=min(PART_BYTES, total - done))["part"]
        done += len(part)
        if done * 8 // TOLD_EVERY != (done - len(part)) * 8 // TOLD_EVERY:
            note(f"{done * 8:,} samples")
        yield part


@rng.command()
@file_argument
@click.option("--draws", type=click.IntRange(min=1), help="So many draws, one a line: the final outcomes.")
@click.option("--bytes", "size_bytes", type=click.IntRange(min=1), help="So much output before scaling.")
@board_options("observe")
@json_option
def final(file: Path, draws: int | None, size_bytes: int | None, port: str, role: str, as_json: bool) -> None:
    """Final output of the generator into FILE: draws as the table's games draw them, or bytes unscaled.

    Draws are lines of numbers. Bytes are a binary file, as dieharder reads it (dieharder -a -g 201 -f
    FILE). None of it is ever a game's.

    \b
    Example:
      pitkit rng final keno.draws --draws 100000 --port sim:keno@act1999
    """
    if (draws is None) == (size_bytes is None):
        raise CannotRun("say --draws or --bytes, one of them.")
    with opened(port, role) as session, _created(file) as out:
        if size_bytes is not None:
            _collect_bytes(session.link, out, size_bytes)
        else:
            collect_draws(session.link, out, draws or 0)
    count, what = (draws, "draws") if draws else (size_bytes, "bytes")
    _say({"file": str(file), what: count}, as_json, f"{count:,} {what} are in {file}")


def _collect_bytes(link: Link, out: IO[bytes], total: int) -> None:
    for at in range(0, total, PART_BYTES):
        out.write(link.command("rng_final", count=min(PART_BYTES, total - at), of=0, games=1)["part"])


def collect_draws(link: Link, out: IO[bytes], total: int) -> None:
    count, of = drawn_size(link)
    out.write(f"# {count} of {of}, board {link.identity['unique_id']}\n".encode())
    done = 0
    while done < total:
        games = min(PART_BYTES // count, MOST_DRAWS, total - done)
        part = link.command("rng_final", count=count, of=of, games=games)["part"]
        for at in range(0, len(part), count):
            out.write(" ".join(map(str, part[at : at + count])).encode() + b"\n")
        done += games
        if done // 10_000 != (done - games) // 10_000:
            note(f"{done:,} draws")


def drawn_size(link: Link) -> tuple[int, int]:
    """(numbers, of how many) of the table on this board; a table that draws nothing is taken for keno."""
    game = str(link.identity["table"])
    table = json.loads(link.read_config() or b"{}").get("table", {})
    count, of = size(game, table.get("variant", "")) if game in SIZES else size("keno")
    return count, of


def _created(file: Path) -> IO[bytes]:
    try:
        return file.open("wb")
    except OSError as error:
        raise CannotRun(f"{file} cannot be written: {error.strerror}.") from error


def _say(told: dict[str, Any], as_json: bool, words: str) -> None:
    emit(told) if as_json else click.echo(plain(words))


@rng.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--as", "kind", type=click.Choice(("raw", "bytes", "draws")), help="What FILE is, if unclear.")
@click.option(
    "--entropy", type=click.FloatRange(0.01, 1), help="Stated min-entropy a raw sample, to hold to."
)
@click.option(
    "--of", type=click.IntRange(2, 255), help="The numbers that a draw is of, if FILE does not say."
)
@click.option(
    "--seed", type=click.IntRange(min=0), help="Of what the tests choose by chance; it is recorded."
)
@click.option("--report", type=click.Path(file_okay=False, path_type=Path), help="Folder for the report.")
@json_option
def assess(
    file: Path,
    kind: str | None,
    entropy: float | None,
    of: int | None,
    seed: int | None,
    report: Path | None,
    as_json: bool,
) -> None:
    """Assess FILE: raw samples by SP 800-90B's estimators, bytes by SP 800-22, draws by their own tests.

    Needs the packages of `pip install 'pitkit[assess]'`. P-values are corrected by Holm's method; the
    report has every figure, plots, and plain verdicts.

    \b
    Example:
      pitkit rng assess keno.draws --report build/assessment
    """
    try:
        from host_tools.rng import assessment, report_page
    except ImportError as error:
        raise CannotRun(f"{error.name} is missing: pip install 'pitkit[assess]' brings it.") from error
    found = assessment.assess(file, kind, entropy, of, seed, note)
    if report:
        report_page.write(report, found)
        note(f"the report is {report / 'assessment.html'}")
    if as_json:
        emit(found.document())
    else:
        for row in found.rows:
            click.echo(plain(row.words()))
        click.echo(plain(found.verdict))
    if not found.passed:
        raise PitkitError(f"{file}: {found.verdict}")
