"""`pitkit latency` and `pitkit link stats`."""

import json

from click.testing import CliRunner

from host_tools.cli import main
from host_tools.commands.latency import percentile
from host_tools.ports import open_port

SIC_BO = "sim:sic_bo@act1999"


def test_percentiles() -> None:
    assert [percentile([1.0, 2.0, 3.0, 4.0], share) for share in (50, 75, 99)] == [2.0, 3.0, 4.0]
    assert percentile([7.0], 50) == 7.0


def test_latency_in_json_and_in_words() -> None:
    told = json.loads(
        CliRunner().invoke(main, ["latency", "--port", SIC_BO, "--count", "30", "--json"]).stdout
    )
    assert told["count"] == 30 and told["repeated"] == 0
    assert (
        0 < told["least_ms"] <= told["p50_ms"] <= told["p90_ms"] <= told["p99_ms"] <= told["most_ms"] < 1000
    )
    words = CliRunner().invoke(main, ["latency", "--port", SIC_BO, "--count", "5"]).stdout
    assert "p50" in words and "5 orders, 0 of them sent again" in words


def test_stats_count_what_came_spoilt() -> None:
    with open_port(SIC_BO) as session:
        session.link.port.write(b"\0spoilt\0")
        session.link.command("status")
        port = session.port
        session.link.close()
        told = json.loads(CliRunner().invoke(main, ["link", "stats", "--port", port, "--json"]).stdout)
        assert told["bad"] == 1 and told["boot"] == 1 and told["commands"] >= 2 and told["sent_again"] == 0
        words = CliRunner().invoke(main, ["link", "stats", "--port", port]).output
        assert "came spoilt" in words and "since start 1 of the board" in words
