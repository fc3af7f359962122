"""Quality: dropping a hypothesis gives the smallest counterexample there is."""

import re
from dataclasses import replace

import pytest

from proofs.errors import FieldError, HeadformsError, HypothesisError, ShapeError
from proofs.fields import GF, QQ
from proofs.heads import Head
from proofs.statements import all_statements, statement
from proofs.statements.registry import describe
from tests.verify.fuzzing.searches import searched
from verify.fuzzing import fuzz_statement
from verify.fuzzing.snippets import Code
from verify.fuzzing.subjects import Size, kind_of

HYPOTHESES = [(s, h.name) for s in all_statements() for h in s.hypotheses]


#: Head dimension and width of the smallest counterexample; None for what the subjects do not have.
SMALLEST = {
    ("definition-6", "orthogonal"): (1, 1),
    ("definition-6", "positive-scale"): (1, 1),
    ("definition-6", "nonzero"): (0, 1),
    ("lemma-1", "degree-in-x"): (None, None),
    ("lemma-1", "degree-in-y"): (None, None),
    ("lemma-2", "positive-lobe"): (0, 1),
    ("lemma-3", "rank"): (0, 1),
    ("lemma-4", "symmetric-part"): (0, 1),
    ("lemma-6", "independent"): (None, None),
    ("lemma-6", "same-law"): (None, None),
    ("lemma-6", "positive"): (None, None),
    ("lemma-6", "second-moment"): (None, None),
    ("lemma-7", "unit-norm"): (None, 2),
    ("lemma-7", "balanced"): (None, 2),
    ("lemma-8", "unit-norm"): (None, 2),
    ("lemma-8", "balanced"): (None, 2),
    ("lemma-9", "contraction"): (None, 1),
    ("lemma-10", "onto"): (1, 1),
    ("proposition-1", "invertible"): (None, 1),
    ("proposition-2", "convex"): (None, 1),
    ("proposition-2", "value-bound"): (None, 1),
    ("proposition-2", "lipschitz"): (None, 1),
    ("proposition-2", "fixes-zero"): (None, 1),
    ("proposition-3", "normalised"): (0, 1),
    ("proposition-3", "relative"): (1, 1),
    ("proposition-4", "rank-one"): (2, 2),
    ("proposition-4", "unit-norm"): (1, 1),
    ("proposition-5", "invariant"): (1, 2),
    ("proposition-5", "nonzero"): (0, 1),
    ("theorem-3", "fits"): (1, 1),
    ("theorem-3", "full-rank"): (1, 2),
    ("theorem-4", "nonzero"): (0, 1),
    ("theorem-5", "independent"): (None, None),
    ("theorem-5", "same-law"): (None, None),
    ("theorem-5", "positive"): (None, None),
    ("theorem-5", "second-moment"): (None, None),
    ("corollary-1", "independent"): (None, 2),
    ("corollary-1", "identical"): (None, 2),
    ("corollary-1", "centred"): (None, 2),
    ("corollary-1", "nonzero"): (None, 1),
    ("corollary-2", "independent"): (1, 2),
    ("corollary-2", "identical"): (1, 1),
    ("corollary-2", "centred"): (1, 2),
    ("corollary-2", "nonzero"): (0, 1),
    ("factor-lemma", "product"): (1, 1),
    ("factor-lemma", "row-rank"): (0, 1),
    ("annihilator", "annihilates"): (1, 1),
    ("annihilator", "spans"): (1, 1),
    ("annihilator", "independent"): (0, 1),
    ("big-heads", "big"): (0, 1),
    ("gauge", "inverse"): (1, 1),
    ("coordinates", "invertible"): (1, 1),
    ("locus", "ordered"): (1, 3),
    ("locus", "fits"): (2, 1),
    ("density", "target"): (1, 1),
    ("density", "infinite"): (1, 2),
    ("distance", "degenerate"): (1, 2),
    ("families", "sizes"): (1, 1),
    ("certificate", "nonzero-minor"): (1, 1),
}

