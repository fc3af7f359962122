import random
from dataclasses import replace

import pytest
from flint import fmpq

from proofs.fields import QQ
from proofs.spectra import agree, profile
from proofs.statements import proposition_4
from proofs.statements.proposition_4 import rank_one
from tests.cases import case
from tests.proofs.statements.mutation import failures

EXAMPLES = case("S12-rank-one-profile")["expected"]["examples"]


@pytest.mark.parametrize("t", EXAMPLES)
def test_the_profiles_of_the_case(t):
    cosine = QQ(t)
    sine = next(x for x in (fmpq(4, 5), fmpq(1), fmpq(0)) if x * x + cosine * cosine == 1)
    for N in (2, 5):
        found = profile(rank_one(cosine, sine, N, random.Random(N)).L)
        assert found.a == QQ(EXAMPLES[t][0])
        assert all(agree(x, QQ(y)) for x, y in zip(found.components(), EXAMPLES[t], strict=True))


def test_exchanged_parities_are_caught(monkeypatch):
    def wrong(L):
        p = profile(L)
        return replace(p, c=p.d, d=p.c)

    monkeypatch.setattr(proposition_4, "profile", wrong)
    assert failures("proposition-4")
