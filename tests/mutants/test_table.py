"""The table is up to date, and a run tells the killed from the survivors. The whole run is `make mutants`."""

from collections import Counter

import pytest

from tests.mutants.run import ROOT, Outcome, copied, report, run
from tests.mutants.table import MUTANTS, Mutant


@pytest.mark.parametrize("mutant", MUTANTS, ids=str)
def test_every_mutant_applies_once(mutant):
    text = (ROOT / mutant.file).read_text(encoding="utf-8")
    assert text.count(mutant.old) == 1
    assert mutant.new != mutant.old
    for test in mutant.tests:
        assert (ROOT / test.split("::")[0]).exists()


def test_there_are_enough_of_every_area():
    areas = Counter(mutant.area for mutant in MUTANTS)
    assert set(areas) == {"inertia", "certificates", "profile", "witt", "layouts"}
    assert min(areas.values()) >= 8
    assert len(MUTANTS) >= 40
    assert len({(mutant.file, mutant.old, mutant.new) for mutant in MUTANTS}) == len(MUTANTS)


def test_a_mutant_is_killed_and_one_that_changes_nothing_is_not(tmp_path, capsys):
    tests = ("tests/proofs/test_hilbert.py",)
    right = "sign = -1 if alpha * beta * (p - 1) // 2 % 2 else 1"
    mutants = [
        Mutant("witt", "proofs/hilbert.py", right, "sign = 1", tests),
        Mutant("witt", "proofs/hilbert.py", right, f"{right}  # as it was", tests),
    ]
    copy = copied(tmp_path)
    killed, alive = run(mutants, copy)
    assert killed.killer is not None
    assert killed.killer.startswith("test_hilbert.py::")
    assert alive.killer is None
    assert (copy / "proofs/hilbert.py").read_text() == (ROOT / "proofs/hilbert.py").read_text()
    assert report([killed] * 9 + [alive]) == 0
    assert report([killed, alive]) == 1
    assert "survives without a reason" in capsys.readouterr().out
    assert report([Outcome(Mutant("witt", "", "", "", (), "equal"), "a test", 0.0)]) == 1
