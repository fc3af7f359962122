import pytest

import proofs.uniform
from proofs.blocks import Rule, split_blocks
from proofs.uniform import CHECKS, uniform_proof


def test_every_step_holds():
    steps = uniform_proof()
    assert all(step.holds for step in steps)
    assert len({step.name for step in steps}) == len(steps) == len(CHECKS)


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
        ("Rule", lambda left, right, one: Rule(left, right, True), "hyperbolic plus zero"),
        ("Rule", lambda left, right, one: Rule(left, right, False), "gauge"),
        ("Rule", lambda left, right, one: Rule(left, right, False), "rotary"),
    ],
)
def test_mutations_are_caught(target, wrong, caught, monkeypatch):
    monkeypatch.setattr(proofs.uniform, target, wrong)
    assert caught in _failed()


def test_without_the_relations_nothing_follows(monkeypatch):
    monkeypatch.setattr(proofs.uniform, "Rule", lambda left, right, one: Rule(right, left, one))
    assert {"hyperbolic plus zero", "gauge"} <= _failed()
