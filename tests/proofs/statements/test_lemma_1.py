import pytest

from proofs.statements import lemma_1
from proofs.statements.lemma_1 import holds, parts, polynomial
from tests.proofs.statements.mutation import failures


def test_the_four_parts_of_a_known_polynomial():
    """f = 2xy + 3x − y + 5."""
    of = polynomial(1, 1, {(1, 1): 2, (1, 0): 3, (0, 1): -1, (0, 0): 5})
    (x,), (y,) = of.points[:2]
    assert parts(of, [x], [y]) == (2 * x * y, 3 * x, -y, 5)
    assert holds(of)


@pytest.mark.parametrize("exponents", [(2, 0), (0, 2), (2, 1), (1, 2), (3, 3)])
def test_a_higher_degree_fails(exponents):
    assert not holds(polynomial(1, 1, {exponents: 1, (0, 0): 7}))


def test_a_wrong_difference_formula_is_caught(monkeypatch):
    def wrong(of, x, y):
        bilinear, in_x, in_y, constant = parts(of, x, y)
        return bilinear - constant, in_x, in_y, constant

    monkeypatch.setattr(lemma_1, "parts", wrong)
    assert failures("lemma-1")
