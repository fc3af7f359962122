import pytest

from proofs.heads import Head
from proofs.statements.identities import holds
from tests.cases import case
from tests.proofs.statements.mutation import failures

RATIOS = case("S06-detS-2n=N")["expected"]["values_by_n"]


@pytest.mark.parametrize("n", RATIOS)
def test_the_determinants_of_the_case(n):
    size = int(n)
    Q = [[(i * 5 + j * j + 1) % 7 - 3 for j in range(2 * size)] for i in range(size)]
    K = [[(i * i + 3 * j + 2) % 5 - 1 for j in range(2 * size)] for i in range(size)]
    for i in range(size):
        Q[i][i] += 9
        K[i][size + i] += 9
    head = Head.of(Q, K)
    assert head.M.det() != 0
    assert head.S.det() / head.M.det() ** 2 == head.field(RATIOS[n])
    assert holds(head)


@pytest.mark.parametrize(
    "attribute, wrong",
    [
        ("L", lambda head: head.Q.transpose() * head.K),
        ("S", lambda head: head.L + head.L.transpose()),
        ("T", lambda head: (head.L.transpose() - head.L) * head._half),
    ],
)
def test_a_wrong_part_is_caught(monkeypatch, attribute, wrong):
    monkeypatch.setattr(Head, attribute, property(wrong))
    assert failures("identities")
