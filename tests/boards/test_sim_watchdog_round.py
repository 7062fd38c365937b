"""A firmware that hangs in a round is bitten, starts anew, and accounts for the round."""

import time
from pathlib import Path

from host_tools.link import Link
from host_tools.simulator import Simulator
from host_tools.targets import wiring

HANGS_ONCE = """
import machine
from firmware import main

if machine.reset_cause() != machine.WDT_RESET:
    class Hangs(main.Machine):
        def step(self):
            super().step()
            if getattr(self.table, "betting", "") == "open" and self.table.book.wagers:
                while True:
                    pass

    main.Machine = Hangs
main.run()
"""


def test_a_bite_comes_back_and_voids_the_round(tmp_path: Path) -> None:
    script = tmp_path / "hangs.py"
    script.write_text(HANGS_ONCE)
    config = b'{"table":{"game":"sic_bo","edition":"act1999"}}'
    with Simulator(wiring("unix", "sic_bo"), script=script) as board:
        link = Link.connect(board.port, patience_s=10)
        link.write_config(config)
        link.command("open")
        link.command("wager", ref=1, code="small", stake=500, player="Ada")
        link.close()
        time.sleep(0.1)  # an order right behind the last one would still be answered
        again = Link.connect(board.port, patience_s=60)
        assert again.identity["boot"] == 2
        again.follow(1)
        told = {event["event"]: event for event in again.events(1)}
        assert told["boot"]["cause"] == 3 and told["voided"]["returned"] == 500
        again.close()
