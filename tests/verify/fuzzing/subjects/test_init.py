"""Every statement has a kind of subjects; both sides of every hypothesis are drawn; sizes are kept or refused."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings

from proofs.errors import FieldError, HeadformsError, ShapeError
from proofs.fields import GF, QQ
from proofs.statements import all_statements, statement
from verify.fuzzing.subjects import KINDS, Size, kind_of, subjects


def draw(claim, size, look, examples=30):
    settings(max_examples=examples, database=None)(given(subjects(claim, size))(look))()


def test_every_kind_is_some_statements():
    assert {s.subject for s in all_statements()} == set(KINDS)


def test_a_class_that_nobody_has_a_strategy_for():
    with pytest.raises(HeadformsError, match="no strategy for complex, the subjects of gauge; add it to verify"):
        kind_of(replace(statement("gauge"), subject=complex))


@pytest.mark.parametrize("claim", all_statements(), ids=lambda s: s.id)
def test_both_sides_of_every_hypothesis_are_drawn(claim):
    """Enough subjects satisfy everything, and each hypothesis alone is violated by some."""
    seen = Counter()

    def look(subject):
        assert isinstance(subject, claim.subject)
        seen["drawn"] += 1
        seen["admitted"] += claim.admits(subject)
        for h in claim.hypotheses:
            seen[h.name] += claim.admits(subject, drop=h.name) and not h.satisfied(subject)

    draw(claim, Size(), look, examples=400)
    # Of the random lobes and heads that satisfy everything there are few, and none is drawn twice.
    assert seen["admitted"] > seen["drawn"] / 40
    assert all(seen[h.name] for h in claim.hypotheses), seen


#: Statement, what is fixed: one for every kind that has something to fix.
FIXED = [
    ("exact-condition", Size(GF(5), 2, 4)),
    ("exact-condition", Size(None, 2, 3)),
    ("lemma-3", Size(None, 1, 4)),
    ("gauge", Size(GF(7), 3, 6)),
    ("definition-6", Size(QQ, 2, 3)),
    ("coordinates", Size(GF(2**89 - 1), 3, 7)),
    ("factor-lemma", Size(GF(3), 2, 6)),
    ("annihilator", Size(GF(5), 3, 5)),
    ("distance", Size(None, 3, 6)),
    ("density", Size(GF(5), 1, 6)),
    ("certificate", Size(None, 3, 6)),
    ("lemma-7", Size(None, None, 6)),
    ("lemma-9", Size(None, None, 5)),
    ("corollary-1", Size(None, None, 3)),
    ("corollary-2", Size(None, 2, 2)),
    ("proposition-5", Size(None, 0, 1)),
    ("proposition-1", Size(GF(5), None, 4)),
    ("proposition-2", Size(None, None, 3)),
    ("proposition-3", Size(None, 3, 6)),
    ("big-heads", Size(None, 4, 9)),
    ("families", Size(None, 2, 6)),
    ("families", Size(None, 1, 1)),
]


@pytest.mark.parametrize(("name", "size"), FIXED, ids=str)
def test_sizes_and_fields_are_kept(name, size):
    claim = statement(name)

    def look(subject):
        n, N = kind_of(claim).size(subject)
        assert size.n in (None, n)
        assert size.N in (None, N)
        if size.field is not None:
            assert getattr(getattr(subject, "head", getattr(subject, "base", subject)), "field", None) == size.field

    draw(claim, size, look, examples=10)


@pytest.mark.parametrize(("size", "place", "value"), [(Size(n=1), 0, 1), (Size(N=2), 1, 2)], ids=["n", "N"])
@pytest.mark.parametrize("claim", {s.subject: s for s in all_statements()}.values(), ids=lambda s: s.subject.__name__)
def test_a_size_is_kept_or_refused(claim, size, place, value):
    """Nothing is ignored, whatever the kind."""
    found = []
    try:
        draw(claim, size, lambda subject: found.append(kind_of(claim).size(subject)[place]), examples=5)
    except ShapeError:
        assert not found
        found = [value]
    assert set(found) == {value}


@pytest.mark.parametrize(
    ("name", "size", "error", "message"),
    [
        (
            "lemma-7",
            Size(n=5),
            ShapeError,
            "spectra, which have N = 2m eigenvalues and no head dimension n; found n = 5",
        ),
        ("lemma-7", Size(N=5), ShapeError, "N = 2m eigenvalues.* found N = 5"),
        ("lemma-9", Size(n=1, N=2), ShapeError, "N eigenvalues and no head dimension n; found n = 1, N = 2"),
        ("lemma-1", Size(N=2), ShapeError, "polynomials in two groups of variables, which have neither n nor N"),
        ("lemma-6", Size(n=2), ShapeError, "random lobes .*128 members.*, which have neither n nor N; found n = 2"),
        ("distance", Size(n=0), ShapeError, "a head dimension n ≥ 1 and a width N; found n = 0"),
        ("families", Size(n=0), ShapeError, "a head dimension n ≥ 1 and a width N; found n = 0"),
        ("corollary-1", Size(N=4), ShapeError, "a width N ≤ 3 .*since every outcome is enumerated; found N = 4"),
        ("corollary-2", Size(n=2, N=3), ShapeError, "with 2nN ≤ 9.*; found n = 2, N = 3"),
        ("proposition-1", Size(n=1), ShapeError, "families of forms, which have a width N and no head dimension n"),
        ("proposition-2", Size(n=1), ShapeError, "blocks, which have a width N and no head dimension n"),
        ("lemma-7", Size(GF(3)), FieldError, r"lemma-7 is about spectra over QQ; found GF\(3\)"),
        ("lemma-2", Size(GF(5)), FieldError, r"lemma-2 is about heads over QQ; found GF\(5\)"),
        ("definition-6", Size(GF(5)), FieldError, "heads with a matrix U and a scale over QQ"),
        ("certificate", Size(GF(5)), FieldError, "heads with a prime and columns over QQ"),
        ("big-heads", Size(QQ), FieldError, "shapes, which have no field; leave out QQ"),
    ],
)
def test_refusals_name_what_the_subjects_have(name, size, error, message):
    with pytest.raises(error, match=f"{name} is about|{message}") as refusal:
        subjects(statement(name), size)
    refusal.match(message)
