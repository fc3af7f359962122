"""The theorem and its companions as properties that anybody's code can be tested for, one line each.

A law is called on a function of a head: what it takes (Q and K as arrays or tensors, one by one or batched, a stored
batch, an exact head) is found out by calling it. What it answers is the signature, if the law is about signatures and
nothing else is said; ``of=`` says ``witt``, ``rank``, ``rank-stacked``, ``profile`` or ``proof`` (of nondegeneracy). A
law of forms, one of :data:`FORM_LAWS`, is called on a function that takes a :class:`~proofs.forms.Form`, whose Gram
matrix is ``form.gram`` and whose field ``form.field``, and gives its Witt index; that of checkers on one of a record
and a batch. What a law says is shown by ``repr`` and by ``help``:

>>> for law in FORM_LAWS[:2]:
...     print(repr(law))
<law decomposition of the Witt index of forms: the Witt index of wH ⊥ B ⊥ 0ᵗ, B anisotropic, is w>
<law congruence of the Witt index of forms: the Witt index of PᵀAP is that of A, P invertible>

In a test file of your own:

    import pytest
    from verify import laws
    from mypackage import my_profile, my_signature, my_witt_index

    def test_gauge():
        laws.gauge(my_signature)
        laws.gauge(my_profile, of="profile")

    @pytest.mark.parametrize("law", laws.of("profile"), ids=str)  # every law of the profile; pytest -k rank_one
    def test_profile(law):
        law(my_profile)

    @pytest.mark.parametrize("law", laws.FORM_LAWS, ids=str)  # the Witt index of exact forms, over ℚ and F_p
    def test_witt_index(law):
        law(my_witt_index)

    def test_checker():
        laws.certificates(my_check)  # of records of an audit: true ones, and the same tampered with

Heads are drawn by :mod:`verify.strategies`, degenerate ones among them; a broken law shows the smallest. Needs the
extra ``strategies``.

>>> import numpy as np
>>> def counted(Q, K):
...     L = K.T @ Q
...     eigenvalues = np.linalg.eigvalsh((L + L.T) / 2)
...     return (eigenvalues > 1e-9).sum(), (eigenvalues < -1e-9).sum()
>>> swap(counted)
>>> scaling(counted)
Traceback (most recent call last):
...
verify.laws.law.LawError: counted breaks the law 'scaling' of the signature: positive factors of Q and K leave ...
it says (1, 0) for Q = [[1]], K = [[1]], stored as torch.float64
it says (0, 0) for Q = [[1]], K = [[1/1073741824]], stored as torch.float64
...
"""

from dataclasses import replace

from verify.errors import HeadformsError
from verify.fuzzing.questions import QUESTIONS
from verify.laws.certificates import CertificateLaw, certificates
from verify.laws.forms import classes, congruence, decomposition, opposite, planes, radical, squares
from verify.laws.invariance import (
    batching,
    coordinates,
    gauge,
    negation,
    orthogonal,
    permutation,
    rotation,
    scaling,
    swap,
)
from verify.laws.law import FormLaw, Law, LawError
from verify.laws.profiles import faces, rank_one, simplex, symmetric_share
from verify.laws.theorems import additivity, balance, corank, plane, soundness, theorem, truth, zero

__all__ = [
    "FORM_LAWS",
    "LAWS",
    "CertificateLaw",
    "FormLaw",
    "Law",
    "LawError",
    "additivity",
    "balance",
    "batching",
    "certificates",
    "classes",
    "congruence",
    "coordinates",
    "corank",
    "decomposition",
    "faces",
    "gauge",
    "negation",
    "of",
    "opposite",
    "orthogonal",
    "permutation",
    "plane",
    "planes",
    "radical",
    "rank_one",
    "rotation",
    "scaling",
    "simplex",
    "soundness",
    "squares",
    "swap",
    "symmetric_share",
    "theorem",
    "truth",
    "zero",
]

#: The laws of functions of heads.
LAWS: tuple[Law, ...] = (
    truth,
    soundness,
    theorem,
    corank,
    balance,
    additivity,
    plane,
    zero,
    batching,
    gauge,
    coordinates,
    orthogonal,
    rotation,
    scaling,
    permutation,
    swap,
    negation,
    simplex,
    faces,
    rank_one,
    symmetric_share,
)

#: The laws of the Witt index of exact forms.
FORM_LAWS: tuple[FormLaw, ...] = (decomposition, congruence, squares, planes, radical, opposite, classes)


def of(question: str) -> tuple[Law, ...]:
    """The laws of functions that answer a question, each of that question only.

    Raises:
        HeadformsError: an unknown question.

    >>> [str(law) for law in of("proof")]
    ['soundness', 'batching']
    """
    if question not in QUESTIONS:
        raise HeadformsError(f"there is no question {question!r}; a law is of: {', '.join(QUESTIONS)}")
    return tuple(replace(law, questions=(question,)) for law in LAWS if question in law.questions)
