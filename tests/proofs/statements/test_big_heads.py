import pytest

from proofs.statements import big_heads
from proofs.statements.big_heads import Shape, chambers, holds
from tests.cases import case
from tests.proofs.statements.mutation import failures

CHAMBERS = case("S10-generic-signatures-2n>N")["expected"]["values"]


@pytest.mark.parametrize("sizes", CHAMBERS)
def test_the_chambers_of_the_case(sizes):
    n, N = map(int, sizes.split(","))
    assert chambers(n, N) == [tuple(pair) for pair in CHAMBERS[sizes]]


def test_gaussian_chambers_are_exchanged_by_a_sign():
    """K ↦ −K preserves a symmetric law and exchanges p and q: two chambers have probability ½ each."""
    expected = case("R06-gaussian-signature-chambers")["expected"]
    for sizes in ("n=1,N=1", "n=2,N=3"):
        n, N = (int(part.split("=")[1]) for part in sizes.split(","))
        found = chambers(n, N)
        assert found == [(q, p) for p, q in reversed(found)]
        assert sorted(expected[sizes].items()) == sorted((f"({p},{q})", "1/2") for p, q in found)


@pytest.mark.parametrize("n", range(1, 9))
def test_how_many_chambers(n):
    for N in range(1, 2 * n):
        assert len(chambers(n, N)) == (2 * n - N + 1 if N >= n else N + 1)
        assert holds(Shape(n, N))
    assert not holds(Shape(n, 2 * n))


def test_a_missing_chamber_is_caught(monkeypatch):
    monkeypatch.setattr(big_heads, "chambers", lambda n, N: chambers(n, N)[1:-1] or [(N // 2, N - N // 2)])
    assert failures("big-heads")
