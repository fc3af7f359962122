from itertools import product

import pytest
from flint import fmpq
from hypothesis import given

from proofs.errors import HypothesisError, ShapeError
from proofs.fields import GF, QQ
from proofs.heads import Head
from proofs.locus import condition, image_dimension
from tests.cases import case
from tests.proofs import fractions_route as route
from verify.strategies import fields, heads


@given(heads(field=fields()))
def test_every_condition_says_the_same(head):
    c = condition(head.n, head.N)
    nondegenerate = head.M.rank() == 2 * head.n
    assert c.holds(head) == nondegenerate
    assert any(x != 0 for _, x in c.minors(head)) == nondegenerate
    assert any(x != 0 for _, x in c.principal_minors(head)) == nondegenerate
    assert c.score_polynomial(head) == c.gram_determinant(head)
    columns = c.holds_with_witness(head)
    if columns is not None:
        assert dict(c.minors(head))[columns] != 0


@given(heads(field=QQ))
def test_the_gram_determinant_is_enough_over_an_ordered_field(head):
    c = condition(head.n, head.N)
    squares = sum((x * x for _, x in c.minors(head)), fmpq(0))
    assert c.gram_determinant(head) == squares >= 0
    assert (squares != 0) == (route.rank(route.exact(head.M)) == 2 * head.n)


def test_the_gram_determinant_is_not_enough_over_a_finite_field():
    c, head = condition(1, 3), Head.of([[1, -1, 0]], [[1, 1, 1]], field=GF(3))
    assert c.holds(head) and c.gram_determinant(head) == 0


def test_codimensions_of_the_case():
    for sizes, codimension in case("S02-degeneracy-codim")["expected"]["values"].items():
        n, N = map(int, sizes.split(","))
        assert condition(n, N).codimension == codimension
    assert condition(2, 3).codimension == 0


def test_counts_of_the_case():
    for text, count in case("S04-nondegenerate-heads-over-Fq")["expected"]["values"].items():
        n, N, q = (int(part.split("=")[1]) for part in text.split(","))
        assert condition(n, N).count(q) == count
        assert condition(n, N).degenerate_count()(q) == q ** (2 * n * N) - count
    for text, share in case("R08-uniform-Fq-nondegenerate")["expected"].items():
        if text != "formula":
            n, N, q = (int(part.split("=")[1]) for part in text.split(","))
            assert condition(n, N).share(q) == QQ(share)


@pytest.mark.parametrize("n, N, p", [(1, 1, 5), (1, 2, 3), (1, 3, 3), (2, 2, 3)])
def test_counts_against_enumeration(n, N, p):
    F, found = GF(p), 0
    for entries in product(range(p), repeat=2 * n * N):
        rows = [entries[i * N : (i + 1) * N] for i in range(2 * n)]
        found += condition(n, N).holds(Head.of(rows[n:], rows[:n], field=F))
    assert found == condition(n, N).count(p)
    assert condition(n, N).is_possible == (found > 0)


def test_image_dimensions_of_the_case():
    for sizes, expected in case("S18-image-dimensions")["expected"]["values_n_N"].items():
        n, N = map(int, sizes.split(","))
        assert image_dimension(n, N) == (expected["dim_image_S"], expected["dim_image_L"])


def test_the_witness():
    for field in (QQ, GF(3)):
        for n in range(4):
            for N in range(max(1, 2 * n), 2 * n + 3):
                assert condition(n, N).holds(condition(n, N).witness(field=field))
    with pytest.raises(HypothesisError, match="2n = 4 > N = 3: every head of this shape is degenerate"):
        condition(2, 3).witness()


def test_the_empty_head_is_never_degenerate():
    c = condition(0, 3)
    assert c.holds(c.witness()) and c.degree == 0 and c.count(3) == 1
    assert c.degenerate_count() == 0


def test_errors():
    with pytest.raises(ShapeError, match=r"the head is 1 × 2; this condition is for n = 2, N = 5"):
        condition(2, 5).holds(Head.of([[1, 0]], [[0, 1]]))
    with pytest.raises(ShapeError, match="expected n ≥ 0 and N ≥ 1"):
        condition(1, 0)
    with pytest.raises(HypothesisError, match="at least 2 elements; found q = 1"):
        condition(1, 2).count(1)
