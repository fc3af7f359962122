"""The law of certificates: our checker obeys it, and without any one of its checks it does not."""

import inspect
import sys
import types

import pytest

from verify import checking, laws
from verify.checking import check_head


def independently(record, batch):
    return check_head(record, batch.exact_rows(0)).confirmed


def test_our_checker():
    laws.certificates(independently)


#: A check, and the checker without it.
DROPPED = {
    "verdict": ('"verdict": verdict,', ""),
    "rank of M": ('"rank_stacked": rank_stacked,', ""),
    "signature": ('"signature": {"positive": positive, "negative": negative, "zero": zero},', ""),
    "rank": ('"rank": positive + negative,', ""),
    "radical": ('"radical": zero,', ""),
    "Witt index": ('"witt_index": witt,', ""),
    "isotropy": ('"isotropy_dimension": zero + witt,', ""),
    "anisotropic part": ('"anisotropic_dimension": abs(positive - negative),', ""),
    "conclusion": ('"hyperbolic_plus_zero": positive == negative,', ""),
    "proof": ('raise WrongClaimError("the record has a verdict and no proof")', 'return "trusted"'),
    "number of columns": (
        "if len(columns) != 2 * n or not has_rank([[row[j] for j in columns] for row in M], 2 * n, prime):",
        "if not has_rank([[row[j] for j in columns] for row in M], len(columns), prime):",
    ),
    "rank of columns": ("[[row[j] for j in columns] for row in M], 2 * n, prime)", "[[1] * 2 * n], 1, prime)"),
    "rank by elimination": ("if has_rank(M, 2 * n, prime):", "if True:"),
    "size of the minor": (
        "len(rows) == len(columns) == rank and has_rank([[M[i][j] for j in columns] for i in rows], rank, prime)",
        "has_rank([[M[i][j] for j in columns] for i in rows], min(len(rows), len(columns)), prime)",
    ),
    "minor": ("for j in columns] for i in rows], rank, prime)", "for j in columns] for i in rows], 0, prime)"),
    "odd modulus": ("if prime < 3 or prime % 2 == 0 or any", "if prime > 2 and any"),
    "prime modulus": ("or any(prime % q == 0 for q in _small_divisors(prime))", ""),
    "large prime": ("elif not _strong_probable_prime(prime):", "elif False:"),
    "number of null vectors": ("if len(vectors) != len(M) - rank or not", "if not"),
    "independent null vectors": ("or not has_rank(vectors, len(vectors), prime)", ""),
    "null vectors annihilate": ("if any(sum(x * row[j] for x, row in support) for j in range(N)):", "if False:"),
}


@pytest.mark.parametrize("check", DROPPED)
def test_a_checker_without_one_check_is_found(check, monkeypatch):
    source, (old, new) = inspect.getsource(checking), DROPPED[check]
    assert source.count(old) == 1
    module = types.ModuleType("checking_without")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    exec(source.replace(old, new), module.__dict__)

    def careless(record, batch):
        return module.check_head(record, batch.exact_rows(0)).confirmed

    with pytest.raises(laws.LawError, match="careless breaks the law 'certificates'.*\nit confirms a record with"):
        laws.certificates(careless)


def test_a_checker_that_trusts_nobody_is_found():
    with pytest.raises(laws.LawError, match="it refuses a true record, for Q = "):
        laws.certificates(lambda record, batch: False)
