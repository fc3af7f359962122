import pytest
import torch

from verify.checkpoints.files.interface import Part
from verify.checkpoints.files.memory import MemoryFile
from verify.errors import SourceError


def test_a_module_and_its_state_are_read_alike() -> None:
    module = torch.nn.Sequential(torch.nn.Linear(4, 6), torch.nn.Linear(6, 2))
    live, state = MemoryFile(module), MemoryFile({"model": module.state_dict(), "step": 3})
    assert torch.equal(live.read("0.weight", Part(((1, 3),))), module[0].weight[1:3])
    assert torch.equal(state.read("model.1.bias"), module[1].bias)
    assert not live.read("0.weight").requires_grad
    assert live.identity() == MemoryFile(module.state_dict()).identity()
    assert live.metadata == {}
    assert live.name == "<Sequential in memory>"


def test_nothing_to_read() -> None:
    with pytest.raises(SourceError, match="holds no tensor; pass a model or its state dict"):
        MemoryFile({"step": 3})
