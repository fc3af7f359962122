import random
from dataclasses import replace
from fractions import Fraction

import pytest

import proofs.uniform
from proofs.blocks import Rule, split_blocks
from proofs.errors import ShapeError
from proofs.fields import GF, QQ
from proofs.heads import rotary_matrix
from proofs.matrices import submatrix
from proofs.statements.instances import random_invertible, random_matrix
from proofs.uniform import IDENTITIES, uniform_proof


def test_every_step_holds():
    steps = uniform_proof()
    assert all(step.holds for step in steps)
    assert len({step.name for step in steps}) == len(steps) == len(IDENTITIES)


def _failed():
    return {step.name for step in uniform_proof() if not step.holds}


@pytest.mark.parametrize(
    ("target", "wrong", "caught"),
    [
        ("split_blocks", lambda size, sign=1: split_blocks(size, sign=-sign), "symmetric part"),
        ("split_blocks", lambda size, sign=1: split_blocks(size, sign=-1), "J is an involution"),
        ("split_blocks", lambda size, sign=1: split_blocks(size), "antisymmetric part"),
        ("_HALF", 1, "hyperbolic plus zero"),
        ("_HALF", -proofs.uniform._HALF, "hyperbolic plus zero"),
        ("Rule", lambda left, right, one: Rule(left, right, False), "gauge"),
        ("Rule", lambda left, right, one: Rule(left, right, False), "rotary"),
    ],
)
def test_mutations_are_caught(target, wrong, caught, monkeypatch):
    monkeypatch.setattr(proofs.uniform, target, wrong)
    assert caught in _failed()


@pytest.mark.parametrize("make", [make for make in IDENTITIES if make().rules], ids=lambda make: make.__name__)
def test_without_one_of_the_relations_nothing_follows(make):
    identity = make()
    without = [replace(identity, rules=tuple(r for r in identity.rules if r != rule)) for rule in identity.rules]
    needed = [one for one in without if not one.step().holds]
    assert not replace(identity, rules=()).step().holds
    # All nine but those of E: the congruence knows E by its inverse blocks only.
    assert len(needed) == len([rule for rule in identity.rules if rule.left.name != "E"])


@pytest.mark.parametrize("wrong", [lambda a, b, one: Rule(a, b, True), lambda a, b, one: Rule(b, a, one)])
def test_relations_that_make_no_sense_are_refused(wrong, monkeypatch):
    monkeypatch.setattr(proofs.uniform, "Rule", wrong)
    with pytest.raises(ShapeError, match="no rule"):
        uniform_proof()


def _letters(identity):
    words = [word for M in (identity.left, identity.right) for row in M.blocks for b in row for word, _ in b.terms]
    letters = [letter.T if letter.transposed else letter for word in words for letter in word]
    letters += [
        letter.T if letter.transposed else letter for rule in identity.rules for letter in (rule.left, rule.right)
    ]
    return {letter.name: letter for letter in letters}


def _model(identity, sizes, field, rng):
    """Matrices for the letters that satisfy the rules: random ones, inverse blocks, inverses, orthogonal ones."""
    values = {
        name: random_matrix(rng, field, sizes[letter.rows], sizes[letter.columns])
        for name, letter in _letters(identity).items()
    }
    if "X" in values:
        n, m, N = sizes["n"], sizes["m"], sizes["N"]
        B = random_invertible(rng, field, N)
        inverse = B.inv()
        cuts = (range(n), range(n, 2 * n), range(2 * n, N))
        for (row, column), cut in zip((("K", "X"), ("Q", "Y"), ("E", "Z")), cuts, strict=True):
            values[row] = submatrix(field, B, cut, range(N))
            values[column] = submatrix(field, inverse, range(N), cut)
        assert m == len(cuts[2])
    if "A⁻¹" in values:
        values["A"] = random_invertible(rng, field, sizes["n"])
        values["A⁻¹"] = values["A"].inv()
    if "R" in values:
        values["R"] = rotary_matrix(field, [2] * (sizes["n"] // 2))
    return values


def _value(block, values, sizes, field):
    total = field.zeros(sizes[block.rows], sizes[block.columns])
    for word, coefficient in block.terms:
        product = field.identity(sizes[block.rows])
        for letter in word:
            product = product * (values[letter.name].transpose() if letter.transposed else values[letter.name])
        total = total + product * field(Fraction(coefficient))
    return total


@pytest.mark.parametrize("field", [QQ, GF(3), GF(101)], ids=str)
@pytest.mark.parametrize("n, m, r, k", [(1, 0, 1, 1), (2, 0, 3, 1), (2, 3, 1, 2), (4, 1, 2, 3)])
@pytest.mark.parametrize("make", IDENTITIES, ids=lambda make: make.__name__)
def test_the_identities_hold_for_matrices_that_satisfy_the_rules(make, n, m, r, k, field):
    """There are such matrices, so that no rule says too much; and both sides are equal as matrices of numbers."""
    identity, sizes = make(), {"n": n, "m": m, "r": r, "k": k, "N": 2 * n + m}
    if "R" in _letters(identity) and (n % 2 or field == GF(3)):
        n, sizes = 2 * n, {"n": 2 * n, "m": m, "r": r, "k": k, "N": 4 * n + m}
    values = _model(identity, sizes, field, random.Random(f"{n} {m} {field}"))
    for rule in identity.rules:
        left, right = (values[x.name].transpose() if x.transposed else values[x.name] for x in (rule.left, rule.right))
        size = sizes[rule.left.rows]
        expected = field.identity(size) if rule.is_identity else field.zeros(size, sizes[rule.right.columns])
        assert left * right == expected
    for left_row, right_row in zip(identity.left.blocks, identity.right.blocks, strict=True):
        for left, right in zip(left_row, right_row, strict=True):
            assert _value(left, values, sizes, field) == _value(right, values, sizes, field)


def test_a_rule_too_many_is_not_satisfied():
    """K also orthogonal to itself, say: then more would follow, but there are no such matrices over ℚ."""
    make = next(make for make in IDENTITIES if make.__name__ == "_congruence")
    identity = make()
    values = _model(identity, {"n": 2, "m": 1, "N": 5}, QQ, random.Random(1))
    K = next(rule.left for rule in identity.rules if rule.left.name == "K")
    assert values["K"] * values["K"].transpose() != QQ.zeros(2, 2)
    assert str(Rule(K, K.T, False)) == "KKᵀ = 0"