#: The largest number written in them, where it is above 2: a point of a circle, seven displacements, F₃ and primes.
LARGEST = {
    ("lemma-7", "balanced"): 5,
    ("lemma-8", "balanced"): 5,
    ("proposition-1", "invertible"): 3,
    ("proposition-4", "rank-one"): 5,
    ("corollary-1", "identical"): 4,
    ("locus", "ordered"): 3,
    ("density", "infinite"): 3,
    ("certificate", "nonzero-minor"): 3,
}


def check_search(claim, drop, seed):
    """Something is found, it is a counterexample, it is small, and the snippet says so."""
    report = searched(claim.id, drop, seed)
    found = report.counterexample
    assert report.found, describe(claim)
    assert 0 < report.admitted <= report.drawn
    assert claim.admits(found, drop=drop)
    assert not claim.hypothesis(drop).satisfied(found)
    assert not claim.holds(found)
    assert kind_of(claim).size(found) == SMALLEST[claim.id, drop]
    written = [int(number) for number in re.findall(r"\b\d+", Code().of(found))]
    assert max(written, default=0) <= LARGEST.get((claim.id, drop), 2)


def test_every_hypothesis_has_a_smallest_counterexample():
    assert set(SMALLEST) == {(claim.id, drop) for claim, drop in HYPOTHESES}


@pytest.mark.parametrize(("claim", "drop"), HYPOTHESES, ids=lambda x: getattr(x, "id", x))
def test_every_hypothesis_is_necessary(claim, drop):
    check_search(claim, drop, seed=0)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 5))
@pytest.mark.parametrize(("claim", "drop"), HYPOTHESES, ids=lambda x: getattr(x, "id", x))
def test_every_hypothesis_is_necessary_with_any_seed(claim, drop, seed):
    check_search(claim, drop, seed)


@pytest.mark.parametrize(
    ("name", "drop"),
    [
        ("lemma-1", "degree-in-x"),
        ("lemma-6", "second-moment"),
        ("proposition-1", "invertible"),
        ("proposition-2", "value-bound"),
        ("proposition-3", "relative"),
        ("proposition-5", "invariant"),
        ("corollary-1", "identical"),
        ("factor-lemma", "product"),
        ("annihilator", "spans"),
        ("big-heads", "big"),
        ("coordinates", "invertible"),
        ("distance", "degenerate"),
        ("families", "sizes"),
        ("certificate", "nonzero-minor"),
    ],
)
def test_what_is_registered_plays_no_part(name, drop):
    """The search sees no instance, and no counterexample but for the field it lives over."""
    claim = statement(name)
    blind = replace(
        claim,
        instances=lambda: pytest.fail("looked at the instances"),
        hypotheses=tuple(replace(h, counterexample=lambda: Head.of([[7]], [[7]])) for h in claim.hypotheses),
    )
    again = fuzz_statement(blind, drop=drop)
    assert describe(again.counterexample) == describe(searched(name, drop, 0).counterexample)


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


def test_progress_is_told_after_every_subject():
    told = []
    report = fuzz_statement(statement("theorem-3"), examples=40, progress=lambda *counts: told.append(counts))
    assert [drawn for drawn, _ in told] == list(range(1, report.drawn + 1))
    assert told[-1] == (report.drawn, report.admitted)


def test_what_the_subjects_do_not_have_is_refused():
    with pytest.raises(ShapeError, match="lemma-7 is about spectra, .* found n = 5"):
        fuzz_statement(statement("lemma-7"), size=Size(n=5))
    with pytest.raises(FieldError, match=r"lemma-7 is about spectra over QQ; found GF\(3\)"):
        fuzz_statement(statement("lemma-7"), drop="balanced", size=Size(GF(3)))


def test_sizes_that_are_asked_for_are_those_of_the_counterexample():
    moved = fuzz_statement(statement("coordinates"), drop="invertible", size=Size(GF(7), 3, 7)).counterexample
    assert (moved.head.n, moved.head.N, moved.head.field) == (3, 7, GF(7))
    assert (moved.U.nrows(), moved.U.ncols()) == (7, 7)
