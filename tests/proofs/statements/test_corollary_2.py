import pytest

from proofs.fields import QQ
from proofs.statements import finite_laws
from proofs.statements.finite_laws import SIGN, RandomEntries, RandomHead, expected_energies
from tests.cases import case
from tests.proofs.statements.mutation import failures

EXACT = case("R02-rademacher-expectations")["expected"]["exact"]


@pytest.mark.parametrize("sizes", EXACT)
def test_the_energies_of_the_case(sizes):
    n, N = (int(part.split("=")[1]) for part in sizes.split(","))
    law = RandomHead(RandomEntries.independent([SIGN] * (2 * n * N)), n, N)
    score, symmetric = (QQ(x) for x in EXACT[sizes])
    assert expected_energies(law) == (symmetric, score)


def test_the_whole_form_for_its_symmetric_part_is_caught(monkeypatch):
    monkeypatch.setattr(finite_laws, "symmetric_part", lambda L: L)
    assert failures("corollary-2")
