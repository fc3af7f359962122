import pytest

from proofs.heads import Head
from proofs.statements.certificate import Certificate, holds
from tests.proofs.statements.mutation import failures


@pytest.mark.parametrize(
    "prime, columns, valid",
    [
        (3, (0, 1), True),
        (5, (0, 1), False),
        (2, (0, 1), False),
        (9, (0, 1), False),
        (3, (0, 0), False),
        (3, (0, 2), False),
    ],
)
def test_validity(prime, columns, valid):
    assert Certificate(Head.of([[0, 5]], [[1, 0]]), prime, columns).is_valid == valid


def test_a_denominator_is_no_certificate():
    certificate = Certificate(Head.of([["1/3", 0]], [[0, 1]]), 3, (0, 1))
    assert not certificate.is_valid and holds(certificate)


def test_accepting_everything_is_caught(monkeypatch):
    monkeypatch.setattr(Certificate, "is_valid", property(lambda certificate: True))
    assert failures("certificate")
