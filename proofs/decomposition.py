"""The theorem on exact heads: the hyperbolic basis, and the exact decomposition of any head.

Theorem (A. O'Desky, arXiv 2609.22990, Theorem 3 over ℝ). If ``rank M = 2n`` then ``S ≅ nH ⊥ 0^{N−2n}`` over every
field of characteristic other than 2, H the hyperbolic plane. :func:`hyperbolic_basis` gives the basis.

For the other heads the factor lemma and the annihilator lemma (:mod:`proofs.lemmas`) reduce S to a small matrix.
"""

from __future__ import annotations

from dataclasses import dataclass

from flint import fmpq_mat

from proofs.errors import HypothesisError, InconsistencyError
from proofs.fields import QQ, RR, Field
from proofs.forms import Form
from proofs.heads import Head, split_form
from proofs.inertia import Signature, signature
from proofs.lemmas import annihilator_form_of, core_of
from proofs.matrices import Matrix, block_diagonal, submatrix
from proofs.ranks import Minor, RankProof, rank_over
from proofs.witt import anisotropic_dimension


@dataclass(frozen=True)
class HyperbolicBasis:
    """A basis in which S is hyperbolic plus zero: ``PᵀSP = J ⊕ 0``.

    Args:
        P: N × N, its columns are the basis; the first n and the next n pair up into hyperbolic planes, the last
            N − 2n span the radical.
        inverse: ``P⁻¹``. Its first 2n rows are ``½K`` and ``Q``.
        columns: the 2n columns of M whose minor is inverted to obtain P.
        head: the head it belongs to.
    """

    P: Matrix
    inverse: Matrix
    columns: tuple[int, ...]
    head: Head

    def check(self) -> None:
        """Multiply out ``PᵀSP`` and ``P⁻¹P``.

        Raises:
            InconsistencyError: a product is not what it should be.
        """
        field, N = self.head.field, self.head.N
        if self.P.transpose() * self.head.S * self.P != hyperbolic_plus_zero(field, self.head.n, N):
            raise InconsistencyError("PᵀSP is not J ⊕ 0")
        if self.inverse * self.P != field.identity(N):
            raise InconsistencyError("the basis P is not invertible")


def hyperbolic_plus_zero(field: Field, n: int, N: int) -> Matrix:
    """``J ⊕ 0``, N × N: n hyperbolic planes and the zero form of dimension N − 2n.

    Raises:
        HypothesisError: ``2n > N``.
    """
    if 2 * n > N:
        raise HypothesisError(f"2n = {2 * n} > N = {N}: {n} hyperbolic planes do not fit into dimension {N}")
    return block_diagonal(field, [split_form(field, n), field.zeros(N - 2 * n, N - 2 * n)])


def hyperbolic_basis(head: Head) -> HyperbolicBasis:
    """The theorem's basis, over the head's own field, re-checked by multiplication.

    The rows of M are completed by unit vectors to an invertible matrix; in the dual basis S is ½J padded by zeros,
    and doubling the first n vectors turns ½J into J.

    Raises:
        HypothesisError: the head is degenerate, ``rank M < 2n``.

    >>> head = Head.of(Q=[[1, 0, 0]], K=[[1, 2, 0]])
    >>> basis = hyperbolic_basis(head)
    >>> basis.P.transpose() * head.S * basis.P
    [0, 1, 0]
    [1, 0, 0]
    [0, 0, 0]
    """
    n, N, field = head.n, head.N, head.field
    columns = rank_over(field, head.M).minor.columns
    if len(columns) < 2 * n:
        raise HypothesisError(f"rank M = {len(columns)} < 2n = {2 * n}: the head is degenerate; see decompose(head)")
    rest = [j for j in range(N) if j not in set(columns)]
    rows = range(2 * n)
    block_inverse = submatrix(field, head.M, rows, columns).inv()
    remainder = block_inverse * submatrix(field, head.M, rows, rest)
    P, inverse = field.zeros(N, N), field.zeros(N, N)
    for i, column in enumerate(columns):
        for j in rows:
            P[column, j] = block_inverse[i, j] * (2 if j < n else 1)
        for j in range(len(rest)):
            P[column, 2 * n + j] = -remainder[i, j]
    for j, column in enumerate(rest):
        P[column, 2 * n + j] = inverse[2 * n + j, column] = field(1)
    half = field(1) / field(2)
    for i in rows:
        for j in range(N):
            inverse[i, j] = head.M[i, j] * (half if i < n else field(1))
    basis = HyperbolicBasis(P, inverse, columns, head)
    basis.check()
    return basis


