from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from proofs.blocks import Block, BlockMatrix, Letter, Rule, split_blocks
from proofs.errors import ShapeError

SIZES = {"a": 2, "b": 3}
LETTERS = [Letter("A", "a", "b"), Letter("B", "b", "b"), Letter("C", "b", "a")]


@st.composite
def blocks(draw, rows, columns):
    """Sums of random words that fit from ``rows`` to ``columns``."""
    alphabet = LETTERS + [x.T for x in LETTERS]
    total = Block.zero(rows, columns)
    for _ in range(draw(st.integers(0, 3))):
        word, size = Block.identity(rows), rows
        for _ in range(draw(st.integers(0, 3))):
            letter = draw(st.sampled_from([x for x in alphabet if x.rows == size]))
            word, size = word * Block.of(letter), letter.columns
        if size != columns:
            letter = draw(st.sampled_from([x for x in alphabet if (x.rows, x.columns) == (size, columns)]))
            word = word * Block.of(letter)
        total = total + word.scale(draw(st.integers(-3, 3)))
    return total


def _value(block, values):
    """The block as a matrix of actual numbers."""
    total = np.zeros((SIZES[block.rows], SIZES[block.columns]), dtype=object)
    for word, coefficient in block.terms:
        product = np.eye(SIZES[block.rows], dtype=object)
        for letter in word:
            product = product @ (values[letter.name].T if letter.transposed else values[letter.name])
        total = total + coefficient * product
    return total


def _values(seed):
    generator = np.random.default_rng(seed)
    return {x.name: generator.integers(-4, 5, (SIZES[x.rows], SIZES[x.columns])).astype(object) for x in LETTERS}


@given(blocks("a", "b"), blocks("a", "b"), blocks("b", "a"), st.integers(0, 99))
def test_the_algebra_is_that_of_matrices(x, y, z, seed):
    values = _values(seed)
    assert (_value(x + y, values) == _value(x, values) + _value(y, values)).all()
    assert (_value(x * z, values) == _value(x, values) @ _value(z, values)).all()
    assert (_value(x.transpose(), values) == _value(x, values).T).all()
    assert x + y == y + x
    assert (x * z).transpose() == z.transpose() * x.transpose()
    assert (x + y) * z == x * z + y * z
    assert x + x.scale(-1) == Block.zero("a", "b")


def test_words_do_not_commute():
    B, D = (Block.of(Letter(name, "b", "b")) for name in "BD")
    assert B * D != D * B


def test_rules_are_used_with_their_transposes():
    K, X = Letter("K", "n", "N"), Letter("X", "N", "n")
    rules = [Rule(K, X, True)]
    assert (Block.of(K) * Block.of(X)).normal_form(rules) == Block.identity("n")
    assert (Block.of(X.T) * Block.of(K.T)).normal_form(rules) == Block.identity("n")
    assert (Block.of(X) * Block.of(K)).normal_form(rules) == Block.of(X) * Block.of(K)
    assert (Block.of(K) * Block.of(X)).normal_form([Rule(K, X, False)]) == Block.zero("n", "n")


def test_rewriting_goes_on_until_nothing_applies():
    A, B = Letter("A", "n", "n"), Letter("B", "n", "n")
    word = Block.of(A) * Block.of(A) * Block.of(B) * Block.of(B)
    assert word.normal_form([Rule(A, B, True)]) == Block.identity("n")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Block.of(LETTERS[0]) * Block.of(LETTERS[0]), "cannot multiply a × b by a × b"),
        (lambda: Block.of(LETTERS[0]) + Block.of(LETTERS[2]), "cannot add a × b and b × a"),
        (lambda: split_blocks("n") * split_blocks("m"), "cannot multiply n × n by m × m"),
    ],
)
def test_symbolic_sizes_must_fit(call, message):
    with pytest.raises(ShapeError, match=message):
        call()


A, X = Letter("A", "a", "b"), Letter("X", "b", "a")
SQUARE = Letter("S", "a", "a")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Rule(A, A, False), "no rule AA = 0: the letters are a × b and a × b"),
        (lambda: Rule(A, Letter("Y", "b", "c"), True), "no rule AY = I: the letters are a × b and b × c"),
        (lambda: Block("a", "b", (((X,), Fraction(1)),)), "the word X is not a × b"),
        (lambda: Block("a", "a", (((A, A), Fraction(1)),)), "the word AA is not a × a"),
        (lambda: Block("a", "b", (((), Fraction(1)),)), "the word I is not a × b"),
        (lambda: Block.identity("a").scale(Fraction(1, 3)), "the coefficient 1/3 is not in ℤ"),
        (lambda: BlockMatrix(((Block.of(A), Block.of(X)),)), "a × b, b × a do not make a row"),
        (lambda: BlockMatrix(((Block.of(A),), (Block.of(X),))), "b × a do not make a row"),
        (
            lambda: Block.of(A).normal_form([Rule(SQUARE, SQUARE, True), Rule(SQUARE.T, SQUARE.T, False)]),
            "SᵀSᵀ = 0 contradicts another one",
        ),
    ],
)
def test_what_does_not_fit_cannot_be_written_down(make, message):
    """Else KX = I with K, X of other shapes, or thirds over F₃, would prove what is false."""
    with pytest.raises(ShapeError, match=message):
        make()


def test_printing():
    K, Q = Letter("K", "n", "N"), Letter("Q", "n", "N")
    assert str(Block.of(K.T) * Block.of(Q).scale(2)) == "2·KᵀQ"
    assert str(BlockMatrix(((Block.zero("n", "N"), Block.identity("n")),))) == "[0, I]"
    assert str(Rule(K, Q.T, False)) == "KQᵀ = 0"
