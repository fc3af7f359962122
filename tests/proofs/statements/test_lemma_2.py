import pytest

from proofs.spectra import lobe_sums
from proofs.statements import lemma_2
from proofs.statements.instances import heads_of_spectrum
from proofs.statements.lemma_2 import holds
from tests.proofs.statements.mutation import failures


@pytest.mark.parametrize("values", [[1], [1, -1], [2, 1, -6, -3], [3, -1, -1], [5, 4, -1, 0]])
def test_known_spectra(values):
    (head,) = heads_of_spectrum([values])
    assert holds(head)


def test_no_positive_lobe():
    (head,) = heads_of_spectrum([[-1, -2]])
    assert not holds(head)


@pytest.mark.parametrize("factor", [2, 1 / 2])
def test_a_wrong_pairing_is_caught(monkeypatch, factor):
    def wrong(spectrum):
        product, above, below = lobe_sums(spectrum)
        return product * factor, above, below

    monkeypatch.setattr(lemma_2, "lobe_sums", wrong)
    assert failures("lemma-2")
