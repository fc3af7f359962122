"""The two lemmas that reduce the symmetric part of any head to a small matrix.

Factor lemma. If ``M = CB`` with B of full row rank r, then ``S = ½MᵀJM = Bᵀ(½CᵀJC)B``, hence
``S ≅ ½CᵀJC ⊥ 0^{N−r}``. With C the pivot columns of M, ``½CᵀJC`` is a principal r × r submatrix of S.

Annihilator lemma. Let the rows of U (k × 2n) be a basis of the left kernel of M, ``A = UJUᵀ`` (k × k), a its rank,
``t = k − a``, and A₀ the non-degenerate part of A. Then

    S ⊥ (k−n)H ≅ −½A₀ ⊥ 0^{N−2n+k+t}     (so for k ≤ n: S ≅ (n−k)H ⊥ −½A₀ ⊥ 0^{N−2n+k+t}).

Proof. Let ``V = F^{2n}`` with the form J, W the column space of M, X that of ``JUᵀ``. As J² = I, the equation Uw = 0
of W says ``(JUᵀ)ᵀJw = 0``, so ``W = X^⊥``, ``X = W^⊥``, and the form on X in the columns of JUᵀ has Gram matrix
``UJ·J·JUᵀ = A``. Hence ``rad W = W ∩ X = rad X`` has dimension t. Write ``X = X₀ ⊥ rad X`` with X₀ ≅ A₀
non-degenerate. In ``V = X₀ ⊥ X₀^⊥`` the space W is the orthogonal complement inside X₀^⊥ of the totally isotropic
rad X, so ``W/rad W ⊥ tH ≅ X₀^⊥``; and ``A₀ ⊥ X₀^⊥ ≅ nH ≅ A₀ ⊥ −A₀ ⊥ (n−a)H`` gives, by Witt cancellation,
``X₀^⊥ ⊥ aH ≅ −A₀ ⊥ nH``. Together ``W/rad W ⊥ (a+t−n)H ≅ −A₀``, where a + t = k; and S is half the form on W
pulled back along M, whose kernel has dimension N − (2n − k). ∎

Consequences: ``rank S = 2n − k − t``; S and −½A have the same anisotropic part, of dimension at most a = k − t (the
corank bound); if A has signature (p, q, t) then S has signature ``(n−p−t, n−q−t, N−2n+p+q+2t)``.
"""

from __future__ import annotations

from proofs.errors import InconsistencyError
from proofs.heads import Head, split_form
from proofs.matrices import Matrix, submatrix
from proofs.ranks import RankProof, left_kernel_over, rank_over


def factor(head: Head) -> tuple[Matrix, Matrix]:
    """``M = CB`` with C (2n × r) the pivot columns of M and B (r × N) of full row rank, re-checked.

    >>> C, B = factor(Head.of(Q=[[1, 2, 3]], K=[[2, 4, 6]]))
    >>> C.transpose(), B
    ([2, 1], [1, 2, 3])
    """
    _, rows, columns = rank_over(head.field, head.M).minor
    C = submatrix(head.field, head.M, range(2 * head.n), columns)
    pivot_block = submatrix(head.field, head.M, rows, columns)
    B: Matrix = pivot_block.solve(submatrix(head.field, head.M, rows, range(head.N)))
    if C * B != head.M:
        raise InconsistencyError("M is not the product CB of its factorisation")
    return C, B


def core(head: Head) -> Matrix:
    """The r × r matrix ``½CᵀJC`` of the factor lemma, r = rank M: S up to N − r dimensions of radical.

    >>> core(Head.of(Q=[[1, 2, 3]], K=[[2, 4, 6]]))
    [2]
    """
    return core_of(head, rank_over(head.field, head.M))


def core_of(head: Head, proof: RankProof) -> Matrix:
    """:func:`core` for a head whose rank of M is proved already."""
    C = submatrix(head.field, head.M, range(2 * head.n), proof.minor.columns)
    result: Matrix = C.transpose() * split_form(head.field, head.n) * C * (head.field(1) / head.field(2))
    return result


def annihilator(head: Head) -> Matrix:
    """A basis U (k × 2n) of the left kernel of M, k = 2n − rank M, as rows; primitive integers over ℚ.

    >>> annihilator(Head.of(Q=[[1, 2, 3]], K=[[2, 4, 6]]))
    [-1, 2]
    """
    return left_kernel_over(head.field, head.M, rank_over(head.field, head.M).minor)


def annihilator_form(head: Head) -> Matrix:
    """``A = UJUᵀ`` (k × k) of the annihilator lemma: the anisotropic part of S is that of ``−½A``.

    >>> annihilator_form(Head.of(Q=[[1, 2, 3]], K=[[2, 4, 6]]))
    [-4]
    """
    return annihilator_form_of(head, rank_over(head.field, head.M))


def annihilator_form_of(head: Head, proof: RankProof) -> Matrix:
    """:func:`annihilator_form` for a head whose rank of M is proved already."""
    if len(proof.null_vectors) == 2 * head.n - proof.rank:
        U = head.field.matrix(proof.null_vectors, columns=2 * head.n)
    else:  # a matrix of full column rank needs no null vectors to prove its rank, so there are none yet
        U = left_kernel_over(head.field, head.M, proof.minor)
    result: Matrix = U * split_form(head.field, head.n) * U.transpose()
    return result
