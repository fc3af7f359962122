"""Quality: dropping a hypothesis gives the smallest counterexample there is."""

import pytest
from hypothesis.errors import HypothesisException

from proofs.errors import HeadformsError, HypothesisError
from proofs.fields import GF, QQ
from proofs.heads import Head
from proofs.statements import all_statements, statement
from proofs.statements.registry import describe
from verify.fuzzing import fuzz_statement
from verify.fuzzing.subjects import Size, has_strategy

HYPOTHESES = [(s, h.name) for s in all_statements() for h in s.hypotheses]


@pytest.mark.parametrize(("claim", "drop"), HYPOTHESES, ids=lambda x: getattr(x, "id", x))
def test_every_hypothesis_is_necessary(claim, drop):
    report = fuzz_statement(claim, drop=drop)
    found = report.counterexample
    assert report.found, describe(claim)
    assert 0 < report.admitted <= report.drawn
    assert claim.admits(found, drop=drop)
    assert not claim.hypothesis(drop).satisfied(found)
    assert not claim.holds(found)


@pytest.mark.parametrize("claim", all_statements(), ids=lambda s: s.id)
def test_no_statement_is_refuted(claim):
    report = fuzz_statement(claim, examples=150)
    assert report.admitted > 0
    assert not report.found


def entries(matrix):
    return [[str(x) for x in row] for row in matrix.tolist()]


def head_of(report):
    found = report.counterexample
    return entries(found.Q), entries(found.K)


def test_without_nondegeneracy():
    """n = 1, N = 2 and entries in {0, ±1}."""
    head = fuzz_statement(statement("theorem-3"), drop="full-rank").counterexample
    assert (head.n, head.N) == (1, 2)
    assert {abs(int(x)) for x in head.M.entries()} <= {0, 1}


def test_without_room():
    """M of full rank min(2n, N) and 2n > N: n = N = 1."""
    assert head_of(fuzz_statement(statement("theorem-3"), drop="fits")) == ([["1"]], [["1"]])


def test_without_a_gauge():
    """A = B = 0 takes L = 1 to 0."""
    gauge = fuzz_statement(statement("gauge"), drop="inverse").counterexample
    assert (entries(gauge.head.Q), entries(gauge.head.K)) == ([["1"]], [["1"]])
    assert entries(gauge.A) == entries(gauge.B) == [["0"]]


def test_without_orthogonality():
    """U = 0 leaves no profile."""
    move = fuzz_statement(statement("definition-6"), drop="orthogonal").counterexample
    assert (entries(move.head.Q), entries(move.head.K), entries(move.U)) == ([["1"]], [["1"]], [["0"]])


def test_without_an_ordered_field():
    """Over F₃ with N = 3, since for N = 2 the Gram determinant is the square of the only minor."""
    report = fuzz_statement(statement("locus"), drop="ordered")
    head = report.counterexample
    assert (head.n, head.N, head.field) == (1, 3, GF(3))


def test_without_rank_one():
    """Rank two and norm 1: two rows and two columns, from the triple (3, 4, 5)."""
    head = fuzz_statement(statement("proposition-4"), drop="rank-one").counterexample
    assert (head.n, head.N) == (2, 2)
    assert {str(abs(x)) for x in head.L.entries()} == {"0", "3/5", "4/5"}


def test_without_norm_one():
    head = fuzz_statement(statement("proposition-4"), drop="unit-norm").counterexample
    assert (head.n, head.N) == (1, 1)


@pytest.mark.parametrize("name", ["characteristic", "char-2", "Characteristic-not-2"])
def test_characteristic_two_is_refused_with_the_reason(name):
    with pytest.raises(HypothesisError, match=r"characteristic ≠ 2 cannot be dropped: S = \(L \+ Lᵀ\)/2 needs ½"):
        fuzz_statement(statement("theorem-3"), drop=name)


def test_other_names_are_refused_with_those_there_are():
    with pytest.raises(HeadformsError, match="has no hypothesis 'nothing'; its hypotheses: fits, full-rank"):
        fuzz_statement(statement("theorem-3"), drop="nothing")


@pytest.mark.parametrize("field", [QQ, GF(3), GF(2**89 - 1)], ids=str)
def test_fields_and_sizes(field):
    report = fuzz_statement(statement("theorem-3"), drop="full-rank", size=Size(field, 2, 5))
    head = report.counterexample
    assert (head.n, head.N, head.field) == (2, 5, field)


def test_seeds_reproduce_and_databases_remember(tmp_path):
    claim = statement("proposition-4")
    runs = [fuzz_statement(claim, drop="rank-one", seed=3) for _ in range(2)]
    one, two = ((run.drawn, run.admitted, describe(run.counterexample)) for run in runs)
    assert one == two
    fuzz_statement(claim, drop="rank-one", database=tmp_path)
    assert fuzz_statement(claim, drop="rank-one", examples=1, seed=9, database=tmp_path).found


def test_subjects_without_a_strategy_come_from_the_instances():
    without = [s for s in all_statements() if not has_strategy(s)]
    assert without
    report = fuzz_statement(without[0], examples=20)
    assert not report.drawn_freely
    assert report.admitted > 0
    assert issubclass(HypothesisException, Exception)
    assert isinstance(fuzz_statement(statement("theorem-3"), drop="fits").counterexample, Head)
