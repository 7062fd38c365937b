"""The table that a configuration asks for, with its devices and its noise sources. Decides nothing else.

Called by main.py at start and after each change of the configuration.
"""

from rules_min.draws import SIZES

from . import config, faults, fit
from .care import Care
from .devices.edges import EdgeRing
from .journal.meters import ADOPTING, RETIRED
from .parts import Parts
from .rng.sources import Source
from .tables import sic_bo
from .tables.closed import Closed


def build_table(board, setup, log, generator, boot):
    """The table that the configuration asks for, or one that is closed and says why."""
    journal = log.journal
    settings, why = setup.settings()
    closed = _closed_for_good(journal) or (faults.CONFIG_BAD if why else 0)
    if closed:
        return Closed(log, closed, why if closed == faults.CONFIG_BAD else ""), EdgeRing(), None
    journal.retention = config.value(settings, "journal", "retention_games")
    generator.sources = noise_sources(board, settings)
    if settings["table"]["game"] in SIZES:
        return build_draw(board, settings["table"], log, generator, boot), EdgeRing(), None
    try:
        parts = Parts(board, settings, sic_bo.INPUTS, sic_bo.QUICK, len(sic_bo.rules.AREAS))
    except ValueError as error:  # a pin that the chip cannot use so, as an ADC or a UART
        return Closed(log, faults.CONFIG_BAD, str(error)), EdgeRing(), None
    log.listener = parts.line.hear if parts.line else None  # before the table: it may void a round it finds
    edition = settings["table"]["edition"]
    covered = settings["table"].get("variant") != "uncovered"
    table = sic_bo.SicBo(edition, settings.get("limits", {}), parts, log, board.now_us, covered)
    return table, parts.ring, Care(parts, table, log, board.now_us)


def _closed_for_good(journal):
    """The fault by which no table opens on this journal, however it is configured; 0: there is none."""
    if journal.newer:
        return faults.JOURNAL_NEWER
    flags = journal.meters.flags
    return faults.RETIRED if flags & RETIRED else faults.ADOPTION_CUT if flags & ADOPTING else 0


def build_draw(board, table, log, generator, boot):
    from .tables.draw import Draw  # only a board that draws has it in memory

    named = table["game"], table["edition"], table.get("variant", "")
    return Draw(*named, generator=generator, boot=boot, log=log, now_us=board.now_us)


def noise_sources(board, settings):
    """The board's own, and the noise circuit where one is wired."""
    rows = list(board.data["noise"])
    circuit = fit.chosen(board.parts, settings)["noise"]
    if circuit["kind"] != "none":
        rows.append(dict(circuit, name="circuit"))
    pins = settings.get("pins", {})
    return [_source(row, board.noise(row, pins)) for row in rows]


def _source(row, read):
    return Source(row["name"], read, row["entropy_milli"], row["seed_bytes"])
