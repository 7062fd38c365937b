"""Every clause that states a rule is named by code and by a test; the tool that says so can fail."""

from pathlib import Path

import pytest

from host_tools import traceability
from host_tools.citations import cited, names
from host_tools.errors import CannotRun


def test_every_rule_is_named_by_code_and_test() -> None:
    assert traceability.gaps(traceability.table()) == []


def test_every_clause_the_rules_cite_is_listed() -> None:
    assert traceability.unlisted() == []


def test_citations_are_found_in_every_way_we_write_them() -> None:
    def found(text: str) -> list[str]:
        return list(cited(text))

    assert found("as qld s75(a) says, and act sicbo 8.1.") == ["qld s75(a)", "act sicbo 8.1"]
    assert found("# qld ss 74(3), 113(4) and 141(4): notice") == ["qld s74(3)", "qld s113(4)", "qld s141(4)"]
    assert found("qld ss139-141") == ["qld s139", "qld s140", "qld s141"]
    assert found("act wheel 8.1-8.3") == ["act wheel 8.1", "act wheel 8.2", "act wheel 8.3"]
    assert found("cgr 6(4)(a)-(c)") == ["cgr 6(4)(a)", "cgr 6(4)(b)", "cgr 6(4)(c)"]
    assert found('"qld s75(%s)"') == ["qld s75(%s)"]
    assert found("qld2004 sch 10 s8(3)") == ["qld2004 sch 10 s8(3)"]
    assert found("qld s222(13)-(14), s131(2B)") == ["qld s222(13)", "qld s222(14)", "qld s131(2B)"]
    assert found("the act 5 and qld1985") == []


def test_a_citation_names_its_section_but_no_sister() -> None:
    assert names("qld s75(a)", "qld s75(a)")
    assert names("qld s75(a)", "qld s75")
    assert names("qld s75(%s)", "qld s75(h)")
    assert not names("qld s75(a)", "qld s75(b)")
    assert not names("qld s75", "qld s75(a)")
    assert not names("qld s75", "qld s7")


def test_a_gap_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "qld_x.toml").write_text(
        '[[clause]]\nid = "qld s999(1)"\nwords = "nobody says this"\nkind = "rule"\n'
        '[[clause]]\nid = "qld s999(2)"\nwords = "nor this"\nkind = "person"\n'
    )
    clauses = traceability.load(tmp_path)
    assert traceability.gaps(clauses) == ["qld s999(1) (nobody says this): no code and no test"]


def test_a_table_has_its_own_clauses() -> None:
    act = {clause.id for clause in traceability.of_table("sic_bo", ["act1999"])}
    assert "act sicbo 8.3" in act and not any(clause.startswith(("qld", "act keno")) for clause in act)
    qld = {clause.id for clause in traceability.of_table("wheel", ["qld2004"])}
    assert {"qld s154(2)", "qld s5(2)(a)", "qld2004 sch 12 s10(3)"} <= qld


def test_a_bad_file_of_clauses_is_refused(tmp_path: Path) -> None:
    for text in ('[[clause]]\nid = "qld s1"\n', "[[clause", '[[clause]]\nid="a"\nwords="b"\nkind="c"\n'):
        (tmp_path / "x.toml").write_text(text)
        with pytest.raises(CannotRun):
            traceability.load(tmp_path)
    twice = '[[clause]]\nid = "qld s1"\nwords = "w"\nkind = "rule"\n'
    (tmp_path / "x.toml").write_text(twice * 2)
    with pytest.raises(CannotRun):
        traceability.load(tmp_path)
