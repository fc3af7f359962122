"""``headforms theorems``: listing, running, and what a false statement does."""

from __future__ import annotations

import json
from dataclasses import replace

from proofs.statements import NOTATION, all_statements, registry
from tests.verify.cli.running import headforms


def test_every_statement_has_its_line() -> None:
    done = headforms("theorems")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert [line.split()[0] for line in lines[1:]] == [s.id for s in all_statements()]
    assert "fits, full-rank" in next(line for line in lines if line.startswith("theorem-3"))


def test_what_a_statement_says() -> None:
    done = headforms("theorems", "lemma-3", "corollary-1")
    assert done.returncode == 0
    assert done.stdout.startswith("lemma-3: rank balance (arXiv 2609.22990, Lemma 3)\n")
    assert "hypothesis centred: the entries have mean 0" in done.stdout
    assert "    false without it for BoundedForm(L=[1], n=0)\n" in done.stdout
    assert done.stdout.count("\nnotation:\n") == 1
    assert all(meaning in done.stdout for _, meaning in NOTATION)


def test_what_is_machine_checked_of_a_statement() -> None:
    """Names, files and extent, in the listing, in the text and in the JSON."""
    lines = {line.split()[0]: line for line in headforms("theorems").stdout.splitlines()}
    assert " 2*  product, row-rank" in lines["factor-lemma"] and " 0   orthogonal" in lines["definition-6"]
    text = headforms("theorems", "factor-lemma", "locus", "lemma-9").stdout.splitlines()
    assert "  machine-checked (factorisation_exists, FactorLemma.v): every M is such a product with r = rank M" in text
    assert "  machine-checked in full" in text
    assert any(line.startswith("  machine-checked in part; missing: irreducibility") for line in text)
    assert "  not machine-checked: sums of infinite series" in text
    for entry in json.loads(headforms("theorems", "--format", "json").stdout):
        found = entry["machine_checked"]
        assert (found["extent"] == "whole") == (found["missing"] == "")
        assert all(set(theorem) == {"name", "file", "says"} for theorem in found["theorems"])


def test_running_checks() -> None:
    done = headforms("theorems", "lemma-3", "lemma-5", "--check")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1] == "2 statements: all checked"
    assert "ok     lemma-5" in done.stdout
    assert "  ok (counterexample, 1 case): without rank\n" in done.stdout


def test_json() -> None:
    listed = json.loads(headforms("theorems", "--format", "json").stdout)
    assert [entry["id"] for entry in listed] == [s.id for s in all_statements()]
    assert all(entry["checks"] for entry in listed)
    assert all("cases" not in c for entry in listed for c in entry["checks"])
    (entry,) = json.loads(headforms("theorems", "lemma-3", "--check", "--format", "json").stdout)
    assert all(c["cases"] > 0 and c["failure"] is None for c in entry["checks"])
    assert entry["hypotheses"] == [{"name": "rank", "text": "rank L ≤ n", "counterexample": "BoundedForm(L=[1], n=0)"}]


def test_an_unknown_statement() -> None:
    done = headforms("theorems", "lemma-99")
    assert done.returncode == 2
    assert "no statement 'lemma-99'" in done.stderr


def test_a_false_statement_is_an_inconsistency(monkeypatch) -> None:
    """A failing check exits 70, names the instance, and the JSON is complete all the same."""
    wrong = replace(next(s for s in all_statements() if s.id == "lemma-3"), holds=lambda form: form.n == 0)
    monkeypatch.setattr(registry, "all_statements", lambda: (wrong,))
    done = headforms("theorems", "lemma-3", "--check")
    assert done.returncode == 70
    assert "FAILED lemma-3" in done.stdout and "checks failed" in done.stdout
    assert "lemma-3 fails for" in done.stderr
    done = headforms("theorems", "lemma-3", "--check", "--format", "json")
    assert done.returncode == 70
    assert json.loads(done.stdout)[0]["checks"][0]["failure"]
