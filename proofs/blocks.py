"""The theorem for all n and N at once: block matrices whose sizes are symbols and whose blocks do not commute.

A block is a linear combination of words in letters, with coefficients in ℤ[½]; a letter is a matrix with a name and
two sizes, such as K of size ``n × N``, or its transpose. Words are multiplied by concatenation where the inner sizes
agree, and rewritten by rules such as ``KX → I``. Matrices over any commutative ring with ½ satisfy these laws for all
values of the sizes, so two expressions with one normal form are equal for all matrices that satisfy the rules. Every
rule makes a word shorter, so that rewriting ends.

Nothing that does not fit can be written down: sizes are checked where blocks are made, added, multiplied or put into a
matrix and where a rule is stated, coefficients where a block is made.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from proofs.errors import ShapeError


@dataclass(frozen=True)
class Letter:
    """A matrix symbol, or its transpose.

    Args:
        name: the symbol.
        rows: name of the number of rows of the letter as it stands.
        columns: name of the number of columns.
        transposed: whether the letter is the transpose of the symbol.
    """

    name: str
    rows: str
    columns: str
    transposed: bool = False

    @property
    def T(self) -> Letter:
        """The transposed letter."""
        return Letter(self.name, self.columns, self.rows, not self.transposed)

    def __str__(self) -> str:
        return f"{self.name}ᵀ" if self.transposed else self.name


Word = tuple[Letter, ...]


@dataclass(frozen=True)
class Rule:
    """``left · right → identity`` or ``→ 0``: a relation between two letters, used together with its transpose.

    Raises:
        ShapeError: the letters cannot be multiplied, or their product is not square and cannot be the identity.
    """

    left: Letter
    right: Letter
    is_identity: bool

    def __post_init__(self) -> None:
        left, right = self.left, self.right
        if left.columns != right.rows or (self.is_identity and left.rows != right.columns):
            shapes = f"{left.rows} × {left.columns} and {right.rows} × {right.columns}"
            raise ShapeError(f"no rule {self}: the letters are {shapes}")

    def __str__(self) -> str:
        return f"{self.left}{self.right} = {'I' if self.is_identity else '0'}"


@dataclass(frozen=True)
class Block:
    """A linear combination of words of one shape, ``rows × columns``; the empty word is the identity.

    Raises:
        ShapeError: a word does not fit together or is not of this shape, or a coefficient is not in ℤ[½].

    >>> K, Q = Letter("K", "n", "N"), Letter("Q", "n", "N")
    >>> L = Block.of(K).transpose() * Block.of(Q)
    >>> print(L + L.transpose())
    KᵀQ + QᵀK
    """

    rows: str
    columns: str
    terms: tuple[tuple[Word, Fraction], ...] = ()

    def __post_init__(self) -> None:
        for word, coefficient in self.terms:
            sizes = [self.rows, *(size for letter in word for size in (letter.rows, letter.columns)), self.columns]
            if any(a != b for a, b in zip(sizes[::2], sizes[1::2], strict=True)):
                raise ShapeError(f"the word {''.join(map(str, word)) or 'I'} is not {self.rows} × {self.columns}")
            if coefficient.denominator & (coefficient.denominator - 1):
                raise ShapeError(f"the coefficient {coefficient} is not in ℤ[½], so not in every ring with ½")

    @classmethod
    def of(cls, letter: Letter) -> Block:
        """The block that is one letter."""
        return cls(letter.rows, letter.columns, (((letter,), Fraction(1)),))

    @classmethod
    def identity(cls, size: str) -> Block:
        """The identity of a symbolic size."""
        return cls(size, size, (((), Fraction(1)),))

    @classmethod
    def zero(cls, rows: str, columns: str) -> Block:
        """The zero block."""
        return cls(rows, columns)

    def __add__(self, other: Block) -> Block:
        if (self.rows, self.columns) != (other.rows, other.columns):
            raise ShapeError(f"cannot add {self.rows} × {self.columns} and {other.rows} × {other.columns}")
        return Block(self.rows, self.columns, _collected([*self.terms, *other.terms]))

    def __mul__(self, other: Block) -> Block:
        if self.columns != other.rows:
            raise ShapeError(f"cannot multiply {self.rows} × {self.columns} by {other.rows} × {other.columns}")
        products = [(v + w, a * b) for v, a in self.terms for w, b in other.terms]
        return Block(self.rows, other.columns, _collected(products))

    def scale(self, c: Fraction | int) -> Block:
        """The block times a number."""
        return Block(self.rows, self.columns, _collected([(w, a * c) for w, a in self.terms]))

    def transpose(self) -> Block:
        """Words reversed, letters transposed."""
        turned = [(tuple(letter.T for letter in reversed(w)), a) for w, a in self.terms]
        return Block(self.columns, self.rows, _collected(turned))

    def normal_form(self, rules: Sequence[Rule]) -> Block:
        """The block with every rule and its transpose applied as often as possible.

        Raises:
            ShapeError: two rules contradict each other.
        """
        both: dict[tuple[Letter, Letter], bool] = {}
        for rule in rules:
            for pair in ((rule.left, rule.right), (rule.right.T, rule.left.T)):
                if both.setdefault(pair, rule.is_identity) != rule.is_identity:
                    raise ShapeError(f"the rule {rule} contradicts another one")
        reduced = []
        for word, a in self.terms:
            shorter = _rewritten(word, both)
            if shorter is not None:
                reduced.append((shorter, a))
        return Block(self.rows, self.columns, _collected(reduced))

    def __str__(self) -> str:
        if not self.terms:
            return "0"
        return " + ".join(f"{'' if a == 1 else f'{a}·'}{''.join(map(str, w)) or 'I'}" for w, a in self.terms)


def _collected(terms: Sequence[tuple[Word, Fraction]]) -> tuple[tuple[Word, Fraction], ...]:
    total: dict[Word, Fraction] = {}
    for word, a in terms:
        total[word] = total.get(word, Fraction(0)) + a
    kept = [(word, a) for word, a in total.items() if a != 0]
    return tuple(sorted(kept, key=lambda term: [(x.name, x.transposed) for x in term[0]]))


def _rewritten(word: Word, rules: dict[tuple[Letter, Letter], bool]) -> Word | None:
    """The word after all rewriting, or None if it is zero."""
    for i in range(len(word) - 1):
        is_identity = rules.get((word[i], word[i + 1]))
        if is_identity is False:
            return None
        if is_identity:
            return _rewritten(word[:i] + word[i + 2 :], rules)
    return word


@dataclass(frozen=True)
class BlockMatrix:
    """A matrix of blocks; the blocks of a row share their number of rows, those of a column their columns.

    Raises:
        ShapeError: they do not.

    >>> I = Block.identity("n")
    >>> J = BlockMatrix(((Block.zero("n", "n"), I), (I, Block.zero("n", "n"))))
    >>> print(J * J)
    [I, 0]
    [0, I]
    """

    blocks: tuple[tuple[Block, ...], ...]

    def __post_init__(self) -> None:
        widths = [block.columns for block in self.blocks[0]]
        for row in self.blocks:
            if {block.rows for block in row} != {row[0].rows} or [block.columns for block in row] != widths:
                shapes = ", ".join(f"{block.rows} × {block.columns}" for block in row)
                raise ShapeError(f"the blocks {shapes} do not make a row of the matrix")

    def __mul__(self, other: BlockMatrix) -> BlockMatrix:
        columns = tuple(zip(*other.blocks, strict=True))
        return BlockMatrix(tuple(tuple(_dot(row, column) for column in columns) for row in self.blocks))

    def transpose(self) -> BlockMatrix:
        """Blocks transposed and mirrored."""
        return BlockMatrix(tuple(tuple(b.transpose() for b in column) for column in zip(*self.blocks, strict=True)))

    def scale(self, c: Fraction | int) -> BlockMatrix:
        """Every block times a number."""
        return BlockMatrix(tuple(tuple(b.scale(c) for b in row) for row in self.blocks))

    def normal_form(self, rules: Sequence[Rule]) -> BlockMatrix:
        """Every block in normal form."""
        return BlockMatrix(tuple(tuple(b.normal_form(rules) for b in row) for row in self.blocks))

    def __str__(self) -> str:
        return "\n".join(f"[{', '.join(map(str, row))}]" for row in self.blocks)


def _dot(row: Sequence[Block], column: Sequence[Block]) -> Block:
    total = row[0] * column[0]
    for a, b in zip(row[1:], column[1:], strict=True):
        total = total + a * b
    return total


def split_blocks(size: str, *, sign: int = 1) -> BlockMatrix:
    """``[[0, I], [±I, 0]]`` of a symbolic size: J, or Ω for the sign −1."""
    zero, one = Block.zero(size, size), Block.identity(size)
    return BlockMatrix(((zero, one), (one.scale(sign), zero)))
