from dataclasses import replace

import pytest

from proofs.fields import QQ
from proofs.spectra import profile
from proofs.statements import theorem_4
from proofs.statements.theorem_4 import _dominates, _is_mirrored
from tests.proofs.statements.mutation import failures


@pytest.mark.parametrize(
    "values, mirrored, above, below",
    [
        ([1, -1], True, True, True),
        ([2, 1, -1, -2, 0], True, True, True),
        ([2, -1], False, True, False),
        ([3, 1, -2, -2], False, False, False),
        ([1, -1, -1], False, False, True),
        ([0], True, True, True),
    ],
)
def test_orders_of_lobes(values, mirrored, above, below):
    S = QQ.diagonal(values)
    assert _is_mirrored(S) == mirrored
    assert (_dominates(S, 1), _dominates(S, -1)) == (above, below)


@pytest.mark.parametrize("change", [{"c": "d", "d": "c"}, {"b": "c", "c": "b"}])
def test_exchanged_components_are_caught(monkeypatch, change):
    def wrong(L):
        p = profile(L)
        return replace(p, **{name: getattr(p, other) for name, other in change.items()})

    monkeypatch.setattr(theorem_4, "profile", wrong)
    assert failures("theorem-4")
