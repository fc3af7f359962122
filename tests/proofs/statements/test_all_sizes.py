from fractions import Fraction

import pytest

from proofs.blocks import Block, BlockMatrix
from proofs.errors import InconsistencyError
from proofs.statements import all_sizes
from proofs.statements.all_sizes import added, generic, letter, scaled, trace, uniform

A, B, K = letter("A", "N", "N"), letter("B", "N", "N"), letter("K", "n", "N")


def test_the_laws_of_the_trace():
    assert trace(A * B) == trace(B * A) == trace(B.transpose() * A.transpose())
    assert trace(A * B) != trace(A * B.transpose())
    assert trace(A * B * A) != trace(A * B * B)
    assert trace(A * A * B * B) != trace(A * B * A * B)
    assert trace(K.transpose() * K) == trace(K * K.transpose())
    assert trace(A + A.transpose()) == scaled(trace(A), 2)
    assert trace(A + A.transpose().scale(-1)) == {}


def test_sizes_of_identities_stay_apart():
    assert trace(Block.identity("n")) == {"n": 1}
    assert added(trace(Block.identity("n")), trace(Block.identity("N"))) == {"n": 1, "N": 1}


def test_block_matrices():
    matrix = BlockMatrix(((A, B), (B, A.scale(Fraction(1, 2)))))
    assert trace(matrix) == scaled(trace(A), Fraction(3, 2))


def test_a_block_that_is_not_square():
    with pytest.raises(InconsistencyError, match="the block is square, not n × N"):
        trace(K)


def test_unknown_steps():
    with pytest.raises(InconsistencyError, match="the uniform proof has the steps"):
        uniform("no such step").run()
    assert uniform("symmetric part", "gauge").run() == 2


def test_generic_heads():
    assert generic((1, 2)).run() >= 3 * 6


def test_a_failing_step_is_a_failure(monkeypatch):
    from dataclasses import replace

    steps = tuple(replace(step, holds=step.name != "gauge") for step in all_sizes.uniform_proof())
    monkeypatch.setattr(all_sizes, "uniform_proof", lambda: steps)
    with pytest.raises(InconsistencyError, match="gauge"):
        uniform("gauge").run()
    assert uniform("symmetric part").run() == 1
