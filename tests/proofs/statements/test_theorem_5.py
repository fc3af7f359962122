import pytest
from flint import fmpq

from proofs.fields import QQ
from proofs.statements import theorem_5
from proofs.statements.theorem_5 import limit
from tests.cases import case
from tests.proofs.statements.mutation import failures

EXPECTED = {
    name.removeprefix("rho="): value
    for name, value in case("R12-accumulation-limit")["expected"].items()
    if name.startswith("rho=")
}


@pytest.mark.parametrize("rho", EXPECTED)
def test_the_limits_of_the_case(rho):
    assert limit(QQ(rho)) == tuple(QQ(x) for x in EXPECTED[rho])


def test_a_wrong_limit_is_caught(monkeypatch):
    def wrong(rho):
        a, b, c, d = limit(rho)
        return a, b / 2, c, d

    monkeypatch.setattr(theorem_5, "limit", wrong)
    found = failures("theorem-5")
    assert any("theorem-5 fails" in failure for failure in found)
    assert any("the limit for ρ" in failure for failure in found)


def test_the_limit_lies_in_the_simplex():
    for k in range(30):
        assert sum(limit(fmpq(k, 7)), fmpq(0)) == 1
