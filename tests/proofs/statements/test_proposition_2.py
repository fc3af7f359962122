from proofs.statements.proposition_2 import Block, _scalar, holds
from tests.proofs.statements.mutation import failures


def test_the_bound_is_attained():
    block = _scalar(x=1, weight=1, value=2, slope=3)
    y = block.x + block.A * block.x * block.W.transpose()
    assert (y + block.feed_forward(y) - block.x)[0, 0] == 3 + 2 + 6
    assert holds(block)
    assert not holds(_scalar(x=1, weight=1, value=2, slope=3, V=2, L=2))


def test_a_larger_feed_forward_map_is_caught(monkeypatch):
    plain = Block.feed_forward
    monkeypatch.setattr(Block, "feed_forward", lambda self, y: plain(self, y) * 2)
    assert failures("proposition-2")