@dataclass(frozen=True)
class Decomposition:
    """What is true of one head, exactly; made by :func:`decompose`.

    Args:
        n, N: head dimension, width.
        rank_stacked, rank_query, rank_key: ranks of M, Q and K.
        rank_score: rank of L.
        rank: rank of S.
        radical: dimension of the radical of S, ``N − rank``.
        signature: of S on all N dimensions; None over a field that is not ordered.
        witt_index: hyperbolic planes in the non-degenerate part of S: over ℝ for a rational head, else over its field.
        isotropy_dimension: of the largest totally isotropic subspace, ``radical + witt_index``.
        anisotropic_dimension: ``rank − 2 · witt_index``.
        nondegenerate: whether ``rank M = 2n``.
        hyperbolic_plus_zero: whether S is hyperbolic plus zero; a degenerate head may be.
        null_vectors: ``2n − rank_stacked`` integer vectors u with ``uM = 0``, primitive over ℚ, residues over F_p;
            they prove ``rank_stacked`` from above. Empty where ``rank_stacked = N``, which needs no proof.
        minor: rows and columns of M whose minor is nonzero modulo a prime: proves ``rank_stacked`` from below.
    """

    n: int
    N: int
    rank_stacked: int
    rank_query: int
    rank_key: int
    rank_score: int
    rank: int
    radical: int
    signature: Signature | None
    witt_index: int
    isotropy_dimension: int
    anisotropic_dimension: int
    nondegenerate: bool
    hyperbolic_plus_zero: bool
    null_vectors: tuple[tuple[int, ...], ...]
    minor: Minor


def decompose(head: Head) -> Decomposition:
    """The exact decomposition of any head: degenerate or not, big or not.

    Over ℚ the class is that over ℝ (signature, Witt index ``min(n₊, n₋)``; for the Witt index over ℚ itself see
    :func:`proofs.witt.head_witt_index`); over F_p and ℚ_p it is that over the field of the head. The invariants come
    from the core or from the annihilator form, whichever is the cheaper matrix.

    Raises:
        InconsistencyError: the result violates the corank bound or rank balance (Lemma 3 of the paper:
            ``n₊, n₋ ≤ n``).

    >>> d = decompose(Head.of(Q=[[1, 0]], K=[[1, 0]]))
    >>> d.signature, d.nondegenerate, d.hyperbolic_plus_zero, d.null_vectors
    (Signature(positive=1, negative=0, zero=1), False, False, ((-1, 1),))
    """
    n, N, field = head.n, head.N, head.field
    proof = rank_over(field, head.M)
    r = proof.rank
    k = 2 * n - r
    if k == 0:
        rank_query = rank_key = rank_score = n
    else:
        query, key = rank_over(field, head.Q), rank_over(field, head.K)
        rank_query, rank_key, rank_score = query.rank, key.rank, _rank_score(head, query, key)
    inertia, rank, anisotropic = _invariants(head, proof)
    # For k = 0 this bound is the theorem: it leaves only rank S = 2n and no anisotropic part.
    if anisotropic > k - (r - rank):
        raise InconsistencyError(f"anisotropic dimension {anisotropic} exceeds the corank bound {k - (r - rank)}")
    if inertia is not None and max(inertia.positive, inertia.negative) > n:
        raise InconsistencyError(f"signature {tuple(inertia)} exceeds rank balance, n = {n}")
    witt_index = (rank - anisotropic) // 2
    return Decomposition(
        n=n,
        N=N,
        rank_stacked=r,
        rank_query=rank_query,
        rank_key=rank_key,
        rank_score=rank_score,
        rank=rank,
        radical=N - rank,
        signature=inertia,
        witt_index=witt_index,
        isotropy_dimension=N - rank + witt_index,
        anisotropic_dimension=anisotropic,
        nondegenerate=k == 0,
        hyperbolic_plus_zero=anisotropic == 0,
        null_vectors=proof.null_vectors,
        minor=proof.minor,
    )


def _rank_score(head: Head, query: RankProof, key: RankProof) -> int:
    """Rank of ``L = KᵀQ``: that of its submatrix on pivot columns of K and Q, which span the two column spaces."""
    rows = range(head.n)
    K = submatrix(head.field, head.K, rows, key.minor.columns)
    Q = submatrix(head.field, head.Q, rows, query.minor.columns)
    return rank_over(head.field, K.transpose() * Q).rank


def _invariants(head: Head, proof: RankProof) -> tuple[Signature | None, int, int]:
    """Signature (over ℚ), rank and anisotropic dimension of S."""
    n, N, r = head.n, head.N, proof.rank
    k = 2 * n - r
    through_core = core_of(head, proof)
    through_annihilator = annihilator_form_of(head, proof) if r < N else None
    if through_annihilator is None or _cost(through_core) <= _cost(through_annihilator):
        inertia, rank, anisotropic = _classify(head.field, through_core)
        if inertia is not None:
            inertia = Signature(inertia.positive, inertia.negative, N - rank)
        return inertia, rank, anisotropic
    inertia, rank, anisotropic = _classify(head.field, through_annihilator)
    t = k - rank
    if inertia is not None:
        p, q, _ = inertia
        inertia = Signature(n - p - t, n - q - t, N - 2 * n + p + q + 2 * t)
    return inertia, 2 * n - k - t, anisotropic


def _cost(form: Matrix) -> int:
    """Rough cost of the invariants of an m × m matrix: m³ operations on numbers that grow to m times its entries."""
    bits = 1
    if isinstance(form, fmpq_mat):
        bits = max((x.height_bits() for x in form.entries()), default=1)
    return int(form.nrows() ** 4 * bits)


def _classify(field: Field, gram: Matrix) -> tuple[Signature | None, int, int]:
    """Signature, rank and anisotropic dimension of a symmetric matrix; over ℚ the class is that over ℝ."""
    if field in (QQ, RR):
        inertia = signature(gram)
        return inertia, inertia.positive + inertia.negative, abs(inertia.positive - inertia.negative)
    form = Form(gram, field)
    return None, form.rank, anisotropic_dimension(form)
