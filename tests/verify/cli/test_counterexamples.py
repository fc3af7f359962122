import sys

import pytest

from proofs.statements import statement
from verify.cli.counterexamples import STEP, indented, progress_of, statement_text
from verify.errors import HeadformsError
from verify.fuzzing import fuzz_statement
from verify.fuzzing.reports import statement_record


def test_progress_on_a_terminal(monkeypatch, capsys):
    """One line that is written over, every few subjects, and gone in the end."""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with progress_of("theorem-3") as progress:
        fuzz_statement(statement("theorem-3"), examples=3 * STEP, progress=progress)
    out, err = capsys.readouterr()
    assert out == ""
    updates = err.split("\r\033[K")
    assert [update.split(",")[0] for update in updates[1:-1]] == [f"theorem-3: {k * STEP} drawn" for k in (1, 2, 3)]
    assert all(update.endswith(" admitted") for update in updates[1:-1])
    assert updates[-1] == ""


def test_no_progress_in_a_file(monkeypatch, capsys):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: False)
    with progress_of("theorem-3") as progress:
        assert progress is None
    assert capsys.readouterr().err == ""


def test_text():
    found = statement_record(fuzz_statement(statement("theorem-3"), drop="fits"))
    lines = statement_text(found).splitlines()
    assert lines[0] == (
        f"theorem-3: {found['admitted']} of {found['drawn']} heads drawn satisfy all hypotheses but fits"
    )
    assert lines[1] == "counterexample, the smallest found:"
    assert statement_text(found).endswith(indented(found["snippet"]))
    nothing = statement_record(fuzz_statement(statement("lemma-5"), examples=10))
    assert statement_text(nothing) == "lemma-5: 10 of 10 heads drawn satisfy all hypotheses\nno counterexample"


@pytest.mark.parametrize("change", [{"drop": "fits"}, {"admitted": 0}])
def test_a_search_that_had_to_find_something(change):
    record = statement_record(fuzz_statement(statement("theorem-3"), examples=10)) | change
    with pytest.raises(HeadformsError, match=r"and none is a counterexample; choose other sizes"):
        statement_text(record)
