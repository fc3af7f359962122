from flint import fmpq

from proofs.statements import lobe_laws
from proofs.statements.lemma_6 import departs
from proofs.statements.lobe_laws import Sums
from tests.proofs.statements.mutation import failures


def test_departs():
    def sums(*pairs):
        return Sums.of((1, fmpq(x), fmpq(y)) for x, y in pairs)

    assert not departs(sums((2, 4), (1, 2)))
    assert departs(sums((2, 1), (0, 1)))
    assert departs(sums((0, 0)))


def test_pairing_the_largest_with_the_smallest_is_caught(monkeypatch):
    def opposite(size, a, i, b, j):
        yield min(i, size - j), a.high, b.low
        yield max(i - (size - j), 0), a.high, b.high
        yield max(size - j - i, 0), a.low, b.low
        yield size - max(i, size - j), a.low, b.high

    monkeypatch.setattr(lobe_laws, "_runs", opposite)
    assert any("lemma-6 fails" in failure for failure in failures("lemma-6"))
