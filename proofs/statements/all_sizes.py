"""Checks that hold for all sizes at once, in the block algebra of :mod:`proofs.blocks`, and on generic heads.

For traces the words of a block count up to rotation, ``tr VW = tr WV``, and up to transposition, ``tr W = tr Wᵀ``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from typing import TypeAlias

from proofs.blocks import Block, BlockMatrix, Letter, Word
from proofs.fields import GF, QQ
from proofs.generic import prove
from proofs.indeterminates import require
from proofs.statements.registry import Check
from proofs.uniform import uniform_proof


def uniform(*names: str) -> Check:
    """The steps of the uniform proof with the given names, as a check.

    >>> uniform("symmetric part").run()
    1
    """
    return Check("identity", f"all sizes: {', '.join(names)}", partial(_uniform, names))


def _uniform(names: Sequence[str]) -> int:
    steps = [step for step in uniform_proof() if step.name in names]
    require({step.name for step in steps} == set(names), f"the uniform proof has the steps {names}")
    return sum(require(step.holds, f"{step.name}: {step.statement}") for step in steps)


def generic(*sizes: tuple[int, int]) -> Check:
    """The theorem on the generic heads of the given sizes (n, N), over ℚ, F_3 and F_101, as a check."""
    scope = f"generic heads over ℚ, F_3, F_101: (n, N) = {', '.join(map(str, sizes))}"
    return Check("identity", scope, partial(_generic, sizes))


def _generic(sizes: Sequence[tuple[int, int]]) -> int:
    cases = 0
    for field in (QQ, GF(3), GF(101)):
        for n, N in sizes:
            for step in prove(n, N, field=field).steps:
                cases += require(step.holds, f"{step.statement} for n = {n}, N = {N} over {field}")
    return cases


#: A word up to rotation and transposition; the empty word is its size, the trace of the identity.
TraceWord: TypeAlias = tuple[tuple[str, bool], ...] | str

#: A linear combination of such words.
Combination: TypeAlias = dict[TraceWord, Fraction]


def trace(of: Block | BlockMatrix) -> Combination:
    """The trace of a square block, or of a square matrix of blocks.

    >>> K, Q = letter("K", "n", "N"), letter("Q", "n", "N")
    >>> trace(K.transpose() * Q) == trace(Q.transpose() * K) == trace(K * Q.transpose())
    True
    """
    blocks = [of] if isinstance(of, Block) else [row[i] for i, row in enumerate(of.blocks)]
    combinations = []
    for block in blocks:
        require(block.rows == block.columns, f"the block is square, not {block.rows} × {block.columns}")
        combinations += [{_canonical(word, block.rows): coefficient} for word, coefficient in block.terms]
    return added(*combinations)


def scaled(combination: Combination, factor: Fraction | int) -> Combination:
    """A combination of words times a number.

    >>> scaled(trace(Block.identity("n")), 2)
    {'n': Fraction(2, 1)}
    """
    return {word: c * factor for word, c in combination.items() if c * factor != 0}


def added(*combinations: Combination) -> Combination:
    """The sum of combinations of words."""
    total: defaultdict[TraceWord, Fraction] = defaultdict(Fraction)
    for combination in combinations:
        for word, c in combination.items():
            total[word] += c
    return {word: c for word, c in total.items() if c != 0}


def _canonical(word: Word, size: str) -> TraceWord:
    if not word:
        return size
    variants = (word, tuple(letter.T for letter in reversed(word)))
    rotations = (v[i:] + v[:i] for v in variants for i in range(len(v)))
    return min(tuple((letter.name, letter.transposed) for letter in rotation) for rotation in rotations)


def letter(name: str, rows: str, columns: str) -> Block:
    """A block that is one letter."""
    return Block.of(Letter(name, rows, columns))
