"""The theorem and what surrounds it, checked for all n and N at once by the block algebra of :mod:`proofs.blocks`.

Encoding: K, Q are n × N, and m stands for N − 2n. That ``rank M = 2n`` means that some E (m × N) completes M to an
invertible matrix ``B = [K; Q; E]``; the blocks X, Y, Z of its inverse satisfy the nine relations of ``B·[X Y Z] = I``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from proofs.blocks import Block, BlockMatrix, Letter, Rule, split_blocks
from proofs.generic import Step

_HALF = Fraction(1, 2)
_K, _Q = Letter("K", "n", "N"), Letter("Q", "n", "N")


@dataclass(frozen=True)
class Identity:
    """An equality of block matrices for all matrices that satisfy the rules.

    Args:
        name: short name.
        statement: what it says.
        left, right: the two sides.
        rules: relations between the letters.
    """

    name: str
    statement: str
    left: BlockMatrix
    right: BlockMatrix
    rules: tuple[Rule, ...] = ()

    def step(self) -> Step:
        """The identity with its check: both sides have one normal form."""
        given = f", given {', '.join(map(str, self.rules))}" if self.rules else ""
        holds = self.left.normal_form(self.rules) == self.right.normal_form(self.rules)
        return Step(self.name, self.statement, f"noncommutative block algebra, all n and N{given}", holds)


def uniform_proof() -> tuple[Step, ...]:
    """All steps, each with its outcome.

    >>> all(step.holds for step in uniform_proof())
    True
    """
    return tuple(identity().step() for identity in IDENTITIES)


def _one(block: Block) -> BlockMatrix:
    return BlockMatrix(((block,),))


def _stacked(*letters: Letter) -> BlockMatrix:
    return BlockMatrix(tuple((Block.of(x),) for x in letters))


def _part(K: Block, Q: Block, *, sign: int) -> BlockMatrix:
    """``½(KᵀQ ± QᵀK)``: S for the sign 1, T for −1."""
    L = K.transpose() * Q
    return _one((L + L.transpose().scale(sign)).scale(_HALF))


def _symmetric_part() -> Identity:
    M = _stacked(_K, _Q)
    left = _part(Block.of(_K), Block.of(_Q), sign=1)
    return Identity("symmetric part", "S = ½MᵀJM", left, (M.transpose() * split_blocks("n") * M).scale(_HALF))


def _antisymmetric_part() -> Identity:
    M = _stacked(_K, _Q)
    left = _part(Block.of(_K), Block.of(_Q), sign=-1)
    return Identity(
        "antisymmetric part", "T = ½MᵀΩM", left, (M.transpose() * split_blocks("n", sign=-1) * M).scale(_HALF)
    )


def _congruence() -> Identity:
    E = Letter("E", "m", "N")
    inverse = (Letter("X", "N", "n"), Letter("Y", "N", "n"), Letter("Z", "N", "m"))
    rules = tuple(Rule(row, column, i == j) for i, row in enumerate((_K, _Q, E)) for j, column in enumerate(inverse))
    X, Y, Z = map(Block.of, inverse)
    P = BlockMatrix(((X.scale(2), Y, Z),))
    left = P.transpose() * _part(Block.of(_K), Block.of(_Q), sign=1) * P
    one = Block.identity("n")
    zero = [[Block.zero(r, c) for c in ("n", "n", "m")] for r in ("n", "n", "m")]
    zero[0][1] = zero[1][0] = one
    return Identity(
        "hyperbolic plus zero", "PᵀSP = J ⊕ 0 for P = [2X Y Z]", left, BlockMatrix(tuple(map(tuple, zero))), rules
    )


def _factor_lemma() -> Identity:
    upper, lower, B = Letter("C₁", "n", "r"), Letter("C₂", "n", "r"), Block.of(Letter("B", "r", "N"))
    C = _stacked(upper, lower)
    left = _part(Block.of(upper) * B, Block.of(lower) * B, sign=1)
    inner = (C.transpose() * split_blocks("n") * C).scale(_HALF)
    return Identity("factor lemma", "S = Bᵀ(½CᵀJC)B for M = CB", left, _one(B).transpose() * inner * _one(B))


def _annihilator_gram() -> Identity:
    U = BlockMatrix(((Block.of(Letter("U₁", "k", "n")), Block.of(Letter("U₂", "k", "n"))),))
    J = split_blocks("n")
    X = J * U.transpose()
    return Identity(
        "annihilator lemma", "X = JUᵀ has Gram matrix XᵀJX = UJUᵀ", X.transpose() * J * X, U * J * U.transpose()
    )


def _annihilator_orthogonal() -> Identity:
    """``XᵀJM = UM``: the columns of M are orthogonal to X exactly if U annihilates M."""
    U = BlockMatrix(((Block.of(Letter("U₁", "k", "n")), Block.of(Letter("U₂", "k", "n"))),))
    J, M = split_blocks("n"), _stacked(_K, _Q)
    return Identity("annihilator", "XᵀJM = UM for X = JUᵀ", (J * U.transpose()).transpose() * J * M, U * M)


def _gauge() -> Identity:
    A, inverse = Letter("A", "n", "n"), Letter("A⁻¹", "n", "n")
    K = Block.of(inverse).transpose() * Block.of(_K)
    left, right = K.transpose() * Block.of(A) * Block.of(_Q), Block.of(_K).transpose() * Block.of(_Q)
    return Identity("gauge", "L is that of (AQ, A⁻ᵀK)", _one(left), _one(right), (Rule(inverse, A, True),))


def _coordinates() -> Identity:
    U = Block.of(Letter("U", "N", "N"))
    left = _part(Block.of(_K) * U, Block.of(_Q) * U, sign=1)
    right = _one(U).transpose() * _part(Block.of(_K), Block.of(_Q), sign=1) * _one(U)
    return Identity("coordinates", "S becomes UᵀSU for (QU, KU)", left, right)


def _rotation() -> Identity:
    """The stacked matrix of (RQ, K) is diag(I, R)M, and diag(I, R) has the inverse diag(I, Rᵀ)."""
    R = Letter("R", "n", "n")
    zero, one = Block.zero("n", "n"), Block.identity("n")
    turn = BlockMatrix(((one, zero), (zero, Block.of(R))))
    identity = BlockMatrix(((one, zero), (zero, one)))
    statement = "diag(I, R) is invertible, so the row space of M is that of (RQ, K)"
    return Identity("rotary", statement, turn.transpose() * turn, identity, (Rule(R.T, R, True),))


def _square() -> Identity:
    zero, one = Block.zero("n", "n"), Block.identity("n")
    J = split_blocks("n")
    return Identity("J is an involution", "J² = I", J * J, BlockMatrix(((one, zero), (zero, one))))


#: The identities of :func:`uniform_proof`.
IDENTITIES: tuple[Callable[[], Identity], ...] = (
    _symmetric_part,
    _antisymmetric_part,
    _congruence,
    _square,
    _factor_lemma,
    _annihilator_gram,
    _annihilator_orthogonal,
    _gauge,
    _coordinates,
    _rotation,
)
