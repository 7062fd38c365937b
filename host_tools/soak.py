"""Randomised sic-bo rounds on worn contacts, each judged against what a dealer would say of it.

    python -m host_tools.soak --rounds 100 --seed 1 --port 'sim:sic_bo@act1999?clock=frozen'

Each round has a seed of its own, so that a wrong one is played again by itself; it can be saved as a
trace. `make bench` and a test call `run`.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from rules_min import sic_bo

from . import config_file, trace
from .conformance.physics import Wear
from .conformance.stage import Stage
from .errors import PitkitError
from .link import Link
from .ports import open_port
from .soak_round import PLANS, Round, Wrong

PORT = "sim:sic_bo@act1999?clock=frozen"
PULL_EVERY = 40  # rounds: an unpulled journal fills up, and says so


@dataclass
class Outcome:
    rounds: int = 0
    wrong: list[str] = field(default_factory=list)
    plans: Counter[str] = field(default_factory=Counter)
    edges: int = 0


def run(
    rounds: int,
    seed: int = 1,
    port: str = PORT,
    first: int = 0,
    covered: bool = True,
    save: Path | None = None,
) -> Outcome:
    """So many rounds; a wrong one is told with what replays it, and saved as a trace in the folder `save`."""
    outcome, meters = Outcome(), Counter[str]()
    with open_port(port, role="supervisor") as session:
        if not covered:
            _take_the_cover_off(session.link)
        stage = Stage(session, random.Random(f"{seed}"), Wear())
        for number in range(first, first + rounds):
            replay = f"--port '{port}' --seed {seed} --first {number}" + " --uncovered" * (not covered)
            stage.begin(random.Random(f"{seed}/{number}"))
            meters += _one(stage, covered, replay, outcome, save)
            if number % PULL_EVERY == PULL_EVERY - 1:
                stage.pull()
        told = session.link.command("meters")
        if not outcome.wrong and {key: told[key] for key in meters} != dict(meters):
            outcome.wrong.append(f"the meters: expected {dict(meters)}, the board has {told}")
        outcome.edges = stage.edges_played
    return outcome


def _take_the_cover_off(link: Link) -> None:
    settings = config_file.from_board(link.read_config())
    settings["table"]["variant"] = "uncovered"
    link.write_config(config_file.to_board(settings))


def _one(stage: Stage, covered: bool, replay: str, outcome: Outcome, save: Path | None) -> Counter[str]:
    dice = stage.wires.dice
    edition = stage.link.identity["edition"]
    known = [plan for plan in PLANS if not plan.cause or plan.cause in sic_bo.NO_SPIN[edition]]
    known = [plan for plan in known if covered or plan.act != "uncover"]
    plan = dice.choices(known, [plan.weight for plan in known])[0]
    outcome.rounds += 1
    outcome.plans[plan.name] += 1
    round_ = Round(stage, dice, plan, edition, stage.wear, covered)
    try:
        round_.play()
        return round_.judge()
    except (Wrong, PitkitError) as error:
        outcome.wrong.append(f"{replay} ({plan.name}): {error}")
        if save:
            save.mkdir(parents=True, exist_ok=True)
            trace.write(save / f"wrong-{outcome.rounds}.trace", stage.trace())
        stage.recover()
        return Counter()


def main() -> int:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--rounds", type=int, default=100)
    ask.add_argument("--seed", type=int, default=1)
    ask.add_argument("--first", type=int, default=0, help="number of the first round: a wrong one again")
    ask.add_argument("--port", default=PORT)
    ask.add_argument("--uncovered", action="store_true", help="a tumbler without a cover (qld)")
    ask.add_argument("--save", type=Path, help="a folder for the traces of wrong rounds")
    asked = ask.parse_args()
    outcome = run(asked.rounds, asked.seed, asked.port, asked.first, not asked.uncovered, asked.save)
    for sentence in outcome.wrong:
        print(sentence)
    print(f"{outcome.rounds} rounds, {len(outcome.wrong)} wrong, {outcome.edges} edges; seed {asked.seed}")
    print(", ".join(f"{name} {count}" for name, count in outcome.plans.most_common()))
    return 1 if outcome.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
