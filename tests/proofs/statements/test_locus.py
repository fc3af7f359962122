from math import comb

import pytest

from proofs.locus import Condition, condition
from proofs.statements.locus import _below_staircase, linear_section
from tests.proofs.statements.mutation import failures


def test_a_staircase_by_hand():
    """x², xy, y³: 1, x, y, y²."""
    assert _below_staircase([(2, 0), (1, 1), (0, 3)], 2) == 4
    assert _below_staircase([(2, 0), (1, 1)], 2) is None
    assert _below_staircase([(0, 0)], 2) == 0


@pytest.mark.parametrize("seed", [2, 3])
def test_other_sections_have_the_same_degree(seed):
    assert linear_section(condition(1, 4), 3, seed=seed) == 4
    assert linear_section(condition(2, 4), 1, seed=seed) == 4


@pytest.mark.parametrize(
    "attribute, wrong",
    [
        ("degree", property(lambda c: comb(c.N, 2 * c.n))),
        ("codimension", property(lambda c: c.N - 2 * c.n)),
        ("count", lambda c, q: (q**c.N - 1) ** (2 * c.n)),
        ("gram_determinant", lambda c, head: (head.Q * head.Q.transpose()).det()),
    ],
)
def test_wrong_geometry_is_caught(monkeypatch, attribute, wrong):
    monkeypatch.setattr(Condition, attribute, wrong)
    assert failures("locus")
